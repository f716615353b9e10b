import { median } from "../outcome.ts";
import { longestLeave, longestWait, type StallReport } from "./measure-stalls.ts";

/** A line for each attack, the worst of the random ones, and what it comes to. */
export function printStalls({ quiet, results, left, memory }: StallReport): string {
  const fixed = results.filter(({ group }) => group !== "random");
  const random = results
    .filter(({ group }) => group === "random")
    .toSorted((a, b) => median(b.waits) - median(a.waits));
  const medians = fixed.map(({ waits }) => median(waits));
  const megabytes = (bytes: number | undefined): string =>
    bytes === undefined ? "unknown" : `${(bytes / 1e6).toFixed(0)} MB`;
  const releases = left.map(({ waits }) => median(waits));
  const slowest = left[releases.indexOf(Math.max(...releases))]?.name ?? "nobody";
  return [
    "Longest wait of a paced stream and of /healthz while one attack runs, in ms: median (range of the rounds)",
    "",
    ...fixed.map(
      ({ name, status, waits }) =>
        `  ${name.padEnd(52)} ${String(status).padStart(3)}  ${printWaits(waits)}`,
    ),
    ...random
      .slice(0, 5)
      .map(({ name, waits }) => `  ${name.padEnd(52)}      ${printWaits(waits)}`),
    "",
    `  nothing at all: ${printWaits(quiet)}`,
    `  ${fixed.length} attacks: worst ${Math.max(...medians).toFixed(0)} ms (at most ${longestWait}), median ${median(medians).toFixed(0)} ms (at most 50)`,
    ...(random.length === 0
      ? []
      : [
          `  ${random.length} random attacks: worst ${median(random[0]?.waits ?? []).toFixed(0)} ms, median ${median(random.map(({ waits }) => median(waits))).toFixed(0)} ms`,
        ]),
    `  ${left.length} clients that leave: idle after ${median(releases).toFixed(0)} ms, at worst ${Math.max(...releases).toFixed(0)} ms (at most ${longestLeave}): ${slowest}`,
    ...memory.map(
      ({ when, resident, inUse }) =>
        `  memory ${when}: ${megabytes(resident)} resident, ${megabytes(inUse)} of the heap in use`,
    ),
  ].join("\n");
}

/** What is over the limits, a sentence each. */
export function findStalls({ results, left }: StallReport): string[] {
  return [
    ...results
      .filter(({ waits }) => median(waits) > longestWait)
      .map(({ name, waits }) => `${name}: others wait ${printWaits(waits)} ms.`),
    ...results
      .filter(({ status }) => status === 0 || status === 500)
      .map(({ name, status }) => `${name}: the answer has status ${status}.`),
    ...left
      .filter(({ waits }) => median(waits) > longestLeave)
      .map(
        ({ name, waits }) =>
          `${name}: works on for ${printWaits(waits)} ms after its client has left.`,
      ),
  ];
}

function printWaits(waits: readonly number[]): string {
  const range = `${Math.min(...waits).toFixed(0)} to ${Math.max(...waits).toFixed(0)}`;
  return `${median(waits).toFixed(0).padStart(5)} (${range})`;
}
