import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { git, temporaryFolder } from "../cli/call/temporary-folder.ts";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const source = "export function add(a: number, b: number) {\n  return a + b;\n}\n";

interface Run {
  code: number | null;
  out: string;
  err: string;
}

interface Started {
  ended: Promise<Run>;
  interrupt(): void;
  outputHas(text: string): Promise<void>;
}

/** Starts the command without a terminal and without the models of whoever runs the tests. */
function start(
  directory: string,
  args: string[],
  input?: string,
  environment: Record<string, string> = {},
): Started {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: directory,
    env: { PATH: process.env["PATH"], HOME: directory, NO_COLOR: "1", ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  let [out, err] = ["", ""];
  const waiting: (() => void)[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return {
    ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err }))),
    interrupt: () => void child.kill("SIGINT"),
    outputHas: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (out.includes(text)) resolve();
        };
        waiting.push(look);
        look();
      }),
  };
}

function run(
  directory: string,
  args: string[],
  input?: string,
  environment?: Record<string, string>,
): Promise<Run> {
  return start(directory, args, input, environment).ended;
}

test("a Node that is too old is told so at the start, and nothing else happens", async () => {
  const older = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(older)}`;
  const { code, out, err } = await run(temporaryFolder(), ["call", "explain"], undefined, {
    NODE_OPTIONS,
  });
  expect(err).toMatch(/^Rightseat needs Node 22\.18 or newer, this is 20\.20\.2\. .*\n$/);
  expect({ code, out }).toEqual({ code: 1, out: "" });
});

test("call explain answers about the file with the offline model and lists the next steps", async () => {
  const directory = temporaryFolder({ "add.ts": source });
  const { code, out, err } = await run(directory, ["call", "explain", "--file", "add.ts"]);
  expect(err).toBe("");
  expect(out).toContain("add.ts");
  expect(out).toContain("`add`");
  expect(out).toMatch(
    /Next steps:\n {2}1\. add \(function\)\n {2}2\. Fix: .+\n {2}3\. Write unit tests for this code\n$/,
  );
  expect(code).toBe(0);
});

test("call without lines is about the whole file, not about the symbol of its first line", async () => {
  const second = source.replace("add", "subtract").replace("+", "-");
  const directory = temporaryFolder({ "add.ts": `${source}\n${second}` });
  const { out } = await run(directory, ["call", "unittest", "--file", "add.ts"]);
  expect(out).toContain("add");
  expect(out).toContain("subtract");
});

test("a file may be an argument, with lines or with a cursor behind its name", async () => {
  const directory = temporaryFolder({ "add.ts": source, "odd:2": "one\ntwo\n" });
  const ask = (place: string) => run(directory, ["call", "explain", place]);
  expect((await ask("add.ts")).out).toContain("lines 1 to 3");
  expect((await ask("add.ts:2")).out).toContain("line 2.");
  expect((await ask("add.ts:1-2")).out).toContain("lines 1 to 2");
  // A cursor means what is around it.
  expect((await ask("add.ts:2:3")).out).toContain("function `add`, lines 1 to 3");
  expect((await ask("odd:2")).out).toContain("`odd:2`");
});

test("help, versions and completions go to standard output", async () => {
  const directory = temporaryFolder({ "lib/add.ts": source });
  const help = await run(directory, ["help", "call"]);
  expect(help).toMatchObject({ code: 0, err: "" });
  expect(help.out).toContain("Usage: rightseat call [options] <COMMAND> [FILE]");
  expect((await run(directory, ["call", "--help"])).out).toBe(help.out);
  expect((await run(directory, ["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  const complete = async (...words: string[]) =>
    (await run(directory, ["complete", "--", ...words])).out
      .split("\n")
      .map((line) => line.split("\t")[0])
      .slice(0, -2);
  expect(await complete("li")).toEqual(["lint"]);
  expect(await complete("call", "exp")).toEqual(["explain"]);
  expect(await complete("exp")).toEqual(["explain"]);
  expect(await complete("explain", "--fi")).toEqual(["--file"]);
  expect(await complete("call", "explain", "--fi")).toEqual(["--file"]);
  expect(await complete("ws", "exec_u")).toEqual(["exec_unittest_recommend", "exec_unittest_code"]);
  // A folder comes with what it holds, so that no space follows it.
  // Files are left to the shell.
  for (const words of [
    ["ws", "fix", "l"],
    ["edit", "--file", "lib/"],
    ["lint", ""],
  ])
    expect((await run(directory, ["complete", "--", ...words])).out).toBe(":0\n");
  expect((await run(directory, ["complete", "--", "help", "x"])).out).toBe(":4\n");
  const scripts = ["bash", "zsh", "fish", "powershell"].map(async (shell) => {
    const { code, out } = await run(directory, ["complete", shell]);
    expect({ code, isScript: out.includes(`# ${shell} completion for rightseat`) }).toEqual({
      code: 0,
      isScript: true,
    });
  });
  await Promise.all(scripts);
});

test("call takes lines, language and receipt, and keeps the receipt out of the answer", async () => {
  const directory = temporaryFolder({ "add.ts": source, "package.json": "{}" });
  git(directory, "init");
  const { code, out, err } = await run(
    directory,
    "call explain --file add.ts --lines 2-2 --language zh --receipt".split(" "),
  );
  expect(out).toContain("接下来可以：");
  expect(err).toMatch(
    /^explain 的上下文（模型 offline；.*\n(?: {2}.*\n)*? {2}vcs +\d+ {2}未使用\n/,
  );
  expect(err).toMatch(/提示词 +\d+ {2}上限 \d+/);
  expect(code).toBe(0);
});

test("call --raw prints the stream and nothing else", async () => {
  const directory = temporaryFolder({ "add.ts": source });
  const { code, out, err } = await run(directory, ["call", "explain", "--file", "add.ts", "--raw"]);
  expect(out.startsWith("data: {")).toBe(true);
  expect(out.match(/^event: copilot_action$/gm)).toHaveLength(3);
  expect(out.endsWith("data: [DONE]\n\n")).toBe(true);
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

test("piped text is the question, and joins a question that was typed as a fenced block", async () => {
  const directory = temporaryFolder();
  const server = await recordRequests();
  const to = ["--url", server.url, "--key", "k1"];
  await run(directory, ["call", "chat", ...to], "why does it rain?");
  await run(directory, ["call", "chat", "--prompt", "Why?", ...to], "log\n");
  const sent = { authorization: "Bearer k1", body: { command: "chat" } };
  expect(server.requests).toMatchObject([sent, sent]);
  expect(server.requests[0]?.body.contextVariables).toContainEqual({
    name: "userInputPrompt",
    value: "why does it rain?",
  });
  expect(server.requests[1]?.body.contextVariables).toContainEqual({
    name: "userInputPrompt",
    value: "Why?\n\n```\nlog\n```",
  });
});

describe("npm, which starts scripts in the folder of package.json,", () => {
  const project = () =>
    temporaryFolder({
      "package.json": "{}",
      "rightseat.json": '{ "locale": "zh", "agents": "agents" }',
      "agents/mine.json": '{ "name": "mine", "commands": [{ "name": "default" }] }',
      "lib/add.ts": source,
    });
  const npm = (directory: string, script: string) => ({
    npm_lifecycle_event: script,
    npm_package_json: join(directory, "package.json"),
    INIT_CWD: join(directory, "lib"),
  });

  test("does not change from where paths count, nor which settings hold", async () => {
    const directory = project();
    const args = ["call", "explain", "--file", "add.ts"];
    const { code, out, err } = await run(directory, args, undefined, npm(directory, "rightseat"));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("接下来可以：");
    const greeting = await run(
      directory,
      ["call", "default"],
      undefined,
      npm(directory, "rightseat"),
    );
    expect(greeting.out).toContain("mine");
  });

  test("stays the place from where the paths of other scripts count", async () => {
    const directory = project();
    const args = ["call", "explain", "--file", "lib/add.ts"];
    const { code } = await run(directory, args, undefined, npm(directory, "review"));
    expect(code).toBe(0);
  });
});

test("a definition that is named travels along and decides the agent", async () => {
  const directory = temporaryFolder({
    "mine.json": '{"name":"mine","commands":[{"name":"default"}]}',
  });
  const { out } = await run(directory, ["call", "default", "--definition", "mine.json"]);
  expect(out).toContain("This is mine.");
});

test("what cannot be done is said on standard error with exit code 1", async () => {
  const directory = temporaryFolder({
    "add.ts": source,
    "picture.png": new Uint8Array([0]),
    "bad.json": "{",
  });
  const cases: [string[], string][] = [
    [["call", "explain", "--file", "nope.ts"], "nope.ts does not exist."],
    [["call", "explain", "--file", "picture.png"], "picture.png is a binary file"],
    [
      ["call", "explain", "--file", "add.ts", "--lines", "9"],
      "--lines 9-9 is not in add.ts, which has 3 lines.",
    ],
    [["call", "explain", "--flie", "add.ts"], "Unknown option --flie. Did you mean --file?"],
    [["call", "explain", "why", "so"], "Too many arguments for 'call'."],
    [["call", "nope"], 'Refused with 404 unknown_command: Unknown command "nope".'],
    [["call", "explain", "--agent", "other"], 'unknown_agent: Unknown agent "other".'],
    [["call", "explain", "--url", "localhost:1"], "--url localhost:1 is not an address."],
    [["call", "default", "--definition", "bad.json"], "bad.json is not valid JSON."],
  ];
  const runs = await Promise.all(cases.map(([args]) => run(directory, args)));
  for (const [index, { code, out, err }] of runs.entries()) {
    expect(err).toContain(cases[index]?.[1]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
  }
});

test("a command line that cannot be meant is refused, with what was probably meant", async () => {
  const directory = temporaryFolder({ "add.ts": source });
  const cases: [string[], string][] = [
    [["cal", "explain"], "Unknown command 'cal'. Did you mean call?"],
    [["help", "cal"], "Unknown command 'cal'. Did you mean call?"],
    [["explain"], "call explain needs code or a question. Name a file"],
    [["help", "fixx"], "Unknown command 'fixx'. Did you mean fix?"],
    [["unitest", "add.ts"], "Unknown command 'unitest'. Did you mean unittest?"],
    [["exec_fix"], "Unknown command 'exec_fix'. Did you mean ws exec_fix?"],
    [["nonsense"], "Unknown command 'nonsense'. Ask --help for what there is."],
    [["call", "explian"], 'Unknown command "explian". Did you mean explain?'],
    [["call", "explain"], "call explain needs code or a question. Name a file"],
    [["call", "explain", "add.ts:9"], "--lines 9-9 is not in add.ts, which has 3 lines."],
    [["call", "explain", "add.ts:4:1"], "Line 4 is not in add.ts, which has 3 lines."],
    [
      ["call", "explain", "add.ts", "--file", "b.ts"],
      "Two files are named: add.ts and --file b.ts.",
    ],
    [
      ["call", "explain", "add.ts:1", "--lines", "2"],
      "Two places are named: add.ts:1 and --lines 2.",
    ],
    [["call", "explain", "--file="], "--file needs a value: --file=VALUE."],
    [["complete", "tcsh"], "Allowed choices are zsh, bash, fish, powershell."],
  ];
  const runs = await Promise.all(cases.map(([args]) => run(directory, args)));
  for (const [index, { code, out, err }] of runs.entries()) {
    expect(err).toContain(cases[index]?.[1]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
  }
});

test("Ctrl-C in the middle of an answer ends the request, says so and exits with 130", async () => {
  const server = await recordRequests('data: {"choices":[{"delta":{"content":"first"}}]}\n\n');
  const call = start(temporaryFolder(), ["call", "chat", "--prompt", "hi", "--url", server.url]);
  await call.outputHas("first");
  call.interrupt();
  expect(await call.ended).toEqual({ code: 130, out: "first\n", err: "\nStopped.\n" });
  await server.clientLeft;
});

test("lint says that the shipped definition is fine, and what is wrong with others", async () => {
  const directory = temporaryFolder({
    "folder/bad.json": '{"name":"a b","commands":[{"name":"default"}]}',
    "good.json": '{"name":"good","commands":[{"name":"default"}]}',
  });
  expect(await run(directory, ["lint"])).toEqual({
    code: 0,
    out: "No problems in 1 definition.\n",
    err: "",
  });
  const { code, out } = await run(directory, ["lint", "good.json", "folder"]);
  expect(out).toMatch(/^folder\/bad\.json:1:2: name: warning: the platform allows only .*\n$/);
  expect(code).toBe(1);
  const { out: json } = await run(directory, ["lint", "folder", "--format", "json"]);
  expect(JSON.parse(json)).toMatchObject([{ line: 1, column: 2, path: "name" }]);
  const { out: annotations } = await run(directory, ["lint", "folder", "--format=github"]);
  expect(annotations).toMatch(/^::warning file=folder\/bad\.json,line=1,col=2,title=name::.+\n$/);
  const { err } = await run(directory, ["lint", "--format", "yaml"]);
  expect(err).toBe("--format yaml is not known. Write one of: text, json, github.\n");
});

test("schema prints one of the schemas or all, and refuses others", async () => {
  const directory = temporaryFolder();
  expect(Object.keys(JSON.parse((await run(directory, ["schema"])).out))).toEqual([
    "definition",
    "request",
    "session",
  ]);
  expect(JSON.parse((await run(directory, ["schema", "definition"])).out)).toMatchObject({
    type: "object",
    required: ["name"],
  });
  expect(await run(directory, ["schema", "answer"])).toEqual({
    code: 1,
    out: "",
    err: 'There is no schema "answer". There are: definition, request, session.\n',
  });
});

interface Recorded {
  authorization: string | undefined;
  body: { command: string; contextVariables: unknown[] };
}

/** A server that answers with these frames; without any it ends the answer, else it goes on for ever. */
async function recordRequests(frames?: string) {
  const requests: Recorded[] = [];
  let leave = (): void => {};
  const clientLeft = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const server = createServer((incoming, outgoing) => {
    outgoing.on("close", leave);
    let body = "";
    incoming.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    incoming.on("end", () => {
      requests.push({ authorization: incoming.headers.authorization, body: JSON.parse(body) });
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      if (frames === undefined) outgoing.end("data: [DONE]\n\n");
      else outgoing.write(frames);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, requests, clientLeft };
}

test("call chat without a question is refused where there is nobody to ask", async () => {
  const { code, out, err } = await run(temporaryFolder(), ["call", "chat"]);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: "call chat needs a question. Give it with --prompt TEXT, or pipe it in.\n",
  });
});

test("what is wrong with the arguments is said in the language of the settings", async () => {
  const language = { RIGHTSEAT_LOCALE: "zh" };
  const chat = await run(temporaryFolder(), ["call", "chat"], undefined, language);
  expect(chat.err).toMatch(/^call chat 需要一个问题。/);
  const lines = await run(temporaryFolder(), ["call", "fix", "--lines", "1", "--language", "zh"]);
  expect(lines.err).toMatch(/^--lines 需要/);
});

test("call shows its log where it is asked for everything, and only there", async () => {
  const quiet = { RIGHTSEAT_LOG_LEVEL: "info" };
  const loud = { RIGHTSEAT_LOG_LEVEL: "debug" };
  expect((await run(temporaryFolder(), ["call", "version"], undefined, quiet)).err).toBe("");
  const { err } = await run(temporaryFolder(), ["call", "version"], undefined, loud);
  expect(JSON.parse(err)).toMatchObject({ logger: "rightseat.turn" });
});

test("a language that nobody speaks here is refused in one line", async () => {
  const { code, out, err } = await run(temporaryFolder(), ["call", "fix", "--language", "fr"]);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: "--language fr is not known. Write one of: en, zh.\n",
  });
});

test("serve says that it listens on all addresses, and which one to call from here", async () => {
  const serve = start(temporaryFolder(), ["serve", "--host", "0.0.0.0", "--port", "0"]);
  await serve.outputHas("limits");
  serve.interrupt();
  const { out } = await serve.ended;
  expect(out).toMatch(
    /^Rightseat listens on 0\.0\.0\.0:(\d+) \(all addresses\), here http:\/\/127\.0\.0\.1:\1\n/,
  );
});

test("serve tells plugins where to connect, and that they show keys of their own", async () => {
  const keys = { RIGHTSEAT_PLUGIN_KEYS: "a,b" };
  const serve = start(temporaryFolder(), ["serve", "--port", "0"], undefined, keys);
  await serve.outputHas("limits");
  serve.interrupt();
  const { out } = await serve.ended;
  expect(out).toMatch(/ {2}doors .*WS \/ws/);
  expect(out).toContain("  auth      none; of plugins 2 keys\n");
  expect(out).not.toContain("a,b");
});

describe("serve and knowledge:", () => {
  const definition = (knowledgeBaseIds: string[]) =>
    JSON.stringify({
      name: "helper",
      commands: [
        {
          name: "explain",
          contextVariableCollectionStrategy: {
            contextVariables: [
              { name: "knowledgeBase", resolverOptions: { recallByAgent: true, knowledgeBaseIds } },
            ],
          },
        },
      ],
    });
  const serveWith = async (files: Record<string, string>, settings: Record<string, string>) => {
    const environment = { RIGHTSEAT_PORT: "0", RIGHTSEAT_AGENTS: "agents", ...settings };
    const serve = start(temporaryFolder(files), ["serve"], undefined, environment);
    await serve.outputHas("limits");
    serve.interrupt();
    return serve.ended;
  };

  test("the folder is named with what was read, and a knowledge base that is not there is told", async () => {
    const files = {
      "agents/helper.json": definition(["shop", "shpo"]),
      "docs/shop/guide.md": "# Guide\n\nPrices are in cents.\n",
      "docs/faq.md": "# Questions\n\nNone.\n",
      "docs/logo.bin": "\0",
    };
    const { out, err } = await serveWith(files, { RIGHTSEAT_KNOWLEDGE: "docs" });
    expect(out).toMatch(
      / {2}knowledge docs: 2 files \(default, shop\), 2 passages, 1 file left out: see the log\n/,
    );
    expect(out).toContain(
      'Warning: Agent "helper" searches the knowledge base "shpo", which RIGHTSEAT_KNOWLEDGE does not have. Did you mean shop?',
    );
    expect(out).not.toContain('base "shop"');
    expect(err).toContain("logo.bin");
  });

  test("an agent that searches without a folder is told", async () => {
    const { out } = await serveWith({ "agents/helper.json": definition([]) }, {});
    expect(out).toContain(
      'Warning: Agent "helper" sets recallByAgent (explain), but nothing can be searched.',
    );
  });
});
