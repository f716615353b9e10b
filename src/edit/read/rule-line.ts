// The lines that give a unit its shape: SEARCH rule, separator, REPLACE rule.
import { trimEndSigns } from "../../base/text/lines.ts";

export interface Rule {
  kind: "search" | "separator" | "replace";
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

const searchRule = /^(?:(-{3,})|(<{3,})) ?SEARCH(?<all> ALL(?: (?<count>\d{1,9}))?)?(?: *>)?$/;
const replaceRule = /^(?:(\+{3,})|(>{3,})) ?REPLACE(?: *>)?$/;
const separator = /^(={3,})$/;

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
  const usual = usualRules.get(line);
  if (usual !== undefined) return least <= fullRule ? { ...usual } : undefined;
  const found =
    readAs("search", searchRule, "- SEARCH", line) ??
    readAs("separator", separator, "=", line) ??
    readAs("replace", replaceRule, "+ REPLACE", line);
  return found !== undefined && found.length >= least ? found : undefined;
}

/** As they are specified, without a pattern: an answer may hold nothing else. */
const usualRules: ReadonlyMap<string, Rule> = new Map([
  ["------- SEARCH", { kind: "search", length: 7, strict: true }],
  ["=======", { kind: "separator", length: 7, strict: true }],
  ["+++++++ REPLACE", { kind: "replace", length: 7, strict: true }],
]);

/** The shortest rules that count in this text: full ones if it holds any. */
export function leastRule(lines: readonly string[]): number {
  const hasFull = lines.some((line) => {
    const rule = readRule(line, fullRule);
    return rule !== undefined && rule.kind !== "separator";
  });
  return hasFull ? fullRule : shortestRule;
}

function readAs(
  kind: Rule["kind"],
  pattern: RegExp,
  specified: string,
  line: string,
): Rule | undefined {
  const match = pattern.exec(trimEndSigns(line, " \t"));
  if (match === null) return undefined;
  const run = match[1] ?? match[2] ?? "";
  const isSpecified = line === run + specified.slice(1) && run[0] === specified[0];
  const rule: Rule = { kind, length: run.length, strict: isSpecified && run.length >= fullRule };
  const { all, count = "0" } = match.groups ?? {};
  return all === undefined ? rule : { ...rule, everywhere: Number(count) };
}
