// What a runtime makes of an address decides what the guard sees of it.
import { expect, test } from "vitest";
import { checkAddress, listedFetch } from "../../src/base/wire/address-guard.ts";

test.each([
  "http://2130706433/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[::1]/",
  "http://１２７.0.0.1/",
  "http://127。0。0。1/",
  "http://LOCALHOST./",
  "https://a@example.com/",
  "ftp://example.com/",
])("%s is refused", (address) => {
  const code = expect.stringMatching(/^(?:host_forbidden|invalid_request)$/);
  let thrown: unknown;
  try {
    checkAddress(address, { hosts: [], allowsPublic: true });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code });
});

test("only hosts that are listed are asked", async () => {
  const fetcher = listedFetch(["api.example", "127.0.0.1:8080"], async (input) =>
    Response.json(input instanceof Request ? input.url : input.toString()),
  );
  expect(await (await fetcher("http://2130706433:8080/a")).json()).toBe("http://127.0.0.1:8080/a");
  expect(await (await fetcher("https://API.example./v1")).json()).toMatch(
    /^https:\/\/api\.example/,
  );
  await expect(fetcher("https://public.example/")).rejects.toMatchObject({
    code: "host_forbidden",
  });
});
