// Whom keys and tokens name: for states, limits and the log. On Node and in workerd.
import { describe, expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import { createApiKeys, holdsKey } from "../../../src/run/auth/api-keys.ts";
import { type Caller, nameCaller } from "../../../src/turn/chat-model.ts";
import { bindState } from "../../../src/turn/state/sealed-state.ts";
import { button, send, user } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

describe("a key", () => {
  test("has an id that stays when keys are reordered, and says nothing of the key", async () => {
    const first = createApiKeys(["alpha", "beta"]);
    const second = createApiKeys(["gamma", "beta", "alpha"]);
    const id = await first.find("alpha");
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(await second.find("alpha")).toBe(id);
    expect(await first.find("beta")).not.toBe(id);
    // printf %s alpha | sha256sum | head -c 8
    expect(id).toBe("8ed3f6ad");
  });

  test("is recognised in a text", () => {
    const keys = ["alpha"];
    expect([holdsKey("bearer   alpha", keys), holdsKey("beta", keys)]).toEqual([true, false]);
  });
});

describe("a state", () => {
  const make = (keys: string): App =>
    createTestApp({
      models: [["A\n"]],
      settings: { RIGHTSEAT_API_KEYS: keys, RIGHTSEAT_STATE_KEYS: `s:${btoa("x".repeat(32))}` },
    }).app;
  const file = "export function total(items) {\n  return items.length;\n}\n";
  const variables = [user, { name: "activeEditor", value: { filePath: "a.js", content: file } }];
  const sealed = async (app: App, key: string) => {
    const body = { command: "fix", contextVariables: variables };
    return button(await send(app, body, { "x-api-key": key }), "fix").state;
  };
  const resume = (app: App, state: unknown, headers: Record<string, string>) =>
    send(app, { action: "confirm", state, contextVariables: variables }, headers);

  test("that was made under one key is refused under another one", async () => {
    const app = make("one,two");
    const state = await sealed(app, "one");
    expect(typeof state).toBe("string");
    const refused = await resume(app, state, { "x-api-key": "two" });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("start over")]);
    expect((await resume(app, state, { "x-api-key": "one" })).status).toBe(200);
    expect((await resume(app, state, { authorization: "Bearer one" })).status).toBe(200);
  });

  test("opens after keys were added and reordered", async () => {
    const state = await sealed(make("one,two"), "two");
    expect((await resume(make("three,two,one"), state, { "x-api-key": "two" })).status).toBe(200);
    expect((await resume(make("two,one"), state, { "x-api-key": "one" })).status).toBe(403);
  });

  test("of a person whose token names a key is not that key's", () => {
    const agent = { name: "helper" };
    const context = { others: new Map() };
    const bound = (caller: Omit<Caller, "forward">) => bindState(agent, context, caller)?.subject;
    expect(bound({ userId: "8ed3f6ad" })).not.toBe(bound({ keyId: "8ed3f6ad" }));
    expect(bound({ userId: "key:8ed3f6ad" })).not.toBe(bound({ keyId: "8ed3f6ad" }));
    expect(bound({})).toBe("");
  });
});

test("a person and a key of the same id have names of their own", () => {
  expect([nameCaller({}), nameCaller({ keyId: "a" }), nameCaller({ userId: "b" })]).toEqual([
    undefined,
    "key:a",
    "user:b",
  ]);
});
