import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonPlaces, locateProblems } from "../../../src/cli/lint/json-places.ts";
import { printProblems } from "../../../src/cli/lint.ts";

const text = `{
  "name": "a",
  "commands": [
    { "name": "default" },
    {
      "description": "中文 \\" } ]",
      "messageTemplates": [{ "role": 1 }]
    }
  ]
}`;

function place(path: string, source = text): string {
  const [found] = locateProblems(source, [{ path, severity: "error", message: "m" }]);
  return `${found?.line}:${found?.column}`;
}

test.each([
  ["name", "2:3"],
  ["commands", "3:3"],
  ["commands[0]", "4:5"],
  ["commands[1].messageTemplates[0].role", "7:30"],
  // What is missing is told at the object that lacks it.
  ["commands[1].name", "5:5"],
  ["commands[7].name", "3:3"],
  ["(file)", "1:1"],
])("%s is found at %s", (path, where) => {
  expect(place(path)).toBe(where);
});

test("problems come in the order of the file", () => {
  const paths = ["commands[1]", "name", "commands[0].name"];
  const problems = paths.map((path) => ({ path, severity: "error", message: "m" }) as const);
  expect(locateProblems(text, problems).map(({ path }) => path)).toEqual([
    "name",
    "commands[0].name",
    "commands[1]",
  ]);
});

test.each([
  ['{\n  "a": 1,\n}', "3:1", "a name in double quotes is expected here"],
  ['{\n  "a" 1\n}', "2:7", "a colon is expected here"],
  ['{\n  "a": [1 2]\n}', "2:11", "a comma or ] is expected here"],
  ["{\n  'a': 1\n}", "2:3", "a name in double quotes is expected here"],
  ["{ // why\n}", "1:3", "a name in double quotes is expected here"],
  ['{ "a": "b', "1:8", "a value is expected here"],
  ['{ "a": 01 }', "1:9", "a comma or } is expected here"],
  ["", "1:1", "a value is missing at the end"],
  ["{} {}", "1:4", "the end of the text is expected here"],
])("%j is not JSON at %s", (source, where, message) => {
  expect(findJsonPlaces(source).problem?.message).toBe(message);
  expect(place("(file)", source)).toBe(where);
});

test("every text that JSON.parse takes is read to its end, and no other", () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom("", ",", "}", '"', "1", "\\"),
      (json, at, odd) => {
        const cut = at % (json.length + 1);
        const broken = json.slice(0, cut) + odd + json.slice(cut + 1);
        for (const source of [json, broken]) {
          let isJson = true;
          try {
            JSON.parse(source);
          } catch {
            isJson = false;
          }
          expect(findJsonPlaces(source).problem === undefined).toBe(isJson);
        }
      },
    ),
  );
});

test("problems are printed for people, for programs, and as annotations of a workflow", () => {
  const problem = {
    file: "a,b.json",
    line: 2,
    column: 3,
    path: "commands[0]",
    severity: "info",
    message: "100%\nsure",
  } as const;
  expect(printProblems([problem], 1, "text")).toBe("a,b.json:2:3: commands[0]: info: 100%\nsure\n");
  expect(JSON.parse(printProblems([problem], 1, "json"))).toEqual([problem]);
  expect(printProblems([problem], 1, "github")).toBe(
    "::notice file=a%2Cb.json,line=2,col=3,title=commands[0]::100%25%0Asure\n",
  );
  expect(printProblems([], 2, "text")).toBe("No problems in 2 definitions.\n");
  expect(printProblems([], 2, "json")).toBe("[]\n");
  expect(printProblems([], 2, "github")).toBe("");
});
