import { expect, test } from "vitest";
import { parseConfig } from "../../../src/setup/config.ts";
import { createModels } from "../../../src/setup/create-models.ts";
import { copilotRequest, post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { fakeTransport } from "../../helpers/upstream.ts";

const local = { name: "local", baseUrl: "http://localhost:11434/v1", model: "qwen3" };
const any = { name: "*", baseUrl: "https://any.example/v1", model: "usual" };
const platform = { COPILOT_SERVER_ENDPOINT: "https://platform.example/v1" };
const table = (...rows: object[]) => ({ RIGHTSEAT_MODELS: JSON.stringify(rows) });

test.each<[string, Record<string, string>, string | undefined, string]>([
  ["no name, of a table with rows", table(local, any), undefined, "local"],
  ["no name, of a table with only the * row", table(any), undefined, "usual"],
  ["a name that only the * row takes", table(local, any), "deepseek-chat", "deepseek-chat"],
  ["a name of the table", table(any, local), "local", "local"],
  ["a name that nobody takes", table(local), "deepseek-chat", "local"],
  ["a name that the platform takes", platform, "hunyuan", "hunyuan"],
  ["no name, of the platform", platform, undefined, "platform"],
])("with %s, version tells the model that answers", async (_, environment, model, told) => {
  const transport = fakeTransport();
  const modelTable = createModels(parseConfig(environment), environment, transport);
  const { app } = createTestApp({ modelTable });
  const text = await (await post(app, copilotRequest("version", { model }))).text();
  expect(text).toContain(`answering with the model \\"${told}\\".`);
  expect(text).toContain(`"model":"${told}"`);
  expect(transport.requests).toEqual([]);
});
