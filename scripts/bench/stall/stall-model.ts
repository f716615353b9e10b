// A fake model that knows attacks by the model's name: `paced` streams on, all others answer at once.
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { announce } from "../announce.ts";
import { createChunk, roleBytes } from "../answer-bytes.ts";
import { nowMicros } from "../marker.ts";
import { pacedModel, pacing } from "./paced.ts";
import { attacks } from "./attacks/attacks.ts";

/** Characters of an answer that stand in one event, as models of fast servers send them. */
const pieceLength = 400;
const piecesByName = new Map<string, string[]>();

announce(
  "stall-model",
  createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => answer(nameOf(Buffer.concat(parts)), request, response));
  }),
);

/** Far quicker than parsing megabytes of prompt. */
function nameOf(body: Buffer): string {
  const at = body.lastIndexOf('"model":"');
  const text = at === -1 ? "" : body.subarray(at + 9, at + 200).toString();
  return text.slice(0, text.indexOf('"'));
}

function answer(name: string, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
  if (name === pacedModel) {
    response.flushHeaders();
    response.chunkedEncoding = false;
    pace(response);
    return;
  }
  const pieces = piecesByName.get(name) ?? listPieces(name);
  piecesByName.set(name, pieces);
  let next = 0;
  const send = (): void => {
    while (next < pieces.length) {
      next += 1;
      if (!response.write(pieces[next - 1] ?? "")) return void response.once("drain", send);
    }
    response.end();
  };
  request.once("error", () => undefined);
  send();
}

function listPieces(name: string): string[] {
  const attack = attacks.find((candidate) => candidate.name === name);
  if (attack?.pieces !== undefined) return [...attack.pieces()];
  const text = attack?.answer?.() ?? "Done.";
  const events: string[] = [];
  for (let from = 0; from < text.length; from += pieceLength)
    events.push(printEvent({ content: text.slice(from, from + pieceLength) }, null));
  const batches: string[] = [];
  for (let from = 0; from < events.length; from += 100)
    batches.push(events.slice(from, from + 100).join(""));
  return [...batches, `${printEvent({}, "stop")}data: [DONE]\n\n`];
}

function printEvent(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const object = "chat.completion.chunk";
  return `data: ${JSON.stringify({ id: "stall-1", object, created: 1, model: "m", choices })}\n\n`;
}

function pace(response: ServerResponse): void {
  let number = 0;
  response.write(roleBytes);
  const timer = setInterval(() => response.write(createChunk(++number, nowMicros())), pacing);
  response.on("close", () => clearInterval(timer));
}
