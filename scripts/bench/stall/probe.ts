// What others see of a server while it is attacked: a paced stream, and /healthz again and again.
import { type ClientRequest, Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import * as marker from "../marker.ts";
import { pacedModel, pacing } from "./paced.ts";

export type ProbeCommand = { kind: "start"; url: string } | { kind: "reset" } | { kind: "read" };

/** The longest waits since the last reset, in milliseconds. */
export interface ProbeReading {
  /** From the model's writing of a chunk to its arrival. */
  stream: number;
  /** From asking to the answer; one that is not there yet counts, too. */
  health: number;
  /** How long this probe itself was held: what it saw is worth no more. */
  self: number;
  chunks: number;
}

const agent = new Agent({ keepAlive: true });
const self = monitorEventLoopDelay({ resolution: 5 });
let reading: ProbeReading = { stream: 0, health: 0, self: 0, chunks: 0 };
let asked: number | undefined;

process.on("message", (command: ProbeCommand) => {
  if (command.kind === "start") {
    self.enable();
    followStream(command.url);
    askHealth(command.url);
  } else if (command.kind === "reset") {
    reading = { stream: 0, health: 0, self: 0, chunks: 0 };
    if (asked !== undefined) asked = performance.now();
    self.reset();
  } else {
    const health = asked === undefined ? 0 : performance.now() - asked;
    const held = self.count === 0 ? 0 : self.max / 1e6 - 5;
    process.send?.({ ...reading, health: Math.max(reading.health, health), self: held });
  }
});

function askHealth(url: string): void {
  asked = performance.now();
  const again = (): void => {
    reading.health = Math.max(reading.health, performance.now() - (asked ?? 0));
    asked = undefined;
    setTimeout(askHealth, pacing, url);
  };
  request(`${url}/healthz`, { agent }, (response) => response.resume().on("end", again))
    .on("error", again)
    .end();
}

function followStream(url: string): void {
  const body = JSON.stringify({
    agent: "rightseat",
    command: "chat",
    model: pacedModel,
    contextVariables: [{ name: "userInputPrompt", value: "Go on." }],
  });
  const again = (): void => void setTimeout(followStream, pacing, url);
  const headers = { "content-type": "application/json" };
  const asking: ClientRequest = request(url, { method: "POST", headers }, (response) => {
    response.on("data", takeChunk).on("end", again).on("error", again);
  });
  asking.on("error", again).end(body);
}

/** The first chunk of what came has waited longest. */
function takeChunk(bytes: Buffer): void {
  const now = marker.nowMicros();
  const first = bytes.indexOf(marker.at);
  if (first === -1 || first + marker.lastOffset >= bytes.length) return;
  const sent = marker.readDigits(bytes, first + marker.timeOffset, marker.timeDigits);
  reading.chunks += 1;
  reading.stream = Math.max(reading.stream, marker.elapsed(sent, now) / 1_000);
}
