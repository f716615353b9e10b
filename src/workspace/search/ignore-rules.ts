import { parseSegment } from "./glob-segment.ts";
import { matchPath, type PathPattern } from "./match-glob.ts";

/** Of one ignore file, in UTF-16 code units; what follows is not read. */
export const maxIgnoreFile = 64 * 1024;
/** Rules of one ignore file. */
const maxRules = 2_000;
/** Of one rule, in UTF-16 code units; no file has a name as long. */
const maxRule = 1_000;

interface IgnoreRule {
  pattern: PathPattern;
  /** `!pattern`: takes back what an earlier rule ignored. */
  isIgnored: boolean;
  foldersOnly: boolean;
}

/** The rules of the ignore files of a folder and of those above it. */
export interface IgnoreRules {
  /** The same with the rules of an ignore file in a folder below. */
  below(folder: string, text: string): IgnoreRules;
  /** Whether an entry is ignored, of which no folder above is. */
  ignores(path: string, isFolder: boolean): boolean;
}

export const noIgnoreRules: IgnoreRules = createRules([]);

interface RuleFile {
  /** The path of its folder with a "/" after it; "" for the root. */
  prefix: string;
  rules: readonly IgnoreRule[];
}

function createRules(files: readonly RuleFile[]): IgnoreRules {
  return {
    below(folder, text) {
      const rules = parseRules(text);
      if (rules.length === 0) return createRules(files);
      return createRules([...files, { prefix: folder === "" ? "" : `${folder}/`, rules }]);
    },
    ignores(path, isFolder) {
      for (const { prefix, rules } of files.toReversed()) {
        const segments = path.slice(prefix.length).split("/");
        const rule = rules.findLast(
          ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && matchPath(pattern, segments),
        );
        if (rule !== undefined) return rule.isIgnored;
      }
      return false;
    },
  };
}

/** Reads a `.gitignore` as git does (gitignore(5)). */
function parseRules(text: string): IgnoreRule[] {
  const lines = text
    .slice(0, maxIgnoreFile)
    .replace(/^\ufeff/, "")
    .split("\n", maxRules);
  return lines.flatMap((line) => parseRule(line.endsWith("\r") ? line.slice(0, -1) : line));
}

function parseRule(line: string): IgnoreRule[] {
  let written = withoutEndSpaces(line);
  if (written === "" || written.startsWith("#") || written.length > maxRule) return [];
  const isIgnored = !written.startsWith("!");
  if (!isIgnored) written = written.slice(1);
  const foldersOnly = written.endsWith("/");
  if (foldersOnly) written = written.slice(0, -1);
  if (written === "") return [];
  const isAnchored = written.includes("/");
  const parts = (written.startsWith("/") ? written.slice(1) : written).split("/");
  const pattern = parts.map((part) => (part === "**" ? part : parseSegment(part)));
  // `a/**` is what is inside of `a`, and not the folder itself.
  if (parts.length > 1 && parts.at(-1) === "**") pattern.push(parseSegment("*"));
  return [{ pattern: isAnchored ? pattern : ["**", ...pattern], isIgnored, foldersOnly }];
}

/** A space at the end counts only behind a backslash. */
function withoutEndSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}
