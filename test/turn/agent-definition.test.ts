import { expect, test } from "vitest";
import rightseat from "../../agent-definitions/rightseat.json" with { type: "json" };
import { AgentDefinition, collectedBy, findCommand } from "../../src/turn/agent-definition.ts";

/** A definition as the platform publishes it, and a field of every level that we do not know. */
const published = {
  name: "hello",
  version: "1.0.0",
  type: "copilot",
  description: "says hello",
  publisherType: "team",
  publisher: "tools",
  icon: "https://platform.example/hello.png",
  service: { endpoint: "https://agents.example/hello", region: "south" },
  modelConfiguration: { modelName: "m1", temperature: 0.1, maxTokens: 500, topP: 0.9, seed: 7 },
  messageTemplates: [{ role: "system", content: "Be kind.", name: "rules" }],
  commands: [
    {
      name: "explain",
      description: "explains",
      order: 1,
      modelConfiguration: { modelName: "m2" },
      messageTemplates: [
        { role: "system", template: "Explain." },
        { role: "user", template: "{{ userInputPrompt }}" },
      ],
      contextVariableCollectionStrategy: {
        type: "specify",
        contextVariables: [
          { name: "activeEditor", resolverOptions: { contentBeforeSelectionLines: 3 } },
          { name: "packageFiles", resolveOptions: { maximumNumber: 2 }, note: "both spellings" },
          { name: "vcs" },
        ],
      },
    },
  ],
};

test("a published definition is taken as it is, with the fields that we do not know", () => {
  expect(AgentDefinition.parse(published)).toEqual(published);
});

test("only the name is needed, and every other field may be null", () => {
  expect(AgentDefinition.parse({ name: "a" })).toEqual({ name: "a" });
  const fields = Object.keys(published).filter((field) => field !== "name" && field !== "icon");
  const nulls = Object.fromEntries(fields.map((field) => [field, null]));
  expect(AgentDefinition.parse({ ...nulls, name: "a" })).toEqual({ ...nulls, name: "a" });
  expect(AgentDefinition.safeParse({ ...published, name: "" }).success).toBe(false);
});

test("a message may carry its text as template or as content, and its role must be one that models know", () => {
  const withMessage = (message: object): boolean =>
    AgentDefinition.safeParse({ name: "a", messageTemplates: [message] }).success;
  expect(withMessage({ role: "user", template: "a" })).toBe(true);
  expect(withMessage({ role: "developer", content: "a" })).toBe(true);
  expect(withMessage({ role: "assistant", template: null, content: "a" })).toBe(true);
  expect(withMessage({ role: "robot", template: "a" })).toBe(false);
  expect(withMessage({ role: "user", template: 1 })).toBe(false);
});

test("a command is found by its exact name", () => {
  const definition = AgentDefinition.parse(published);
  expect(findCommand(definition, "explain")?.description).toBe("explains");
  expect(findCommand(definition, "Explain")).toBeUndefined();
  expect(findCommand({ name: "a" }, "explain")).toBeUndefined();
  expect(findCommand({ name: "a", commands: null }, "constructor")).toBeUndefined();
});

test("the options of collected variables are read in both spellings", () => {
  const command = findCommand(AgentDefinition.parse(published), "explain");
  expect([...collectedBy(command)]).toEqual([
    ["activeEditor", { contentBeforeSelectionLines: 3 }],
    ["packageFiles", { maximumNumber: 2 }],
    ["vcs", undefined],
  ]);
});

test("where both spellings stand, resolverOptions counts unless it is null", () => {
  const collect = (options: object): unknown =>
    collectedBy({
      name: "a",
      contextVariableCollectionStrategy: { contextVariables: [{ name: "x", ...options }] },
    }).get("x");
  expect(collect({ resolverOptions: 1, resolveOptions: 2 })).toBe(1);
  expect(collect({ resolverOptions: null, resolveOptions: 2 })).toBe(2);
});

test("a command that collects nothing has no options", () => {
  expect(collectedBy(undefined).size).toBe(0);
  expect(collectedBy({ name: "a", contextVariableCollectionStrategy: null }).size).toBe(0);
  const empty = { name: "a", contextVariableCollectionStrategy: { contextVariables: null } };
  expect(collectedBy(empty).size).toBe(0);
});

test("the shipped definition is one", () => {
  expect(AgentDefinition.parse(rightseat)).toEqual(rightseat);
});
