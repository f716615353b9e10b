import { readFileSync } from "node:fs";
import * as z from "zod";
import { expect, test } from "vitest";
import { type SchemaNode, createSchemas, fieldDescriptions, visit } from "../../src/cli/schema.ts";
import { variableNames } from "../../src/turn/context/variables.ts";

const { definition, request, session } = createSchemas();

test("the definition's schema says what the shipped definition holds", () => {
  expect(definition).toMatchObject({
    type: "object",
    required: ["name"],
    properties: { name: { type: "string", minLength: 1 } },
  });
  const shipped: unknown = JSON.parse(
    readFileSync(new URL("../../agent-definitions/rightseat.json", import.meta.url), "utf8"),
  );
  const back = z.fromJSONSchema(definition);
  expect(back.safeParse(shipped).success).toBe(true);
  expect(back.safeParse({ commands: [] }).success).toBe(false);
  expect(back.safeParse({ name: "a", commands: [{ name: 1 }] }).success).toBe(false);
});

test("the request's schema knows every context variable by name and leaves room for others", () => {
  const items = JSON.stringify(request.properties?.["contextVariables"]);
  for (const name of variableNames) expect(items).toContain(`"const":"${name}"`);
  const back = z.fromJSONSchema(request);
  const isAllowed = (name: string) =>
    back.safeParse({ contextVariables: [{ name, value: 1 }] }).success;
  expect(isAllowed("vcsLog")).toBe(true);
  expect(isAllowed("vcs")).toBe(false);
  expect(items).toContain('"selectedRanges"');
});

test("the request's schema knows the fields that answer an action", () => {
  for (const name of ["action", "state", "nodeId", "nodeAction", "data"])
    expect(request.properties?.[name]).toHaveProperty("description");
  expect(request.required ?? []).not.toContain("action");
  expect(JSON.stringify(request.properties?.["nodeAction"])).toContain('"expand","click"');
});

test("the options of a variable are those of its name", () => {
  const back = z.fromJSONSchema(definition);
  const collecting = (name: string, resolverOptions: unknown) => {
    const contextVariables = [{ name, resolverOptions }];
    const commands = [{ name: "a", contextVariableCollectionStrategy: { contextVariables } }];
    return back.safeParse({ name: "a", commands }).success;
  };
  expect(collecting("knowledgeBase", { recallByAgent: true })).toBe(true);
  expect(collecting("knowledgeBase", { recallByAgent: "yes" })).toBe(false);
  expect(collecting("ticket", { recallByAgent: "yes" })).toBe(true);
});

test("every field is described, and every description is that of a field", () => {
  const fields: [string, string | undefined][] = [];
  const collect = (field: SchemaNode, path: string) => fields.push([path, field.description]);
  visit(definition as SchemaNode, "agentDefinition", collect);
  visit(request as SchemaNode, "request", collect);
  for (const [name, part] of Object.entries(session))
    visit(part as SchemaNode, `session.${name}`, collect);
  expect(fields.length).toBeGreaterThan(200);
  expect(fields.filter(([, description]) => description === undefined)).toEqual([]);
  const used = new Set(fields.map(([, description]) => description));
  expect(Object.entries(fieldDescriptions).filter(([, text]) => !used.has(text))).toEqual([]);
});

test("schemas are plain data with the dialect named", () => {
  expect(definition.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(JSON.parse(JSON.stringify(request))).toMatchObject({ type: "object" });
});

test("the schemas of sessions say what a client sends", () => {
  const init = z.fromJSONSchema(session.init);
  const llmConfig = { model: "m", temperature: 1 };
  expect(init.safeParse({ llmConfig, sessionList: [{ id: "a" }] }).success).toBe(true);
  expect(init.safeParse({ llmConfig: { ...llmConfig, temperature: "1" } }).success).toBe(false);
  expect(init.safeParse({ llmConfig, toolPipelineStrategy: "reject" }).success).toBe(false);
  const task = z.fromJSONSchema(session.task);
  const contentList = [{ type: "text", message: "Hi" }];
  expect(task.safeParse({ taskId: "one", contentList }).success).toBe(true);
  expect(task.safeParse({ contentList: [{ type: "audio", message: "Hi" }] }).success).toBe(false);
});
