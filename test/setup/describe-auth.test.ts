import { expect, test } from "vitest";
import { ConfigError, describeAuth, parseConfig } from "../../src/setup/config.ts";

test.each([
  [[], undefined, [], "none"],
  [["a"], undefined, [], "1 key"],
  [["a", "b"], undefined, ["c"], "2 keys; of plugins 1 key"],
  [[], undefined, ["c", "d"], "none; of plugins 2 keys"],
  [[], "https://issuer.test/jwks", [], "tokens of https://issuer.test/jwks"],
  [["a", "b"], "https://issuer.test/jwks", [], "2 keys, tokens of https://issuer.test/jwks"],
])(
  "keys %j, key set %s and keys of plugins %j are told as they are",
  (apiKeys, jwksUrl, pluginKeys, told) => {
    expect(describeAuth({ apiKeys, jwksUrl, pluginKeys })).toBe(told);
  },
);

test.each(["RIGHTSEAT_API_KEYS", "RIGHTSEAT_PLUGIN_KEYS", "RIGHTSEAT_JWKS_URL"])(
  "%s is a mistake and no open door where it is empty",
  (name) => {
    expect(() => parseConfig({ [name]: "" })).toThrow(`${name}: is set but empty.`);
  },
);

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
  const whole = { RIGHTSEAT_JWT_AUDIENCE: "us", RIGHTSEAT_JWKS_URL: "https://issuer.test/jwks" };
  expect(parseConfig(whole).jwtAudience).toBe("us");
});
