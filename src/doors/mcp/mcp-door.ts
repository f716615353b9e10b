import type { Context } from "hono";
import { missingPackage, toAppError } from "../../base/errors/app-error.ts";
import { toErrorResponse, toPublicError } from "../../base/errors/to-public-error.ts";
import type { Admission } from "../../run/admissions.ts";
import { resolveLocale } from "../../turn/agents/resolve-turn.ts";
import { admit, eventStream } from "../http/answer-turn.ts";
import type { Door, DoorEnv, DoorHost } from "../http/door.ts";
import { readJson } from "../http/read-json.ts";
import { isRecord } from "../../base/text/json.ts";

/** `POST /mcp`: the agents' commands and the edit engine as tools, by the Model Context Protocol, without sessions. */
export function mcpDoor(version: string): Door {
  return {
    name: "mcp",
    mount(app, host) {
      app.post("/mcp", (c) => answer(c, host, version));
    },
  };
}

/** @throws AppError where there is no admission */
async function answer(c: Context<DoorEnv>, host: DoorHost, version: string): Promise<Response> {
  const { exchange } = c.env;
  const admission = await admit(c, host);
  try {
    const parsedBody = await readJson(exchange, host.limits);
    const library = await loadLibrary(() => import("@modelcontextprotocol/server"));
    const { createMcpServer } = await import("./mcp-server.ts");
    const left = new AbortController();
    exchange.onClose(() => left.abort());
    const handler = library.createMcpHandler(
      () =>
        createMcpServer({
          library,
          host,
          version,
          admit: admitOnce(admission, host),
          languages: [exchange.header("accept-language")],
        }),
      {
        // So that whoever waits for a model is not cut off, and is noticed when they leave.
        responseMode:
          isRecord(parsedBody) && parsedBody["method"] === "tools/call" ? "sse" : "auto",
        keepAliveMs: host.stream.heartbeat,
        // Nothing here changes, so there is nothing to hear of.
        maxSubscriptions: 0,
      },
    );
    const { url, headers } = c.req.raw;
    const request = new Request(url, { method: "POST", headers, signal: left.signal });
    const response = await handler.fetch(request, { parsedBody });
    return pass(c, host, admission, response);
  } catch (thrown) {
    const error = toAppError(thrown);
    const locale = resolveLocale([exchange.header("accept-language")], host.sources.locale);
    admission.figures.status = error.status;
    admission.end(undefined, error);
    return toErrorResponse(error, admission.id, toPublicError(error, admission.id, locale));
  }
}

/** @throws AppError `internal` where a part of the package cannot be loaded: it is not installed then */
export async function loadLibrary<Part>(load: () => Promise<Part>): Promise<Part> {
  return await load().catch((cause: unknown) => {
    const needs = { en: "The Model Context Protocol needs", zh: "MCP 需要" };
    throw missingPackage("@modelcontextprotocol/server", needs, cause);
  });
}

/** The request's own leave for its first call, further ones for the others of a batch. */
function admitOnce(admission: Admission, host: DoorHost): () => Admission {
  let mine: Admission | undefined = admission;
  return () => {
    const own = mine;
    mine = undefined;
    return own ?? host.admit(admission.caller);
  };
}

/** Sends what the package answers. The admission ends with it, if no turn has ended it before. */
function pass(
  c: Context<DoorEnv>,
  host: DoorHost,
  admission: Admission,
  response: Response,
): Response {
  const { body, headers } = response;
  const { id, figures } = admission;
  figures.status = response.status;
  if (body === null || headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    admission.end();
    headers.set("x-request-id", id);
    return response;
  }
  const opened = { ...eventStream, ...host.extraHeaders(c), "x-request-id": id };
  const { sink, response: sent } = c.env.exchange.open(opened);
  const write = (chunk: Uint8Array) => (sink.write(chunk) ? undefined : sink.drained());
  const end = (): void => {
    sink.end();
    admission.end();
  };
  void body.pipeTo(new WritableStream({ write })).then(end, end);
  return sent;
}
