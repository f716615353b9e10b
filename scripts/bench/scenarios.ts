import type { BodyName } from "./bodies.ts";
import type { AnswerSettings } from "./fake-answer.ts";
import type { LoadResult } from "./load/load.ts";

/** One figure of a scenario, and how Rightseat's compares to the raw pipe's. */
export interface Measure {
  name: string;
  unit: string;
  /** Undefined or null where the system does not tell. */
  read: (result: LoadResult) => number | null | undefined;
  /** The ratio to reach, and from which side; absent for figures that are for information. */
  target?: { ratio: number; sign: ">=" | "<=" };
}

export interface Scenario {
  name: string;
  body: BodyName;
  settings: AnswerSettings;
  /** Paced streams start one after the other and not at once, so that their chunks do not come in heaps. */
  isPaced: boolean;
  /** What runs before the warm-up proper, where the scenario itself leaves the server idle. */
  warmedBy?: Scenario;
  measures: readonly Measure[];
}

/** Connections that keep a server busy all the time, few enough for each to be served soon. */
export const busyConnections = 100;

const cpu: Measure = { name: "CPU", unit: "us/stream", read: (result) => result.cpuPerStream };

const throughput = (name: string, chunks: number, body: BodyName, ratio: number): Scenario => {
  const read = (result: LoadResult) => result.streamsPerSecond;
  return {
    name,
    body,
    settings: { chunks, interval: 0, isHeld: false },
    isPaced: false,
    measures: [{ name: "streams", unit: "/s", read, target: { ratio, sign: ">=" } }, cpu],
  };
};

const paced = (name: string, interval: number, more: Partial<Scenario>): Scenario => ({
  name,
  body: "small",
  settings: { chunks: 100, interval, isHeld: false },
  isPaced: true,
  measures: [],
  ...more,
});

export const scenarios: readonly Scenario[] = [
  throughput("burst", 200, "small", 1.15),
  throughput("short", 5, "small", 0.9),
  throughput("first-byte", 1, "small", 0.85),
  throughput("large", 5, "large", 1),
  paced("paced", 20, {
    // Chunk by chunk, too, but as fast as the server can.
    warmedBy: paced("hurried", 1, {}),
    measures: [
      { ...cpu, target: { ratio: 1.15, sign: "<=" } },
      {
        name: "latency p50",
        unit: "us",
        read: (result) => result.latency?.p50,
        target: { ratio: 1.15, sign: "<=" },
      },
      { name: "latency p95", unit: "us", read: (result) => result.latency?.p95 },
    ],
  }),
  {
    name: "idle",
    body: "small",
    settings: { chunks: 3, interval: 0, isHeld: true },
    isPaced: false,
    measures: [
      {
        name: "memory",
        unit: "kB/stream",
        read: ({ bytesPerStream }) => bytesPerStream && bytesPerStream / 1_024,
        target: { ratio: 1.2, sign: "<=" },
      },
    ],
  },
];
