import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUserUnclear, parseContext } from "../../../src/turn/context/context.ts";
import { isVariableName, variableNames } from "../../../src/turn/context/variables.ts";
import { documented } from "./documented-variables.ts";
/** The paths of what was dropped, from the value of the only variable. */
function droppedOf(name: string, value: unknown): string[] {
  const { dropped = [] } = parseContext([{ name, value }]);
  return dropped.map(({ path }) => path.replace(/^contextVariables\[0\]\.value\.?/, ""));
}

describe("a value that does not fit", () => {
  test("is no number of more digits than a number tells apart: two people would be one", () => {
    expect(droppedOf("userInfo", { id: 2 ** 53 + 2 })).toEqual(["id"]);
  });

  test("fits after that, and nothing that fitted is lost", () => {
    const damage = fc.constantFrom<unknown>(0, -1, 1.5, "x", "3", true, [], {}, [null], {
      content: 1,
    });
    const path = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...variableNames), path, damage, (name, steps, bad) => {
        const { value, key } = damageValue(structuredClone(documented[name]), steps, bad);
        const context = parseContext([{ name, value }]);
        const again = parseContext([{ name, value: context[name] ?? null }]);
        // Without a variable they are told of a value that is kept: nobody reads what it brings.
        expect((again.dropped ?? []).filter(({ variable }) => variable !== undefined)).toEqual([]);
        expect(again[name]).toEqual(context[name]);
        if (context.dropped === undefined || context[name] === undefined) return;
        // Whatever lies beside the damage on the top level is as it was.
        if (typeof value !== "object" || Array.isArray(value)) return;
        const { [key]: _, ...rest } = value as Record<string, unknown>;
        // A selection of a file whose text is damaged is nowhere.
        expect(context[name]).toMatchObject(name === "vcs" || key === "content" ? {} : rest);
      }),
    );
  });
});

/** Puts something into a place of a value that random steps lead to. */
function damageValue(
  value: unknown,
  [first = 0, ...steps]: readonly number[],
  bad: unknown,
): { value: unknown; key: string } {
  if (typeof value !== "object" || value === null) return { value: bad, key: "" };
  const keys = Object.keys(value);
  const key = keys[first % Math.max(keys.length, 1)];
  if (key === undefined) return { value: bad, key: "" };
  const inner: unknown = Reflect.get(value, key);
  Reflect.set(value, key, steps.length === 0 ? bad : damageValue(inner, steps, bad).value);
  return { value, key };
}

test("resolver options come with their variables, in both spellings", () => {
  const { options } = parseContext([
    { name: "activeEditor", resolverOptions: { contentBeforeSelectionLines: 3 } },
    { name: "packageFiles", value: [], resolveOptions: { maximumNumber: 2 } },
    { name: "vcs", value: {}, resolverOptions: null },
  ]);
  expect(options).toEqual(
    new Map<string, unknown>([
      ["activeEditor", { contentBeforeSelectionLines: 3 }],
      ["packageFiles", { maximumNumber: 2 }],
    ]),
  );
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
      const context = parseContext(variables);
      expect(context.others).toEqual(new Map(variables.map(({ name, value }) => [name, value])));
      expect(Object.keys(context)).toEqual(["others"]);
      expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
    }),
  );
});

test("a message never holds the value", () => {
  const secret = "hunter2";
  fc.assert(
    fc.property(
      fc.constantFrom(...variableNames),
      fc.constantFrom<unknown>([secret], { [secret]: secret }, true),
      (name, bad) => {
        const fields = { content: bad, branchName: bad, id: bad, knowledgeBaseId: bad };
        const item = name === "userInputPrompt" ? bad : fields;
        const value = Array.isArray(documented[name]) ? [item] : item;
        const found = parseContext([{ name, value }]).dropped;
        expect(JSON.stringify(found)).not.toMatch(/hunter2|true/);
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
  const context = parseContext([{ name: "vcs", value }]);
  expect(context.vcs).toEqual({
    remoteUrl: "https://git.example/a.git",
    remotes: ["https://git.example/a.git"],
    branchName: "main",
  });
  expect(value).toEqual(sent);
});

test("a value that is wrong everywhere is wrong as a whole", () => {
  const files = Array.from({ length: 5_000 }, () => ({ filepath: 1, content: [2] }));
  expect(droppedOf("packageFiles", files)).toEqual([""]);
  expect(droppedOf("packageFiles", files.slice(0, 20))).toHaveLength(20);
});

// Values that fit their variable only because every field may be absent.

const toldOf = (name: string, value: unknown) =>
  (parseContext([{ name, value }]).dropped ?? []).map(({ path, message }) => [path, message]);

test.each<[string, unknown, string]>([
  ["activeEditor", { path: "a.ts", text: "let a;" }, "filePath, language, content"],
  ["vcs", { branch: "main" }, "branchName"],
  ["userInfo", { userId: "u-1" }, "id, name, nickname"],
])(
  "a value of %s without a known field is told with the fields that are expected",
  (name, value, fields) => {
    const path = "contextVariables[0].value";
    expect(toldOf(name, value)).toEqual([[path, expect.stringContaining(fields)]]);
    expect(parseContext([{ name, value }])).toHaveProperty(name, value);
  },
);

test.each<[unknown]>([
  [{ chunk: "a", score: 1 }],
  [{ passages: ["a"] }],
  [{ content: "a" }],
  [{ knowledgeBaseId: "kb", chunks: [{ text: "a" }] }],
  [{ knowledgeBaseId: "kb", chunk: "a" }],
])("a base of knowledge without references is told: %j", (base) => {
  const value = [{ knowledgeBaseId: "kb", references: [] }, base];
  expect(toldOf("knowledgeBase", value)).toEqual([
    ["contextVariables[0].value[1]", expect.stringMatching(/references.*score, chunk, metadata/)],
  ]);
});

test.each<[string, unknown]>([
  ["activeEditor", {}],
  ["activeEditor", { filePath: null }],
  ["activeEditor", { content: "a", text: "b", path: "c" }],
  ["vcs", { type: "git", branch: "main" }],
  ["knowledgeBase", []],
  ["knowledgeBase", [{}]],
  ["knowledgeBase", [{ knowledgeBaseId: "kb" }]],
  ["knowledgeBase", [{ knowledgeBaseId: "kb", name: "Docs" }]],
  ["knowledgeBase", [{ knowledgeBaseId: "kb", references: null, chunks: [] }]],
])("nothing is told of %s where a known field came, or nothing: %j", (name, value) => {
  expect(toldOf(name, value)).toEqual([]);
});

test("a base without references is told beside one that does not fit, and at most a hundred are", () => {
  const value = [{ passages: [] }, 7];
  expect(toldOf("knowledgeBase", value).map(([path]) => path)).toEqual([
    "contextVariables[0].value[1]",
    "contextVariables[0].value[0]",
  ]);
  const many = Array.from({ length: 1_000 }, () => ({ passages: [] }));
  expect(toldOf("knowledgeBase", many)).toHaveLength(100);
});

test("fields that nobody reads do not make it unclear whose request it is", () => {
  expect(isUserUnclear(parseContext([{ name: "userInfo", value: { userId: "u-1" } }]))).toBe(false);
});
