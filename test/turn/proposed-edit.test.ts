import { expect, test } from "vitest";
import { limitEdit, ProposedEdit } from "../../src/turn/proposed-edit.ts";

/** Characters that the texts of one edit may take. */
const maxEdit = 1_048_576;

const applied = (text: string): ProposedEdit => ({
  filePath: "src/a.ts",
  hashBefore: "00",
  units: [{ search: "a\n", replace: text, place: { startLine: 1, endLine: 1, level: "exact" } }],
  result: {
    status: "applied",
    changes: [{ startLine: 1, endLine: 1, text }],
    hashAfter: "01",
  },
});

test("an edit with more text than the limit keeps its facts and loses its texts", () => {
  const cut = limitEdit(applied("b".repeat(maxEdit / 2)));
  expect(cut).toEqual({
    filePath: "src/a.ts",
    hashBefore: "00",
    units: [],
    result: { status: "applied", changes: [], hashAfter: "01" },
    isCut: true,
  });
  expect(ProposedEdit.parse(cut)).toEqual(cut);
});

test("many small units count, too", () => {
  const units = Array.from({ length: 20_000 }, () => ({ search: "a\n", replace: "" }));
  const edit: ProposedEdit = { filePath: "a", units, result: { status: "unchecked" } };
  expect(limitEdit(edit)).toMatchObject({ units: [], isCut: true });
});

test("an edit survives JSON as it is", () => {
  const refused: ProposedEdit = {
    filePath: "",
    units: [{ search: "a\n", replace: "b\n" }],
    result: {
      status: "refused",
      code: "ambiguous",
      unit: 1,
      candidates: [
        { startLine: 1, endLine: 1 },
        { startLine: 4, endLine: 4 },
      ],
    },
  };
  for (const edit of [applied("b\r\n"), refused]) {
    expect(ProposedEdit.parse(JSON.parse(JSON.stringify(edit)))).toEqual(edit);
  }
});
