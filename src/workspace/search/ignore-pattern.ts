// One line of a `.gitignore`, read as git does (gitignore(5), dir.c, wildmatch.c).
import { type SegmentPattern, parseSegment } from "./glob-segment.ts";
import { readSet } from "./glob-set.ts";
import type { PathPattern } from "./match-glob.ts";

/** Of one line, in bytes; no file has a path as long. */
const maxLine = 8_192;

export interface IgnorePattern {
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
export function isReadOtherwise(line: string, parsed: IgnorePattern | undefined): boolean {
  if (line.startsWith("#")) return false;
  const isLost = parsed === undefined && /[[\\]/.test(line);
  return isLost || /[{]|\[:|\/\/|\*\*\*/.test(line);
}

/** The bytes of a text in UTF-8, a character for each: git's wildcards are for bytes. */
export function toByteText(text: string): string {
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
  const names = pattern.map((part: SegmentPattern | "**") =>
    part === "**" ? undefined : part.literal,
  );
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
