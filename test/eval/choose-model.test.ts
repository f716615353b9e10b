import { expect, test } from "vitest";
import { chooseModel } from "../../eval/choose-model.ts";
import { createModelTable } from "../../src/model/model-table.ts";
import { scriptedModel } from "../../src/testing.ts";

const row = (name: string) => ({ name, model: scriptedModel([], { name: `model of ${name}` }) });

test("a model is found by its name, and the default without one", () => {
  const table = createModelTable([row("big"), row("offline")]);
  expect(chooseModel(table, "offline").model.name).toBe("model of offline");
  expect(chooseModel(table, undefined)).toMatchObject({ name: "big", modelId: undefined });
});

test("an unknown name is refused with the names that there are", () => {
  const table = createModelTable([row("big"), row("offline")]);
  expect(() => chooseModel(table, "bg")).toThrow(
    'Unknown model "bg". Configured are: big, offline.',
  );
});

test("where a row serves any name, a name goes to it as model id", () => {
  const table = createModelTable([row("offline"), row("*")]);
  expect(chooseModel(table, "qwen")).toMatchObject({
    name: "qwen",
    model: { name: "model of *" },
    modelId: "qwen",
  });
  expect(() => chooseModel(table, "*")).toThrow('Unknown model "*"');
  const platform = createModelTable([{ ...row("platform"), takesAnyName: true }, row("offline")]);
  expect(chooseModel(platform, "qwen").model.name).toBe("model of platform");
  expect(chooseModel(platform, "platform").modelId).toBeUndefined();
});

test("a default that serves any name is asked for its own", () => {
  const table = createModelTable([row("*")]);
  expect(chooseModel(table, undefined)).toMatchObject({ name: "model of *", modelId: undefined });
});
