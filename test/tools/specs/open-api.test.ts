// Operations of OpenAPI as tools: their names, what reaches the server, and what comes back.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldName } from "../../../src/tools/tool.ts";
import { apiOf, openSpecs, operationOf } from "../../helpers/spec-tools.ts";

const textOf = (json: unknown): string => JSON.stringify(json);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
/** Whatever can be sent at all: half of a character cannot. */
const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });

describe("names", () => {
  const segment = fc.oneof(
    word,
    word.map((name) => `{${name}}`),
    anyText.map((text) => text.replaceAll(/[{}/?#]/g, "")),
  );
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`);
  const operation = fc.record(
    { operationId: fc.oneof(word, anyText, fc.string({ minLength: 60, maxLength: 200 })) },
    { requiredKeys: [] },
  );
  const methods = ["get", "put", "post", "delete", "options", "patch"];
  const operations = fc.dictionary(fc.constantFrom(...methods), operation, { maxKeys: 4 });
  const paths = fc
    .array(fc.tuple(path, operations), { maxLength: 12 })
    .map((entries) => Object.fromEntries(entries));

  test("every operation has one, legal, unlike all others, and found however a model spells it", async () => {
    await fc.assert(
      fc.asyncProperty(paths, async (given) => {
        const { toolbox } = await openSpecs([apiOf(given)]);
        const { names } = toolbox;
        const count = Object.values(given).flatMap((each) => Object.keys(each)).length;
        expect(names.length).toBe(count);
        expect(new Set(names.map(foldName)).size).toBe(count);
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z][\w-]{0,63}$/);
          for (const spelled of [name, name.toUpperCase(), name.replaceAll(/[-_]+/g, ".")])
            expect(toolbox.find(spelled)?.name).toBe(name);
        }
      }),
    );
  });

  test("do not depend on operations behind, nor on what is chosen of them", async () => {
    const item = { get: { operationId: "list.pets" }, post: { operationId: "list_pets" } };
    const all = await openSpecs([apiOf({ "/pets": item, "/other": { get: {} } })]);
    const [first = "", second = ""] = all.toolbox.names;
    expect([first, second]).toEqual([
      "list-pets",
      expect.stringMatching(/^list_pets-[a-z0-9]{6}$/),
    ]);
    const some = await openSpecs([apiOf({ "/pets": item }, {}, { include: ["POST /pets"] })]);
    expect(some.toolbox.names).toEqual([second]);
  });

  test("without operationId say method and path", async () => {
    const { toolbox } = await openSpecs([
      apiOf({ "/a-b/{petId}/c": { get: {} }, "/pets": { post: {} } }),
    ]);
    expect(toolbox.names).toEqual(["GET-a--b-_petId-c", "POST-pets"]);
    expect(toolbox.find("get.a--b.{petId}.c")?.name).toBe("GET-a--b-_petId-c");
  });

  test("of two descriptions are different", async () => {
    const entry = apiOf({ "/pets": { get: { operationId: "list" } } });
    const { toolbox } = await openSpecs([entry, entry]);
    expect(toolbox.names).toEqual(["list", expect.stringMatching(/^list-\w{6}$/)]);
  });
});

describe("a value in the path", () => {
  test("arrives as it was, and never leaves its segment", async () => {
    const { call, sent } = await openSpecs([
      apiOf(operationOf("/a/{id}/b", [{ name: "id", in: "path", schema: { type: "string" } }])),
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anyText,
          fc.constantFrom("../x", "a/b", "%2e%2e", "?x", "#", "\\", "%", "a b", "..;/"),
        ),
        async (text) => {
          sent.length = 0;
          const result = await call("call", { id: text });
          if (text === "." || text === "..")
            return expect([result["statusCode"], sent.length]).toEqual([400, 0]);
          const segments = (sent[0]?.url ?? "").split("?")[0]?.split("/").slice(3) ?? [];
          expect(segments.length).toBe(4);
          expect(segments.map(decodeURIComponent)).toEqual(["v1", "a", text, "b"]);
        },
      ),
    );
  });

  test.each(["", ".", ".."])("%j is refused, as it would be another address", async (id) => {
    const { call, sent } = await openSpecs([apiOf(operationOf("/a/{id}", []))]);
    expect(await call("call", { id })).toMatchObject({ statusCode: 400 });
    expect(sent).toEqual([]);
  });
});

describe("every style comes back as it was", () => {
  const item = fc.oneof(anyText, fc.integer().map(String));
  const items = fc.array(item, { minLength: 1, maxLength: 4 });
  const fields = fc.dictionary(word, item, { minKeys: 1, maxKeys: 4 });
  const list = { type: "array", items: { type: "string" } };
  const object = { type: "object", additionalProperties: { type: "string" } };
  const pairsOf = (query: string): string[][] =>
    query.split("&").map((pair) => pair.split("=").map(decodeURIComponent));
  const pairUp = (flat: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : [])));
  const split = (text: string, sign: string): string[] => text.split(sign).map(decodeURIComponent);
  const splitPairs = (text: string, sign: string): Record<string, string> =>
    Object.fromEntries(text.split(sign).map((pair) => split(pair, "=")));

  /** Written from the tables of the specification. */
  const readers: [
    where: string,
    style: string,
    explode: boolean,
    list: (text: string) => unknown,
    object: (text: string) => unknown,
  ][] = [
    ["path", "simple", false, (text) => split(text, ","), (text) => pairUp(split(text, ","))],
    ["path", "simple", true, (text) => split(text, ","), (text) => splitPairs(text, ",")],
    [
      "path",
      "label",
      false,
      (text) => split(text.slice(1), ","),
      (text) => pairUp(split(text.slice(1), ",")),
    ],
    [
      "path",
      "matrix",
      false,
      (text) => split(text.slice(";v=".length), ","),
      (text) => pairUp(split(text.slice(";v=".length), ",")),
    ],
    [
      "path",
      "matrix",
      true,
      (text) =>
        text
          .slice(1)
          .split(";")
          .map((each) => split(each, "=")[1]),
      (text) => splitPairs(text.slice(1), ";"),
    ],
    [
      "query",
      "form",
      true,
      (text) => pairsOf(text).map(([, each]) => each),
      (text) => Object.fromEntries(pairsOf(text)),
    ],
    [
      "query",
      "form",
      false,
      (text) => split(text.slice("v=".length), ","),
      (text) => pairUp(split(text.slice("v=".length), ",")),
    ],
    [
      "query",
      "pipeDelimited",
      false,
      (text) => split(text.slice("v=".length).replaceAll("%7C", "\u0000"), "\u0000"),
      () => undefined,
    ],
    [
      "query",
      "deepObject",
      true,
      () => undefined,
      (text) =>
        Object.fromEntries(pairsOf(text).map(([key = "", each]) => [key.slice(2, -1), each])),
    ],
    [
      "cookie",
      "form",
      false,
      (text) => split(text.slice("v=".length), ","),
      (text) => pairUp(split(text.slice("v=".length), ",")),
    ],
  ];

  test.each(readers)("%s %s, explode %s", async (where, style, explode, readList, readObject) => {
    const path = where === "path" ? "/x/{v}" : "/x";
    const of = async (schema: object, value: unknown): Promise<string> => {
      const { call, sent } = await openSpecs([
        apiOf(operationOf(path, [{ name: "v", in: where, style, explode, schema }])),
      ]);
      expect(await call("call", { v: value })).toMatchObject({ statusCode: 200 });
      const [{ url, headers } = { url: "", headers: new Headers() }] = sent;
      if (where === "cookie") return headers.get("cookie") ?? "";
      return where === "query" ? (url.split("?")[1] ?? "") : (url.split("/").at(-1) ?? "");
    };
    await fc.assert(
      fc.asyncProperty(items, fields, async (values, record) => {
        // A pipe in an item of this style is like one between items.
        const plain =
          style === "pipeDelimited" ? values.map((each) => each.replaceAll("|", "")) : values;
        const isSafe = !(where === "path" && plain.some((each) => each === "." || each === ".."));
        if (isSafe && style !== "deepObject")
          expect(readList(await of(list, plain))).toEqual(plain);
        if (style !== "pipeDelimited") expect(readObject(await of(object, record))).toEqual(record);
      }),
      { numRuns: 30 },
    );
  });

  test("labels that are exploded have a point before each", async () => {
    const of = async (value: unknown): Promise<string | undefined> => {
      const label = { name: "v", in: "path", style: "label", explode: true, schema: {} };
      const { call, sent } = await openSpecs([apiOf(operationOf("/x/{v}", [label]))]);
      await call("call", { v: value });
      return sent[0]?.url.split("/").at(-1);
    };
    expect([await of(["a", "b"]), await of({ a: 1, b: "c" }), await of("a")]).toEqual([
      ".a.b",
      ".a=1.b=c",
      ".a",
    ]);
  });

  test("lists of Swagger 2 have the sign that collectionFormat names", async () => {
    const formats = ["csv", "ssv", "tsv", "pipes", "multi"];
    const parameters = formats.map((name) => ({
      name,
      in: "query",
      type: "array",
      items: { type: "string" },
      collectionFormat: name,
    }));
    const openSpec = {
      swagger: "2.0",
      host: "api.test",
      schemes: ["http", "https"],
      basePath: "/v2",
      paths: operationOf("/x", parameters),
    };
    const { call, sent } = await openSpecs([{ protocol: "openapi", openSpec }]);
    await call("call", Object.fromEntries(formats.map((name) => [name, ["a", "b,c"]])));
    expect(sent[0]?.url).toBe(
      "https://api.test/v2/x?csv=a,b%2Cc&ssv=a%20b%2Cc&tsv=a%09b%2Cc&pipes=a%7Cb%2Cc&multi=a&multi=b%2Cc",
    );
  });

  test("headers and content are sent, headers of the transport never are", async () => {
    const parameters = [
      { name: "X-List", in: "header", schema: list },
      { name: "Host", in: "header", schema: { type: "string" } },
      {
        name: "filter",
        in: "query",
        content: { "application/json": { schema: { type: "object" } } },
      },
    ];
    const { call, sent, toolbox } = await openSpecs([apiOf(operationOf("/x", parameters))]);
    expect(Object.keys(toolbox.find("call")?.schema?.["properties"] ?? {})).toEqual([
      "X-List",
      "filter",
    ]);
    await call("call", { "X-List": ["a", "b"], filter: { a: [1] } });
    expect(sent[0]?.headers.get("x-list")).toBe("a,b");
    expect(new URL(sent[0]?.url ?? "").searchParams.get("filter")).toBe('{"a":[1]}');
    expect(await call("call", { "X-List": ["a\nb"] })).toMatchObject({ statusCode: 400 });
  });

  test("a query in the address is always sent, and its places are those of parameters", async () => {
    const parameters = [
      { name: "lat", in: "query", required: true, schema: { type: "number" } },
      { name: "place", in: "path", required: true, schema: { type: "string" } },
      { name: "view", in: "query", schema: { type: "string" } },
    ];
    const path = "/x?lat={lat}&view=all&q={place}&lon={lon}#2";
    const { call, sent, toolbox } = await openSpecs([apiOf(operationOf(path, parameters))]);
    expect(toolbox.find("call")?.schema?.["required"]).toEqual(["lat", "q"]);
    await call("call", { lat: 1.5, q: "a&b=c", lon: "2" });
    await call("call", { lat: 1.5, q: "a", view: "none" });
    expect(sent.map(({ url }) => url.split("?")[1])).toEqual([
      "view=all&lat=1.5&q=a%26b%3Dc&lon=2",
      "view=all&lat=1.5&q=a",
    ]);
  });

  test("content is JSON where its type says so, and null is a value that is not given", async () => {
    const schema = { type: ["string", "null"] };
    const parameters = ["application/json", "application/x+json; a=b", "*/*", "text/plain"].map(
      (type, nth) => ({ name: `p${nth}`, in: "query", content: { [type]: { schema } } }),
    );
    const more = { name: "none", in: "query", schema };
    const { call, sent } = await openSpecs([apiOf(operationOf("/x", [...parameters, more]))]);
    await call("call", { p0: "a", p1: "b", p2: "c", p3: "d", none: null });
    expect(sent[0]?.url.split("?")[1]).toBe("p0=%22a%22&p1=%22b%22&p2=c&p3=d");
  });

  test("names that no server takes get one that they do", async () => {
    const parameters = [
      { name: "filter[name]", in: "query", schema: { type: "string" } },
      { name: "id", in: "path", schema: { type: "string" } },
      { name: "id", in: "query", schema: { type: "string" } },
    ];
    const { call, sent } = await openSpecs([apiOf(operationOf("/x/{id}", parameters))]);
    await call("call", { filter_name: "a b", id: "1", id_query: "2" });
    expect(sent[0]?.url).toBe("https://api.test/v1/x/1?filter%5Bname%5D=a%20b&id=2");
  });
});

describe("a body", () => {
  const schema = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string" },
      age: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      at: { type: "object" },
    },
  };
  const withBody = (type: string, more: object = {}, own: object = schema): object =>
    apiOf(
      operationOf(
        "/x",
        [],
        { requestBody: { required: true, content: { [type]: { schema: own, ...more } } } },
        "post",
      ),
    );
  const value = { name: "Ä b", age: 3, tags: ["a", "b&c"], at: { x: 1 } };

  test("is JSON", async () => {
    const { call, sent } = await openSpecs([withBody("application/vnd.api+json; charset=utf-8")]);
    await call("call", { body: value });
    expect([sent[0]?.headers.get("content-type"), JSON.parse(sent[0]?.body ?? "")]).toEqual([
      "application/vnd.api+json; charset=utf-8",
      value,
    ]);
  });

  test("is a form, with fields in the style that it names", async () => {
    const json = { contentType: "application/json" };
    const encoding = { at: { style: "deepObject", explode: true }, list: json };
    const { call, sent } = await openSpecs([
      withBody("application/x-www-form-urlencoded", { encoding }),
    ]);
    await call("call", { body: { ...value, list: ["a"] } });
    expect([...new URLSearchParams(sent[0]?.body)]).toEqual([
      ["name", "Ä b"],
      ["age", "3"],
      ["tags", "a"],
      ["tags", "b&c"],
      ["at[x]", "1"],
      ["list", '["a"]'],
    ]);
  });

  test("has parts", async () => {
    const file = { type: "string", format: "binary" };
    const properties = {
      ...schema.properties,
      file: { $ref: "#/components/schemas/File" },
      files: { type: "array", items: file },
      image: { type: "string", contentMediaType: "image/svg+xml" },
    };
    const schemas = { File: file, Upload: { ...schema, properties } };
    const encoding = { note: { contentType: "application/json" } };
    const upload = { $ref: "#/components/schemas/Upload" };
    const given = withBody("multipart/form-data", { encoding }, upload);
    const { openSpec } = given as { openSpec: object };
    const { call, sent } = await openSpecs([
      { ...given, openSpec: { ...openSpec, components: { schemas } } },
    ]);
    const files = ["a", "b"];
    await call("call", {
      body: { ...value, file: "text", files, image: "<svg/>", note: "a" },
    });
    const form = sent[0]?.form;
    expect([form?.get("name"), form?.getAll("tags")]).toEqual(["Ä b", ["a", "b&c"]]);
    const parts = [form?.get("file"), ...(form?.getAll("files") ?? []), form?.get("image")];
    const read = parts.map(async (part) =>
      part instanceof File ? [part.name, part.type, await part.text()] : part,
    );
    expect(await Promise.all(read)).toEqual([
      ["file", "application/octet-stream", "text"],
      ["files", "application/octet-stream", "a"],
      ["files", "application/octet-stream", "b"],
      ["image", "image/svg+xml", "<svg/>"],
    ]);
    for (const [name, text] of [
      ["at", '{"x":1}'],
      ["note", '"a"'],
    ] as const) {
      const json = form?.get(name);
      expect(json instanceof File && [json.type, await json.text()]).toEqual([
        "application/json",
        text,
      ]);
    }
  });

  test("of any other type is the text that the model writes", async () => {
    const { call, sent } = await openSpecs([withBody("application/xml")]);
    await call("call", { body: "<a/>" });
    expect([sent[0]?.headers.get("content-type"), sent[0]?.body]).toEqual([
      "application/xml",
      "<a/>",
    ]);
  });

  test("is found where the model wrote its fields beside the parameters", async () => {
    const { call, sent } = await openSpecs([withBody("application/json")]);
    await call("call", { name: "a", age: "3", tags: "x" });
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ name: "a", age: 3, tags: ["x"] });
    await call("call", { body: textOf({ name: "b" }) });
    expect(JSON.parse(sent[1]?.body ?? "")).toEqual({ name: "b" });
  });

  test("that does not fit its schema is not sent, and each problem is named", async () => {
    const { call, sent } = await openSpecs([withBody("application/json")]);
    expect(await call("call", { body: { age: "x" } })).toMatchObject({
      code: "bad-arguments",
      problems: [
        "body.name is missing; write a text",
        "body.age must be a whole number, not a text",
      ],
    });
    expect(sent).toEqual([]);
  });

  test("of Swagger 2 comes from body and formData", async () => {
    const openSpec = {
      swagger: "2.0",
      host: "api.test",
      consumes: ["application/json"],
      paths: {
        "/a": {
          post: {
            operationId: "whole",
            parameters: [{ name: "pet", in: "body", required: true, schema }],
          },
        },
        "/b": {
          post: {
            operationId: "form",
            consumes: ["application/x-www-form-urlencoded"],
            parameters: [{ name: "n", in: "formData", required: true, type: "integer" }],
          },
        },
        "/c": {
          post: {
            operationId: "upload",
            parameters: [{ name: "file", in: "formData", type: "file" }],
          },
        },
      },
    };
    const { call, sent } = await openSpecs([{ protocol: "openapi", openSpec }]);
    await call("whole", { body: { name: "a" } });
    await call("form", { n: "4" });
    await call("upload", { body: { file: "text" } });
    expect([sent[0]?.body, sent[1]?.body]).toEqual(['{"name":"a"}', "n=4"]);
    expect(sent[2]?.form?.get("file")).toBeInstanceOf(File);
  });
});

describe("the server", () => {
  const at = async (more: object, entry: object = {}): Promise<string | undefined> => {
    const given = { ...apiOf(operationOf("/x", [])), ...entry } as { openSpec: object };
    const { servers: _, ...openSpec } = given.openSpec as Record<string, unknown>;
    const { call, sent } = await openSpecs([{ ...given, openSpec: { ...openSpec, ...more } }]);
    await call("call");
    return sent[0]?.url;
  };

  test.each([
    [
      [
        {
          url: "{scheme}://api.test/{v}",
          variables: { scheme: { default: "https" }, v: { default: "v3" } },
        },
      ],
      {},
      "https://api.test/v3/x",
    ],
    [[{ url: "/relative" }, { url: "https://api.test/second/" }], {}, "https://api.test/second/x"],
    [[{ url: "/v3" }], { baseUrl: "https://api.test" }, "https://api.test/v3/x"],
    [[{ url: "/v3" }], { baseUrl: "https://api.test/mine" }, "https://api.test/mine/x"],
    [[{ url: "https://other.test/v1" }], { baseUrl: "https://api.test" }, "https://api.test/x"],
    [[{ url: "https://api.test/v1?key=1" }], {}, "https://api.test/v1/x?key=1"],
  ])("of %j and %j is %s", async (servers, entry, url) => {
    expect(await at({ servers }, entry)).toBe(url);
  });

  test("is the one of the entry's baseUrl, whatever the description names", async () => {
    const part = fc.constantFrom(
      "/",
      "\\\\",
      ":",
      "//",
      "other.test",
      "@",
      "..",
      "https",
      "?",
      "v1",
      "\t",
    );
    const url = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(url, fc.constantFrom("", "/mine"), async (named, path) => {
        const sent = await at(
          { servers: [{ url: named }] },
          { baseUrl: `https://api.test${path}` },
        );
        expect(new URL(sent ?? "").origin).toBe("https://api.test");
      }),
    );
  });

  test.each([
    [[]],
    [[{ url: "/v1" }]],
    [[{ url: "ftp://api.test" }]],
    [[{ url: "https://{host}/v1" }]],
    ["https://api.test"],
  ])("is asked for where %j names none", async (servers) => {
    await expect(at({ servers })).rejects.toMatchObject({
      code: "invalid_request",
      details: { param: "openSpecList[0].openSpec.servers" },
    });
  });

  test("gets its key where the description wants it", async () => {
    const securitySchemes = {
      basic: { type: "http", scheme: "basic" },
      bearer: { type: "http", scheme: "bearer" },
      oauth: { type: "oauth2" },
      header: { type: "apiKey", in: "header", name: "X-Key" },
      query: { type: "apiKey", in: "query", name: "key" },
      cookie: { type: "apiKey", in: "cookie", name: "sid" },
    };
    const sentFor = async (security: unknown, apiKey: object): Promise<unknown> => {
      const more = security === undefined ? {} : { security };
      const { call, sent } = await openSpecs([
        apiOf(operationOf("/x", [], more), { components: { securitySchemes } }, { apiKey }),
      ]);
      await call("call");
      const [one] = sent;
      const query = one?.url.split("?")[1];
      return [
        one?.headers.get("authorization"),
        one?.headers.get("x-key"),
        one?.headers.get("cookie"),
        query,
      ].find((each) => typeof each === "string");
    };
    const bearer = { type: "bearer", apiKey: "k" };
    expect(await sentFor([{ bearer: [] }], bearer)).toBe("Bearer k");
    expect(await sentFor([{ oauth: [] }], { type: "bearer", apiKey: "Bearer k" })).toBe("Bearer k");
    expect(await sentFor([{ basic: [] }], { type: "basic", apiKey: "me:ä" })).toBe(
      `Basic ${Buffer.from("me:ä").toString("base64")}`,
    );
    expect(await sentFor([{ basic: [] }], { type: "basic", apiKey: "bWU6eA==" })).toBe(
      "Basic bWU6eA==",
    );
    expect(await sentFor([{ header: [] }], bearer)).toBe("k");
    expect(await sentFor([{ query: [] }], bearer)).toBe("key=k");
    expect(await sentFor([{ cookie: [] }], bearer)).toBe("sid=k");
    expect(await sentFor([{ basic: [] }, { bearer: [] }], bearer)).toBe("Bearer k");
    expect(await sentFor(undefined, bearer)).toBe("Bearer k");
    expect(await sentFor([], bearer)).toBe(undefined);
  });
});

describe("an answer", () => {
  const pets = apiOf({
    "/pets": { get: { operationId: "list" }, post: { operationId: "create" } },
  });

  test("is its status and its text, whatever the status", async () => {
    const { call } = await openSpecs([pets], {
      answer: new Response('{"code":404}', { status: 404 }),
    });
    expect(await call("list")).toEqual({ statusCode: 404, body: '{"code":404}' });
  });

  test("is cut at the limit, and says so", async () => {
    let [pulled, isCancelled] = [0, false];
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(new TextEncoder().encode("中文"));
          },
          cancel: () => void (isCancelled = true),
        }),
      );
    const { call } = await openSpecs([pets], {
      answer: endless,
      grants: { "*@api.test": { maxAnswer: 100 } },
    });
    expect(await call("list")).toEqual({
      statusCode: 200,
      body: "中文".repeat(17).slice(0, 33),
      is_cut: true,
    });
    expect([pulled < 40, isCancelled]).toEqual([true, true]);
  });

  test("that is no text is told by its type and size", async () => {
    const answer = new Response(new Uint8Array(5), { headers: { "content-type": "image/png" } });
    const { call } = await openSpecs([pets], { answer });
    expect(await call("list")).toEqual({ statusCode: 200, body: "[5 bytes of image/png]" });
  });

  test("is 500 where the server cannot be reached, and 504 where it is silent", async () => {
    const refused = await openSpecs([pets], {
      fetch: () =>
        Promise.reject(Object.assign(new TypeError("secret"), { cause: { code: "ECONNREFUSED" } })),
    });
    expect(await refused.call("list")).toEqual({
      statusCode: 500,
      body: expect.not.stringContaining("secret"),
    });
    const silent = await openSpecs([pets], {
      grants: { "*@api.test": { timeout: 5 } },
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    });
    expect(await silent.call("list")).toMatchObject({ statusCode: 504 });
  });

  test("that sends a read elsewhere on the same server is followed; a key never goes to another", async () => {
    const entry = { ...pets, apiKey: { type: "bearer", apiKey: "k" } };
    const answer = ({ url }: { url: string }): Response =>
      url.endsWith("/pets")
        ? new Response(null, { status: 302, headers: { location: "/v1/cats" } })
        : Response.json([1]);
    const moved = await openSpecs([entry], { answer });
    expect(await moved.call("list")).toEqual({ statusCode: 200, body: "[1]" });
    const elsewhere = new Response(null, {
      status: 307,
      headers: { location: "https://evil.test/?x" },
    });
    for (const name of ["list", "create"]) {
      const { call, sent } = await openSpecs([entry], { answer: elsewhere });
      expect(await call(name)).toMatchObject({
        statusCode: 307,
        body: expect.stringContaining("https://evil.test/"),
      });
      expect(sent.length).toBe(1);
    }
  });
});

test("the session of the docs sends what they say", async () => {
  const page = readFileSync(new URL("../../../docs/sessions.md", import.meta.url), "utf8");
  const from = page.indexOf("### An API over HTTP");
  const [, json = ""] = /```json\n([^]*?)```/.exec(page.slice(from)) ?? [];
  const { openSpecList } = JSON.parse(json) as { openSpecList: unknown[] };
  const { call, sent } = await openSpecs(openSpecList, { grants: [] });
  expect(await call("get_weather", { city: "Paris" })).toMatchObject({ statusCode: 200 });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET http://127.0.0.1:8080/weather/Paris",
  ]);
});

describe("what changes something", () => {
  const api = (method: string) => apiOf({ "/pets": { [method]: { operationId: "call" } } });
  test.each([
    ["get", [], 200],
    ["head", [], 200],
    ["post", [], 403],
    ["delete", ["POST@api.test", "call@other.test", "*@api.test:8080"], 403],
    ["delete", ["delete@API.test"], 200],
    ["patch", ["call@api.test"], 200],
    ["put", ["*@api.test"], 200],
  ])("%s with the grants %j ends with %s", async (method, grants, statusCode) => {
    const { call, sent } = await openSpecs([api(method)], { grants });
    expect(await call("call")).toMatchObject({ statusCode });
    expect(sent.length).toBe(statusCode === 200 ? 1 : 0);
  });
});
