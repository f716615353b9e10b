import * as fc from "fast-check";
import { expect, test } from "vitest";
import { withoutCredentials } from "../../../src/turn/context/variables.ts";

test("no user name and no password of any address is left", () => {
  const part = fc.stringMatching(/^[a-z0-9:@%!$&'()*+,;=._~-]{1,12}$/);
  fc.assert(
    fc.property(fc.constantFrom("http", "https", "ssh", "git"), part, (scheme, credentials) => {
      expect(withoutCredentials(`${scheme}://${credentials}@git.example/a@b.git`)).toBe(
        `${scheme}://git.example/a@b.git`,
      );
    }),
  );
});

test("an address without an end is looked through once", () => {
  const endless = "a".repeat(1_000_000);
  expect(withoutCredentials(endless)).toBe(endless);
  expect(withoutCredentials(`https://${endless}@git.example`)).toBe("https://git.example");
});
