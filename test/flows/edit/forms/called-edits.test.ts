// Models that were trained as agents call a tool for their edits, also where none was offered.
import { expect, test } from "vitest";
import { printUnits } from "../../../../src/edit/read/print-units.ts";
import type { PrintedCall } from "../../../tools/text-calls/dialects.ts";
import { templates } from "../../../tools/text-calls/other-dialects.ts";
import { fenced, play } from "./play.ts";

const path = "src/a.ts";
const before = "export function area(w: number, h: number) {\n  return w + h;\n}\n";
const after = before.replace("+", "*");
const [old_string, new_string] = ["  return w + h;\n", "  return w * h;\n"];
const edits: readonly PrintedCall[] = [
  { tool: "edit_file", params: { target_file: path, code_edit: after } },
  {
    tool: "replace_in_file",
    params: { path, diff: printUnits([{ search: old_string, replace: new_string }]) },
  },
  {
    tool: "apply_patch",
    params: {
      input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-  return w + h;\n+  return w * h;\n*** End Patch`,
    },
  },
  { tool: "str_replace", params: { path, old_str: "w + h", new_str: "w * h" } },
];

test.each(Object.entries(templates))("%s: an edit that is called is made", async (_, print) => {
  for (const edit of edits) {
    const answer = print(edit);
    if (answer === undefined) continue;
    const played = await play(path, before, `I multiply.\n\n${answer}`);
    expect([played.after, played.calls]).toEqual([after, 1]);
  }
});

test.each(Object.entries(templates))(
  "%s: an edit of all places is made in all",
  async (_, print) => {
    const params = { file_path: path, old_string: "w", new_string: "width", replace_all: "true" };
    const answer = print({ tool: "str_replace", params });
    if (answer === undefined) return;
    const played = await play(path, before, `I rename it.\n\n${answer}`);
    expect([played.after, played.calls]).toEqual([before.replaceAll("w", "width"), 1]);
    expect(played.edits.flatMap(({ units }) => units)).not.toContainEqual(
      expect.objectContaining({ everywhere: expect.anything() }),
    );
  },
);

test("an edit of all places may be JSON of its own", async () => {
  const edit = { old_string: "w", new_string: "width", replace_all: true };
  const played = await play(path, before, fenced(JSON.stringify(edit, null, 2), "json"));
  expect([played.after, played.calls]).toEqual([before.replaceAll("w", "width"), 1]);
});

test("an edit of another file is shown and not made", async () => {
  const print = templates["Hermes"];
  const answer = print?.({ tool: "edit_file", params: { target_file: "b.ts", code_edit: after } });
  const played = await play(path, before, answer ?? "");
  expect(played.after).toBeUndefined();
  expect(played.text).toContain("b.ts");
});

test.each([
  [
    "that is no edit",
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "b.ts"}}\n</tool_call>\n',
  ],
  [
    "that cannot be read",
    '<tool_call>\n{"name": "edit_file", "arguments": {"path": }\n</tool_call>\n',
  ],
])("a call %s is told to the model", async (_, answer) => {
  const second = `<file-edit filePath="${path}">\n${printUnits([{ search: old_string, replace: new_string }])}</file-edit>\n`;
  const played = await play(path, before, [answer, second]);
  expect([played.after, played.calls]).toEqual([after, 2]);
  expect(JSON.stringify(played.model.requests.at(-1))).toContain("There are no tools here");
});
