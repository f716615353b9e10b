import { parseArgs } from "node:util";
import { scenarios } from "./scenarios.ts";

export interface BenchOptions {
  only: readonly string[];
  rounds: number;
  /** Seconds of each measurement. */
  seconds: number;
  /** Seconds that each server is warmed up for each scenario. */
  warmUp: number;
  /** Streams that the idle scenario holds. */
  held: number;
  /** Where to write the figures as JSON. */
  json: string | undefined;
}

const names = scenarios.map(({ name }) => name);

export const usage = `Measures Rightseat against a raw pipe.

  node scripts/bench/run.ts [options]

  --only NAMES   scenarios, separated by commas: ${names.join(", ")}
  --rounds N     rounds of reference and Rightseat in turn (3)
  --seconds N    length of each measurement (4)
  --json FILE    write all figures to a file
  --quick        one round of one second, 1,000 held streams, less warm-up: to see that it works`;

/**
 * @returns undefined when help is asked for
 * @throws Error that says what is wrong with the arguments
 */
export function parseOptions(args: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", default: names.join(",") },
      rounds: { type: "string" },
      seconds: { type: "string" },
      json: { type: "string" },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const only = values.only.split(",").map((name) => name.trim());
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown scenario "${unknown}". There are: ${names.join(", ")}.`);
  return {
    only,
    rounds: parseCount("--rounds", values.rounds, values.quick ? 1 : 3),
    seconds: parseCount("--seconds", values.seconds, values.quick ? 1 : 4),
    warmUp: values.quick ? 1 : 6,
    held: values.quick ? 1_000 : 10_000,
    json: values.json,
  };
}

function parseCount(name: string, text: string | undefined, normal: number): number {
  if (text === undefined) return normal;
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`${name} must be a whole number from 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}
