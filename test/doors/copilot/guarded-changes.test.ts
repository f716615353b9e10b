// What a model's answer, or a click that somebody has written by hand, may not change: other places and guarded names.
import { describe, expect, test } from "vitest";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import { ask, editor, prompted, type Reply } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = "export function total(items) {\n  return items.length;\n}\n";
const cart = editor(file);

/** Paths that lead out of the project, that no agent writes, or that may hold secrets. */
const guarded = [
  "../../etc/passwd",
  "src/../../x.js",
  "/etc/passwd",
  "//host/share/x.js",
  "C:\\Windows\\x.js",
  "~/x.js",
  ".git/hooks/pre-commit",
  ".GIT/config",
  "src/.git./config",
  ".vscode/tasks.json",
  ".github/workflows/ci.yml",
  ".husky/pre-commit",
  ".env",
  ".env.local",
  "rightseat.json",
  "id_rsa",
  "keys/server.pem",
  "a\u0000b.js",
];

function blockFor(path: string, search: string, replace: string): string {
  return `<file-edit filePath="${path}">\n${printUnits([{ search, replace }])}</file-edit>\n`;
}

function expectNothing({ status, text, actions }: Reply): void {
  expect(status).toBe(200);
  expect(text).toContain("was left out");
  expect(text).not.toContain("**Proposed");
  expect(text).not.toContain("**Ready");
  expect(actions).toEqual([]);
}

describe.each(guarded)("the path %j", (path) => {
  test("is not proposed by an answer", async () => {
    for (const [search, replace] of [
      ["", "evil\n"],
      ["old\n", "evil\n"],
    ] as const) {
      const { app } = createTestApp({ models: [["Here.\n\n", blockFor(path, search, replace)]] });
      expectNothing(await ask(app, "chat", [cart, prompted("Change it.")]));
    }
  });

  test("is not said to be ready by a click that was written by hand", async () => {
    const { app, model } = createTestApp();
    const unit = printUnits([{ search: "", replace: "evil\n" }]);
    const name = JSON.stringify(path);
    for (const section of [
      `file -\nnew ${name}\n${unit}`,
      `file -\nedit ${name}\n${unit}`,
      `file -\ndelete ${name}`,
    ]) {
      const click = `Apply the changes of x\n\n\`\`\`diff\n========\n${section}\n\`\`\``;
      expectNothing(await ask(app, "code", [cart, prompted(click)]));
    }
    expect(model.requests).toEqual([]);
  });
});

test("a guarded file in an answer does not keep the others from being proposed", async () => {
  const answer = blockFor(".git/config", "", "evil\n") + blockFor("src/new.js", "", "x();\n");
  const { app } = createTestApp({ models: [[answer]] });
  const { text, actions } = await ask(app, "chat", [cart, prompted("Change it.")]);
  expect(text).toContain("The change of `.git/config` was left out");
  expect(text).toContain("new `src/new.js`");
  expect(JSON.stringify(actions)).not.toContain("evil");
});

test("an answer that changes a file in two spellings of its path proposes one change", async () => {
  const answer =
    blockFor(
      "/home/me/src/cart.js",
      "export function total(items) {\n",
      "function total(items) {\n",
    ) + blockFor("cart.js", "  return items.length;\n", "  return 42;\n");
  const { app } = createTestApp({ models: [[answer]] });
  const one = editor(file);
  const absolute = { ...one, value: { ...one.value, filePath: "/home/me/src/cart.js" } };
  const reply = await ask(app, "chat", [absolute, prompted("Change it.")]);
  const [tree] = reply.actions;
  if (tree?.action !== "tree") throw new Error("There is no tree.");
  expect(tree.data.nodes.map(({ labels }) => labels)).toEqual([["+2", "−2"]]);
});
