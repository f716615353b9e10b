// One request of a tool to the server of its description, and its answer as the protocol has it.
import * as z from "zod";
import type { Fields } from "../../base/text/json.ts";
import { BytePieces } from "../../base/wire/bytes.ts";
import type { ToolOutcome } from "../tool.ts";
import { type OperationUse, callInTime } from "./operation.ts";
import { fieldOf, reject } from "./spec-document.ts";

export interface HttpCall {
  method: string;
  url: URL;
  headers: Headers;
  body?: string | FormData | undefined;
}

const maxRedirects = 5;
/** Of a description that are looked at. */
const maxServers = 20;

/**
 * `{ statusCode, body }`: whatever the server answers, 504 for silence, 500 where it cannot be reached.
 *
 * @param fetcher refuses addresses that may not be called; follows no redirect where it is told so
 * @throws the signal's reason
 */
export function callHttp(
  call: HttpCall,
  fetcher: typeof fetch,
  use: OperationUse,
): Promise<ToolOutcome> {
  const { maxAnswer } = use.limits;
  return callInTime(use, "server", async (signal) => {
    const response = await follow(call, fetcher, signal);
    const pieces = new BytePieces();
    for await (const chunk of response.body ?? []) {
      pieces.add(chunk);
      // To leave the loop ends the answer.
      if (pieces.byteLength > maxAnswer) break;
    }
    const isCut = pieces.byteLength > maxAnswer;
    const bytes = pieces.take().subarray(0, maxAnswer);
    const type = response.headers.get("content-type") ?? "";
    const body = isText(type, bytes)
      ? decoderOf(type).decode(bytes, { stream: isCut })
      : `[${isCut ? "more than " : ""}${bytes.byteLength} bytes of ${type || "binary data"}]`;
    return outcomeOf(response.status, body, isCut ? { is_cut: true } : {});
  });
}

/** The result of a call, as the protocol has it. */
export function outcomeOf(statusCode: number, body: string, more: Fields = {}): ToolOutcome {
  return { success: statusCode < 400, statusCode, body, ...more };
}

/** Reads are sent on to another address of the same server; keys go nowhere else. */
async function follow(
  call: HttpCall,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<Response> {
  const { method, headers, body } = call;
  let { url } = call;
  for (let hops = 0; ; hops++) {
    const response = await fetcher(url.href, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    const isMoved = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
    if (!isMoved || hops === maxRedirects) return response;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    await response.body?.cancel();
    if (next?.origin !== url.origin || !["GET", "HEAD"].includes(method)) {
      const shown = next === undefined ? "nowhere" : next.origin + next.pathname;
      const said = `The server sends this request on to ${shown}; it was not repeated there.`;
      const { status } = response;
      return new Response(said, { status, headers: { "content-type": "text/plain" } });
    }
    url = next;
  }
}

function isText(type: string, bytes: Uint8Array): boolean {
  if (/^(?:image|audio|video|font)\/(?!svg)|\b(?:octet-stream|zip|gzip|pdf|protobuf)\b/i.test(type))
    return false;
  return !bytes.subarray(0, 1_000).includes(0) || /charset=utf-16/i.test(type);
}

function decoderOf(type: string): TextDecoder {
  const [, charset = "utf-8"] = /charset="?([\w-]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** The key that an entry brings, which goes to the server of its description only. */
export const ApiKey = z.looseObject({
  type: z.enum(["basic", "bearer"]),
  apiKey: z.string().min(1).max(8_192),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** As the header has it; what a person types for `basic` as `name:password` is encoded. */
export function authorizationOf({ type, apiKey }: ApiKey): string {
  if (type === "bearer") return `Bearer ${apiKey.replace(/^bearer\s+/i, "")}`;
  const raw = apiKey.replace(/^basic\s+/i, "");
  if (!raw.includes(":")) return `Basic ${raw}`;
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(raw)))}`;
}

/**
 * The address of a server: of the entry, else the first one of the description that says all.
 *
 * @param servers as OpenAPI and OpenRPC have them
 * @throws AppError `invalid_request`
 */
export function serverOf(servers: unknown, baseUrl: URL | undefined, path: string): URL {
  const listed: unknown[] = Array.isArray(servers) ? servers.slice(0, maxServers) : [];
  const urls = listed.map(fillServer).filter((url) => url !== undefined);
  const whole = urls.find((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""));
  if (baseUrl !== undefined) {
    const [relative] = urls;
    // An address without a path says where the description is from; with one, where the API is.
    const isOrigin = baseUrl.pathname === "/" && whole === undefined && relative !== undefined;
    const joined = isOrigin ? URL.parse(relative, baseUrl) : null;
    // Keys are for this server; what is relative may still name another one.
    return joined?.origin === baseUrl.origin ? joined : baseUrl;
  }
  if (whole !== undefined) return new URL(whole);
  return reject(
    path,
    "names no server with an http or https address; give the entry a baseUrl",
    "没有给出 http 或 https 服务器地址；请为该条目设置 baseUrl",
  );
}

/** With the defaults of its variables; undefined where one has none. */
function fillServer(server: unknown): string | undefined {
  const url = fieldOf(server, "url");
  if (typeof url !== "string") return undefined;
  let isWhole = true;
  const filled = url.trim().replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = fieldOf(fieldOf(server, "variables"), name);
    const choices = fieldOf(variable, "enum");
    const text: unknown =
      fieldOf(variable, "default") ?? (Array.isArray(choices) ? choices[0] : undefined);
    isWhole &&= typeof text === "string" || typeof text === "number";
    return String(text);
  });
  return isWhole ? filled : undefined;
}
