import { readFileSync } from "node:fs";
import * as z from "zod";
import { expect, test } from "vitest";
import { createSchemas } from "../../src/cli/schema.ts";
import { variableNames } from "../../src/context/variables.ts";

const { definition, request } = createSchemas();

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
  expect(items).toContain(`"not":${JSON.stringify({ enum: variableNames })}`);
  expect(items).toContain('"selectedRanges"');
});

test("schemas are plain data with the dialect named", () => {
  expect(definition.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(JSON.parse(JSON.stringify(request))).toMatchObject({ type: "object" });
});
