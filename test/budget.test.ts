import { expect, test } from "vitest";
import { findExcess, measureHouse, readHouse } from "../scripts/check-budget.ts";

/** Enough modules that say nothing, and those of the case. */
function among(modules: Record<string, string>): Map<string, string> {
  const filler = Array.from({ length: 40 }, (_, at) => [`base/filler-${at}.ts`, ""] as const);
  return new Map([...filler, ...Object.entries(modules)]);
}

const base = [0, 40] as const;
const long = "\n".repeat(61);

test("a room with more lines or files than it has is told, and one that nobody gave anything", () => {
  const budget = {
    rooms: { base, turn: [60, 1] as const },
    splinters: 0,
    mutualFolders: 0,
    deepImports: 0,
  };
  const modules = among({ "turn/a.ts": long, "turn/b.liquid": "", "flows/a.ts": "" });
  expect(findExcess(modules, budget)).toEqual([
    "turn/ has 61 lines, more than 60",
    "turn/ has 2 files, more than 1",
    "flows/ has 1 files, more than 0",
  ]);
  expect(findExcess(new Map(), budget)).toEqual(["saw only 0 modules"]);
});

test("a short file with one importer belongs into it, unless it is for a platform or one of a list", () => {
  const members = ["a", "b", "c", "d", "e"];
  const { splinters } = measureHouse(
    among({
      "turn/one.ts": 'import "./short.ts";\nimport "./long.ts";\nimport "./x.node.ts";',
      "turn/short.ts": 'import "./shared.ts";',
      "turn/long.ts": `import "./shared.ts";${long}`,
      "turn/shared.ts": "",
      "turn/x.node.ts": "",
      "flows/all.ts": members.map((name) => `import "./list/${name}.ts";`).join("\n"),
      ...Object.fromEntries(members.map((name) => [`flows/list/${name}.ts`, ""])),
    }),
  );
  expect(splinters).toEqual(["turn/short.ts belongs into turn/one.ts"]);
});

test("folders import each other one way, or are inside each other", () => {
  const { mutualFolders } = measureHouse(
    among({
      "flows/a/one.ts": 'import "../b/one.ts";\nimport "../top.ts";',
      "flows/b/one.ts": "",
      "flows/b/two.ts": 'import "../a/one.ts";',
      "flows/top.ts": 'import "./a/one.ts";',
    }),
  );
  expect(mutualFolders).toEqual(["flows/a/ and flows/b/ import each other"]);
});

test("tests import what is at the top of a room, and replace no modules", () => {
  const modules = among({ "edit/a.ts": "", "edit/read/b.ts": "" });
  const rooms = { base, edit: [0, 2] as const };
  const budget = { rooms, splinters: 0, mutualFolders: 0, deepImports: 1 };
  const imports = (path: string): string => `import { a } from "../../src/${path}";\n`;
  const [top, deep] = [
    imports("edit/a.ts") + imports("base/filler-1.ts"),
    imports("edit/read/b.ts"),
  ];
  expect(findExcess(modules, budget, new Map([["edit/a.test.ts", top + deep]]))).toEqual([]);
  expect(
    findExcess(modules, budget, new Map([["edit/a.test.ts", `${deep}${deep}vi.mock("node:fs")`]])),
  ).toEqual([
    expect.stringContaining("tests import 2 modules below the top of a room, more than 1"),
    "edit/a.test.ts replaces modules, which files of tests share",
  ]);
});

test("the house that is measured is ours", () => {
  const { rooms } = measureHouse(readHouse()).budget;
  expect(rooms["flows"]?.[1]).toBeGreaterThan(10);
  expect(rooms["flows"]?.[0]).toBeGreaterThan(1_000);
});
