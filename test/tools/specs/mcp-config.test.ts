// Files of other tools with servers of MCP, as they are read.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { readMcpConfig } from "../../../src/tools/specs/mcp-config.ts";

const environment = { KEY: "secret", EMPTY: "" };
const command = { name: "a", command: "npx", args: ["-y", "b"], env: {} };
const read = (config: unknown): unknown[] =>
  readMcpConfig(config, environment).map(({ name, at }) =>
    "url" in at
      ? { name, url: at.url.href, headers: at.headers, protocol: at.protocol }
      : { name, ...at },
  );

describe("a list of servers", () => {
  const entry = { command: "npx", args: ["-y", "b"] };
  test.each([
    [{ mcpServers: { a: entry } }],
    [{ a: entry }],
    [{ servers: { a: { type: "stdio", ...entry } }, inputs: [] }],
    [{ context_servers: { a: { ...entry, env: {} } } }],
    [{ mcp: { a: { type: "local", command: ["npx", "-y", "b"], enabled: true } } }],
    [{ $schema: "x", mcpServers: { a: entry, b: { command: "${NOBODY}", disabled: true } } }],
  ])("%j is the one command", (config) => {
    expect(read(config)).toEqual([command]);
  });

  const url = "https://x.test/mcp";
  test.each<[object, object]>([
    [{ url }, { url }],
    [
      { type: "streamable-http", url },
      { url, protocol: "streamablehttp" },
    ],
    [
      { httpUrl: url, url: "https://y.test" },
      { url, protocol: "http" },
    ],
    [
      { serverUrl: url, headers: { a: "Bearer ${KEY}" } },
      { url, headers: { a: "Bearer secret" } },
    ],
    [
      { url: "https://${HOST:-x.test}/${env:EMPTY}mcp", type: "sse" },
      { url, protocol: "sse" },
    ],
  ])("%j is an address", (given, expected) => {
    expect(read({ a: given })).toEqual([{ name: "a", headers: {}, protocol: "", ...expected }]);
  });

  test("has its variables filled in everywhere", () => {
    const given = {
      command: "${KEY}",
      args: ["--key=${KEY}", "$KEY", "${KEY"],
      env: { A: "${KEY}", B: 1, C: true },
      cwd: "/${KEY}",
    };
    expect(read({ a: given })).toEqual([
      {
        name: "a",
        command: "secret",
        args: ["--key=secret", "$KEY", "${KEY"],
        env: { A: "secret", B: "1", C: "true" },
        cwd: "/secret",
      },
    ]);
  });

  test("has names that grants can name", () => {
    const names = ["github.com/x/y", "My Server", "工具", "a@b:1"];
    const config = Object.fromEntries(names.map((name) => [name, entry]));
    expect(() => read(config)).toThrow("mcpServers.工具 needs a name");
    delete config["工具"];
    expect(readMcpConfig(config, {}).map(({ name }) => name)).toEqual([
      "github-com-x-y",
      "My-Server",
      "a-b-1",
    ]);
  });

  test.each<[unknown, string]>([
    [7, "mcpServers must be an object of servers"],
    [{ mcpServers: [] }, "mcpServers.mcpServers must be an object"],
    [{ a: 7 }, "mcpServers.a must be an object"],
    [{ a: {} }, "mcpServers.a needs a command or a url"],
    [{ a: { command: "" } }, "mcpServers.a.command"],
    [{ a: { command: "x", args: "-y" } }, "mcpServers.a.args must be a list"],
    [
      { a: { command: "x", args: ["${NOBODY}"] } },
      "mcpServers.a.args[0] names the variable NOBODY",
    ],
    [{ a: { url: "https://${toString}" } }, "mcpServers.a.url names the variable toString"],
    [{ a: { url: "file:///etc/passwd" } }, "mcpServers.a.url must be an http or https address"],
    [
      { a: { url: "https://u:p@x.test" } },
      "mcpServers.a.url must be an http or https address, such as https://api.example.com; a user and password belong in headers",
    ],
    [{ servers: { A: entry, a: entry } }, "servers.a needs a name of its own"],
    [{ a: { url, headers: { a: [] } } }, "mcpServers.a.headers.a"],
  ])("%j is refused with the place", (config, text) => {
    expect(() => read(config)).toThrow(text);
  });

  test("of any kind is read, or refused with a reason", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom("${KEY}", "${", "__proto__", url));
    const server = fc.record(
      {
        command: fc.oneof(texts, fc.array(texts), fc.jsonValue()),
        args: fc.oneof(fc.array(texts), fc.jsonValue()),
        env: fc.oneof(fc.dictionary(texts, texts), fc.jsonValue()),
        url: fc.oneof(texts, fc.jsonValue()),
        headers: fc.oneof(fc.dictionary(texts, texts), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const lists = fc.oneof(fc.dictionary(texts, server), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(lists, fc.record({ mcpServers: lists })), (config) => {
        try {
          for (const { name } of readMcpConfig(config, environment))
            expect(name).toMatch(/^[\w-]{1,64}$/);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
