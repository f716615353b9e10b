// The official client of the Model Context Protocol in front of an app, without a socket; on Node and in workerd.
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { App } from "../../src/app.ts";

/** Clients of the revision of 2025, and those that ask which one there is. */
export const eras = ["legacy", "auto"] as const;

export interface McpClientOptions extends ClientOptions {
  era?: (typeof eras)[number];
  key?: string;
  language?: string;
  /** The client's connections break when it is aborted. */
  signal?: AbortSignal;
}

/** A client that is connected. Whoever makes it closes it. */
export async function connectMcp(app: App, options: McpClientOptions = {}): Promise<Client> {
  const { era = "auto", key, language, signal, ...rest } = options;
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era }, ...rest },
  );
  const headers = {
    ...(key === undefined ? {} : { "x-api-key": key }),
    ...(language === undefined ? {} : { "accept-language": language }),
  };
  const transport = new StreamableHTTPClientTransport(new URL("http://agent.test/mcp"), {
    fetch: async (url, init) => {
      const signals = [signal, init?.signal].filter((one) => one instanceof AbortSignal);
      return app.fetch(new Request(url, { ...init, signal: AbortSignal.any(signals) }));
    },
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

export function textOfResult({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
