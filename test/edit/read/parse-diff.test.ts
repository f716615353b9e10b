import { expect, test } from "vitest";
import { parseDiff } from "../../../src/edit/read/parse-diff.ts";

/** A unit as a diff, in rules as specified. */
const unitText = (search: string, replace: string) =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;

test("a unit of megabytes that can be read in several ways is read in one, so that its texts are few", () => {
  const rules = Array.from({ length: 30 }, (_, nth) => `${"=".repeat(8 + nth)}\n`).join("");
  const body = "x".repeat(1_000).concat("\n").repeat(3_000);
  const parsed = parseDiff(unitText("a\n", rules + body));
  if (!parsed.ok) throw new Error("It cannot be read.");
  const [read] = parsed.units;
  expect(read).toMatchObject({ search: "a\n", replace: rules + body });
  expect(read?.readings ?? []).toEqual([]);
});

test("lines that could be the separator are no reason to refuse a unit whose own separator is alone in its length", () => {
  const search = "T\n========\n".repeat(40);
  const parsed = parseDiff(unitText(search, "z\n"));
  expect(parsed).toMatchObject({ ok: true, units: [{ search, replace: "z\n", strict: true }] });
});

test.each([
  ["bare", unitText("a\n", "b\n")],
  ["in its tag", `<file-edit filePath="a.ts">\n${unitText("a\n", "b\n")}</file-edit>\n`],
])("a diff that is %s may begin with a byte order mark", (_, diff) => {
  expect(parseDiff(diff).ok).toBe(true);
  expect(parseDiff(`\uFEFF${diff}`)).toEqual(parseDiff(diff));
});
