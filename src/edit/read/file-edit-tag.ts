// The tags around the units of one file: <file-edit filePath="src/main.ts"> ... </file-edit>
// (seed: search-replace-edit, 4.2).
import { indentOf } from "../../base/text/lines.ts";

/** In characters: so far a line that begins like an opening tag is held back. */
export const maxTag = 4_096;

const opening = /^<file-edit(?=[\s>])((?:[^>"']|"[^"]*"|'[^']*')*)>/;
/** As it is specified: an answer may hold nothing else. */
const usual = /^<file-edit filePath="([^"&]{1,500})">/;
const unfinished = /^[ \t]*<file-edit(?:\s(?:[^>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?)?$/;
const closing = /^([^]*?)<\/file-edit[ \t]*>([^]*)$/;
const attribute =
  /(?<name>[^\s="'>]+)(?:\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"']+)))?/g;
const pathName = /^(?:file[-_]?path|path|file)$/i;
const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
};

/** An opening tag at the start of a line, attributes in any order and quoting, and what is after it. */
export function readOpeningTag(
  line: string,
): { filePath: string | undefined; after: string } | undefined {
  const [start = "", path] = usual.exec(line) ?? [];
  if (path !== undefined) return { filePath: path, after: line.slice(start.length) };
  // Each repetition takes a place on the stack of the engine, so the tag alone is read.
  const blanks = indentOf(line).length;
  const match = opening.exec(line.slice(blanks, blanks + 2 * maxTag));
  if (match === null || (match[1] ?? "").length >= maxTag) return undefined;
  const attributes = [...(match[1] ?? "").matchAll(attribute)];
  const named = attributes.find(({ groups }) => pathName.test(groups?.["name"] ?? ""));
  const { double, single, bare } = named?.groups ?? {};
  const written = double ?? single ?? bare;
  return {
    filePath: written === undefined ? undefined : decodeEntities(written),
    after: line.slice(blanks + match[0].length),
  };
}

/** The beginning of an opening tag whose end has not come yet. */
export function isUnfinishedTag(text: string): boolean {
  return text.length < maxTag && unfinished.test(text);
}

/** A closing tag, and what is before and after it on its line. */
export function readClosingTag(line: string): { before: string; after: string } | undefined {
  if (!line.includes("</file-edit")) return undefined;
  const match = closing.exec(line);
  return match === null ? undefined : { before: match[1] ?? "", after: match[2] ?? "" };
}

/** The five entities of XML and `&#39;`, each decoded once. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|apos|#39);/g,
    (whole, name: string) => entities[name] ?? whole,
  );
}
