import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import rightseat from "../../../agent-definitions/rightseat.json" with { type: "json" };
import { variableNames, variables } from "../../../src/turn/context/variables.ts";
import { CopilotRequest } from "../../../src/doors/copilot/read-request.ts";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { documented } from "../../turn/context/documented-variables.ts";

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

/** Throws where zod would silently leave a schema as it is. */
function compile(schema: z.ZodType): (value: unknown) => boolean {
  const compiled = z.compile(schema, { strict: true });
  return (value) => z.validate(compiled, value);
}

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
  "the compiled schema of %s takes what the schema takes, of any JSON",
  (_, schema) => {
    const check = compile(schema);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(check(value)).toBe(schema.safeParse(value).success);
      }),
    );
  },
);

test.each(cases)(
  "the compiled schema of %s takes what the schema takes, of nearly valid values",
  (_, schema, valid) => {
    const check = compile(schema);
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
  "the compiled schema of %s takes what the schema takes, whichever field is odd",
  (_, schema, valid) => {
    const check = compile(schema);
    for (const by of odd) {
      for (const value of replaceEach(valid, by)) {
        expect(check(value)).toBe(schema.safeParse(value).success);
      }
    }
  },
);

/** What a schema consists of, itself included. */
function* partsOf(schema: z.core.$ZodType): Generator<z.core.$ZodType> {
  yield schema;
  const of = schema._zod.def as z.core.$ZodTypes["_zod"]["def"];
  if ("innerType" in of) yield* partsOf(of.innerType);
  if (of.type === "union") for (const part of of.options) yield* partsOf(part);
  if (of.type === "array") yield* partsOf(of.element);
  if (of.type === "object") for (const part of Object.values(of.shape)) yield* partsOf(part);
}

test.each(cases)("%s is used as it came, so no part of its schema changes a value", (_, schema) => {
  const parts = [...partsOf(schema)].map(({ _zod: { def } }) => def);
  const types = new Set(parts.map(({ type }) => type));
  const plain = "array boolean enum literal nullable number object optional union".split(" ");
  expect([...plain, "string", "unknown"]).toEqual(expect.arrayContaining([...types]));
  const rules = parts.flatMap(({ checks = [] }) => checks.map(({ _zod: { def } }) => def.check));
  expect(rules).not.toContain("overwrite");
});
