// The lines that give a unit its shape: SEARCH rule, separator, REPLACE rule.
import { trimEndSigns } from "../../base/text/lines.ts";

export interface Rule {
  kind: (typeof kinds)[number];
  /** How many characters the rule is long. */
  length: number;
  /** Written exactly as specified. */
  strict: boolean;
  /** The unit means so many places of its text, or all (0). */
  everywhere?: number;
}

/** Shorter rules count only in a text that holds no rule of this length. */
export const fullRule = 7;
export const shortestRule = 3;

const kinds = ["search", "separator", "replace"] as const;
const anyRule =
  /^(?:(?<search>-{3,}|<{3,}) ?SEARCH(?<all> ALL(?: (?<count>\d{1,9}))?)?(?: *>)?|(?<separator>={3,})|(?<replace>\+{3,}|>{3,}) ?REPLACE(?: *>)?)$/;
const specified = /^(?:-{7,} SEARCH|={7,}|\+{7,} REPLACE)$/;

/**
 * Reads a line (without its line end) as a rule of at least `least` characters.
 *
 * The specified forms are `^[-]{7,} SEARCH$`, `^[=]{7,}$` and `^[+]{7,} REPLACE$`; models also write
 * `<<<<<<< SEARCH`, `>>>>>>> REPLACE`, a `>` at the end, and shorter rules. `------- SEARCH ALL` is for a unit
 * that means all places, `------- SEARCH ALL 3` for three.
 */
export function readRule(line: string, least: number): Rule | undefined {
  const first = line.charCodeAt(0);
  // 43 "+", 45 "-", 60 "<", 61 "=", 62 ">": all other lines are let through without a pattern.
  if (first !== 43 && first !== 45 && (first < 60 || first > 62)) return undefined;
  const groups = anyRule.exec(trimEndSigns(line, " \t"))?.groups ?? {};
  const kind = kinds.find((each) => groups[each] !== undefined);
  const { length } = groups[kind ?? ""] ?? "";
  if (kind === undefined || length < least) return undefined;
  const rule: Rule = { kind, length, strict: specified.test(line) };
  const { all, count = "0" } = groups;
  return all === undefined ? rule : { ...rule, everywhere: Number(count) };
}

/** The shortest rules that count in this text: full ones if it holds any. */
export function leastRule(lines: readonly string[]): number {
  const hasFull = lines.some((line) => {
    const rule = readRule(line, fullRule);
    return rule !== undefined && rule.kind !== "separator";
  });
  return hasFull ? fullRule : shortestRule;
}
