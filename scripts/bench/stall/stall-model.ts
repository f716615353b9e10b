// A fake model that knows attacks by the model's name: `paced` streams on, all others answer at once.
import { type ServerResponse, createServer } from "node:http";
import { announce } from "../child.ts";
import { openAnswer, paceAnswer } from "../fake-answer.ts";
import { attacks, printEvent } from "./attacks.ts";
import { pacedModel, pacing } from "./probe.ts";

/** Characters of an answer in one event, as models of fast servers send them, and events that are written at once. */
const pieceLength = 400;
const batchLength = 100;
const piecesByName = new Map<string, readonly string[]>();

announce(
  "stall-model",
  createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => answer(nameOf(Buffer.concat(parts)), response));
  }),
);

/** Far quicker than parsing megabytes of prompt. */
function nameOf(body: Buffer): string {
  const at = body.lastIndexOf('"model":"');
  const text = at === -1 ? "" : body.subarray(at + 9, at + 200).toString();
  return text.slice(0, text.indexOf('"'));
}

function answer(name: string, response: ServerResponse): void {
  if (name === pacedModel) {
    openAnswer(response);
    return paceAnswer(response, Number.POSITIVE_INFINITY, pacing);
  }
  response.writeHead(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
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
  send();
}

function listPieces(name: string): readonly string[] {
  const attack = attacks.find((candidate) => candidate.name === name);
  const end = `${printEvent({}, "stop")}data: [DONE]\n\n`;
  if (attack?.pieces !== undefined) return [...attack.pieces(), end];
  const text = attack?.answer?.() ?? "Done.";
  const batches: string[] = [];
  for (let from = 0; from < text.length; from += pieceLength * batchLength) {
    const batch = text.slice(from, from + pieceLength * batchLength);
    const pieces = batch.match(/[^]{1,400}/g) ?? [];
    batches.push(pieces.map((content) => printEvent({ content }, null)).join(""));
  }
  return [...batches, end];
}
