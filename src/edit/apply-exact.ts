import type { AppliedUnit, EditResult, EditUnit, ParsedUnit } from "./edit-unit.ts";
import { findMarker } from "./find-marker.ts";
import { findExact } from "./find/find-exact.ts";
import { inlinePlaceholders, mayHoldPlaceholder, placeholderOf } from "./placeholder.ts";

/** With more units, one index of the file is cheaper than a search for each. */
const maxUnits = 32;

interface Cut {
  from: number;
  to: number;
  text: string;
  unit: number;
}

/**
 * The common case without an index of the file: every SEARCH is found in it exactly once, byte by byte, and
 * no two touch. Undefined in any other case.
 */
export function applyExact(
  before: string,
  units: readonly (EditUnit | ParsedUnit)[],
): EditResult | undefined {
  if (units.length > maxUnits || before.includes("\r")) return undefined;
  const cuts: Cut[] = [];
  for (const [number, unit] of units.entries()) {
    if ("readings" in unit || "markers" in unit || "openingLine" in unit) return undefined;
    if (mayElide(unit) || mayMark(unit)) return undefined;
    const { offsets, gaveUp } = findExact(before, unit.search, 2);
    const [from] = offsets;
    if (gaveUp || from === undefined || offsets.length > 1) return undefined;
    cuts.push({ from, to: from + unit.search.length, text: unit.replace, unit: number });
  }
  cuts.sort((a, b) => a.from - b.from);
  if (cuts.some((cut, nth) => nth > 0 && cut.from < (cuts[nth - 1]?.to ?? 0))) return undefined;
  const applied: AppliedUnit[] = [];
  const parts: string[] = [];
  let [line, counted, from] = [1, 0, 0];
  for (const cut of cuts) {
    line += countLineFeeds(before, counted, cut.from);
    counted = cut.from;
    const endLine = line + countLineFeeds(units[cut.unit]?.search ?? "", 0, Infinity) - 1;
    applied[cut.unit] = { level: "exact", startLine: line, endLine };
    parts.push(before.slice(from, cut.from), cut.text);
    from = cut.to;
  }
  parts.push(before.slice(from));
  const text = parts.join("");
  // Where the last line has no line end, it gets none.
  if (from <= before.length) return { ok: true, text, units: applied };
  return { ok: true, text: text.replace(/\n$/, ""), units: applied };
}

function mayElide({ replace }: EditUnit): boolean {
  if (!mayHoldPlaceholder(replace)) return false;
  return replace
    .split("\n")
    .some((line) => placeholderOf(line) !== undefined || inlinePlaceholders(line).length > 0);
}

/** What was read from a diff may hold a rule of it. */
function mayMark(unit: EditUnit | ParsedUnit): boolean {
  return "strict" in unit && findMarker(unit, unit.replace.split("\n"), () => false) !== undefined;
}

function countLineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}
