// What a client gets of changed files is under its own names, and comes to the text that was shown.
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/edit-session.ts";
import { parseAnswer } from "../../../src/edit/read/parse-diff.ts";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import type { Script } from "../../../src/testing.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";
import { ProposedEdit } from "../../../src/turn/proposed-edit.ts";
import { ask, button, prompted, type Reply, send } from "../../helpers/copilot-client.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { toolCall } from "../../helpers/loop-app.ts";

const text = "export function total(items) {\n  return items.length;\n}\n";

function open(filePath: string, content = text) {
  return { name: "activeEditor", value: { filePath, content, language: "javascript" } };
}

function change(path: string, search: string, replace: string): Script {
  const code_edit = printUnits([{ search, replace }]);
  return [toolCall("edit_file", { target_file: path, instructions: "", code_edit })];
}

const finish: Script = [toolCall("finish", { response: "Done." })];

function namesOf({ actions }: Reply): string[] {
  const [tree] = actions;
  if (tree?.action !== "tree") throw new Error("There is no tree.");
  return tree.data.nodes.map(({ name }) => name);
}

async function readEdits(app: Parameters<typeof post>[0], body: object): Promise<ProposedEdit[]> {
  const stream = await (await post(app, { agent: "rightseat", ...body })).text();
  return stream
    .split("\n")
    .filter((line) => line.includes('"rightseat":{"edit"'))
    .map((line) => {
      const chunk = JSON.parse(line.slice("data: ".length)) as { rightseat: { edit: unknown } };
      return ProposedEdit.parse(chunk.rightseat.edit);
    });
}

/** The new text, as a client makes it of the lines that the edit names. */
function applyChanges(before: string, { result }: ProposedEdit): string {
  if (result.status !== "applied") throw new Error("It was not applied.");
  const lines = before.split(/(?<=\n)/);
  for (const { startLine, endLine, text: put } of result.changes.toReversed())
    lines.splice(startLine - 1, endLine - startLine + 1, put);
  return lines.join("");
}

describe.each([
  ["/home/me/app/src/cart.js", "/home/me/app/src/new.js"],
  ["C:\\Users\\me\\app\\cart.js", "C:\\Users\\me\\app\\new.js"],
  ["c:/Users/me/app/cart.js", "c:/Users/me/app/new.js"],
  ["file:///home/me/app/src/cart.js", "file:///home/me/app/src/new.js"],
  ["src/cart.js", "src/new.js"],
  ["./src/cart.js", "src/new.js"],
])("files of a client that names one %j", (path, other) => {
  const models = [
    change(path, "  return items.length;\n", "  return 42;\n"),
    change(other, "", "x();\n"),
    finish,
  ];

  test("keep its names when they are proposed and when a click comes back", async () => {
    const { app } = createTestApp({ models });
    const reply = await ask(app, "code", [open(path), prompted("Change it.")]);
    expect(namesOf(reply)).toEqual([path, other].toSorted());
    const contextVariables = [open(path), prompted(button(reply, "code").data.prompt)];
    const edits = await readEdits(app, { command: "code", contextVariables });
    expect(edits.map(({ filePath }) => filePath).toSorted()).toEqual([path, other].toSorted());
    const { text: said } = await ask(app, "code", contextVariables);
    expect(said).not.toContain("has changed since");
    expect(said).not.toContain("left out");
  });

  test("keep them in what an answer proposes", async () => {
    const unit = printUnits([{ search: "  return items.length;\n", replace: "  return 42;\n" }]);
    const answer = `Here.\n\n<file-edit filePath="cart.js">\n${unit}</file-edit>\n`;
    const { app } = createTestApp({ models: [[answer]] });
    const variables = [open(path), prompted("Change it.")];
    expect(namesOf(await ask(app, "chat", variables))).toEqual([path]);
  });
});

describe("a click with many equal places", () => {
  const block = "a();\nb();\nc();\nd();\nx();\ne();\nf();\ng();\n";
  const many = block.repeat(4);
  const after = block.repeat(2) + block.replace("x", "y") + block;

  test("brings blocks that fit one place each", async () => {
    const { app } = createTestApp({ models: [change("a.js", many, after), finish] });
    const reply = await ask(app, "code", [open("a.js", many), prompted("Change it.")]);
    const contextVariables = [open("a.js", many), prompted(button(reply, "code").data.prompt)];
    const rightseat = { fileEdits: true };
    const { text: said } = await send(app, { command: "code", contextVariables, rightseat });
    const [blocks = ""] = /<file-edit[^]*<\/file-edit>/.exec(said) ?? [];
    const [file] = parseAnswer(blocks).files;
    expect(applyUnits(many, file?.units ?? [])).toMatchObject({ ok: true, text: after });
  });
});

test.each(['a "b" & <c>.js', "a > b.js"])("a block names the file %j as it is", async (path) => {
  const { app } = createTestApp({
    models: [change(path, "  return items.length;\n", "  return 42;\n"), finish],
  });
  const reply = await ask(app, "code", [open(path), prompted("Change it.")]);
  const contextVariables = [open(path), prompted(button(reply, "code").data.prompt)];
  const rightseat = { fileEdits: true };
  const { text: said } = await send(app, { command: "code", contextVariables, rightseat });
  const [blocks = ""] = /<file-edit[^]*<\/file-edit>/.exec(said) ?? [];
  expect(parseAnswer(blocks).files[0]?.filePath).toBe(path);
});

test.each([
  ["first", "export function total(items) {\n", "function total(items) {\n"],
  ["second", "  return items.length;\n", "  return 42;\n"],
])(
  "the lines of an edit make the file that its hash names, with a byte order mark: %s line",
  async (_, search, replace) => {
    const content = `\ufeff${text.replaceAll("\n", "\r\n")}`;
    const { app } = createTestApp({ models: [change("src/cart.js", search, replace), finish] });
    const contextVariables = [open("src/cart.js", content), prompted("Change it.")];
    const [edit] = await readEdits(app, { command: "code", contextVariables });
    if (edit?.result.status !== "applied") throw new Error("It was not applied.");
    expect(edit.hashBefore).toBe(hashOf(content));
    const now = applyChanges(content, edit);
    expect(now).toBe(content.replace(search.trimEnd(), replace.trimEnd()));
    expect(edit.result.hashAfter).toBe(hashOf(now));
  },
);

test("names show controls and marks of direction instead of sending them", async () => {
  const odd = "src/\u001b[2Jgpj\u202e.js\n# Heading";
  const { app } = createTestApp({
    models: [change(odd, "  return items.length;\n", "  return 42;\n"), finish],
  });
  const reply = await ask(app, "code", [open(odd), prompted("Change it.")]);
  expect(namesOf(reply)).toEqual(["src/\\u001b[2Jgpj\\u202e.js\\n# Heading"]);
  expect(reply.text).toContain("`src/\\u001b[2Jgpj\\u202e.js\\n# Heading`");
  expect(reply.text).not.toContain("\u001b");
  const { prompt } = button(reply, "code").data;
  expect(prompt).not.toContain("\u001b");
  const clicked = await ask(app, "code", [open(odd), prompted(prompt)]);
  expect(clicked.text).toContain("**Ready to apply.**");
});

test.each(["en", "zh"])(
  "an answer that is cut in its changes says so in %s, since nothing of them is shown",
  async (language) => {
    const cut: Script = [
      "Here.\n\n",
      '<file-edit filePath="src/cart.js">\n------- SEARCH\n  return',
      { end: "length" },
    ];
    const { app } = createTestApp({ models: [cut] });
    const contextVariables = [open("src/cart.js"), prompted("Change it.")];
    const reply = await send(app, { command: "chat", contextVariables, language });
    expect(reply.finish).toBe("length");
    expect(reply.text).toMatch(/cut off in the middle of its changes|在给出修改时被截断/);
    expect(reply.actions).toEqual([]);
  },
);
