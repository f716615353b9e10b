import { expect, test } from "vitest";
import { describeAuth } from "../../src/setup/config.ts";

test.each([
  [[], undefined, "none"],
  [["a"], undefined, "1 key"],
  [["a", "b"], undefined, "2 keys"],
  [[], "https://issuer.test/jwks", "tokens of https://issuer.test/jwks"],
  [["a", "b"], "https://issuer.test/jwks", "2 keys, tokens of https://issuer.test/jwks"],
])("keys %j and key set %s are told as they are", (apiKeys, jwksUrl, told) => {
  expect(describeAuth({ apiKeys, jwksUrl })).toBe(told);
});
