// Servers of MCP for tests: from the official package, and one that answers what a test says.
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import * as z from "zod";
import { isRecord } from "../../src/base/text/json.ts";
import {
  type McpOptions,
  type McpServers,
  createMcpServers,
} from "../../src/tools/specs/mcp-servers.ts";
import { findByTools } from "../../src/tools/specs/read-specs.ts";
import { nameOperations } from "../../src/tools/specs/operation.ts";
import { ToolPolicy, guardTool } from "../../src/tools/specs/policy.ts";
import { runCall } from "../../src/tools/run-call.ts";
import { Toolbox } from "../../src/tools/tool.ts";
import { createUse } from "./tool-workspace.ts";

type Fetch = (request: Request) => Promise<Response>;

/** A shop of the official package: a tool that reads, one that writes, and one of each kind of content. */
export function openShop(change: (server: McpServer) => void = () => undefined): Fetch & {
  notify(): void;
} {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    server.registerTool(
      "list_items",
      {
        description: "Lists items.",
        inputSchema: z.object({ query: z.string().optional() }),
        annotations: { readOnlyHint: true },
      },
      async ({ query }) => ({ content: [{ type: "text", text: `items of ${query}` }] }),
    );
    server.registerTool(
      "add_item",
      {
        description: "Adds an item.",
        inputSchema: z.object({ name: z.string(), count: z.number().int() }),
        outputSchema: z.object({ id: z.string() }),
      },
      async ({ name, count }) => ({
        content: [{ type: "text", text: "added" }],
        structuredContent: { id: `${name}-${count}` },
      }),
    );
    server.registerTool(
      "show",
      { description: "Shows everything.", inputSchema: z.object({}) },
      async () => ({
        isError: true,
        content: [
          { type: "image", data: "AAAA", mimeType: "image/png" },
          { type: "resource_link", uri: "file:///a", name: "a" },
          { type: "resource", resource: { uri: "file:///b", text: "text of b" } },
          { type: "resource", resource: { uri: "file:///c", blob: "AAAAAAAA" } },
        ],
      }),
    );
    change(server);
    return server;
  });
  return Object.assign((request: Request) => handler.fetch(request), {
    notify: () => handler.notify.toolsChanged(),
  });
}

/** What a server that nobody has checked lists, and what it answers to a call. */
export interface RawServer {
  tools: unknown;
  nextCursor?: string;
  /** In place of the list. */
  error?: object;
  call?: (params: Record<string, unknown>) => unknown;
  /** The id of its session by now: it knows no other one. */
  session?: () => string;
  /** The last call. */
  called?: Record<string, unknown>;
}

export function textTool(name: string, description = "Says something."): Record<string, unknown> {
  return { name, description, inputSchema: { type: "object", properties: {} } };
}

/** A server over HTTP of before 2026 that sends whatever it likes. */
export function openRaw(server: RawServer): Fetch {
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message: unknown = await request.json();
    if (!isRecord(message) || message["id"] === undefined)
      return new Response(null, { status: 202 });
    const { method, id, params } = message;
    const session = server.session?.();
    const known = request.headers.get("mcp-session-id");
    if (session !== undefined && known !== null && known !== session)
      return Response.json({}, { status: 404 });
    const answer = (result: object): Response =>
      Response.json(
        { jsonrpc: "2.0", id, ...result },
        session === undefined ? {} : { headers: { "mcp-session-id": session } },
      );
    switch (method) {
      case "initialize":
        return answer({
          result: {
            protocolVersion: "2025-06-18",
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: "raw", version: "1" },
          },
        });
      case "tools/list": {
        const tools: unknown =
          typeof server.tools === "function" ? await server.tools() : server.tools;
        const more = server.nextCursor === undefined ? {} : { nextCursor: server.nextCursor };
        return answer(
          server.error === undefined ? { result: { tools, ...more } } : { error: server.error },
        );
      }
      case "tools/call": {
        server.called = isRecord(params) ? params : {};
        const result = (await server.call?.(server.called)) ?? {
          content: [{ type: "text", text: "done" }],
        };
        return answer({ result });
      }
      default:
        return answer({ error: { code: -32_601, message: "unknown" } });
    }
  };
}

/** The same over server-sent events, as servers of before 2025 speak. */
export function openSse(server: RawServer): Fetch {
  const raw = openRaw(server);
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  return async (request) => {
    if (request.method === "GET") {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = controller;
          controller.enqueue(encoder.encode("event: endpoint\ndata: /message\n\n"));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    if (new URL(request.url).pathname !== "/message") return new Response(null, { status: 405 });
    const answer = await (await raw(request)).text();
    if (answer !== "") stream?.enqueue(encoder.encode(`data: ${answer}\n\n`));
    return new Response(null, { status: 202 });
  };
}

/** Calls a tool of a toolbox; what comes of it is what the model reads. */
export async function sayIn(
  toolbox: Toolbox,
  name: string,
  args: unknown,
): Promise<Record<string, unknown>> {
  const call = { id: "1", name, arguments: JSON.stringify(args) };
  const { result } = await runCall(call, toolbox, createUse({}));
  return JSON.parse(result.content) as Record<string, unknown>;
}

export type HouseOptions = Partial<McpOptions> & { grants?: ToolPolicy | readonly string[] };

export interface McpHouse {
  servers: McpServers;
  toolbox(): Toolbox;
  call(name: string, args?: unknown): Promise<Record<string, unknown>>;
  problems: string[];
}

/** Servers by name, each with what answers its requests at `https://NAME.test/mcp`. */
export async function openHouse(
  fetches: Readonly<Record<string, Fetch>>,
  more: Readonly<Record<string, object>> = {},
  options: HouseOptions = {},
): Promise<McpHouse> {
  const names = Object.keys(fetches);
  const config = Object.fromEntries(
    names.map((name) => [name, { url: `https://${name}.test/mcp`, type: "http", ...more[name] }]),
  );
  return openConfig(
    { mcpServers: config },
    {
      openFetch: () => async (input, init) => {
        const request = new Request(input, init);
        const answer = fetches[new URL(request.url).hostname.replace(/\.test$/, "")];
        return answer === undefined
          ? Promise.reject(new TypeError("fetch failed"))
          : answer(request);
      },
      ...options,
    },
  );
}

export async function openConfig(
  config: unknown,
  { grants = [], ...options }: HouseOptions = {},
): Promise<McpHouse> {
  const problems: string[] = [];
  const servers = createMcpServers(config, {
    environment: {},
    openFetch: () => fetch,
    version: "1.0.0",
    onProblem: (name, { en }) => problems.push(`${name}: ${en}`),
    ...options,
  });
  await servers.update();
  const policy = ToolPolicy.parse(grants);
  const toolbox = (): Toolbox => {
    const used = new Set<string>();
    const named = nameOperations(servers.operations(), used).map((one) => guardTool(one, policy));
    return new Toolbox(findByTools(named, used));
  };
  return {
    servers,
    problems,
    toolbox,
    call: (name, args = {}) => sayIn(toolbox(), name, args),
  };
}
