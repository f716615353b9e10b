import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Requests that had to wait, and are begun in one turn of the event loop. */
const maxAtOnce = 16;

/**
 * Begins one request of a connection a turn of the event loop, as it would if its client waited for the answers.
 * Node hands over all requests that a read of the socket brought, and reads on before anything else has its turn.
 */
export function oneATurn(answer: RequestListener): RequestListener {
  /** Connections of which a request has begun in this turn. */
  const begun = new Set<Socket>();
  const lines = new Map<Socket, { requests: Parameters<RequestListener>[]; readOn: () => void }>();
  const begin = (request: Parameters<RequestListener>): void => {
    if (begun.size === 0) setImmediate(endTurn);
    begun.add(request[0].socket);
    answer(...request);
  };
  const endTurn = (): void => {
    begun.clear();
    for (const [socket, line] of [...lines].slice(0, maxAtOnce)) {
      const request = line.requests.shift();
      // The others come first next time.
      lines.delete(socket);
      if (line.requests.length > 0 && !socket.destroyed) lines.set(socket, line);
      else line.readOn();
      if (request !== undefined && !socket.destroyed) begin(request);
    }
    if (lines.size > 0 && begun.size === 0) setImmediate(endTurn);
  };
  return (...request) => {
    const [{ socket }] = request;
    const line = lines.get(socket);
    if (line !== undefined) line.requests.push(request);
    else if (begun.has(socket))
      lines.set(socket, { requests: [request], readOn: stopReading(socket) });
    else begin(request);
  };
}

/** @returns lets it go on */
function stopReading(socket: Socket): () => void {
  const stop = (): void => void socket.pause();
  // Node itself reads on whenever an answer has gone out.
  socket.on("resume", stop);
  stop();
  return () => {
    socket.off("resume", stop);
    socket.resume();
  };
}
