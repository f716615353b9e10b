// What an app writes into its log.
import { beforeAll, beforeEach, expect, test } from "vitest";
import { copilotRequest, post } from "./helpers/copilot-request.ts";
import { createTestApp } from "./helpers/create-test-app.ts";
import { captureLog } from "./helpers/e2e-log.ts";

let log: readonly string[];
let seen = 0;
beforeAll(async () => {
  log = await captureLog();
});
beforeEach(() => {
  seen = log.length;
});

/** The one line about a request, by the id that its answer carries. */
function lineOf(response: Response): string {
  const id = response.headers.get("x-request-id") ?? "none";
  const lines = log.slice(seen).filter((line) => line.includes(`"${id}"`));
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

test("a fault is logged with its message and place, and without what was sent", async () => {
  const code = {
    analyze: () => {
      throw new TypeError("Map.groupBy is not a function");
    },
  };
  const { app } = createTestApp({ code });
  const response = await post(app, copilotRequest("fix"));
  const text = await response.text();
  expect([response.status, text.includes("groupBy")]).toEqual([500, false]);
  const line = lineOf(response);
  expect(line).toMatch(/"cause":"TypeError: Map\.groupBy is not a function at .*app\.test\.ts:\d+/);
  expect(line).not.toContain("countLines");
});

test.each([
  ["unauthorized", { RIGHTSEAT_API_KEYS: "key" }, {}],
  ["host_forbidden", { RIGHTSEAT_ALLOWED_HOSTS: "here" }, { host: "elsewhere" }],
  ["origin_forbidden", {}, { origin: "https://elsewhere.example" }],
])("%s leaves a line in the log", async (code, settings, headers) => {
  const { app } = createTestApp({ settings });
  const response = await post(app, copilotRequest("version"), { headers });
  expect((await response.json()) as unknown).toMatchObject({ error: { code } });
  const line = lineOf(response);
  expect(line).toContain(`was refused: \\"${code}\\"`);
  expect(line).toContain('"level":"INFO"');
});
