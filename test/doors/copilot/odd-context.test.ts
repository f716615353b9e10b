// Context variables as IDEs send them that do not keep to the document; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import type { ContextReceipt } from "../../../src/turn/turn-event.ts";
import { button, send, user } from "../../helpers/copilot-client.ts";
import { contextVariables, copilotRequest, post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

/** The request of an IDE whose variables have these values. */
function withValues(command: string, values: Record<string, unknown>) {
  const left = contextVariables.filter(({ name }) => !(name in values));
  const odd = Object.entries(values).map(([name, value]) => ({ name, value }));
  return copilotRequest(command, { contextVariables: [...left, ...odd] });
}

async function askWith(body: Record<string, unknown>) {
  const { app, model } = createTestApp();
  const response = await post(app, body);
  await response.text();
  const header = response.headers.get("x-rightseat-context") ?? "{}";
  const receipt = JSON.parse(header) as ContextReceipt;
  const prompt = (model.requests[0]?.messages ?? []).map(textOfMessage).join("\n");
  return { status: response.status, receipt, prompt };
}

const editor = contextVariables[3].value;
const [selection] = editor.selectedRanges;

describe("a request is answered, and the receipt tells what was dropped", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["an empty visible range", { activeEditor: { ...editor, visibleRange: {} } }, ["visibleRange"]],
    ["line 0", { activeEditor: { ...editor, startLine: 0 } }, ["startLine"]],
    ["a column of -1", { activeEditor: { ...editor, endColumn: -1 } }, ["endColumn"]],
    ["half an offset", { activeEditor: { ...editor, cursorOffset: 1.5 } }, ["cursorOffset"]],
    ["no offset", { activeEditor: { ...editor, cursorOffset: -1 } }, ["cursorOffset"]],
    [
      "a selection from line 0",
      { activeEditor: { ...editor, selectedRanges: [{ ...selection, startLine: 0 }] } },
      ["selectedRanges[0].startLine"],
    ],
    [
      "a selection that is null",
      { activeEditor: { ...editor, selectedRanges: [null] } },
      ["selectedRanges[0]"],
    ],
    [
      "one range in place of a list",
      { activeEditor: { ...editor, selectedRanges: selection } },
      ["selectedRanges"],
    ],
    ["a text for an editor", { activeEditor: "src/a.ts" }, [""]],
    ["an id that is an object", { userInfo: { id: {}, name: "ada" } }, ["id"]],
    ["a list of names", { userInfo: { id: "u", name: ["ada"] } }, ["name"]],
    ["one remote", { vcs: { branchName: "main", remotes: "origin" } }, ["remotes"]],
    ["a package file without a text", { packageFiles: [{ filepath: "a.json" }] }, ["[0]"]],
    ["a rule of no known form", { globalPrompts: ["Be brief."] }, ["[0]"]],
    [
      "a score in words",
      { knowledgeBase: [{ references: [{ chunk: "a", score: "high" }] }] },
      ["[0].references[0].score"],
    ],
    ["a number for the id", { userInfo: { id: 17 } }, []],
    ["digits for a line", { activeEditor: { ...editor, startLine: "1" } }, []],
    ["a number for a question", { userInputPrompt: 42 }, []],
  ])("%s", async (_, values, paths) => {
    const { status, receipt } = await askWith(withValues("explain", values));
    expect(status).toBe(200);
    const index = contextVariables.filter(({ name }) => !(name in values)).length;
    const root = new RegExp(`^contextVariables\\[${index}\\]\\.value\\.?`);
    expect(receipt.dropped?.map(({ path }) => path.replace(root, "")) ?? []).toEqual(paths);
    for (const { message } of receipt.dropped ?? [])
      expect(message).toMatch(/^(?:\w+(?:\.\w+)*: )?(?:must|is missing)/);
  });

  test("the selection is found by its text where its line cannot be used", async () => {
    const { contentBeforeSelection, contentAfterSelection, ...range } = selection;
    const odd = { ...editor, selectedRanges: [{ ...range, startLine: 0, endLine: 0 }] };
    const right = await askWith(
      withValues("explain", { activeEditor: { ...editor, selectedRanges: [range] } }),
    );
    const found = await askWith(withValues("explain", { activeEditor: odd }));
    expect(found.prompt).toBe(right.prompt);
    expect(right.prompt).toContain("lines");
  });
});

test("a state opens for nobody whose id cannot be read", async () => {
  const { app } = createTestApp({ models: [["A\n"]] });
  const file = { name: "activeEditor", value: { filePath: "a.js", content: "let a = 1;\n" } };
  const first = await send(app, { command: "fix", contextVariables: [user, file] });
  const { state } = button(first, "fix");
  const resume = async (id: unknown) => {
    const userInfo = { name: "userInfo", value: { ...user.value, id } };
    return (await send(app, { action: "confirm", state, contextVariables: [userInfo, file] }))
      .status;
  };
  expect(await resume("u-17")).toBe(200);
  for (const id of [{}, ["u-17"], true, "u-18", null]) expect(await resume(id)).toBe(403);
});

describe("options that come with a variable", () => {
  test("say how many lines around the selection are printed", async () => {
    const template = { role: "user", template: "{{ activeEditor }}" };
    const ask = (resolverOptions: unknown) =>
      askWith(
        copilotRequest("explain", {
          messageTemplates: [template],
          contextVariables: [{ name: "activeEditor", value: editor, resolverOptions }],
        }),
      );
    expect((await ask({ contentBeforeSelectionLines: 0 })).prompt).not.toContain("TODO");
    expect((await ask({ contentBeforeSelectionLines: 1 })).prompt).toContain("TODO");
  });

  test("say how many package files are printed, and templates see no more either", async () => {
    const template = {
      role: "user",
      template:
        "{{ packageFiles }} {{ packageFiles.size }}{% for f in packageFiles %}, {{ f.filepath }}{% endfor %}",
    };
    const value = ["a.json", "b.json", "c.json"].map((filepath) => ({ filepath, content: "{}" }));
    const { prompt } = await askWith(
      copilotRequest("explain", {
        messageTemplates: [template],
        contextVariables: [{ name: "packageFiles", value, resolverOptions: { maximumNumber: 2 } }],
      }),
    );
    expect(prompt).toContain(" 2, a.json, b.json");
    expect(prompt).not.toContain("c.json");
  });
});

test("the receipt names what templates read and what did not come, and what was perhaps meant", async () => {
  const template = {
    role: "user",
    template: "{{ activEditor.content }}{{ ticket }}{{ sprint }}{{ place }}{{ userInputPrompt }}",
  };
  const { receipt } = await askWith(
    copilotRequest("explain", {
      messageTemplates: [template],
      contextVariables: [...contextVariables, { name: "sprint", value: "9" }],
    }),
  );
  expect(receipt.missing).toContain("activEditor (did you mean activeEditor?)");
  expect(receipt.missing).toContain("ticket");
  expect(receipt.missing).not.toContain("sprint");
  expect(receipt.missing).not.toContain("place");
});

describe("a variable that comes under a misspelt name", () => {
  const receiptOf = async (template: string, names: readonly string[]) => {
    const request = copilotRequest("explain", {
      messageTemplates: [{ role: "user", template }],
      contextVariables: names.map((name) => ({ name, value: "x" })),
    });
    return (await askWith(request)).receipt;
  };

  test("has the likely name beside it, and so has the one that is missing", async () => {
    const template = "Why? {{ activeEditor }}{{ vcs }}{{ projectRules }}";
    const receipt = await receiptOf(template, ["activeEdtor", "VCS", "projectRule", "sprint"]);
    expect(receipt.unknown).toEqual([
      "activeEdtor (did you mean activeEditor?)",
      "VCS (did you mean vcs?)",
      "projectRule (did you mean projectRules?)",
      "sprint",
    ]);
    expect(receipt.missing).toEqual(
      expect.arrayContaining([
        "activeEditor (is activeEdtor meant for it?)",
        "vcs (is VCS meant for it?)",
        "projectRules (is projectRule meant for it?)",
      ]),
    );
  });

  test("has it also where nobody misses the known one", async () => {
    const receipt = await receiptOf("Why?", ["knowledgebase", "userInfos"]);
    expect(receipt.unknown).toEqual([
      "knowledgebase (did you mean knowledgeBase?)",
      "userInfos (did you mean userInfo?)",
    ]);
  });

  test("is taken at its word where a template reads it by that name", async () => {
    const receipt = await receiptOf("{{ userInfos }}{{ userInfo }}", ["userInfos"]);
    expect(receipt.unknown).toEqual(["userInfos"]);
    expect(receipt.missing).toContain("userInfo");
  });
});
