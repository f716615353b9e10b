import { expect, test } from "vitest";
import { createTestApp } from "../../helpers/create-test-app.ts";

const get = (path: string) => new Request(`http://localhost${path}`);

test("healthz says that the process lives", async () => {
  const { app } = createTestApp();
  const response = await app.fetch(get("/healthz"));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok" });
});

test("readyz takes new work until the app drains", async () => {
  const { app } = createTestApp();
  const ready = await app.fetch(get("/readyz"));
  expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);

  await app.drain();
  const draining = await app.fetch(get("/readyz"));
  expect([draining.status, await draining.json()]).toEqual([503, { status: "draining" }]);
  expect(draining.headers.get("retry-after")).toBe("5");
});

test("neither asks for a key, nor the model for anything", async () => {
  const { app, model } = createTestApp({ settings: { RIGHTSEAT_API_KEYS: "secret" } });
  for (const path of ["/healthz", "/readyz"]) {
    expect((await app.fetch(get(path))).status).toBe(200);
  }
  expect(model.requests).toEqual([]);
});
