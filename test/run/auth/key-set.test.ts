import { type JWTVerifyGetKey, errors } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { createKeySet } from "../../../src/run/auth/key-set.ts";

const url = "https://issuer.example/jwks.json";

const isWorkerd = navigator.userAgent === "Cloudflare-Workers";

type Trouble = "down" | "html" | "no keys" | "redirect" | "huge" | "silent" | "not json";

// Jose looks at the time of day to tell how old its keys are.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_763_600_000_000 }));
afterEach(() => void vi.useRealTimers());

/** An issuer whose answers are given by hand, and a clock that stands until it is moved. */
async function createIssuer() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  if (!("publicKey" in pair)) throw new Error("A pair of keys was expected.");
  const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const issuer = {
    /** Requests that the issuer got. */
    asked: 0,
    kid: "key-1",
    others: [] as unknown[],
    /** What goes wrong, if anything does. */
    trouble: undefined as Trouble | undefined,
    pass(milliseconds: number) {
      vi.setSystemTime(Date.now() + milliseconds);
    },
  };
  const fetcher: typeof fetch = async (input, init) => {
    expect([input, init?.redirect]).toEqual([url, "manual"]);
    issuer.asked++;
    await Promise.resolve();
    const signal = init?.signal;
    switch (issuer.trouble) {
      case "down":
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("secret"), { code: "ECONNREFUSED" }),
        });
      case "html":
        return new Response("<h1>Down</h1>", { status: 503 });
      case "not json":
        return new Response("<h1>Secret</h1>");
      case "no keys":
        return Response.json({ error: "down" });
      case "redirect":
        return new Response(null, { status: 302, headers: { location: "https://evil.example" } });
      case "huge":
        return new Response(`{"keys":[],"x":"${"x".repeat(2_000_000)}"}`);
      case "silent":
        // What the time limit of jose brings about.
        expect(signal).toBeInstanceOf(AbortSignal);
        throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
      case undefined:
        return Response.json({ keys: [...issuer.others, { ...jwk, kid: issuer.kid }] });
    }
  };
  const find = createKeySet(url, { fetcher, now: Date.now });
  return { issuer, look: (kid = "key-1") => look(find, kid), why: () => reasonOf(find) };
}

async function reasonOf(find: JWTVerifyGetKey): Promise<string | undefined> {
  try {
    await find({ alg: "ES256", kid: "key-1" }, { payload: "", signature: "", protected: "" });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.details.reason;
    throw thrown;
  }
}

/** What becomes of a token whose header names this key. */
async function look(find: JWTVerifyGetKey, kid: string): Promise<string> {
  try {
    await find({ alg: "ES256", kid }, { payload: "", signature: "", protected: "" });
    return "found";
  } catch (thrown) {
    if (thrown instanceof errors.JWKSNoMatchingKey) return "no such key";
    if (thrown instanceof AppError) return `${thrown.code} ${thrown.details.retryAfter}`;
    throw thrown;
  }
}

test("the keys are held for ten minutes, then fetched by the next caller", async () => {
  const { issuer, look: find } = await createIssuer();
  expect(await find()).toBe("found");
  issuer.pass(599_000);
  expect([await find(), issuer.asked]).toEqual(["found", 1]);
  issuer.kid = "key-2";
  issuer.pass(2_000);
  expect([await find("key-2"), issuer.asked]).toEqual(["found", 2]);
  expect(await find("key-1")).toBe("no such key");
});

test.each<Trouble>(["down", "html", "no keys", "redirect", "huge", "silent"])(
  "while the issuer is %s from the start nobody is let in or called wrong, and the next try comes after a pause",
  async (trouble) => {
    const { issuer, look: find } = await createIssuer();
    issuer.trouble = trouble;
    expect(await find()).toBe("keys_unavailable 2");
    for (let count = 0; count < 20; count++) expect(await find()).toBe("keys_unavailable 2");
    expect(issuer.asked).toBe(1);
    issuer.trouble = undefined;
    issuer.pass(1_500);
    expect([await find(), issuer.asked]).toEqual(["keys_unavailable 1", 1]);
    issuer.pass(500);
    expect([await find(), issuer.asked]).toEqual(["found", 2]);
  },
);

test.each<[Trouble, string]>([
  ["down", "the connection was refused (ECONNREFUSED)"],
  ["html", "HTTP 503"],
  ["redirect", "HTTP 302"],
  ["not json", "the answer is not JSON"],
  ["no keys", "the answer has no list of keys"],
  ["huge", "the answer is larger than 1048576 bytes"],
  ["silent", "no answer within 5000 ms"],
])(
  "the log is told in our words why the key set of an issuer that is %s cannot be had",
  async (trouble, said) => {
    const { issuer, why } = await createIssuer();
    issuer.trouble = trouble;
    const reason = `the key set at issuer.example: ${said}`;
    expect(await why()).toBe(reason);
    // Who comes while nobody asks the issuer is told the same.
    expect([await why(), issuer.asked]).toEqual([reason, 1]);
  },
);

test("callers who come at once share one request, whoever of them leaves", async () => {
  const { issuer, look: find } = await createIssuer();
  const found = await Promise.all([find(), find(), find("key-2"), find()]);
  expect(found).toEqual(["found", "found", "no such key", "found"]);
  // In workerd no request may wait for what another one has begun.
  expect(issuer.asked).toBe(isWorkerd ? 4 : 1);
});

test.each<Trouble>(["down", "html", "no keys"])(
  "a refresh that fails because the issuer is %s keeps the keys, and is not repeated at every call",
  async (trouble) => {
    const { issuer, look: find } = await createIssuer();
    await find();
    issuer.trouble = trouble;
    issuer.pass(600_001);
    for (let count = 0; count < 20; count++) expect(await find()).toBe("found");
    expect(issuer.asked).toBe(2);
    issuer.pass(30_001);
    expect([await find(), issuer.asked]).toEqual(["found", 3]);
    issuer.trouble = undefined;
    issuer.kid = "key-2";
    issuer.pass(30_001);
    expect([await find("key-2"), issuer.asked]).toEqual(["found", 4]);
  },
);

test("tokens of unknown keys make the keys be fetched again, at most every 30 seconds", async () => {
  const { issuer, look: find } = await createIssuer();
  await find();
  issuer.kid = "key-2";
  for (let count = 0; count < 20; count++) expect(await find("key-2")).toBe("no such key");
  expect(issuer.asked).toBe(1);
  issuer.pass(30_001);
  expect([await find("key-2"), issuer.asked]).toEqual(["found", 2]);
  // Those that an issuer which is down may know cannot be judged, and do not ask it each time.
  issuer.trouble = "down";
  issuer.pass(30_001);
  for (let count = 0; count < 20; count++) expect(await find("key-3")).toBe("keys_unavailable 30");
  expect([await find("key-2"), issuer.asked]).toEqual(["found", 3]);
});

test("entries of the set that are no keys, or of unknown kinds, do not spoil the others", async () => {
  const { issuer, look: find } = await createIssuer();
  issuer.others = [null, 5, "x", {}, { kty: "NEW", kid: "key-1" }, { kid: "key-1" }];
  expect(await find()).toBe("found");
});
