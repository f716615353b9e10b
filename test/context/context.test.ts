import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  type ContextVariable,
  parseContext,
  printPath,
  toProblems,
} from "../../src/context/context.ts";
import { isVariableName, variableNames } from "../../src/context/variables.ts";
import { documented } from "./documented-variables.ts";

const list = variableNames.map((name): ContextVariable => ({ name, value: documented[name] }));

test("every documented variable arrives under its name, and nothing is wrong", () => {
  const { context, problems } = parseContext(list);
  expect(problems).toEqual([]);
  const { others, ...known } = context;
  expect(others.size).toBe(0);
  expect(known).toEqual(documented);
});

test("a variable that could not be collected is absent", () => {
  const { context, problems } = parseContext([
    { name: "vcs", value: null },
    { name: "activeEditor" },
    { name: "color", value: null },
    { name: "userInputPrompt", value: "" },
  ]);
  expect(problems).toEqual([]);
  expect(Object.keys(context).sort()).toEqual(["others", "userInputPrompt"]);
  expect(context.others.size).toBe(0);
});

test("a wrong value is told by its path from the root of the request, and is absent", () => {
  const editor = {
    ...documented.activeEditor,
    selectedRanges: [{ ...documented.activeEditor.selectedRanges[0], startLine: 0 }],
  };
  const { context, problems } = parseContext([
    { name: "userInputPrompt", value: "Why?" },
    { name: "vcs", value: { remotes: ["a", 7] } },
    { name: "activeEditor", value: editor },
  ]);
  expect(problems.map(({ path }) => path)).toEqual([
    "contextVariables[1].value.remotes[1]",
    "contextVariables[2].value.selectedRanges[0].startLine",
  ]);
  expect(context.activeEditor).toBeUndefined();
  expect(context.vcs).toBeUndefined();
  expect(context.userInputPrompt).toBe("Why?");
});

test("lines and columns begin with 1, the cursor with 0, and none has fractions", () => {
  const problemsOf = (fields: object): string[] =>
    parseContext([{ name: "activeEditor", value: fields }]).problems.map(({ path }) =>
      path.replace("contextVariables[0].value.", ""),
    );
  expect(problemsOf({ startLine: 1, startColumn: 1, cursorOffset: 0 })).toEqual([]);
  expect(problemsOf({ startLine: 0 })).toEqual(["startLine"]);
  expect(problemsOf({ endColumn: 1.5 })).toEqual(["endColumn"]);
  expect(problemsOf({ cursorOffset: -1 })).toEqual(["cursorOffset"]);
  expect(problemsOf({ endLine: "3" })).toEqual(["endLine"]);
});

test("unknown variables are kept as they came, whatever their names", () => {
  const values = fc.jsonValue().filter((value) => value !== null);
  const names = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "others", ""),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ name: names, value: values })), (variables) => {
      fc.pre(!variables.some(({ name }) => isVariableName(name)));
      const { context, problems } = parseContext(variables);
      expect(problems).toEqual([]);
      expect(context.others).toEqual(new Map(variables.map(({ name, value }) => [name, value])));
      expect(Object.keys(context)).toEqual(["others"]);
      expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
    }),
  );
});

test("of a name that comes twice the last one counts, known or not", () => {
  const { context } = parseContext([
    { name: "userInputPrompt", value: "first" },
    { name: "color", value: 1 },
    { name: "userInputPrompt", value: "last" },
    { name: "color", value: 2 },
  ]);
  expect(context.userInputPrompt).toBe("last");
  expect(context.others.get("color")).toBe(2);
});

test("a message never holds the value", () => {
  const secret = "hunter2";
  fc.assert(
    fc.property(
      fc.constantFrom(...variableNames),
      fc.constantFrom<unknown>([secret], { [secret]: secret }, 73, true),
      (name, bad) => {
        const fields = { content: bad, branchName: bad, id: bad, knowledgeBaseId: bad };
        const item = name === "userInputPrompt" ? bad : fields;
        const value = Array.isArray(documented[name]) ? [item] : item;
        const found = parseContext([{ name, value }]).problems;
        expect(found).not.toEqual([]);
        expect(JSON.stringify(found)).not.toMatch(/hunter2|73|true/);
      },
    ),
  );
});

test("the credentials of remotes do not arrive, and the request itself is left alone", () => {
  const value = {
    remoteUrl: "https://ada:secret@git.example/a.git",
    remotes: ["https://token@git.example/a.git"],
    branchName: "main",
  };
  const sent = structuredClone(value);
  const { context } = parseContext([{ name: "vcs", value }]);
  expect(context.vcs).toEqual({
    remoteUrl: "https://git.example/a.git",
    remotes: ["https://git.example/a.git"],
    branchName: "main",
  });
  expect(value).toEqual(sent);
});

test("a path is printed as people write it", () => {
  expect(printPath(["commands", 0, "name"])).toBe("commands[0].name");
  expect(printPath([2, "value"])).toBe("[2].value");
  expect(printPath([])).toBe("(request)");
});

test("problems are told from the given root", () => {
  const failed = z.object({ a: z.array(z.string()) }).safeParse({ a: ["", 1] });
  expect(toProblems(failed.error ?? new z.ZodError([]), ["body"])).toEqual([
    { path: "body.a[1]", message: "Invalid input: expected string, received number" },
  ]);
});

test("of a value that is wrong everywhere not every problem is told", () => {
  const files = Array.from({ length: 5_000 }, () => ({ filepath: 1, content: 2 }));
  const { problems } = parseContext([{ name: "packageFiles", value: files }]);
  expect(problems[0]?.path).toBe("contextVariables[0].value[0].filepath");
  expect(problems.length).toBeGreaterThanOrEqual(10);
  expect(problems.length).toBeLessThanOrEqual(100);
});
