import { expect, test } from "vitest";
import { readModules } from "../scripts/check-layers.ts";
import { findBlemishes, takePicture } from "../scripts/check-picture.ts";

/** Enough modules that say nothing, ten a folder, and those of the case. */
function among(modules: Record<string, string> = {}): Map<string, string> {
  const filler = Array.from(
    { length: 40 },
    (_, at) => [`room-${at % 4}/filler-${at}.ts`, ""] as const,
  );
  return new Map([...filler, ...Object.entries(modules)]);
}

const explained = (): boolean => true;

function importing(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `import { a } from "./filler-${at}.ts";`);
  return lines.join("\n");
}

test("small files in small folders have no blemish", () => {
  const longest = "\n".repeat(300);
  expect(findBlemishes(among({ "room-0/long.ts": longest }), explained)).toEqual([]);
});

test("the picture names the longest file, the fullest folder and the file that imports most", () => {
  const modules = among({ "room-2/long.ts": "\n".repeat(70), "room-3/wide.ts": importing(4) });
  expect(takePicture(modules)).toEqual({
    modules: 42,
    longest: { path: "room-2/long.ts", size: 70 },
    fullest: { path: "room-2", size: 11 },
    medianFanOut: 0,
    widest: { path: "room-3/wide.ts", size: 4 },
  });
});

test("the picture of the source is not empty", () => {
  const { modules, medianFanOut, widest } = takePicture(readModules());
  expect(modules).toBeGreaterThan(300);
  expect(medianFanOut).toBeGreaterThan(0);
  expect(widest.size).toBeGreaterThan(medianFanOut);
});

test("a checker that sees too little fails", () => {
  expect(findBlemishes(new Map(), explained)).toEqual(["saw only 0 modules"]);
});

test("a file over 300 lines is found", () => {
  const modules = among({ "room-0/long.ts": "\n".repeat(301) });
  expect(findBlemishes(modules, explained)).toEqual([
    "room-0/long.ts has 301 lines, more than 300",
  ]);
});

test("a folder with more than 20 files is found", () => {
  const files = Array.from({ length: 21 }, (_, at) => [`full/room/${at}.ts`, ""]);
  expect(findBlemishes(among(Object.fromEntries(files)), explained)).toEqual([
    "full/room/ has 21 files, more than 20",
  ]);
});

test("a room without a README is found, also one that holds only other rooms", () => {
  const modules = among({ "house/room/a.ts": "" });
  const problems = findBlemishes(modules, (room) => room.startsWith("room-"));
  expect(problems).toEqual([
    "house/ has no README.md that says what it is for",
    "house/room/ has no README.md that says what it is for",
  ]);
});

test("a source in which half of the files import many others is found", () => {
  const wide = Array.from({ length: 41 }, (_, at) => [`wide-${at % 3}/${at}.ts`, importing(4)]);
  expect(findBlemishes(among(Object.fromEntries(wide)), explained)).toEqual([
    "a module imports 4 others (median), more than 3",
  ]);
});

test("an import of a module twice, as code and as types, counts once", () => {
  const twice = 'import { a } from "./a.ts";\nimport type { B } from "./a.ts";';
  expect(takePicture(among({ "room-0/twice.ts": twice })).widest.size).toBe(1);
});
