// Blocks that are alike but for a name, a number or a text are not taken for each other.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/edit-session.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

/** The text, or the code of the refusal, of an edit that changes the last line but one. */
function edit(before: readonly string[], search: readonly string[]): string {
  const replace = search.with(search.length - 2, "  changed();");
  const unit = { search: lines(...search), replace: lines(...replace) };
  const result = applyUnits(lines(...before), [unit]);
  return result.ok ? result.text : `refused: ${result.error.code}`;
}

const body = ["  const rows = await load(table);", "  check(rows, rules);", "  return rows;", "}"];

test("a block is never changed by a SEARCH that names another one, whatever the names", () => {
  const name = fc.constantFrom(
    "create",
    "delete",
    "update",
    "get1",
    "get2",
    "adds",
    "subs",
    "200",
    "201",
  );
  const head = fc.constantFrom<(name: string) => string>(
    (word) => `function ${word}(a) {`,
    (word) => `it("${word}", () => {`,
    (word) => `case ${word}: {`,
    (word) => `def test_${word}(self):`,
    (word) => `.${word} > a {`,
  );
  fc.assert(
    fc.property(name, name, head, (there, wanted, toHead) => {
      fc.pre(there !== wanted);
      expect(edit([toHead(there), ...body], [toHead(wanted), ...body])).toBe("refused: no-match");
    }),
  );
});
