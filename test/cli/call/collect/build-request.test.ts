import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type CallRequest,
  buildRequest,
  followUp,
} from "../../../../src/cli/call/collect/build-request.ts";
import { parseContext } from "../../../../src/turn/context/context.ts";
import { CopilotRequest } from "../../../../src/doors/copilot/read-request.ts";
import { createTestApp } from "../../../helpers/create-test-app.ts";
import { textOfMessage } from "../../../../src/turn/chat-message.ts";
import { git, temporaryFolder } from "../temporary-folder.ts";

const agent = "rightseat";
const command = "explain";

function valueOf(request: CallRequest, name: string): unknown {
  return request.contextVariables.find((variable) => variable.name === name)?.value;
}

test("a request from a git repository carries every variable that exists, as the server's schema wants them", async () => {
  const directory = temporaryFolder({
    "src/a.ts": "let a = 1;\n",
    "package.json": '{"name":"shop"}',
  });
  git(directory, "init", "--initial-branch", "topic");
  git(directory, "config", "user.name", "Ada L.");
  git(directory, "remote", "add", "origin", "https://ada:secret@example.com/shop.git");
  git(directory, "remote", "add", "my.fork", "git@example.com:ada/shop.git");
  const request = await buildRequest({
    directory,
    agent,
    command,
    file: "src/a.ts",
    prompt: "Why?",
    language: "zh",
    model: "m",
  });

  expect(CopilotRequest.parse(request)).toMatchObject({
    agent,
    command,
    language: "zh",
    model: "m",
  });
  const context = parseContext(request.contextVariables);
  expect(context.dropped).toBeUndefined();
  expect(context.userInputPrompt).toBe("Why?");
  expect(context.userInfo).toEqual({ id: userInfo().username, name: "Ada L.", nickname: "Ada L." });
  expect(context.packageFiles).toEqual([{ filepath: "package.json", content: '{"name":"shop"}' }]);
  expect(context.activeEditor).toMatchObject({
    filePath: "src/a.ts",
    language: "typescript",
    content: "let a = 1;\n",
  });
  expect(valueOf(request, "vcs")).toEqual({
    type: "git",
    branchName: "topic",
    remoteUrl: "https://example.com/shop.git",
    remotes: ["https://example.com/shop.git", "git@example.com:ada/shop.git"],
  });
  expect(JSON.stringify(request)).not.toContain("secret");
});

test("the upstream branch is named where the branch tracks one", async () => {
  const origin = temporaryFolder();
  git(origin, "init", "--bare", "--initial-branch", "main");
  const directory = temporaryFolder({ "a.txt": "a" });
  git(directory, "init", "--initial-branch", "main");
  git(
    directory,
    ..."-c user.name=a -c user.email=a@b commit --allow-empty --message first".split(" "),
  );
  git(directory, "remote", "add", "origin", origin);
  git(directory, "push", "--set-upstream", "origin", "main");
  const request = await buildRequest({ directory, agent, command });
  expect(valueOf(request, "vcs")).toMatchObject({
    branchName: "main",
    upstreamBranchName: "origin/main",
  });
});

test("outside of a repository, without file, manifest and prompt, only the person is known", async () => {
  const request = await buildRequest({ directory: temporaryFolder(), agent, command });
  expect(request.contextVariables.map(({ name }) => name)).toEqual(["userInfo"]);
});

test("manifests of the working directory come before those of the root, three at most, without long and binary ones", async () => {
  const root = temporaryFolder({
    "package.json": "{}",
    "go.mod": "module a",
    Gemfile: "",
    "app/package.json": "x".repeat(64 * 1024 + 1),
    "app/pom.xml": new Uint8Array([0, 1]),
    "app/Shop.csproj": "<Project/>",
    "app/Cargo.toml": "[package]",
  });
  git(root, "init");
  const request = await buildRequest({ directory: join(root, "app"), agent, command });
  expect(valueOf(request, "packageFiles")).toEqual([
    { filepath: "Cargo.toml", content: "[package]" },
    { filepath: "Shop.csproj", content: "<Project/>" },
    { filepath: "../package.json", content: "{}" },
  ]);
});

test("the definition travels along only when it was named, but always says how much is collected around a selection", async () => {
  const directory = temporaryFolder({ "a.txt": "1\n2\n3\n4\n5\n" });
  const options = { contentBeforeSelectionLines: 1, contentAfterSelectionLines: 0 };
  const definition = {
    name: agent,
    commands: [
      {
        name: command,
        contextVariableCollectionStrategy: {
          contextVariables: [{ name: "activeEditor", resolverOptions: options }],
        },
      },
    ],
  };
  const sources = { directory, agent, command, file: "a.txt", lines: "3-3", definition };
  const known = await buildRequest(sources);
  const sent = await buildRequest({ ...sources, sendsDefinition: true });
  expect(known.agentDefinition).toBeUndefined();
  expect(sent.agentDefinition).toEqual(definition);
  expect(valueOf(known, "activeEditor")).toMatchObject({
    selectedRanges: [{ contentBeforeSelection: "2\n", contentAfterSelection: "" }],
  });
});

test("a follow-up keeps the context and replaces command and question", () => {
  const context = { name: "userInfo", value: { id: "u" } };
  const first = {
    agent,
    command,
    language: "zh",
    contextVariables: [{ name: "userInputPrompt", value: "Why?" }, context],
  };
  expect(followUp(first, { command: "fix", prompt: "Fix it." })).toEqual({
    ...first,
    command: "fix",
    contextVariables: [{ name: "userInputPrompt", value: "Fix it." }, context],
  });
  expect(followUp(first, { command: "fix", prompt: "" }).contextVariables).toEqual([context]);
});

test("a follow-up of a changed file sends the file as it is then", () => {
  const editor = { filePath: "a.ts", content: "new" };
  const first = {
    agent,
    command,
    contextVariables: [{ name: "activeEditor", value: { filePath: "a.ts", content: "old" } }],
  };
  expect(followUp(first, { command: "fix", prompt: "", editor }).contextVariables).toEqual([
    { name: "activeEditor", value: editor },
  ]);
});

const found: [name: string, file: string, tests: string, others: string[]][] = [
  ["beside it", "src/cart.ts", "src/cart.test.ts", ["src/order.test.ts"]],
  ["as a spec", "src/cart.ts", "src/cart.spec.ts", ["lib/cart.test.ts"]],
  ["in a folder that mirrors", "src/shop/cart.py", "tests/shop/test_cart.py", ["tests/test_a.py"]],
  ["of another dialect", "src/cart.js", "src/__tests__/cart.test.ts", ["src/cart.test.py"]],
  [
    "of Java",
    "src/main/java/a/Cart.java",
    "src/test/java/a/CartTest.java",
    ["src/test/java/b/X.java"],
  ],
  ["of Go", "cart/cart.go", "cart/cart_test.go", ["order/cart_test.go"]],
  ["of Ruby", "lib/cart.rb", "spec/cart_spec.rb", ["spec/order_spec.rb"]],
];

test.each(found)("unittest sends the test file that exists: %s", async (_, file, tests, others) => {
  const files = [file, tests, ...others].map((path) => [path, `// ${path}\n`]);
  const directory = temporaryFolder(Object.fromEntries(files));
  if (file.startsWith("src")) git(directory, "init");
  const request = await buildRequest({ directory, agent, command: "unittest", file });
  expect(valueOf(request, "existingTests")).toEqual({ filePath: tests, content: `// ${tests}\n` });
});

test("no tests are sent where none exist, for a test itself, nor with commands that write none", async () => {
  const directory = temporaryFolder({ "a.ts": "", "b.ts": "", "b.test.ts": "", "c.py": "" });
  const sent = async (asked: string, file?: string) =>
    valueOf(await buildRequest({ directory, agent, command: asked, file }), "existingTests");
  expect(await sent("unittest", "a.ts")).toBeUndefined();
  expect(await sent("unittest", "b.test.ts")).toBeUndefined();
  expect(await sent("explain", "b.ts")).toBeUndefined();
  expect(await sent("unittest")).toBeUndefined();
});

test("a file of a folder below the repository's root has its tests above", async () => {
  const directory = temporaryFolder({ "pkg/src/cart.py": "", "pkg/tests/test_cart.py": "T\n" });
  git(directory, "init");
  const request = await buildRequest({
    directory: join(directory, "pkg/src"),
    agent,
    command: "unittest-write",
    file: "cart.py",
  });
  expect(valueOf(request, "existingTests")).toEqual({
    filePath: "../tests/test_cart.py",
    content: "T\n",
  });
});

test("the model sees the tests that were sent", async () => {
  const directory = temporaryFolder({
    "cart.py": "def total(items):\n    return sum(items)\n",
    "test_cart.py": "import unittest\n\nclass CartTest(unittest.TestCase):\n    pass  # MARK\n",
  });
  const { app, model } = createTestApp({ models: [["Tests."]] });
  const request = await buildRequest({
    directory,
    agent,
    command: "unittest-write",
    file: "cart.py",
  });
  const body = JSON.stringify(request);
  const headers = { "content-type": "application/json", host: "localhost" };
  await (
    await app.fetch(new Request("http://localhost/", { method: "POST", body, headers }))
  ).text();
  const prompt = (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
  expect(prompt).toContain("# MARK");
  expect(prompt).toContain("import unittest; a TestCase class");
});
