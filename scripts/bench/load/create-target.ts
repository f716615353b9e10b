import { createBody } from "../bodies.ts";
import type { Subject } from "./messages.ts";
import type { Target } from "./stream-client.ts";

export function createTarget({ url, body, settings }: Subject, isStrict: boolean): Target {
  const { hostname, port, host } = new URL(url);
  const bytes = Buffer.from(createBody(body));
  const head = [
    "POST / HTTP/1.1",
    `Host: ${host}`,
    "Content-Type: application/json",
    "Accept: text/event-stream",
    `Content-Length: ${bytes.length}`,
    "Connection: keep-alive",
    "\r\n",
  ].join("\r\n");
  const request = Buffer.concat([Buffer.from(head), bytes]);
  return { host: hostname, port: Number(port), request, chunks: settings.chunks, isStrict };
}
