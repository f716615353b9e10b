// Blocks that are alike but for a name, a number or a text are not taken for each other.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyUnits } from "../../../src/edit/apply-units.ts";

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

describe("where a line tells blocks apart, another", () => {
  test.each([
    ["number", "case 201:", "case 200:"],
    ["number", "id: 2,", "id: 1,"],
    ["string", 'it("subs", () => {', 'it("adds", () => {'],
    ["string", "name: 'b two',", "name: 'a two',"],
    ["name", "def test_delete(self):", "def test_create(self):"],
    ["name", "on(event.close, {", "on(event.open, {"],
    ["name", "## 删除用户 {", "## 创建用户 {"],
  ])("%s in %j is no misquoted %j", (_, there, wanted) => {
    const other = [there.replace(/201|2,|subs|b two|delete|close|删除/u, "zzzz"), "  stop();", "}"];
    expect(edit([...other, there, ...body], [wanted, ...body])).toBe("refused: no-match");
  });

  test("name that the file uses elsewhere is meant", () => {
    const before = ["getItem(1);", "function getItems() {", ...body];
    expect(edit(before, ["function getItem() {", ...body])).toBe("refused: no-match");
  });
});

describe("a misquoted line is still found", () => {
  test.each([
    ["a letter missing", "exprt function load() {"],
    ["letters that changed places", "exprot function load() {"],
    ["a parameter missing", "export function load {"],
    ["a word missing", "function load() {"],
  ])("with %s", (_, quoted) => {
    const before = ["export function load() {", ...body];
    expect(edit(before, [quoted, ...body])).toBe(
      lines("export function load() {", ...body.slice(0, 2), "  changed();", "}"),
    );
  });

  test("with another number, where no other line is of its kind", () => {
    const before = ["open(file);", "read(buffer, 128);", "parse(buffer);", "close(file);"];
    const search = before.with(1, "read(buffer, 256);");
    expect(edit(before, search)).toBe(lines(...before.with(2, "  changed();")));
  });
});
