import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCheckEnvironment } from "../../../../src/cli/code/run-check.ts";

test("what opens something stays here", () => {
  const secret = {
    RIGHTSEAT_API_KEYS: "1",
    RIGHTSEAT_OPENAI_BASE_URL: "http://x",
    OPENAI_API_KEY: "1",
    OPENAI_BASE_URL: "http://x",
    COPILOT_SERVER_ENDPOINT: "http://x",
    ANTHROPIC_AUTH_TOKEN: "1",
    GITHUB_TOKEN: "1",
    npm_token: "1",
    NPM_TOKEN: "1",
    "npm_config_//registry.npmjs.org/:_authToken": "1",
    AWS_SECRET_ACCESS_KEY: "1",
    AWS_ACCESS_KEY_ID: "1",
    DB_PASSWORD: "1",
    PGPASSWORD: "1",
    MYSQL_PWD: "1",
    STRIPE_SECRET: "1",
    GOOGLE_APPLICATION_CREDENTIALS: "/x.json",
    SSH_AUTH_SOCK: "/tmp/agent",
    DATABASE_URL: "postgres://ada:sesame@db/shop",
    HTTPS_PROXY: "http://ada:sesame@proxy:8080",
    SOME_NAME: "the-key-of-the-model",
  };
  expect(createCheckEnvironment(secret, ["", "the-key-of-the-model"])).toEqual({});
});

test("what tools need goes along", () => {
  const plain = {
    PATH: "/usr/bin",
    HOME: "/home/ada",
    LANG: "C.UTF-8",
    JAVA_HOME: "/opt/java",
    GOPATH: "/go",
    NODE_OPTIONS: "--max-old-space-size=4096",
    CI: "true",
    KEYBOARD: "de",
    PWD: "/code",
    EMPTY: "",
    DATABASE_URL: "postgres://db/shop",
    HTTPS_PROXY: "http://proxy:8080",
  };
  expect(createCheckEnvironment({ ...plain, GONE: undefined }, [""])).toEqual(plain);
});

test("no name with a secret word in it passes, in any letter case", () => {
  const word = fc.constantFrom("TOKEN", "SECRET", "PASSWORD", "API_KEY", "CREDENTIALS", "APIKEY");
  const part = fc.stringMatching(/^[A-Za-z_]{0,10}$/);
  fc.assert(
    fc.property(part, word, part, fc.boolean(), (before, inner, after, isLower) => {
      const name = before + (isLower ? inner.toLowerCase() : inner) + after;
      expect(createCheckEnvironment({ [name]: "x" })).toEqual({});
    }),
  );
});
