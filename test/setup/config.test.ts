import { expect, test } from "vitest";
import { ConfigError, hasAuth, isLoopback, parseConfig } from "../../src/setup/config.ts";
import { type Limits, constants, settings } from "../../src/setup/settings.ts";

type Environment = Record<string, string | undefined>;

/** The lines of the refusal, sorted. */
function refusalOf(environment: Environment, file?: unknown): string[] {
  try {
    parseConfig(environment, file);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.split("\n").sort();
    throw thrown;
  }
  return [];
}

test("the environment is stronger than the file, and the file than the default", () => {
  const file = { $schema: "./rightseat.schema.json", port: 9_000, locale: "zh", apiKeys: ["a"] };
  const config = parseConfig({ RIGHTSEAT_PORT: "9001", RIGHTSEAT_API_KEYS: " b, c ,," }, file);
  expect(config.port).toBe(9_001);
  expect(config.apiKeys).toEqual(["b", "c"]);
  expect(config.locale).toBe("zh");
  expect(config.maxDepth).toBe(64);
});

test("an empty variable is as good as none", () => {
  const config = parseConfig(
    { RIGHTSEAT_PORT: "", PORT: "", RIGHTSEAT_LOCALE: "", OPENAI_API_KEY: "" },
    { port: 9_000 },
  );
  expect(config.port).toBe(9_000);
  expect(config.locale).toBe("en");
  expect(config.openaiApiKey).toBeUndefined();
});

test.each([
  ["PORT", "RIGHTSEAT_PORT", "port", "8080", 8_080, "8081", 8_081],
  ["HOST", "RIGHTSEAT_HOST", "host", "0.0.0.0", "0.0.0.0", "::1", "::1"],
  ["OPENAI_API_KEY", "RIGHTSEAT_OPENAI_API_KEY", "openaiApiKey", "sk-a", "sk-a", "sk-b", "sk-b"],
  [
    "OPENAI_BASE_URL",
    "RIGHTSEAT_OPENAI_BASE_URL",
    "openaiBaseUrl",
    "http://a/v1/",
    "http://a/v1",
    "http://b",
    "http://b",
  ],
  ["OPENAI_MODEL", "RIGHTSEAT_OPENAI_MODEL", "openaiModel", "a", "a", "b", "b"],
  [
    "COPILOT_SERVER_ENDPOINT",
    "RIGHTSEAT_PLATFORM_ENDPOINT",
    "platformEndpoint",
    "https://a//",
    "https://a",
    "https://b/x",
    "https://b/x",
  ],
] as const)(
  "%s is honoured, and %s is stronger",
  (known, own, name, text, value, ownText, ownValue) => {
    expect(parseConfig({ [known]: text })[name]).toBe(value);
    expect(parseConfig({ [known]: text, [own]: ownText })[name]).toBe(ownValue);
  },
);

test("every setting has a variable of ours, and no two share one", () => {
  const variables = Object.values(settings).flatMap((setting) => setting.variables);
  expect(new Set(variables).size).toBe(variables.length);
  for (const setting of Object.values(settings)) {
    expect(setting.variables[0]).toMatch(/^RIGHTSEAT_[A-Z_]+$/);
    expect(setting.about).not.toBe("");
  }
});

test("every bad value is named with where it came from, all at once", () => {
  const lines = refusalOf(
    {
      PORT: "70000",
      RIGHTSEAT_HEARTBEAT_MS: "0",
      RIGHTSEAT_MAX_BODY_BYTES: "10MB",
      RIGHTSEAT_LOCALE: "fr",
      OPENAI_BASE_URL: "ftp://a",
      RIGHTSEAT_MODEL_ORDER: "table,cloud",
      RIGHTSEAT_MODELS:
        '[{ "name": "a", "baseUrl": "http://a", "temperature": 1 }, { "name": "" }]',
    },
    { maxMessage: 0, corsOrigins: [1] },
  );
  expect(lines.map((line) => line.split(": ")[0])).toEqual([
    "OPENAI_BASE_URL",
    "PORT",
    "RIGHTSEAT_HEARTBEAT_MS",
    "RIGHTSEAT_LOCALE",
    "RIGHTSEAT_MAX_BODY_BYTES",
    "RIGHTSEAT_MODELS[0]",
    "RIGHTSEAT_MODELS[1].baseUrl",
    "RIGHTSEAT_MODELS[1].name",
    "RIGHTSEAT_MODEL_ORDER[1]",
    "rightseat.json",
    "rightseat.json",
  ]);
  expect(lines.at(-1)).toMatch(/^rightseat\.json: maxMessage: ./);
  expect(lines.at(-2)).toMatch(/^rightseat\.json: corsOrigins\[0\]: ./);
});

test.each([
  ["RIGHTSEAT_MAX_STREAMS", "1.5"],
  ["RIGHTSEAT_MAX_STREAMS", "-1"],
  ["RIGHTSEAT_MAX_STREAMS", " "],
  ["RIGHTSEAT_MAX_STREAMS", "Infinity"],
  ["RIGHTSEAT_MAX_STREAMS", "0"],
  ["RIGHTSEAT_IDLE_TIMEOUT_MS", "2147483648"],
  ["RIGHTSEAT_DONE_MARKER", "[done]"],
  ["RIGHTSEAT_MODELS", "not json"],
  ["RIGHTSEAT_MODELS", '{ "name": "a" }'],
  ["RIGHTSEAT_MODEL_ORDER", ","],
  ["RIGHTSEAT_JWKS_URL", "keys.json"],
])("%s does not take %j", (variable, value) => {
  const lines = refusalOf({ [variable]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.startsWith(`${variable}: `)).toBe(true);
});

test.each([
  ["RIGHTSEAT_PORT", "eighty", "must be a number, not a text"],
  ["RIGHTSEAT_PORT", "80.5", "must be a whole number, not a fraction"],
  ["RIGHTSEAT_PORT", "70000", "must be at most 65535"],
  ["RIGHTSEAT_HEARTBEAT_MS", "0", "must be at least 1"],
  ["RIGHTSEAT_LOCALE", "fr", "must be one of: en, zh"],
  [
    "RIGHTSEAT_LOG_LEVEL",
    "warn",
    "must be one of: debug, info, warning, error; did you mean warning?",
  ],
  ["OPENAI_BASE_URL", "localhost:1", "must be an address that begins with http:// or https://"],
  ["RIGHTSEAT_MODELS", "{}", "must be a list, not an object"],
  ["RIGHTSEAT_MODEL_ORDER", ",", "must name at least one of: platform, table, offline"],
])("%s=%s is refused with what to write instead", (variable, value, message) => {
  expect(refusalOf({ [variable]: value })).toEqual([`${variable}: ${message}`]);
});

test("a row of the models table is refused with its number and field", () => {
  const row = { name: "", baseUrl: "here", modle: "x" };
  expect(refusalOf({ RIGHTSEAT_MODELS: JSON.stringify([row, 5]) })).toEqual([
    "RIGHTSEAT_MODELS[0].baseUrl: must be an address that begins with http:// or https://",
    "RIGHTSEAT_MODELS[0].name: must not be empty",
    'RIGHTSEAT_MODELS[0]: has unknown fields: "modle"; did you mean model?',
    "RIGHTSEAT_MODELS[1]: must be an object, not a number",
  ]);
});

test("a field that a row does not have is told which one was meant, if any", () => {
  const row = { name: "a", baseUrl: "https://a.test/v1" };
  const told = (more: object) => refusalOf({}, { models: [{ ...row, ...more }] });
  const place = "rightseat.json: models[0]: has unknown fields:";
  expect(told({ baseURL: "x" })).toEqual([`${place} "baseURL"; did you mean baseUrl?`]);
  expect(told({ colour: 1, taste: 2 })).toEqual([`${place} "colour", "taste"`]);
});

test("a state key that is none is refused with how to make one, and without the key", () => {
  const [problem] = refusalOf({ RIGHTSEAT_STATE_KEYS: "hunter2" });
  expect(problem).toMatch(/^RIGHTSEAT_STATE_KEYS\[0\]: is not id:base64 .*openssl rand/);
  expect(problem).not.toContain("hunter2");
});

test("unknown keys of the file are refused by name, foreign names of the environment are not ours", () => {
  expect(refusalOf({ COLOUR: "red" }, { prot: 1, constructor: 2 })).toEqual([
    'rightseat.json: unknown setting "constructor"',
    'rightseat.json: unknown setting "prot"; did you mean port?',
  ]);
  expect(refusalOf({ COLOUR: "red" })).toEqual([]);
});

test.each([null, [], "text", 7])("the file cannot be %j", (file) => {
  expect(refusalOf({}, file)).toEqual(["rightseat.json must hold one JSON object."]);
});

test("no refusal shows a value, since it may be a secret in the wrong place", () => {
  const secret = "sk-hunter2";
  const own = Object.values(settings).flatMap(({ variables }) => variables.slice(0, 1));
  const environment = Object.fromEntries(own.map((variable) => [variable, secret]));
  const models = JSON.stringify([{ name: "a", baseUrl: secret, apiKey: secret, keyVariable: 7 }]);
  const lines = refusalOf(
    { ...environment, RIGHTSEAT_MODELS: models },
    { openaiApiKey: [secret], apiKeys: { secret }, unheard: secret },
  );
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.join("\n")).not.toContain("hunter2");
  expect(
    refusalOf({}, { openaiApiKey: [secret], apiKeys: { [secret]: secret } }).join("\n"),
  ).not.toContain("hunter2");
});

test("on loopback without keys only loopback names are served", () => {
  const loopback = ["localhost", "127.0.0.1", "[::1]"];
  expect(new Set(parseConfig({}).allowedHosts)).toEqual(new Set(loopback));
  for (const HOST of ["localhost", "::1"]) {
    expect(new Set(parseConfig({ HOST }).allowedHosts)).toEqual(new Set([...loopback, HOST]));
  }
});

test("keys without any text are a mistake and no open door", () => {
  expect(refusalOf({ RIGHTSEAT_API_KEYS: " , " })).toHaveLength(1);
  expect(refusalOf({}, { apiKeys: [""] })).toHaveLength(1);
});

test("there are at most 52 settings", () => {
  expect(Object.keys(settings).length).toBeLessThanOrEqual(52);
});

test.each(Object.entries(constants))(
  "%s is a constant: whoever still sets it is told, and not that the name is unknown",
  (name, [variable, value]) => {
    expect(parseConfig({})[name as keyof Limits]).toBe(value);
    const words = `is no longer a setting; it is always ${value}. Leave it out.`;
    expect(refusalOf({ [variable]: "5" })).toEqual([`${variable}: ${words}`]);
    expect(refusalOf({}, { [name]: 5 })).toEqual([`rightseat.json: "${name}": ${words}`]);
  },
);

test("with keys, or where others can reach the server, every name is served", () => {
  expect(parseConfig({ RIGHTSEAT_API_KEYS: "a" }).allowedHosts).toBeUndefined();
  expect(parseConfig({ RIGHTSEAT_JWKS_URL: "https://keys.example/" }).allowedHosts).toBeUndefined();
  expect(parseConfig({ HOST: "0.0.0.0" }).allowedHosts).toBeUndefined();
});

test("the names that are served can be set, in any case, and * means all", () => {
  const hosts = (names: string): unknown =>
    parseConfig({ RIGHTSEAT_ALLOWED_HOSTS: names }).allowedHosts;
  expect(hosts("Agents.Example, localhost")).toEqual(["agents.example", "localhost"]);
  expect(hosts("a,*")).toBeUndefined();
  expect(parseConfig({}, { hosts: ["a"] }).allowedHosts).toEqual(["a"]);
});

test("loopback is known by its names and addresses", () => {
  expect(["localhost", "127.0.0.1", "127.1.2.3", "::1"].filter(isLoopback)).toHaveLength(4);
  expect(
    ["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example", "localhost.example", ""].filter(isLoopback),
  ).toEqual([]);
});

test("keys and key sets are ways to tell who asks", () => {
  expect(hasAuth({ apiKeys: [], jwksUrl: undefined })).toBe(false);
  expect(hasAuth({ apiKeys: ["a"], jwksUrl: undefined })).toBe(true);
  expect(hasAuth({ apiKeys: [], jwksUrl: "https://keys.example" })).toBe(true);
});

test("a misspelt environment variable is told which one was meant", () => {
  expect(refusalOf({ RIGHTSEAT_KNOWLEGDE: "docs" })).toEqual([
    "RIGHTSEAT_KNOWLEGDE: unknown setting; did you mean RIGHTSEAT_KNOWLEDGE?",
  ]);
});

test("a misspelt environment variable of ours is refused, what Kubernetes sets is not", () => {
  expect(() => parseConfig({ RIGHTSEAT_API_KEY: "k" })).toThrow(
    "RIGHTSEAT_API_KEY: unknown setting",
  );
  const kubernetes = {
    RIGHTSEAT_SERVICE_HOST: "10.0.0.1",
    RIGHTSEAT_PORT_18080_TCP: "tcp://10.0.0.1",
  };
  expect(() => parseConfig({ ...kubernetes, RIGHTSEAT_CONFIG: "x.json" })).not.toThrow();
});

test("a store is memory, a file, or a Redis; its password is in no complaint", () => {
  for (const store of ["memory", "sqlite:a.db", "redis://:secret@a:1/0", "rediss://a"])
    expect(parseConfig({ RIGHTSEAT_STORE: store }).store).toBe(store);
  for (const store of ["sqlite:", "sqlite", "mysql://a:secret@b", "redis://", "redis:a", "Memory"])
    expect(refusalOf({ RIGHTSEAT_STORE: store })).toEqual([
      "RIGHTSEAT_STORE: is not a store. Write memory, sqlite:PATH or redis://HOST:PORT.",
    ]);
});

test("several processes need a store that they can share", () => {
  const [line = ""] = refusalOf({ RIGHTSEAT_PROCESSES: "4" });
  expect(line).toMatch(/^RIGHTSEAT_PROCESSES: 4 processes .*RIGHTSEAT_STORE/);
  expect(refusalOf({}, { processes: 2, store: "memory" })[0]).toMatch(/^rightseat.json: processes/);
  for (const store of ["sqlite:a.db", "redis://a"])
    expect(refusalOf({ RIGHTSEAT_PROCESSES: "4", RIGHTSEAT_STORE: store })).toEqual([]);
});

test("grants of tools are a list, or have rules; what is no rule is refused with its path", () => {
  const grantsOf = (text: string): unknown =>
    parseConfig({ RIGHTSEAT_TOOL_GRANTS: text }).toolGrants;
  expect(grantsOf("POST@a.test, *@b.test:8080")).toEqual({
    "POST@a.test": {},
    "*@b.test:8080": {},
  });
  const rules = { "POST /v1/{id}@a.test": { ask: true, arguments: { "a.b": { max: 5 } } } };
  expect(grantsOf(JSON.stringify(rules))).toEqual(rules);
  expect(parseConfig({}, { toolGrants: ["POST@a.test"] }).toolGrants).toEqual({
    "POST@a.test": {},
  });
  const name = "RIGHTSEAT_TOOL_GRANTS";
  for (const [given, problem] of [
    ["a.test", /^RIGHTSEAT_TOOL_GRANTS.*WHAT@HOST/],
    ['{"POST@a.test": {"ask": true}', /^RIGHTSEAT_TOOL_GRANTS/],
    ['{"POST@a.test": {"arguments": {"amount": {"mx": 1}}}}', /amount.*"mx"/],
    ['{"POST@a.test": {"perMinute": 0}}', /perMinute/],
  ] as const)
    expect(refusalOf({ [name]: given }).join("\n")).toMatch(problem);
});
