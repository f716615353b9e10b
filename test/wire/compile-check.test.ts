import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import rightseat from "../../agent-definitions/rightseat.json" with { type: "json" };
import { variableNames, variables } from "../../src/context/variables.ts";
import { CopilotRequest } from "../../src/doors/copilot/schema.ts";
import { AgentDefinition } from "../../src/turn/agent-definition.ts";
import { compileCheck } from "../../src/wire/compile-check.ts";
import { documented } from "../context/documented-variables.ts";

const definition = {
  ...rightseat,
  modelConfiguration: { modelName: "m", temperature: 0.2, maxTokens: 100, topP: 1 },
  messageTemplates: [{ role: "user", template: "{{ userInputPrompt }}" }],
};
const request = {
  agent: "rightseat",
  command: "explain",
  agentDefinition: definition,
  contextVariables: variableNames.map((name) => ({ name, value: documented[name] })),
  messageTemplates: [{ role: "system", content: "Hello." }],
  modelConfiguration: definition.modelConfiguration,
  language: "zh-CN",
  model: "m",
  messages: [{ role: "user", content: "Hi." }],
};
const cases: [string, z.ZodType, unknown][] = [
  ...variableNames.map((name): [string, z.ZodType, unknown] => [
    name,
    variables[name].schema,
    documented[name],
  ]),
  ["AgentDefinition", AgentDefinition, definition],
  ["CopilotRequest", CopilotRequest, request],
];

/** What may take the place of something in a valid value; undefined takes it away. */
const odd = [null, undefined, "", "x", 0, 1, -1, 1.5, 2 ** 53, true, [], {}, [null], [""]];
const replacement = fc.oneof(fc.constantFrom<unknown>(...odd), fc.jsonValue({ maxDepth: 2 }));
const mutation = fc.record({ path: fc.array(fc.nat(), { maxLength: 8 }), by: replacement });

/** A copy in which whatever the path leads to is replaced; the path ends where it finds no fields. */
function mutate(value: unknown, path: readonly number[], by: unknown): unknown {
  const [pick, ...rest] = path;
  if (typeof value !== "object" || value === null || pick === undefined) return by;
  const keys = Object.keys(value);
  const key = keys[pick % (keys.length + 1)];
  if (key === undefined) return Array.isArray(value) ? [...value, by] : { ...value, more: by };
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  const changed = mutate(Reflect.get(value, key), rest, by);
  if (changed === undefined && !Array.isArray(value)) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, changed);
  return copy;
}

test.each(cases)(
  "the compiled check of %s takes what the schema takes, of any JSON",
  (_, schema) => {
    const check = compileCheck(schema);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(check(value)).toBe(schema.safeParse(value).success);
      }),
    );
  },
);

test.each(cases)(
  "the compiled check of %s takes what the schema takes, of nearly valid values",
  (_, schema, valid) => {
    const check = compileCheck(schema);
    expect(check(valid)).toBe(true);
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const value = mutations.reduce((from, { path, by }) => mutate(from, path, by), valid);
        expect(check(value)).toBe(schema.safeParse(value).success);
      }),
    );
  },
);

/** Every copy of a value in which one thing, at any depth, is replaced. */
function* replaceEach(value: unknown, by: unknown): Generator {
  yield by;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const changed of replaceEach(inner, by)) {
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
    }
  }
}

test.each(cases)(
  "the compiled check of %s takes what the schema takes, whichever field is odd",
  (_, schema, valid) => {
    const check = compileCheck(schema);
    for (const by of odd) {
      for (const value of replaceEach(valid, by)) {
        expect(check(value)).toBe(schema.safeParse(value).success);
      }
    }
  },
);

test.each([
  ["transform", z.string().transform(Number)],
  ["default", z.string().default("")],
  ["prefault", z.string().prefault("")],
  ["catch", z.string().catch("")],
  ["preprocess", z.preprocess(String, z.string())],
  ["trim", z.string().trim()],
  ["union that may hold one", z.union([z.string().transform(Number), z.number()])],
  ["lazy schema that may hold one", z.lazy(() => z.string().default(""))],
])("a schema with a %s is refused, at the top and inside", (_, schema) => {
  expect(() => compileCheck(schema)).toThrow(TypeError);
  expect(() => compileCheck(z.object({ list: z.array(schema.optional()) }))).toThrow(TypeError);
});

test("rules beyond the type are judged as the schema judges them", () => {
  const schema = z.object({
    even: z.number().refine((value) => value % 2 === 0),
    name: z.string().max(3),
    kind: z.literal(["a", true]),
  });
  const check = compileCheck(schema);
  expect(check({ even: 2, name: "abc", kind: true })).toBe(true);
  expect(check({ even: 1, name: "abc", kind: true })).toBe(false);
  expect(check({ even: 2, name: "abcd", kind: true })).toBe(false);
  expect(check({ even: 2, name: "abc", kind: "b" })).toBe(false);
});

test.each<[string, z.ZodType, readonly unknown[]]>([
  ["a least number of items", z.array(z.string()).min(1), [["a"], []]],
  ["no other fields", z.strictObject({ a: z.string() }), [{ a: "" }, { a: "", b: 1 }]],
  ["a format of text", z.email(), ["ada@git.example", "x"]],
  ["a format of numbers", z.int32(), [1, 1.5, 2 ** 40]],
  ["a field of any kind", z.object({ a: z.unknown() }), [{ a: 1 }, {}]],
])("%s is judged as the schema judges it", (_, schema, values) => {
  const check = compileCheck(schema);
  expect(values.map(check)).toEqual(values.map((value) => schema.safeParse(value).success));
});
