// What is used of the package of MCP. It is installed by those who use it, so this file is loaded when a server is needed.
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { AppError } from "../../base/errors/app-error.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import type { McpAddress } from "./mcp-config.ts";

export interface ClientOptions {
  version: string;
  mode: "auto" | "legacy";
  /** How long a server may be silent about what it speaks, in milliseconds. */
  probeTime: number;
  /** Absent where nobody follows the list of tools. */
  onChanged: (() => void) | undefined;
}

export function createClient({ version, mode, probeTime, onChanged }: ClientOptions): Client {
  // What fails is told to those who wait for it.
  const quiet = { onerror: () => undefined };
  const tools = { autoRefresh: false, debounceMs: 0, onChanged: () => onChanged?.() };
  const client = new Client(
    { name: "rightseat", version },
    {
      versionNegotiation: { mode, probe: { timeoutMs: probeTime } },
      inputRequired: { autoFulfill: false },
      // No code is made of a schema that comes from outside.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
      ...(onChanged === undefined ? {} : { listChanged: { tools } }),
    },
  );
  return Object.assign(client, quiet);
}

/** Of a stream of events. */
const maxLines = 10_000;

/** @param most bytes of an answer, or of a stream of events */
export function openHttp(
  { url, headers }: McpAddress,
  isSse: boolean,
  fetcher: typeof fetch,
  most: number,
  timers: Timers,
): Transport {
  const options = { fetch: limitAnswers(fetcher, most), requestInit: { headers } };
  if (isSse) return new SSEClientTransport(url, options);
  // A server cannot ask to be asked without a pause.
  const reconnectionScheduler = (again: () => void, delay: number): (() => void) =>
    timers.start(again, Math.max(delay, 1_000));
  return new StreamableHTTPClientTransport(url, { ...options, reconnectionScheduler });
}

function limitAnswers(fetcher: typeof fetch, most: number): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    let [size, lines] = [0, 0];
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        // An event takes longer to read than its few bytes tell.
        if (isStream) for (const byte of chunk) lines += byte === 10 || byte === 13 ? 1 : 0;
        if (size <= most && lines <= maxLines) controller.enqueue(chunk);
        else controller.error(new AppError("upstream_too_large", tooLong));
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}

const tooLong = {
  en: "The MCP server sends more at once than it may.",
  zh: "MCP 服务器一次发送的数据超过上限。",
};
