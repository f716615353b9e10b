import { expect, test } from "vitest";
import * as z from "zod";
import {
  type UserInfo,
  type VariableKind,
  type VariableName,
  isVariableName,
  variableNames,
  variables,
} from "../../../src/turn/context/variables.ts";
import { documented } from "./documented-variables.ts";

/** The resolver options of the platform document. */
const options = {
  knowledgeBase: { knowledgeBaseIds: ["kb-1"], recallByAgent: true },
  activeEditor: { contentBeforeSelectionLines: 0, contentAfterSelectionLines: 12 },
  packageFiles: { maximumNumber: 3 },
};

/** What all kinds share; each answers for the values of its own schema. */
const kinds = variables as Record<VariableName, VariableKind>;

test("the variables are those of the platform document", () => {
  expect(variableNames.toSorted()).toEqual(Object.keys(documented).sort());
  expect(isVariableName("activeEditor")).toBe(true);
  for (const name of ["constructor", "__proto__", "toString", "ActiveEditor", ""]) {
    expect(isVariableName(name)).toBe(false);
  }
});

test.each(variableNames)("%s is taken as documented, with fields that we do not know", (name) => {
  const value = documented[name];
  expect(variables[name].schema.parse(value)).toEqual(value);
  const more: unknown = Array.isArray(value)
    ? value.map((item: object) => ({ ...item, later: 1 }))
    : value;
  expect(variables[name].schema.parse(more)).toEqual(more);
});

test.each(variableNames)("%s with an empty value renders to text and costs nothing", (name) => {
  const value = { userInputPrompt: "", knowledgeBase: [], globalPrompts: [], packageFiles: [] };
  const empty: unknown = name in value ? Reflect.get(value, name) : {};
  const kind = kinds[name];
  const parsed = kind.schema.parse(empty);
  expect(kind.print(parsed, {})).not.toMatch(/undefined|null|\[object/);
  expect(kind.cost(parsed)).toBeLessThan(10);
});

test.each(variableNames)("the options of %s are those of the document", (name) => {
  const schema = (variables[name] as { options?: z.ZodType }).options;
  const value: unknown = Reflect.get(options, name);
  if (value === undefined) {
    expect(schema).toBeUndefined();
    return;
  }
  expect(schema?.parse(value)).toEqual(value);
  expect(schema?.safeParse({}).success).toBe(true);
});

test("every documented value renders its own words, and weighs something", () => {
  const words = {
    userInputPrompt: "为什么",
    userInfo: "艾达",
    vcs: "feature/counter, tracking origin/feature/counter",
    knowledgeBase: "Counters are never negative.",
    activeEditor: "> 2 | count++;",
    globalPrompts: "回答要简短。",
    packageFiles: '{ "name": "counter" }',
  };
  for (const name of variableNames) {
    const kind = kinds[name];
    const value = kind.schema.parse(documented[name]);
    expect(kind.print(value, {})).toContain(words[name]);
    expect(kind.cost(value)).toBeGreaterThan(0);
  }
});

test("a person is called by nickname, else name, and never by id", () => {
  const render = (user: UserInfo): string => variables.userInfo.print(user, {});
  expect(render({ id: "u", name: "ada", nickname: "艾达" })).toBe("艾达");
  expect(render({ id: "u", name: "ada", nickname: " " })).toBe("ada");
  expect(render({ id: "u", name: null, nickname: "" })).toBe("");
  expect(render({})).toBe("");
});
