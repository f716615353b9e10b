import type { EditUnit, ParsedUnit } from "../edit-unit.ts";
import { isTidy } from "./unit-reader.ts";
import { looksLikeTag } from "../find-marker.ts";
import { equalRule } from "./open-unit.ts";
import { fullRule, readRule } from "./rule-line.ts";

/**
 * Writes units as a diff that {@link parseDiff} reads back as they are. The rules are as long as
 * specified, and longer where a unit's own text holds such rules.
 */
export function printUnits(units: readonly EditUnit[]): string {
  return units.map(printUnit).join("\n");
}

/** As {@link printUnits}; a unit that would replace a whole file may do so only as strictly as it was written. */
export function printLoosely(units: readonly ParsedUnit[]): string {
  const [only] = units;
  if (units.length === 1 && only?.search === "" && !only.strict)
    return `<<<<<<< SEARCH\n=======\n${only.replace}>>>>>>> REPLACE\n`;
  return printUnits(units);
}

function printUnit({ search, replace, everywhere }: EditUnit): string {
  const isPlain = everywhere === undefined && isTidy({ search, replace });
  const least = isPlain ? fullRule : equalRule;
  const length = Math.max(least, ruleLength(search + replace));
  const [dashes, equals, pluses] = ["-", "=", "+"].map((sign) => sign.repeat(length));
  const all = everywhere === undefined ? "" : ` ALL${everywhere > 0 ? ` ${everywhere}` : ""}`;
  return `${dashes} SEARCH${all}\n${search}${equals}\n${replace}${pluses} REPLACE\n`;
}

function ruleLength(text: string): number {
  let longest = fullRule - 1;
  for (const line of text.split("\n")) {
    const length = readRule(line, 0)?.length ?? (looksLikeTag(line.trim()) ? fullRule : 0);
    longest = Math.max(longest, length);
  }
  return longest < fullRule ? fullRule : Math.max(equalRule, longest + 1);
}
