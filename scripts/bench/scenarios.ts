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

/** How much of a core everybody used: what limits the streams where it is not the server. */
const shares = (["server", "generator", "upstream"] as const).map((who): Measure => {
  const read = ({ utilisation }: LoadResult) => (utilisation?.[who] ?? Number.NaN) * 100;
  return { name: `${who}'s core`, unit: "%", read };
});

const flowing = (name: string, settings: Partial<AnswerSettings>, more: Partial<Scenario>) => ({
  name,
  body: "small" as const,
  settings: { chunks: 100, interval: 0, isHeld: false, ...settings },
  isPaced: settings.interval !== undefined,
  measures: [],
  ...more,
});

const throughput = (name: string, chunks: number, body: BodyName, ratio: number): Scenario => {
  const read = (result: LoadResult) => result.streamsPerSecond;
  const streams: Measure = { name: "streams", unit: "/s", read, target: { ratio, sign: ">=" } };
  return flowing(name, { chunks }, { body, measures: [streams, cpu, ...shares] });
};

const atMost = (ratio: number) => ({ target: { ratio, sign: "<=" as const } });

export const scenarios: readonly Scenario[] = [
  throughput("burst", 200, "small", 1.15),
  throughput("short", 5, "small", 0.9),
  throughput("first-byte", 1, "small", 0.85),
  throughput("large", 5, "large", 1),
  flowing(
    "paced",
    { interval: 20 },
    {
      // Chunk by chunk, too, but as fast as the server can.
      warmedBy: flowing("hurried", { interval: 1 }, {}),
      measures: [
        { ...cpu, ...atMost(1.15) },
        { name: "latency p50", unit: "us", read: ({ latency }) => latency, ...atMost(1.15) },
        ...shares,
      ],
    },
  ),
  flowing(
    "idle",
    { chunks: 3, isHeld: true },
    {
      measures: [
        {
          name: "memory",
          unit: "kB/stream",
          read: ({ bytesPerStream }) => bytesPerStream && bytesPerStream / 1_024,
          ...atMost(1.2),
        },
      ],
    },
  ),
];
