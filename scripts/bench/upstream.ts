// A fake OpenAI-compatible model server, cheap enough not to be what a bench measures.
// POST .../chat/completions answers as the settings say; POST /settings changes them, POST /release
// lets held answers end and tells how many they were.
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { createAnswer, createChunk, endBytes, roleBytes } from "./answer-bytes.ts";
import { announce } from "./announce.ts";
import { nowMicros } from "./marker.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

let settings: UpstreamSettings = { chunks: 5, interval: 0, isHeld: false };
let wholeAnswer = createAnswer(settings.chunks);
const held = new Set<() => void>();

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => route(request, response, parts));
});
server.keepAliveTimeout = 120_000;
// A server that holds ten thousand requests has no use for looking through them every 30 s.
server.headersTimeout = 0;
server.requestTimeout = 0;
announce("upstream", server);

function route(
  { url = "" }: IncomingMessage,
  response: ServerResponse,
  body: readonly Buffer[],
): void {
  if (url.endsWith("/chat/completions")) answer(response);
  else if (url === "/settings") {
    // Only the bench itself calls this, with the type it imports from here.
    settings = JSON.parse(Buffer.concat(body).toString()) as UpstreamSettings;
    wholeAnswer = createAnswer(settings.chunks);
    response.end();
  } else if (url === "/release") {
    response.end(String(held.size));
    releaseAll();
  } else response.writeHead(404).end();
}

function answer(response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "transfer-encoding": "chunked",
  });
  // The head goes out first, as model servers do it. Our chunks are framed already, so node's own
  // framing is switched off once the head is stored.
  response.flushHeaders();
  response.chunkedEncoding = false;
  if (settings.isHeld) hold(response, settings.chunks);
  else if (settings.interval === 0) response.end(wholeAnswer);
  else pace(response, settings);
}

function hold(response: ServerResponse, chunks: number): void {
  response.write(Buffer.concat([roleBytes, createChunk(1, 0)]));
  const release = (): void => {
    held.delete(release);
    for (let number = 2; number <= chunks; number++) response.write(createChunk(number, 0));
    response.end(endBytes);
  };
  held.add(release);
  response.on("close", () => held.delete(release));
}

function pace(response: ServerResponse, { chunks, interval }: UpstreamSettings): void {
  let number = 0;
  const tick = (): void => {
    if (number < chunks) {
      response.write(createChunk(++number, nowMicros()));
      return;
    }
    clearInterval(timer);
    response.end(endBytes);
  };
  const timer = setInterval(tick, interval);
  response.on("close", () => clearInterval(timer));
  response.write(roleBytes);
  tick();
}

/** A few at a time, so that the load generator keeps up. */
function releaseAll(): void {
  let count = 0;
  for (const release of held) {
    release();
    if (++count === 50) break;
  }
  if (held.size > 0) setImmediate(releaseAll);
}
