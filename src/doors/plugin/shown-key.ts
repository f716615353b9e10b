import type { Exchange } from "../../base/wire/exchange.ts";

/** A page cannot set headers of its sockets; ours names its key as a subprotocol, in base64url. */
export const keyProtocol = "rightseat.key.";

/**
 * The key of an upgrade request: of its header, else of the subprotocol, else of the query.
 *
 * @param ofQuery the query's `api_key`
 * @returns "" where there is none
 */
export function readShownKey(head: Pick<Exchange, "header">, ofQuery: string | undefined): string {
  const offered = (head.header("sec-websocket-protocol") ?? "").split(",").map((one) => one.trim());
  const named = offered.find((one) => one.startsWith(keyProtocol));
  return head.header("x-api-key") || decode(named?.slice(keyProtocol.length)) || (ofQuery ?? "");
}

function decode(base64url: string | undefined): string {
  if (base64url === undefined) return "";
  try {
    const bytes = Uint8Array.from(
      atob(base64url.replaceAll("-", "+").replaceAll("_", "/")),
      (sign) => sign.charCodeAt(0),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}
