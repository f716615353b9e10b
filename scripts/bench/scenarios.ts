import type { BodyName } from "./bodies.ts";
import type { HoldResult, RunResult } from "./load/messages.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** One figure of a scenario, and how Rightseat's is to stand to the raw pipe's. */
export interface Measure<Result> {
  name: string;
  unit: string;
  /** Undefined where the system does not tell. */
  read(result: Result): number | undefined;
  /** The ratio to reach, and from which side; absent for figures that are for information. */
  target?: { ratio: number; direction: "at least" | "at most" };
}

export interface RunScenario {
  kind: "run";
  name: string;
  body: BodyName;
  settings: UpstreamSettings;
  connections: number;
  /** Paced streams start one after the other and not at once, so that their chunks do not come in heaps. */
  isPaced: boolean;
  /** What runs before the warm-up proper, where the scenario itself leaves the server idle. */
  warmedBy?: RunScenario;
  measures: readonly Measure<RunResult>[];
}

export interface HoldScenario {
  kind: "hold";
  name: string;
  body: BodyName;
  settings: UpstreamSettings;
  measures: readonly Measure<HoldResult>[];
}

export type Scenario = RunScenario | HoldScenario;

const instant = { interval: 0, isHeld: false };
const cpu: Measure<RunResult> = {
  name: "CPU",
  unit: "us/stream",
  read: (result) => result.cpuPerStream,
};

/** Enough to keep a server busy all the time, few enough for each to be served soon. */
const busyConnections = 100;

const throughput = (name: string, chunks: number, body: BodyName, ratio: number): RunScenario => ({
  kind: "run",
  name,
  body,
  settings: { chunks, ...instant },
  connections: busyConnections,
  isPaced: false,
  measures: [
    {
      name: "streams",
      unit: "/s",
      read: (result) => result.streamsPerSecond,
      target: { ratio, direction: "at least" },
    },
    cpu,
  ],
});

const chunkByChunk = {
  kind: "run",
  body: "small",
  connections: 100,
  isPaced: true,
} as const;

/** Chunk by chunk like `paced`, but as fast as the server can. */
const hurried: RunScenario = {
  ...chunkByChunk,
  name: "hurried",
  settings: { chunks: 100, interval: 1, isHeld: false },
  measures: [],
};

const paced: RunScenario = {
  ...chunkByChunk,
  name: "paced",
  settings: { chunks: 100, interval: 20, isHeld: false },
  warmedBy: hurried,
  measures: [
    { ...cpu, target: { ratio: 1.15, direction: "at most" } },
    {
      name: "latency p50",
      unit: "us",
      read: (result) => result.latency?.p50,
      target: { ratio: 1.15, direction: "at most" },
    },
    { name: "latency p95", unit: "us", read: (result) => result.latency?.p95 },
  ],
};

const idle: HoldScenario = {
  kind: "hold",
  name: "idle",
  body: "small",
  settings: { chunks: 3, interval: 0, isHeld: true },
  measures: [
    {
      name: "memory",
      unit: "kB/stream",
      read: ({ bytesPerStream }) =>
        bytesPerStream === undefined ? undefined : bytesPerStream / 1_024,
      target: { ratio: 1.2, direction: "at most" },
    },
  ],
};

export const scenarios: readonly Scenario[] = [
  throughput("burst", 200, "small", 1.15),
  throughput("short", 5, "small", 0.9),
  throughput("first-byte", 1, "small", 0.85),
  throughput("large", 5, "large", 1),
  paced,
  idle,
];
