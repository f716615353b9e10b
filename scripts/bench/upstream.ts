// A fake OpenAI-compatible model server, cheap enough not to be what a bench measures.
// POST .../chat/completions answers as the settings say; POST /settings changes them, POST /release
// lets held answers end.
import { type ServerResponse, createServer } from "node:http";
import { announce } from "./child.ts";
import {
  type AnswerSettings,
  createAnswer,
  createChunk,
  endChunks,
  openAnswer,
  paceAnswer,
  roleChunk,
} from "./fake-answer.ts";

let settings: AnswerSettings = { chunks: 5, interval: 0, isHeld: false };
let wholeAnswer = createAnswer(settings.chunks);
const held = new Set<() => void>();

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    if (request.url === "/settings") {
      // Only the bench itself calls this.
      settings = JSON.parse(Buffer.concat(parts).toString()) as AnswerSettings;
      wholeAnswer = createAnswer(settings.chunks);
    } else if (request.url === "/release") releaseAll();
    else return answer(response);
    response.end();
  });
});
server.keepAliveTimeout = 120_000;
// A server that holds ten thousand requests has no use for looking through them every 30 s.
server.headersTimeout = 0;
server.requestTimeout = 0;
announce("upstream", server);

function answer(response: ServerResponse): void {
  openAnswer(response);
  if (settings.isHeld) hold(response, settings.chunks);
  else if (settings.interval === 0) response.end(wholeAnswer);
  else paceAnswer(response, settings.chunks, settings.interval);
}

function hold(response: ServerResponse, chunks: number): void {
  response.write(roleChunk + createChunk(1, 0));
  const release = (): void => {
    held.delete(release);
    for (let number = 2; number <= chunks; number++) response.write(createChunk(number, 0));
    response.end(endChunks);
  };
  held.add(release);
  response.on("close", () => held.delete(release));
}

/** A few at a time, so that the load generator keeps up. */
function releaseAll(): void {
  for (const release of [...held].slice(0, 50)) release();
  if (held.size > 0) setImmediate(releaseAll);
}
