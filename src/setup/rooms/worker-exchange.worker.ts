// Requests that reach the worker: those for a WebSocket go on to the room of their key, or of their session.
import type { TakeChannel } from "../../base/wire/channel.ts";
import {
  type CreateExchange,
  type Exchange,
  createWebExchange,
  fitsHeader,
} from "../../base/wire/exchange.ts";
import {
  type FindObject,
  acceptChannel,
  createSocketPair,
  upgradeWith,
} from "../../base/wire/worker-sockets.worker.ts";

/** Opens a WebSocket of this owner; without an owner it is closed again at once, with the reason. */
type OpenSocket = (take: TakeChannel, owner: string | undefined) => Response | Promise<Response>;

interface ExchangeEnv extends Pick<Exchange, "isPassedOn"> {
  open?: OpenSocket;
}

/** Exchanges of Workers; those that come with `open` can be upgraded. */
export const workerExchanges: CreateExchange = (request, env) => {
  const exchange = { ...createWebExchange(request), noticesByWriting: true };
  const { open, isPassedOn = false } = (env ?? {}) as ExchangeEnv;
  if (open === undefined) return exchange;
  // How the request ends says nothing of its socket.
  return { ...exchange, onClose: () => undefined, upgrade: open, isPassedOn };
};

/** As {@link OpenSocket} outside of a room: the room of the owner opens the socket, and counts it. */
export function openInRoom(request: Request, findRoom: FindObject): Required<ExchangeEnv> {
  return {
    isPassedOn: true,
    open: (take, owner) =>
      owner === undefined ? closeAtOnce(take) : findRoom(owner).fetch(request),
  };
}

function closeAtOnce(take: TakeChannel): Response {
  const { 0: client, 1: server } = createSocketPair();
  take(acceptChannel(server, 0));
  return upgradeWith(client);
}

export function wantsRoom(request: Request): boolean {
  const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket";
  return isUpgrade && ["/ws", "/api/chat"].includes(new URL(request.url).pathname);
}

/** The request with its `?api_key=` in the header: URLs are logged and traced, headers are not. */
export function hideKey(request: Request): Request {
  const url = new URL(request.url);
  const key = url.searchParams.get("api_key");
  if (key === null) return request;
  url.searchParams.delete("api_key");
  const headers = new Headers(request.headers);
  if (!headers.get("x-api-key") && fitsHeader(key)) headers.set("x-api-key", key);
  return new Request(url, { headers });
}
