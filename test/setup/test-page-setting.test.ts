import { describe, expect, test } from "vitest";
import { ConfigError, parseConfig } from "../../src/setup/config.ts";

const on = { RIGHTSEAT_TEST_PAGE: "true" };

describe("the test page", () => {
  test("is off, and takes words and numbers of the environment, and what JSON has", () => {
    expect(parseConfig({}).testPage).toBe(false);
    for (const text of ["true", "TRUE", "1"])
      expect(parseConfig({ RIGHTSEAT_TEST_PAGE: text }).testPage).toBe(true);
    for (const text of ["false", "0", ""])
      expect(parseConfig({ RIGHTSEAT_TEST_PAGE: text }, { testPage: true }).testPage).toBe(
        text === "",
      );
  });

  test("is neither on nor off by other words", () => {
    expect(() => parseConfig({ RIGHTSEAT_TEST_PAGE: "maybe" })).toThrow(
      new ConfigError("RIGHTSEAT_TEST_PAGE: must be one of: true, 1, false, 0"),
    );
  });

  test.each([
    ["loopback", {}],
    ["loopback in another form", { RIGHTSEAT_HOST: "::1" }],
    ["all addresses, with keys of plugins", { HOST: "0.0.0.0", RIGHTSEAT_PLUGIN_KEYS: "a" }],
    ["all addresses, with keys of all doors", { HOST: "0.0.0.0", RIGHTSEAT_API_KEYS: "a" }],
  ])("can be on where the server listens on %s", (_, environment) => {
    expect(parseConfig({ ...on, ...environment }).testPage).toBe(true);
  });

  test.each([
    ["without any key", {}],
    ["with tokens alone, which a page cannot show", { RIGHTSEAT_JWKS_URL: "https://a.example/k" }],
  ])("is refused where others can reach the server, %s", (_, environment) => {
    const words = /is on, but other machines can reach this server.* Set RIGHTSEAT_PLUGIN_KEYS/;
    expect(() => parseConfig({ ...on, HOST: "0.0.0.0", ...environment })).toThrow(words);
    const inFile = () => parseConfig({ HOST: "::", ...environment }, { testPage: true });
    expect(inFile).toThrow(/^rightseat\.json: testPage: is on/);
  });
});
