import { parseArgs } from "node:util";
import { fromCaller } from "./from-caller.ts";
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
  /** What the names of attacks must hold. */
  attack: string;
  /** Random attacks of each kind. */
  random: number;
  isJudged: boolean;
}

/** The scenario that attacks a server instead of loading it. */
export const stall = "stall";
const names = scenarios.map(({ name }) => name);
const known = [...names, stall];

export const usage = `Measures Rightseat against a raw pipe.

  npm run bench -- [options]

  --only NAMES   scenarios, separated by commas: ${names.join(", ")};
                 or ${stall}: what others see of a server while hostile requests are worked on (on its own)
  --rounds N     rounds of reference and Rightseat in turn (3)
  --seconds N    length of each measurement (4)
  --json FILE    write all figures to a file
  --attack TEXT  of ${stall}, only attacks with this in their names
  --random N     random templates, and as many random files, that ${stall} sends (500)
  --quick        one round of one second, 1,000 held streams, less warm-up: to see that it works
  --judge        exits with 1 where ${stall} finds a limit passed`;

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
      attack: { type: "string", default: "" },
      random: { type: "string" },
      judge: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const only = values.only.split(",").map((name) => name.trim());
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown scenario "${unknown}". There are: ${known.join(", ")}.`);
  return {
    only,
    rounds: parseCount("--rounds", values.rounds, values.quick ? 1 : 3),
    seconds: parseCount("--seconds", values.seconds, values.quick ? 1 : 4),
    warmUp: values.quick ? 1 : 6,
    held: values.quick ? 1_000 : 10_000,
    json: values.json === undefined ? undefined : fromCaller(values.json),
    attack: values.attack,
    random: values.random === "0" ? 0 : parseCount("--random", values.random, 500),
    isJudged: values.judge,
  };
}

function parseCount(name: string, text: string | undefined, normal: number): number {
  if (text === undefined) return normal;
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`${name} must be a whole number from 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}
