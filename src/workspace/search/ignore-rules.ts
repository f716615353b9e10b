// The lines of `.gitignore` files, read as git does (gitignore(5), dir.c, wildmatch.c).
import { matchPath, parseSegment, type PathPattern, readSet } from "./match-glob.ts";

/** Of one line, in bytes; no file has a path as long. */
const maxLine = 8_192;

/** Rules of one ignore file; of one with more nothing is known, and all is ignored. */
const maxRules = 50_000;
/** The rules of the ignore files of a folder and of those above it. */
export interface IgnoreRules {
  /** Whether ripgrep reads some of them otherwise than git. */
  readonly isReadOtherwise: boolean;
  /** The same with the rules of an ignore file in a folder below. */
  below(folder: string, text: string): IgnoreRules;
  /** Whether an entry is ignored, of which no folder above is. */
  ignores(path: string, isFolder: boolean): boolean;
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
}

function createRules(files: readonly RuleFile[]): IgnoreRules {
  return {
    isReadOtherwise: files.some((file) => file.isReadOtherwise),
    below(folder, text) {
      return createRules([...files, readRules(folder === "" ? "" : `${folder}/`, "", text)]);
    },
    ignores(path, isFolder) {
      for (let nth = files.length - 1; nth >= 0; nth -= 1) {
        const file = files[nth];
        const rule = file && findRule(file, path, isFolder);
        if (rule !== undefined) return rule.isIgnored;
      }
      return false;
    },
  };
}

function findRule(
  { prefix, inner, literals, others }: RuleFile,
  path: string,
  isFolder: boolean,
): NumberedRule | undefined {
  const below = toByteText(inner + path.slice(prefix.length));
  const segments = below.split("/");
  const literal = findLiteral(literals, segments.at(-1) ?? "", below, isFolder);
  for (let nth = others.length - 1; nth >= 0; nth -= 1) {
    const rule = others[nth];
    if (rule === undefined || rule.nth < (literal?.nth ?? 0)) break;
    if (rule.foldersOnly && !isFolder) continue;
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
    isOther ||= readsOtherwise(line, parsed);
    if (parsed === undefined) continue;
    const rule = { ...parsed, nth };
    const { literal, isAnchored, foldersOnly } = parsed;
    if (literal === undefined) others.push(rule);
    else literals.set(`${isAnchored ? "/" : ""}${literal}${foldersOnly ? "/" : ""}`, rule);
  }
  return { prefix, inner, literals, others, isReadOtherwise: isOther };
}

interface IgnorePattern {
  pattern: PathPattern;
  /** Set where nothing in it is a wildcard: the path below the folder of the file, or the name at any depth. */
  literal: string | undefined;
  /** It is meant below the folder of the file, and not at any depth. */
  isAnchored: boolean;
  /** `!pattern`: takes back what an earlier rule ignored. */
  isIgnored: boolean;
  foldersOnly: boolean;
}

/**
 * @param line without its end, each character a byte as `toByteText` gives them
 * @returns undefined for what can never fit: nothing, a comment, a bracket that is not closed
 */
export function parseIgnorePattern(line: string): IgnorePattern | undefined {
  if (line.startsWith("#") || line.length > maxLine) return undefined;
  let written = withoutEndSpaces(line);
  const isIgnored = !written.startsWith("!");
  if (!isIgnored) written = written.slice(1);
  const foldersOnly = written.endsWith("/");
  if (foldersOnly) written = written.slice(0, -1);
  if (written === "") return undefined;
  const isAnchored = written.includes("/");
  const parts = splitSegments(written.startsWith("/") ? written.slice(1) : written);
  if (parts === undefined) return undefined;
  const pattern = parts.map((part) => (isDoubleStar(part) ? "**" : parseSegment(part)));
  const literal = literalOf(pattern);
  // `a/**` is what is inside of `a`, and not the folder itself.
  if (parts.length > 1 && pattern.at(-1) === "**") pattern.push(parseSegment("*"));
  const found = isAnchored ? pattern : ["**" as const, ...pattern];
  return { pattern: found, literal, isAnchored, isIgnored, foldersOnly };
}

/**
 * Whether ripgrep reads a line otherwise than git: as alternatives, or as a bracket that means itself.
 *
 * @param parsed what became of the line
 */
function readsOtherwise(line: string, parsed: IgnorePattern | undefined): boolean {
  if (line.startsWith("#")) return false;
  const isLost = parsed === undefined && /[[\\]/.test(line);
  return isLost || /[{]|\[:|\/\/|\*\*\*/.test(line);
}

/** The bytes of a text in UTF-8, a character for each: git's wildcards are for bytes. */
function toByteText(text: string): string {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) < 128) at += 1;
  if (at === text.length) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** At the slashes that are not in a set; undefined where a set is not closed or a backslash is the last character. */
function splitSegments(written: string): string[] | undefined {
  const characters = Array.from(written);
  const parts: string[] = [""];
  for (let at = 0; at < characters.length; at += 1) {
    let part = characters[at] ?? "";
    if (part === "\\") {
      at += 1;
      const next = characters[at];
      if (next === undefined) return undefined;
      part = next === "/" ? next : part + next;
    } else if (part === "[") {
      const set = readSet(characters, at);
      if (set === undefined) return undefined;
      part = characters.slice(at, set.end + 1).join("");
      at = set.end;
    }
    if (part === "/") parts.push("");
    else parts.push((parts.pop() ?? "") + part);
  }
  return parts;
}

function isDoubleStar(part: string): boolean {
  return part.length > 1 && part.replaceAll("*", "") === "";
}

function literalOf(pattern: PathPattern): string | undefined {
  const names = pattern.map((part) => (part === "**" ? undefined : part.literal));
  return names.includes(undefined) ? undefined : names.join("/");
}

/** Spaces at the end count only behind a backslash, which itself may stand behind another one. */
function withoutEndSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === " ") continue;
    end = at + 1;
  }
  return line.endsWith("\\") ? line : line.slice(0, end);
}
