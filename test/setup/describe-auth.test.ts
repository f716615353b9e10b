import { expect, test } from "vitest";
import { ConfigError, describeAuth, parseConfig } from "../../src/setup/config.ts";

test.each([
  [[], undefined, "none"],
  [["a"], undefined, "1 key"],
  [["a", "b"], undefined, "2 keys"],
  [[], "https://issuer.test/jwks", "tokens of https://issuer.test/jwks"],
  [["a", "b"], "https://issuer.test/jwks", "2 keys, tokens of https://issuer.test/jwks"],
])("keys %j and key set %s are told as they are", (apiKeys, jwksUrl, told) => {
  expect(describeAuth({ apiKeys, jwksUrl })).toBe(told);
});

test("what tokens must have is a mistake and no open door without a key set", () => {
  const refusal =
    "is set, but there is no key set to check tokens with. Set RIGHTSEAT_JWKS_URL, or leave this setting out.";
  for (const name of ["RIGHTSEAT_JWT_AUDIENCE", "RIGHTSEAT_JWT_ISSUER"]) {
    const problem = new ConfigError(`${name}: ${refusal}`);
    expect(() => parseConfig({ [name]: "us" })).toThrow(problem);
    expect(() => parseConfig({ [name]: "us", RIGHTSEAT_API_KEYS: "a" })).toThrow(problem);
  }
  expect(() => parseConfig({}, { jwtIssuer: "them", jwtAudience: "us" })).toThrow(
    new ConfigError(
      `rightseat.json: jwtIssuer: ${refusal}\nrightseat.json: jwtAudience: ${refusal}`,
    ),
  );
  expect(() => parseConfig({ RIGHTSEAT_JWKS_URL: "" })).toThrow("is set but empty");
  const whole = { RIGHTSEAT_JWT_AUDIENCE: "us", RIGHTSEAT_JWKS_URL: "https://issuer.test/jwks" };
  expect(parseConfig(whole).jwtAudience).toBe("us");
});
