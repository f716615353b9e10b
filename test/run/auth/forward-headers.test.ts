// Which headers of a request travel on to the platform; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createForward, createIdentify, isForwardable } from "../../../src/run/auth/guards.ts";
import { parseConfig } from "../../../src/setup/config.ts";

const key = "caller-key-90cc12";

function forward(names: string[], headers: Record<string, string>, userId?: string) {
  const head = new Headers(headers);
  return createForward(names, [key])(
    { header: (name) => head.get(name) ?? undefined, headerNames: () => [...head.keys()] },
    userId,
  );
}

test("a header travels on if its name is listed, or begins as one that ends in *", () => {
  const headers = {
    "X-IDE-Name": "a",
    "x-ide": "b",
    "x-product": "c",
    "x-productline": "d",
    cookie: "e",
  };
  expect(forward(["x-ide-*", "x-product*"], headers)).toEqual({
    "x-ide-name": "a",
    "x-product": "c",
    "x-productline": "d",
  });
  expect(forward(["cookie"], headers)).toEqual({ cookie: "e" });
  expect(forward([], headers)).toEqual({});
});

test("what belongs to the connection or to the body stays, whatever is listed", () => {
  const name = fc.oneof(
    fc.constantFrom(
      "Connection",
      "TE",
      "Keep-Alive",
      "Upgrade",
      "Host",
      "Content-Length",
      "Content-Encoding",
      "Proxy-Authorization",
      "Transfer-Encoding",
    ),
    fc.constantFrom("x-named", "x-free"),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const headers = Object.fromEntries(names.map((each) => [each, "v"]));
      const listed = [...names.map((each) => each.toLowerCase()), "*", "c*", "t*"];
      const found = forward(listed, { ...headers, connection: "close, X-Named" });
      expect(Object.keys(found)).toEqual(names.includes("x-free") ? ["x-free"] : []);
    }),
  );
});

describe("*", () => {
  const never = `
    connection keep-alive te trailer transfer-encoding upgrade expect host content-length
    content-encoding content-type accept accept-encoding cookie cookie2 forwarded
    x-forwarded-for x-forwarded-proto content-md5 proxy-authorization proxy-connection
    proxy-anything http2-settings sec-websocket-key sec-websocket-protocol content-digest
    digest x-named
  `
    .trim()
    .split(/\s+/);
  const free = fc
    .stringMatching(/^[a-z][a-z0-9_-]{0,20}$/)
    .filter(
      (name) =>
        isForwardable(name) && !/^(?:cookie|content-|x-forwarded-|(?:repr-)?digest$)/.test(name),
    );

  test("means every header but those of connection, body and way, cookies and keys of ours", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...never)),
        fc.uniqueArray(free.filter((name) => !never.includes(name))),
        fc.uniqueArray(free.map((name) => `k-${name}`)),
        (stays, travels, holdKeys) => {
          const all = Object.fromEntries([
            ...[...stays, ...travels].map((name) => [name, "v"]),
            ...holdKeys.map((name) => [name, `a ${key} b`]),
          ]);
          const found = forward(["*"], { ...all, connection: "close, X-Named" });
          expect(Object.keys(found).toSorted()).toEqual(travels.toSorted());
        },
      ),
    );
  });

  test("may be listed beside what it does not mean", () => {
    const headers = {
      cookie: "a=b",
      "x-forwarded-for": "10.0.0.1",
      "x-any": "v",
      forwarded: "for=1",
    };
    expect(forward(["*", "cookie", "x-forwarded-*"], headers)).toEqual({
      cookie: "a=b",
      "x-forwarded-for": "10.0.0.1",
      "x-any": "v",
    });
    expect(forward(["c*", "x-*"], headers)).toEqual({ "x-any": "v" });
    const { forwardHeaders } = parseConfig({ RIGHTSEAT_FORWARD_HEADERS: "*" });
    expect(forwardHeaders).toEqual(["*"]);
  });

  test("leaves the keys of the plugin door here, too", async () => {
    const settings = {
      allowedHosts: undefined,
      corsOrigins: [],
      apiKeys: [],
      forwardHeaders: ["*"],
      pluginKeys: ["plugin-key-1", "family-of-keys*", `sha256:${"0".repeat(64)}`],
    };
    const head = new Headers({ "x-api-key": "plugin-key-1", a: "family-of-keys_007", b: "free" });
    const { forward: read } = await createIdentify(settings, { fetcher: fetch, now: Date.now })({
      header: (name) => head.get(name) ?? undefined,
      headerNames: () => [...head.keys()],
    });
    expect(read()).toEqual({ b: "free" });
  });
});

describe("a header that holds a key of ours", () => {
  test.each([
    ["as it is", key],
    ["among others", `Bearer ${key}, other`],
    ["with escapes", encodeURIComponent(`a=${key}&b`).replaceAll("c", "%63")],
    ["in base64, as passwords are sent", `Basic ${btoa(`user:${key}`)}`],
    ["in base64 for addresses", btoa(`??>${key}>>`).replaceAll("+", "-").replaceAll("/", "_")],
  ])("stays: %s", (_, value) => {
    expect(
      forward(["authorization", "x-ide-*"], { authorization: value, "x-ide-token": value }),
    ).toEqual({});
    expect(forward(["authorization"], { authorization: "Bearer of-the-person" })).toEqual({
      authorization: "Bearer of-the-person",
    });
  });
});

test("a user id travels on unless it contradicts the token", () => {
  const headers = { "x-user-id": "u-17" };
  expect(forward(["x-user-id"], headers)).toEqual(headers);
  expect(forward(["x-user-id"], headers, "u-17")).toEqual(headers);
  expect(forward(["x-user-id"], headers, "u-18")).toEqual({});
});

test("names that never travel on cannot be listed", () => {
  expect(["cookie", "x-ide-*", "traceparent", "*"].every(isForwardable)).toBe(true);
  const others = ["host", "connection", "content-length", "proxy-*", "forwarded", "**"];
  expect([...others, "x ide", "x-*-id", ""].some(isForwardable)).toBe(false);
});
