// The worker as a deploy bundles it, in a workerd that has no Node API: the test runner of
// test/worker adds one for itself, so only this proves that none is needed.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { root } from "../../scripts/run.ts";

const server = createTestHarness({ root, workers: [{ configPath: "wrangler.toml" }] });
let url: URL;

beforeAll(async () => {
  ({ url } = await server.listen());
});

afterAll(() => server.close());

test("the bundled worker answers a command over a real connection", async () => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: "rightseat", command: "default", contextVariables: [] }),
  });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(await response.text()).toMatch(/^data: .*\n\ndata: \[DONE\]\n\n$/s);
});
