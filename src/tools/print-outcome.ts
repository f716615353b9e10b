import type { ToolOutcome } from "./tool.ts";

/** Characters of JSON that a model reads of one result. */
const maxResult = 100_000;

/** An outcome as JSON; of one that is too long the longest texts and lists are shortened, and it says so. */
export function printOutcome(outcome: ToolOutcome): string {
  const whole = JSON.stringify(outcome);
  if (whole.length <= maxResult) return whole;
  for (let most = maxResult / 4; most >= 100; most /= 4) {
    const short = Object.fromEntries(
      Object.entries(outcome).map(([name, value]) => [name, shorten(value, most)]),
    );
    const printed = JSON.stringify({ ...short, is_cut: true });
    if (printed.length <= maxResult) return printed;
  }
  return JSON.stringify({
    success: outcome.success,
    is_cut: true,
    beginning: whole.slice(0, 10_000),
  });
}

/** @param most characters of JSON */
function shorten(value: unknown, most: number): unknown {
  const length = (JSON.stringify(value) ?? "").length;
  if (length <= most) return value;
  if (typeof value === "string")
    return `${value.slice(0, Math.floor((value.length * most) / length))}…`;
  if (Array.isArray(value)) return value.slice(0, Math.floor((value.length * most) / length));
  return undefined;
}
