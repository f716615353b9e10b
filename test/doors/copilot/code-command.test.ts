// The command `code` where nothing can be written: it works on the files of the request and proposes.
import { describe, expect, test } from "vitest";
import { type Script, truncated } from "../../../src/testing.ts";
import { applyUnits } from "../../../src/edit/edit-session.ts";
import { parseAnswer } from "../../../src/edit/read/parse-diff.ts";
import { ask, button, editor, prompted, send } from "../../helpers/copilot-client.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createManualTimers, passUntil } from "../../helpers/manual-timers.ts";

const file = "export function total(items) {\n  return items.length;\n}\n";
const cart = editor(file);

let count = 0;
function call(name: string, input: object): Script[number] {
  count += 1;
  return { type: "tool-call", call: { id: `c${count}`, name, arguments: JSON.stringify(input) } };
}

const unit = "------- SEARCH\n  return items.length;\n=======\n  return 42;\n+++++++ REPLACE\n";
const read = call("read_file", { target_file: "src/cart.js", explanation: "Look at it." });
const change = call("edit_file", {
  target_file: "src/cart.js",
  instructions: "Return 42.",
  code_edit: unit,
});
/** The change as answers show it. */
const shown = `- \`src/cart.js\` (+1 −1)

\`\`\`diff
--- a/src/cart.js
+++ b/src/cart.js
@@ -1,3 +1,3 @@
 export function total(items) {
-  return items.length;
+  return 42;
 }
\`\`\`
`;
const finish = call("finish", { response: "`total` returns 42 now." });

describe("the command code at the copilot door", () => {
  test.each([
    ["at once", [truncated()]],
    ["in its words", ["It is", truncated()]],
  ])("a model that fails %s after a change leaves what was proposed", async (_, fails) => {
    const timers = createManualTimers();
    const { app } = createTestApp({ models: [[read], [change], fails], timers });
    const asked = [cart, prompted("Let total return 42.")];
    const reply = await passUntil(ask(app, "code", asked), timers);
    expect(reply.text).toContain(`**Proposed changes.** Nothing is written yet.\n\n${shown}`);
    expect(reply.text).toMatch(/broke off before its end/);
    expect(reply.finish).toBe("error");
    const clicked = await ask(app, "code", [cart, prompted(button(reply, "code").data.prompt)]);
    expect(clicked.text).toContain("**Ready to apply.**");
  });

  test("reads, edits and ends with the diff, a tree of the files and a button", async () => {
    const { app, model } = createTestApp({ models: [["I look.", read], [change], [finish]] });
    const reply = await ask(app, "code", [cart, prompted("Let total return 42.")]);
    expect(reply.text).toBe(
      `I look.

- Read \`src/cart.js\`
- Edit \`src/cart.js\` (+1 −1)

\`total\` returns 42 now.

**Proposed changes.** Nothing is written yet.

${shown}`,
    );
    expect(reply.finish).toBe("stop");
    expect(reply.actions.map(({ action }) => action)).toEqual(["tree", "confirm"]);
    expect(model.requests).toHaveLength(3);
    const roles = model.requests.at(-1)?.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool"]);
  });

  test("a click on the button says what is ready to apply, without the model", async () => {
    const { app, model } = createTestApp({ models: [[read], [change], [finish]] });
    const reply = await ask(app, "code", [cart, prompted("Let total return 42.")]);
    const asked = model.requests.length;
    const { prompt } = button(reply, "code").data;
    const applied = await ask(app, "code", [cart, prompted(prompt)]);
    expect(applied.text).toBe(
      `**Ready to apply.** These are the changes as they fit the files now:

${shown}`,
    );
    expect(model.requests).toHaveLength(asked);
  });
});

describe("a click on proposed changes", () => {
  async function propose(text = file) {
    const { app, model } = createTestApp({ models: [[read], [change], [finish]] });
    const reply = await ask(app, "code", [editor(text), prompted("Let total return 42.")]);
    return { app, model, prompt: button(reply, "code").data.prompt };
  }

  test("fits them to a file that has changed since, and says so", async () => {
    const { app, prompt } = await propose();
    const later = editor(`// A comment.\n${file}`);
    const { text } = await ask(app, "code", [later, prompted(prompt)]);
    expect(text).toContain("`src/cart.js` has changed since this was proposed");
    expect(text).toContain(
      " // A comment.\n export function total(items) {\n-  return items.length;",
    );
  });

  test.each([
    ["on a line that it replaces", "items.length", "items.size", "refused"],
    ["on a line beside", "total(items)", "total(items = [])", "refused"],
    ["at the end of a line", "{\n", "{  \n", "applied"],
  ])("never takes back what the person has edited %s since", async (_, was, is, status) => {
    const { app, prompt } = await propose();
    const contextVariables = [editor(file.replace(was, is)), prompted(prompt)];
    for (const language of ["en", "zh"]) {
      const { text, edits } = await send(app, { command: "code", contextVariables, language });
      const isRefused = /edited after the change was proposed|又被编辑过/.test(text);
      expect(isRefused ? "refused" : edits[0]?.result.status).toBe(status);
      expect(edits).toHaveLength(isRefused ? 0 : 1);
    }
  });

  test("is refused for a file that no longer has the place", async () => {
    const { app, prompt } = await propose();
    const later = editor("export const nothing = 0;\n");
    const { text, actions } = await ask(app, "code", [later, prompted(prompt)]);
    expect(text).toContain("The change of `src/cart.js` does not fit any more");
    expect(text).not.toContain("Ready to apply");
    expect(actions).toEqual([]);
  });

  test("says of a file that has them already that nothing is left to do", async () => {
    const create = call("edit_file", { target_file: "notes.md", code_edit: "# Notes\n" });
    const { app } = createTestApp({ models: [[change], [create], [finish]] });
    const reply = await ask(app, "code", [cart, prompted("Let total return 42.")]);
    const notes = { name: "packageFiles", value: [{ filepath: "notes.md", content: "# Notes\n" }] };
    const later = editor(`// A comment.\n${file.replace("items.length", "42")}`);
    const clicked = prompted(button(reply, "code").data.prompt);
    const { text, actions } = await ask(app, "code", [later, notes, clicked]);
    expect(text.match(/the file already contains this change/g)).toHaveLength(2);
    expect(text).not.toContain("Ready to apply");
    expect(actions).toEqual([]);
  });

  test.each([
    ["\n\n", ""],
    ["  ", "\n"],
    ["", "\r\n"],
  ])("is read with space around it: %j and %j", async (before, behind) => {
    const { app, model, prompt } = await propose();
    const asked = model.requests.length;
    const { text } = await ask(app, "code", [cart, prompted(before + prompt + behind)]);
    expect(text).toContain("**Ready to apply.**");
    expect(model.requests).toHaveLength(asked);
  });

  test("shows the edits of a file that is not at hand", async () => {
    const { app, prompt } = await propose();
    const { text } = await ask(app, "code", [prompted(prompt)]);
    expect(text).toContain("`src/cart.js` is not at hand here");
    expect(text).toContain("+++++++ REPLACE");
  });

  test("gives the edits as blocks to clients that ask for them", async () => {
    const { app, prompt } = await propose();
    const body = { command: "code", contextVariables: [cart, prompted(prompt)] };
    const plain = await send(app, body);
    const withBlocks = await send(app, { ...body, rightseat: { fileEdits: true } });
    expect(plain.text).not.toContain("<file-edit");
    const [block = ""] = /<file-edit[^]*<\/file-edit>/.exec(withBlocks.text) ?? [];
    const [edits] = parseAnswer(block).files;
    expect(edits?.filePath).toBe("src/cart.js");
    const applied = applyUnits(file, edits?.units ?? []);
    expect(applied).toMatchObject({ ok: true, text: file.replace("items.length", "42") });
  });

  test("brings new and deleted files along", async () => {
    const create = call("edit_file", { target_file: "notes.md", code_edit: "# Notes\n" });
    const remove = call("delete_file", { target_file: "src/cart.js", explanation: "Not needed." });
    const { app } = createTestApp({ models: [[read], [create], [remove], [finish]] });
    const reply = await ask(app, "code", [cart, prompted("Move it.")]);
    const variables = [cart, prompted(button(reply, "code").data.prompt)];
    const body = { agent: "rightseat", command: "code", contextVariables: variables };
    const edits = readEdits(await (await post(app, body)).text());
    expect(edits).toMatchObject([
      { filePath: "notes.md", result: { status: "new-file" }, units: [{ replace: "# Notes\n" }] },
      { filePath: "src/cart.js", isDeleted: true },
    ]);
  });
});

/** The facts of edits in a stream. */
function readEdits(stream: string): unknown[] {
  return stream
    .split("\n")
    .filter((line) => line.includes('"rightseat":{"edit"'))
    .map((line) => {
      const chunk = JSON.parse(line.slice("data: ".length)) as { rightseat: { edit: unknown } };
      return chunk.rightseat.edit;
    });
}
