// Entries of an openSpecList: what is refused and where, and what hostile descriptions can do.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apiOf, openSpecs, operationOf } from "../../helpers/spec-tools.ts";

const refusalOf = async (entry: unknown, options: object = {}): Promise<unknown> =>
  await openSpecs([entry], options).then(
    ({ toolbox }) => toolbox.names,
    (error: { code: string; details: { param: string } }) => [error.code, error.details.param],
  );
const body = (schema: unknown): object =>
  operationOf("/x", [], { requestBody: { content: { "application/json": { schema } } } }, "post");

test("JSON, YAML and an object are the same", async () => {
  const openSpec = {
    openapi: "3.0.3",
    servers: [{ url: "https://api.test" }],
    paths: operationOf("/x", []),
  };
  const yaml =
    'openapi: 3.0.3\nservers:\n  - url: https://api.test\npaths:\n  /x:\n    get:\n      operationId: call\n      responses: {200: {description: "ok"}}\n';
  for (const given of [openSpec, JSON.stringify(openSpec), yaml])
    expect(await refusalOf({ openSpec: given, protocol: "openapi" })).toEqual(["call"]);
});

const at = "openSpecList[0]";
test.each([
  [1, at],
  [{ openSpec: "{}", protocol: "soap" }, `${at}.protocol`],
  [{ openSpec: 7, protocol: "openapi" }, `${at}.openSpec`],
  [{ openSpec: "a: [", protocol: "openapi" }, `${at}.openSpec`],
  [{ openSpec: "just text", protocol: "openapi" }, `${at}.openSpec`],
  [{ openSpec: {}, protocol: "openapi" }, `${at}.openSpec`],
  [{ openSpec: { openapi: "4.0.0", paths: {} }, protocol: "openapi" }, `${at}.openSpec.openapi`],
  [{ openSpec: { openapi: "3.0.0" }, protocol: "openapi" }, `${at}.openSpec.paths`],
  [apiOf([]), `${at}.openSpec.paths`],
  [apiOf({}, {}, { baseUrl: "file:///etc" }), `${at}.baseUrl`],
  [apiOf({}, {}, { apiKey: { type: "digest", apiKey: "x" } }), `${at}.apiKey.type`],
  [apiOf({}, {}, { apiKey: { type: "bearer", apiKey: "a\nb" } }), `${at}.apiKey.apiKey`],
  [apiOf(operationOf("/x", []), {}, { include: ["nothing"] }), `${at}.include`],
  [apiOf(operationOf("/x", [{ in: "query" }])), `${at}.openSpec.paths["/x"].get.parameters[0]`],
  [
    apiOf(operationOf("/x", [{ $ref: "#/components/none" }])),
    `${at}.openSpec.paths["/x"].get.parameters[0]`,
  ],
  [
    apiOf(operationOf("/x", [{ $ref: "#/paths/~1x/get/parameters/0" }])),
    `${at}.openSpec.paths["/x"].get.parameters[0]`,
  ],
  [
    apiOf(body({ $ref: "file:///etc/passwd" })),
    `${at}.openSpec.paths["/x"].post.requestBody.content["application/json"].schema`,
  ],
  [
    apiOf(body({ $ref: "http://169.254.169.254/" })),
    `${at}.openSpec.paths["/x"].post.requestBody.content["application/json"].schema`,
  ],
])("%j is refused at %s", async (entry, path) => {
  expect(await refusalOf(entry)).toEqual(["invalid_request", path]);
});

describe("a hostile description", () => {
  test.each([
    ["of one sign", "[".repeat(1_000_000)],
    ["of a million braces", "{".repeat(1_000_000)],
    ["of dashes", "- ".repeat(400_000)],
    [
      "of aliases of aliases",
      [
        "a: &a [1,1,1,1,1,1,1,1,1]",
        ..."bcdefghij"
          .split("")
          .map(
            (name, nth) =>
              `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefghij"[nth]}`).join()}]`,
          ),
      ].join("\n"),
    ],
    ["that is too long", " ".repeat(1_048_577)],
    ["that is nested", `${'{"a":'.repeat(300)}1${"}".repeat(300)}`],
  ])("%s ends in a refusal", async (_, openSpec) => {
    expect(await refusalOf({ openSpec, protocol: "openapi" })).toEqual([
      "invalid_request",
      `${at}.openSpec`,
    ]);
  });

  test("that says much by few words, or has endless paths, is refused", async () => {
    const parameters = Array.from({ length: 1_000 }, (_, nth) => ({
      name: `p${nth}`,
      in: "query",
    }));
    const components = { item: { get: { parameters } } };
    const many = Array.from({ length: 1_000 }, (_, nth) => [
      `/${nth}`,
      { $ref: "#/components/item" },
    ]);
    expect(await refusalOf(apiOf(Object.fromEntries(many), { components }))).toEqual([
      "invalid_request",
      `${at}.openSpec`,
    ]);
    expect(await refusalOf(apiOf({ [`/${"{a}".repeat(1_000)}`]: { get: {} } }))).toEqual([
      "invalid_request",
      `${at}.openSpec.paths`,
    ]);
  });

  test("of more operations than a list may have is refused", async () => {
    const many = (count: number, from = 0): object =>
      apiOf(
        Object.fromEntries(
          Array.from({ length: count }, (_, nth) => [`/${from + nth}`, { get: {} }]),
        ),
      );
    const refused = ["invalid_request", `${at}.openSpec`];
    expect(await refusalOf(many(10_001))).toEqual(refused);
    const names = Array.from({ length: 10_001 }, (_, nth) => ({ name: `f${nth}` }));
    const openSpec = { opentool: "1.0.0", functions: names };
    const options = { askClient: async () => undefined };
    expect(await refusalOf({ openSpec, protocol: "opentool" }, options)).toEqual(refused);
    await expect(openSpecs([many(6_000), many(6_000, 6_000)])).rejects.toMatchObject({
      details: { param: "openSpecList[1].openSpec" },
    });
  });

  test("that contains itself is refused", async () => {
    const openSpec: Record<string, unknown> = { openapi: "3.0.0", paths: {} };
    openSpec["self"] = openSpec;
    expect(await refusalOf({ openSpec, protocol: "openapi" })).toEqual([
      "invalid_request",
      `${at}.openSpec`,
    ]);
  });

  test("with schemas that refer to themselves makes tools that check their arguments", async () => {
    const schemas = {
      Node: {
        type: "object",
        properties: {
          name: { type: "string" },
          under: { type: "array", items: { $ref: "#/components/schemas/Node" } },
        },
      },
      Loop: { $ref: "#/components/schemas/Loop" },
    };
    const { call, sent } = await openSpecs([
      apiOf(body({ $ref: "#/components/schemas/Node" }), { components: { schemas } }),
    ]);
    expect(await call("call", { body: { under: [{ under: [{ name: 1 }] }] } })).toMatchObject({
      statusCode: 200,
    });
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ under: [{ under: [{ name: "1" }] }] });
    expect(await call("call", { body: { under: [{ under: [{ name: [] }] }] } })).toMatchObject({
      code: "bad-arguments",
    });
    const loop = await openSpecs([
      apiOf(body({ $ref: "#/components/schemas/Loop" }), { components: { schemas } }),
    ]);
    // What is said by nothing but itself is not said.
    expect(await loop.call("call", { body: 1 })).toMatchObject({ statusCode: 200 });
  });

  test("with a parent that is one of its children, which are the parent, checks what each says", async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const child = (kind: string) => ({
      allOf: [ref("Pet"), { type: "object", required: [kind] }],
      properties: { [kind]: { type: "integer" } },
    });
    const schemas = {
      Pet: { type: "object", required: ["name"], oneOf: [ref("Cat"), ref("Dog")] },
      Cat: child("lives"),
      Dog: child("age"),
    };
    const given = apiOf(body(ref("Pet")), { components: { schemas } });
    const { call, sent } = await openSpecs([given]);
    for (const pet of [
      { name: "a", lives: 9 },
      { name: "b", age: 3 },
    ])
      expect(await call("call", { body: pet })).toMatchObject({ statusCode: 200 });
    for (const pet of [{ lives: 9 }, { name: "a" }, { name: "b", age: [] }])
      expect(await call("call", { body: pet })).toMatchObject({ code: "bad-arguments" });
    expect(sent.length).toBe(2);
  });

  test("is checked however many alternatives do not fit, or how deep those are", async () => {
    const wrap = (schema: object, depth: number): object =>
      depth === 0 ? schema : { anyOf: [wrap(schema, depth - 1)] };
    const kinds = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(kinds, async (depths) => {
        const forms = depths.map((depth, nth) => wrap({ const: `kind ${nth}` }, depth));
        const { call } = await openSpecs([apiOf(body({ oneOf: forms }))]);
        const last = `kind ${forms.length - 1}`;
        expect(await call("call", { body: last })).toMatchObject({ statusCode: 200 });
        expect(await call("call", { body: "none" })).toMatchObject({
          problems: ["body is not in any of the expected forms"],
        });
      }),
      { numRuns: 20 },
    );
  });

  test("whose alternatives double at each step is given up, not tried for hours", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, nth) => [
        `S${nth}`,
        nth === 39
          ? { type: "null" }
          : { anyOf: [0, 1].map(() => ({ $ref: `#/components/schemas/S${nth + 1}` })) },
      ]),
    );
    const { call } = await openSpecs([
      apiOf(body({ $ref: "#/components/schemas/S0" }), { components: { schemas } }),
    ]);
    expect(await call("call", { body: 1 })).toMatchObject({
      code: "bad-arguments",
      problems: [expect.stringContaining("too many steps")],
    });
  });

  test("with names of prototypes is read like any other", async () => {
    const openSpec = `{"openapi":"3.1.0","servers":[{"url":"https://api.test"}],"paths":{"/__proto__":{"get":{"operationId":"constructor","parameters":[{"name":"__proto__","in":"query","schema":{"type":"string"}},{"name":"toString","in":"query","schema":{"$ref":"#/components/schemas/hasOwnProperty"}}]}}},"components":{"schemas":{"hasOwnProperty":{"type":"integer"}}}}`;
    const { call, sent, toolbox } = await openSpecs([{ openSpec, protocol: "openapi" }]);
    expect(toolbox.names).toEqual(["constructor"]);
    expect(await call("constructor", '{"__proto__":"a","toString":"7"}')).toMatchObject({
      statusCode: 200,
    });
    expect(sent[0]?.url).toBe("https://api.test/__proto__?__proto__=a&toString=7");
    expect(Reflect.get({}, "a")).toBe(undefined);
  });

  test("with very large schemas shows the model what fits", async () => {
    const wide = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 300 }, (_, nth) => [
          `field${nth}`,
          { type: "string", description: "x".repeat(60) },
        ]),
      ),
    };
    const schemas = Object.fromEntries(
      Array.from({ length: 6 }, (_, nth) => [
        `S${nth}`,
        {
          ...wide,
          properties: { ...wide.properties, next: { $ref: `#/components/schemas/S${nth + 1}` } },
        },
      ]),
    );
    const { toolbox } = await openSpecs([
      apiOf(body({ $ref: "#/components/schemas/S0" }), {
        components: { schemas: { ...schemas, S6: wide } },
      }),
    ]);
    const shown = JSON.stringify(toolbox.find("call")?.schema);
    expect([shown.length > 20_000, shown.length < 60_000]).toEqual([true, true]);
    expect(shown).toContain("not shown, as it is too long");
  });
});

test("schemas of 3.0 are shown in the words of today, without what only answers have", async () => {
  const schema = {
    type: "object",
    required: ["id", "size"],
    properties: {
      id: { type: "integer", readOnly: true },
      size: { type: "Integer", minimum: 0, exclusiveMinimum: true, nullable: true },
      kind: { type: "string", enum: ["a"], nullable: true, "x-more": 1, example: "a" },
    },
  };
  const { toolbox } = await openSpecs([apiOf(body(schema))]);
  expect(toolbox.offer("en")[0]?.parameters).toEqual({
    type: "object",
    properties: {
      body: {
        type: "object",
        properties: {
          size: { type: ["integer", "null"], minimum: 0, exclusiveMinimum: 0 },
          kind: { type: ["string", "null"], enum: ["a", null] },
        },
        required: ["size"],
      },
    },
    required: [],
  });
});

test("include and exclude choose operations by any of their names", async () => {
  const paths = {
    "/pets": { get: { operationId: "listPets" }, post: { operationId: "addPet" } },
    "/owners": { get: {} },
  };
  const named = async (entry: object): Promise<unknown> => await refusalOf(apiOf(paths, {}, entry));
  expect(await named({ include: ["list_pets", "GET /owners"] })).toEqual([
    "listPets",
    "GET-owners",
  ]);
  expect(await named({ include: ["GET*"], exclude: ["GET-owners"] })).toEqual(["listPets"]);
  expect(await named({ exclude: ["addPet"] })).toEqual(["listPets", "GET-owners"]);
});

test("what cannot be called is named", async () => {
  const left: string[] = [];
  const get = {
    operationId: "a",
    requestBody: { required: true, content: { "application/json": {} } },
  };
  const { toolbox } = await openSpecs([apiOf({ "/x": { get, trace: {}, post: {} } })], {
    onLeftOut: (path, en) => void left.push(`${path} ${en}`),
  });
  expect(toolbox.names).toEqual(["POST-x"]);
  expect(left).toEqual([
    'openSpecList[0].openSpec.paths["/x"].get has a body, which GET and HEAD cannot send',
    'openSpecList[0].openSpec.paths["/x"].trace TRACE cannot be sent',
  ]);
});

describe("more tools than a model can choose from", () => {
  const paths = Object.fromEntries(
    Array.from({ length: 70 }, (_, nth) => [
      `/things/${nth}`,
      {
        get: {
          operationId: `getThing${nth}`,
          summary: nth === 5 ? "Weather of a city" : "A thing",
        },
        ...(nth === 7 ? { delete: { operationId: "dropThing" } } : {}),
      },
    ]),
  );

  test("are found by words, and called by name under the same rules", async () => {
    const { call, toolbox, sent } = await openSpecs([apiOf(paths)], { grants: [] });
    expect(toolbox.offer("en").map(({ name }) => name)).toEqual(["find_tool", "call_tool"]);
    const found = await call("find_tool", { query: "what is the weather in this city?" });
    expect(found).toMatchObject({ tools: [expect.objectContaining({ name: "getThing5" })] });
    expect(await call("call_tool", { name: "get_thing5", arguments: {} })).toEqual({
      statusCode: 200,
      body: '{"ok":true}',
    });
    expect(await call("getThing6")).toMatchObject({ statusCode: 200 });
    expect(await call("call_tool", { name: "dropThing" })).toMatchObject({ statusCode: 403 });
    expect(await call("call_tool", { name: "nothing" })).toMatchObject({ code: "unknown-tool" });
    expect(sent.map(({ url }) => url.split("/").at(-1))).toEqual(["5", "6"]);
  });
});

describe("functions that the client answers", () => {
  const openSpec = {
    opentool: "1.0.0",
    functions: [
      {
        name: "create",
        description: "Adds",
        parameters: [{ name: "text", schema: { $ref: "#/schemas/Text" }, required: true }],
      },
      {
        name: "weather",
        parameters: {
          where: {
            required: true,
            schema: {
              type: "object",
              properties: { city: { schema: { type: "string" }, required: true, enum: ["A"] } },
            },
          },
        },
      },
    ],
    schemas: { Text: { type: "string" } },
  };

  test("go to it with checked arguments, and need no grant", async () => {
    const asked: unknown[] = [];
    const { call } = await openSpecs([{ openSpec, protocol: "opentool", openToolId: "t1" }], {
      grants: [],
      askClient: async (given) => {
        asked.push(given);
        return { result: { id: 7 } };
      },
    });
    expect(await call("create", { text: 5 })).toEqual({ id: 7 });
    expect(await call("weather", { where: {} })).toMatchObject({
      problems: ["where.city is missing; write a text"],
    });
    expect(asked).toEqual([
      { id: "1", name: "create", arguments: { text: "5" }, openToolId: "t1" },
    ]);
  });

  test("are refused where it cannot be asked, and end with 504 where it is silent", async () => {
    expect(await refusalOf({ openSpec, protocol: "opentool" })).toEqual([
      "invalid_request",
      `${at}.openSpec`,
    ]);
    const { call } = await openSpecs([{ openSpec, protocol: "opentool" }], {
      askClient: async () => undefined,
    });
    expect(await call("create", { text: "" })).toMatchObject({ statusCode: 504 });
  });
});
