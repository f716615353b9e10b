import { expect, test } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { createKeySet } from "../../src/doors/key-set.ts";

const url = "https://issuer.example/jwks.json";

/** An issuer whose answers are given by hand, and a clock that stands until it is set. */
function createIssuer() {
  const issuer = {
    time: 1_763_600_000_000,
    /** Requests that the issuer got. */
    asked: 0,
    kid: "key-1",
    /** What goes wrong, if anything does. */
    trouble: undefined as "down" | "html" | "no keys" | undefined,
  };
  const fetcher: typeof fetch = async (input) => {
    expect(input).toBe(url);
    issuer.asked++;
    await Promise.resolve();
    if (issuer.trouble === "down") throw new TypeError("fetch failed");
    if (issuer.trouble === "html") return new Response("<h1>Down</h1>", { status: 503 });
    if (issuer.trouble === "no keys") return Response.json({ error: "down" });
    return Response.json({ keys: [{ kty: "EC", kid: issuer.kid, crv: "P-256" }] });
  };
  const source = createKeySet(url, fetcher, () => issuer.time);
  const kids = async (): Promise<unknown[]> => (await source.keys()).map(({ kid }) => kid);
  return { issuer, source, kids };
}

test("many callers at once wait for one fetch", async () => {
  const { issuer, kids } = createIssuer();
  const all = await Promise.all(Array.from({ length: 50 }, () => kids()));
  expect(all).toEqual(all.map(() => ["key-1"]));
  expect(issuer.asked).toBe(1);
});

test("the keys are held for ten minutes, then fetched by the next caller", async () => {
  const { issuer, kids } = createIssuer();
  await kids();
  issuer.kid = "key-2";
  issuer.time += 600_000;
  expect(await kids()).toEqual(["key-1"]);
  issuer.time += 1;
  expect(await kids()).toEqual(["key-2"]);
  expect(issuer.asked).toBe(2);
});

test.each(["down", "html", "no keys"] as const)(
  "an issuer that is %s while no keys are held is an internal error to all who wait, and is asked anew",
  async (trouble) => {
    const { issuer, kids } = createIssuer();
    issuer.trouble = trouble;
    const failures = await Promise.all(
      [kids(), kids()].map((keys) => keys.catch((e: unknown) => e)),
    );
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(AppError);
      expect(failure).toMatchObject({ code: "internal" });
      expect(String(failure)).not.toContain("issuer.example");
    }
    expect(issuer.asked).toBe(1);
    issuer.trouble = undefined;
    expect(await kids()).toEqual(["key-1"]);
  },
);

test.each(["down", "html", "no keys"] as const)(
  "a refresh that fails because the issuer is %s keeps the keys, and is not repeated at every call",
  async (trouble) => {
    const { issuer, kids } = createIssuer();
    await kids();
    issuer.trouble = trouble;
    issuer.time += 600_001;
    for (let count = 0; count < 20; count++) expect(await kids()).toEqual(["key-1"]);
    expect(issuer.asked).toBe(2);
    issuer.time += 30_001;
    expect(await kids()).toEqual(["key-1"]);
    expect(issuer.asked).toBe(3);
    issuer.trouble = undefined;
    issuer.kid = "key-2";
    issuer.time += 30_001;
    expect(await kids()).toEqual(["key-2"]);
  },
);

test("tokens that do not fit make the keys be fetched again, at most every 30 seconds", async () => {
  const { issuer, source, kids } = createIssuer();
  await kids();
  issuer.kid = "key-2";
  for (let count = 0; count < 20; count++) {
    source.doubt();
    expect(await kids()).toEqual(["key-1"]);
  }
  issuer.time += 30_000;
  expect(await kids()).toEqual(["key-1"]);
  expect(issuer.asked).toBe(1);
  issuer.time += 1;
  expect(await kids()).toEqual(["key-2"]);
  expect(issuer.asked).toBe(2);
  // The new keys are not doubted any more.
  issuer.time += 30_001;
  await kids();
  expect(issuer.asked).toBe(2);
});
