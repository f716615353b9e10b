// A server with a model's API of the test's own behind it, for plugins that misbehave.
import { onTestFinished } from "vitest";
import { type TestServer, startRightseat } from "./e2e-server.ts";
import type { TestSettings } from "./test-settings.ts";
import { type Answer, startUpstream, type Upstream } from "./e2e-upstream.ts";

export const key = "plugin-key-of-this-test";
export const headers = { "X-Api-Key": key };
/** Milliseconds: a busy machine takes its time. */
export const patient = { timeout: 20_000 };
export const settings = { RIGHTSEAT_PLUGIN_KEYS: `${key},wide-key-of-*` };

export async function start(more: TestSettings = {}, upstream?: Upstream): Promise<TestServer> {
  const endpoint = upstream === undefined ? {} : { RIGHTSEAT_PLATFORM_ENDPOINT: upstream.url };
  const server = await startRightseat({ ...settings, ...endpoint, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** A model's API, with the calls that are open: connections may be kept for the next one. */
export async function startModel(answer: Answer): Promise<Upstream & { calls: () => number }> {
  let calls = 0;
  const upstream = await startUpstream((connection, count) => {
    calls += 1;
    void connection.closed.then(() => (calls -= 1));
    return answer(connection, count);
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  return Object.assign(upstream, { calls: () => calls });
}
