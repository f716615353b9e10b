import { describe, expect, test } from "vitest";
import type { PublicError } from "../../../src/base/errors/to-public-error.ts";
import { copilotRequest, post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { fakeTransport, modelOver } from "../../helpers/upstream.ts";

async function read(response: Response): Promise<[number, PublicError]> {
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = (await response.json()) as { error: PublicError };
  expect(body.error.request_id).toBe(response.headers.get("x-request-id"));
  return [response.status, body.error];
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

describe("a body that is no request", () => {
  test.each([
    ["{", 400, "invalid_json"],
    ["", 400, "invalid_json"],
    ["null", 400, "invalid_request"],
    ["[]", 400, "invalid_request"],
    ['"text"', 400, "invalid_request"],
    ["{}", 400, "invalid_request"],
    ['{"agent":7}', 400, "invalid_request"],
    ['{"agent":"rightseat","contextVariables":{}}', 400, "invalid_request"],
    ['{"agent":"rightseat","contextVariables":[1]}', 400, "invalid_request"],
    [`${"[".repeat(6_000)}${"]".repeat(6_000)}`, 400, "too_deep"],
    [`{"agent":${"[".repeat(100_000)}`, 400, "too_deep"],
  ])("%.30s is refused with %i", async (body, status, code) => {
    const { app, model } = createTestApp();
    const [gotStatus, error] = await read(await post(app, body));
    expect([gotStatus, error.code]).toEqual([status, code]);
    expect(model.requests).toEqual([]);
  });

  test("bytes that are not UTF-8 are refused", async () => {
    const { app } = createTestApp();
    const body = new Uint8Array([123, 34, 0xff, 34, 58, 49, 125]);
    expect((await read(await post(app, body)))[1].code).toBe("invalid_utf8");
  });

  test("every problem is told with its path and what was expected, and never the value", async () => {
    const { app } = createTestApp();
    const body = {
      agent: "rightseat",
      command: ["sesame"],
      contextVariables: [{ value: 1 }, "sesame"],
      messageTemplates: [{ role: "sesame" }],
      modelConfiguration: { maxTokens: 0 },
    };
    const [status, error] = await read(await post(app, body));
    expect(status).toBe(400);
    expect(error.problems?.map(({ path }) => path).toSorted()).toEqual([
      "command",
      "contextVariables[0].name",
      "contextVariables[1]",
      "messageTemplates[0].role",
      "modelConfiguration.maxTokens",
    ]);
    expect(error.problems?.every(({ message }) => /^(?:must|is missing|has)/.test(message))).toBe(
      true,
    );
    expect(JSON.stringify(error)).not.toContain("sesame");
  });

  test("a template without a text is told by its path, wherever the request holds it", async () => {
    const messageTemplates = [{ role: "system", template: "a" }, { role: "user" }];
    const places = [
      ["messageTemplates[1].template", { messageTemplates }],
      [
        "agentDefinition.messageTemplates[1].template",
        { agentDefinition: { name: "x", commands: [{ name: "b" }], messageTemplates } },
      ],
      [
        "agentDefinition.commands[1].messageTemplates[1].template",
        {
          agentDefinition: {
            name: "x",
            commands: [{ name: "a" }, { name: "b", messageTemplates }],
          },
        },
      ],
    ] as const;
    for (const [path, more] of places) {
      const { app } = createTestApp();
      const body = {
        agentDefinition: { name: "x", commands: [{ name: "b" }] },
        command: "b",
        ...more,
      };
      const [status, error] = await read(await post(app, body));
      expect([status, error.param]).toEqual([400, path]);
    }
  });

  test("a hundred thousand bad items are answered with ten problems", async () => {
    const { app } = createTestApp();
    const [, error] = await read(
      await post(app, { agent: "rightseat", contextVariables: Array(100_000).fill(1) }),
    );
    expect(error.problems?.length).toBe(10);
    expect(JSON.stringify(error).length).toBeLessThan(4_000);
  });
});

describe("the media type", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", ""])(
    "%s is refused with 415",
    async (type) => {
      const { app } = createTestApp();
      const [status] = await read(
        await post(app, copilotRequest("version"), { headers: { "content-type": type } }),
      );
      expect(status).toBe(415);
    },
  );

  test("a gzip body is unpacked", async () => {
    const { app } = createTestApp();
    const body = await gzip(JSON.stringify(copilotRequest("version")));
    expect((await post(app, body, { headers: { "content-encoding": "gzip" } })).status).toBe(200);
  });

  test("a gzip body that is none is refused with 400, an unknown encoding with 415", async () => {
    const { app } = createTestApp();
    const text = JSON.stringify(copilotRequest("version"));
    const broken = await read(await post(app, text, { headers: { "content-encoding": "gzip" } }));
    expect([broken[0], broken[1].code]).toEqual([400, "invalid_encoding"]);
    expect((await read(await post(app, text, { headers: { "content-encoding": "br" } })))[0]).toBe(
      415,
    );
  });
});

describe("what is not there", () => {
  test("an unknown agent is answered with the names that exist", async () => {
    const { app } = createTestApp();
    const [status, error] = await read(await post(app, { agent: "nobody" }));
    expect([status, error.code]).toEqual([404, "unknown_agent"]);
    expect(error.message).toContain('"nobody"');
    expect(error.message).toContain("rightseat");
  });

  test("an unknown command is answered with the commands that the agent has", async () => {
    const { app } = createTestApp();
    const [status, error] = await read(await post(app, copilotRequest("fixx")));
    expect([status, error.code]).toEqual([404, "unknown_command"]);
    expect(error.message).toMatch(
      /"fixx"\. Did you mean fix\? .*explain, chat, code, fix, unittest/,
    );
  });

  test("an agent of nearly that name is named first", async () => {
    const { app } = createTestApp();
    const [, error] = await read(await post(app, { agent: "rightsaet" }));
    expect(error.message).toContain('Unknown agent "rightsaet". Did you mean rightseat?');
  });

  test.each(["/fix", " fix ", "FIX", "/Fix ", "fix"])(
    "a command is found as people write it: %j",
    async (command) => {
      const { app } = createTestApp();
      const response = await post(app, copilotRequest(command));
      expect(response.status).toBe(200);
      expect(response.headers.get("x-rightseat-context")).toContain('"command":"fix"');
    },
  );

  test("of commands that differ in case alone, the one that is named is run", async () => {
    const messageTemplates = [{ role: "user", template: "{{ userInputPrompt }}" }];
    const commands = ["check", "Check"].map((name) => ({ name, messageTemplates }));
    const agentDefinition = { name: "x", commands };
    for (const command of ["check", "Check"]) {
      const { app } = createTestApp();
      const response = await post(app, copilotRequest(command, { agentDefinition }));
      expect(response.headers.get("x-rightseat-context")).toContain(`"command":"${command}"`);
    }
  });

  test.each(["edit-again", "cases-again"])(
    "%s, by which a flow asks once more, is no command",
    async (name) => {
      const { app } = createTestApp();
      const [status, error] = await read(await post(app, copilotRequest(name)));
      expect([status, error.code]).toEqual([404, "unknown_command"]);
      const [, listed] = error.message.split(" has: ");
      expect(listed).not.toContain("again");
    },
  );

  test.each(["__proto__", "constructor", "toString", "a\r\nset-cookie: x"])(
    "command and agent named %j are inert",
    async (name) => {
      const { app } = createTestApp();
      expect((await read(await post(app, { agent: "rightseat", command: name })))[0]).toBe(404);
      expect((await read(await post(app, { agent: name })))[0]).toBe(404);
    },
  );

  test("an unknown path is answered with the paths that exist", async () => {
    const { app } = createTestApp();
    const [status, error] = await read(await post(app, {}, { path: "/nowhere" }));
    expect([status, error.code]).toEqual([404, "not_found"]);
    expect(error.message).toContain("POST /agents/:agent");
  });

  test.each(["/", "/agents/rightseat"])(
    "another method at %s is refused with 405 and Allow",
    async (path) => {
      const { app } = createTestApp();
      const response = await post(app, {}, { path, method: "GET" });
      expect(response.headers.get("allow")).toBe("POST");
      expect((await read(response))[0]).toBe(405);
    },
  );

  test("the agent of the path is the one that answers", async () => {
    const { app } = createTestApp();
    const response = await post(app, { command: "version" }, { path: "/agents/rightseat" });
    expect(await response.text()).toContain("rightseat 0.1.0");
  });
});

describe("who may ask", () => {
  test("a foreign Host is refused with 403 where no key guards the server", async () => {
    const { app } = createTestApp({ settings: { RIGHTSEAT_ALLOWED_HOSTS: "" } });
    const [status, error] = await read(await post(app, {}, { headers: { host: "evil.example" } }));
    expect([status, error.code]).toEqual([403, "host_forbidden"]);
  });

  test("a page of another site is refused with 403 and gets no CORS header", async () => {
    const { app } = createTestApp();
    const response = await post(app, {}, { headers: { origin: "https://evil.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect((await read(response))[0]).toBe(403);
    const preflight = await app.fetch(
      new Request("http://localhost/", {
        method: "OPTIONS",
        headers: {
          host: "localhost",
          origin: "https://evil.example",
          "access-control-request-method": "POST",
        },
      }),
    );
    expect(preflight.status).toBe(403);
  });

  test("a page of a configured origin gets its preflight and its answer", async () => {
    const { app } = createTestApp({ settings: { RIGHTSEAT_CORS_ORIGINS: "https://ide.example" } });
    const origin = "https://ide.example";
    const preflight = await app.fetch(
      new Request("http://localhost/", {
        method: "OPTIONS",
        headers: { host: "localhost", origin, "access-control-request-method": "POST" },
      }),
    );
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      origin,
    ]);
    const response = await post(app, copilotRequest("version"), { headers: { origin } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      200,
      origin,
    ]);
    expect(response.headers.get("access-control-expose-headers")).toContain("x-rightseat-context");
  });
});

test("over the server's limit it is a 503 with Retry-After", async () => {
  const models = modelOver(fakeTransport({ body: ["hang"] }));
  const { app } = createTestApp({ models, settings: { RIGHTSEAT_MAX_STREAMS: "1" } });
  const controller = new AbortController();
  const running = post(app, copilotRequest("explain"), { signal: controller.signal });
  running.catch(() => undefined);
  const refused = await post(app, copilotRequest("version"));
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await read(refused))[1].code).toBe("overloaded");
  controller.abort();
});

test("an agent with a broken template stops the start and names agent, command, template, line and column", () => {
  const messageTemplates = [{ role: "user" as const, template: "a\n {% if x %}" }];
  const agents = [{ name: "broken", commands: [{ name: "review", messageTemplates }] }];
  expect(() => createTestApp({ agents })).toThrow(
    /Agent "broken": Template 0 of command "review".*line 2, column 2/,
  );
  const shared = [{ name: "broken", messageTemplates, commands: [] }];
  expect(() => createTestApp({ agents: shared })).toThrow(/Agent "broken".*line 2, column 2/);
});
