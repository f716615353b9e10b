// Which headers of a request travel on to the platform; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createApiKeys } from "../../src/auth/api-keys.ts";
import { createForward, isForwardable } from "../../src/auth/forward-headers.ts";

const key = "caller-key-90cc12";

function forward(names: string[], headers: Record<string, string>, userId?: string) {
  const head = new Headers(headers);
  return createForward(names, createApiKeys([key]))(
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
  expect(["cookie", "x-ide-*", "traceparent"].every(isForwardable)).toBe(true);
  expect(
    ["host", "connection", "content-length", "*", "x ide", "x-*-id", ""].some(isForwardable),
  ).toBe(false);
});
