import type { Steps } from "../../edit/steps.ts";
import {
  type IgnorePattern,
  isReadOtherwise,
  parseIgnorePattern,
  toByteText,
} from "./ignore-pattern.ts";
import { matchPath, type PathPattern } from "./match-glob.ts";

/** Rules of one ignore file; of one with more nothing is known, and all is ignored. */
const maxRules = 50_000;
/** Characters that may be compared between two pauses: a millisecond or two. */
const workAtOnce = 50_000;

/** How much work is left until the next pause; one for all names that are looked at in a row. */
export interface Pace {
  left: number;
}

export function createPace(): Pace {
  return { left: workAtOnce };
}

/** The rules of the ignore files of a folder and of those above it. */
export interface IgnoreRules {
  /** Whether ripgrep reads some of them otherwise than git. */
  readonly isReadOtherwise: boolean;
  /** The same with the rules of an ignore file in a folder below. */
  below(folder: string, text: string): IgnoreRules;
  /** The same where all below a folder is ignored, since its rules cannot be read. */
  closedBelow(folder: string): IgnoreRules;
  /** Whether an entry is ignored, of which no folder above is. It pauses as its pace says. */
  ignores(path: string, isFolder: boolean, pace: Pace): Steps<boolean>;
}

/** Rules of a file above the root, for paths below it. */
export interface OuterRules {
  /** The path of the root below the folder of the file, with a "/" after it; "" for the root itself. */
  inner: string;
  text: string;
}

/** @param outer those that count least first */
export function createIgnoreRules(outer: readonly OuterRules[] = []): IgnoreRules {
  const files = outer.map(({ inner, text }) => readRules("", inner, text));
  // Ripgrep does not read them.
  return createRules(files.map((file) => ({ ...file, isReadOtherwise: false })));
}

interface RuleFile {
  /** The path of its folder with a "/" after it; "" for the root, and those above. */
  prefix: string;
  /** What stands before a path below its folder. */
  inner: string;
  /** Rules without wildcards, by the name or path that they are for: of each kind the last one. */
  literals: ReadonlyMap<string, NumberedRule>;
  others: readonly NumberedRule[];
  isReadOtherwise: boolean;
}

interface NumberedRule extends IgnorePattern {
  /** The rule that comes last in the file counts. */
  nth: number;
  /** What is compared with each character of a path, at most. */
  weight: number;
}

function createRules(files: readonly RuleFile[]): IgnoreRules {
  return {
    isReadOtherwise: files.some((file) => file.isReadOtherwise),
    below(folder, text) {
      const file = readRules(folder === "" ? "" : `${folder}/`, "", text);
      return createRules([...files, file]);
    },
    closedBelow(folder) {
      return createRules([...files, readRules(folder === "" ? "" : `${folder}/`, "", "*")]);
    },
    *ignores(path, isFolder, pace) {
      for (let nth = files.length - 1; nth >= 0; nth -= 1) {
        const file = files[nth];
        const rule = file && (yield* findRule(file, path, isFolder, pace));
        if (rule !== undefined) return rule.isIgnored;
      }
      return false;
    },
  };
}

function* findRule(
  { prefix, inner, literals, others }: RuleFile,
  path: string,
  isFolder: boolean,
  pace: Pace,
): Steps<NumberedRule | undefined> {
  const below = toByteText(inner + path.slice(prefix.length));
  const segments = below.split("/");
  const literal = findLiteral(literals, segments.at(-1) ?? "", below, isFolder);
  for (let nth = others.length - 1; nth >= 0; nth -= 1) {
    const rule = others[nth];
    if (rule === undefined || rule.nth < (literal?.nth ?? 0)) break;
    if (rule.foldersOnly && !isFolder) continue;
    pace.left -= rule.weight * below.length;
    if (pace.left < 0) {
      yield;
      pace.left = workAtOnce;
    }
    if (matchPath(rule.pattern, segments)) return rule;
  }
  return literal;
}

function findLiteral(
  literals: ReadonlyMap<string, NumberedRule>,
  name: string,
  path: string,
  isFolder: boolean,
): NumberedRule | undefined {
  let last: NumberedRule | undefined;
  for (const key of [name, `/${path}`])
    for (const end of isFolder ? ["", "/"] : [""]) {
      const rule = literals.get(key + end);
      if (rule !== undefined && rule.nth >= (last?.nth ?? 0)) last = rule;
    }
  return last;
}

/** Reads a `.gitignore`. */
function readRules(prefix: string, inner: string, text: string): RuleFile {
  const literals = new Map<string, NumberedRule>();
  const others: NumberedRule[] = [];
  const lines = toByteText(text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
  const known = lines.length > maxRules ? ["*"] : lines;
  let isOther = false;
  for (const [nth, ended] of known.entries()) {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    const parsed = parseIgnorePattern(line);
    isOther ||= isReadOtherwise(line, parsed);
    if (parsed === undefined) continue;
    const rule = { ...parsed, nth, weight: weightOf(parsed.pattern) };
    const { literal, isAnchored, foldersOnly } = parsed;
    if (literal === undefined) others.push(rule);
    else literals.set(`${isAnchored ? "/" : ""}${literal}${foldersOnly ? "/" : ""}`, rule);
  }
  return { prefix, inner, literals, others, isReadOtherwise: isOther };
}

function weightOf(pattern: PathPattern): number {
  return pattern.reduce((sum, part) => sum + 1 + (part === "**" ? 0 : part.tokens.length), 0);
}
