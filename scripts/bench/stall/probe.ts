// What others see of a server while it is attacked: a paced stream, and /healthz again and again.
import { Agent, request } from "node:http";
import { answerParent } from "../child.ts";
import { elapsed, markerLength, nowMicros } from "../fake-answer.ts";

/** `start` comes first; `read` tells of the time since the last `reset`, `work` how long a fixed piece of work takes now. */
export type ProbeQuestion =
  | { kind: "start"; url: string }
  | { kind: "reset" }
  | { kind: "read" }
  | { kind: "work" };

/** The name of the model whose answer goes on and on, a chunk each so many milliseconds. */
export const pacedModel = "paced";
export const pacing = 10;

const agent = new Agent({ keepAlive: true });
/** Milliseconds from the model's writing of a chunk to its arrival, or from asking for /healthz to the answer. */
let longest = 0;
let asked: number | undefined;

if (import.meta.main)
  answerParent((question: ProbeQuestion) => {
    if (question.kind === "work") return timeWork();
    if (question.kind === "start") {
      followStream(question.url);
      askHealth(question.url);
    } else if (question.kind === "reset") {
      longest = 0;
      if (asked !== undefined) asked = performance.now();
    }
    // An answer that is not there yet counts, too.
    return Math.max(longest, asked === undefined ? 0 : performance.now() - asked);
  });

/** Milliseconds for lines that are split, told apart and joined, as a server does with what it is sent. */
function timeWork(): number {
  const from = performance.now();
  for (let round = 0; round < 10; round += 1) {
    const text = Array.from({ length: 20_000 }, (_, nth) => `  line ${nth} of ${round}`).join("\n");
    JSON.parse(JSON.stringify(text.split("\n").map((line) => line.trim())));
  }
  return performance.now() - from;
}

function askHealth(url: string): void {
  asked = performance.now();
  const again = (): void => {
    longest = Math.max(longest, performance.now() - (asked ?? 0));
    asked = undefined;
    setTimeout(askHealth, pacing, url);
  };
  request(`${url}/healthz`, { agent }, (response) => response.resume().on("end", again))
    .on("error", again)
    .end();
}

function followStream(url: string): void {
  const contextVariables = [{ name: "userInputPrompt", value: "Go on." }];
  const asking = { agent: "rightseat", command: "chat", model: pacedModel, contextVariables };
  const again = (): void => void setTimeout(followStream, pacing, url);
  const headers = { "content-type": "application/json" };
  request(url, { method: "POST", headers }, (response) => {
    response.on("data", takeChunk).on("end", again).on("error", again);
  })
    .on("error", again)
    .end(JSON.stringify(asking));
}

/** The first chunk of what came has waited longest. */
function takeChunk(bytes: Buffer): void {
  const now = nowMicros();
  const first = bytes.indexOf("@");
  if (first === -1 || first + markerLength > bytes.length) return;
  const sent = Number(bytes.toString("latin1", first + 8, first + 20));
  longest = Math.max(longest, elapsed(sent, now) / 1_000);
}
