// Edits in JSON: {"search", "replace"}, {"oldText", "newText"}, {"old_string", "new_string"}, alone or in lists.
import { describeDiff } from "../../describe-error.ts";
import type { EditUnit, LineRange, ParsedUnit } from "../../edit-unit.ts";
import type { FileEdit } from "../file-edit.ts";
import { sideOfName } from "../side-words.ts";
import { decodeEscapes } from "../../../base/text/cursor.ts";
import { parseEach } from "../../../base/text/mended-json.ts";

/** Keys without `_` and `-`, in lower case. */
const pathKeys = new Set(["file", "filepath", "path", "filename", "targetfile", "uri"]);
const diffKeys = new Set(["diffcontent", "diff", "patch"]);
const codeEditKeys = new Set(["codeedit"]);
/** All of a file, where its path is beside it. */
const wholeKeys = new Set(["content", "contents", "filecontent", "newcontent", "code", "text"]);
/** What calls of tools hold their arguments in, also as JSON in a string. */
const argumentKeys = new Set(["arguments", "args", "input", "parameters", "params"]);
const anyKey = /["'“]?([\w-]{3,30})\\?["'”]?[ \t]*[:：]/g;
/** Says that all places are meant, or how many there are. */
const everywhereKey =
  /^(?:(?:replace|match|change)?all(?:occurrences|matches|instances)?|(?:allow|match)?multiple(?:occurrences|matches)?|everywhere|global|(?:expected|num)?(?:replacements|occurrences|matches|count))$/;
/** An object with more is a table of texts, and no edit. */
const maxKeys = 8;
/** Levels of lists and objects that are looked into. */
const maxDepth = 12;

/** Whether JSON with edits may begin with the line. */
export function beginsJson(line: string): boolean {
  return /^[ \t]*(?:\{[ \t]*(?:$|["'“\w])|\[[ \t]*(?:$|["'“{[]))/.test(line);
}

/**
 * Reads edits out of JSON. Quotes, commas and escapes are mended; a string or a bracket that is left open is
 * not: then text may be missing, and the edit is `truncated`. Undefined if it holds no edit.
 *
 * @param firstLine of the text in the answer, 1-based
 * @param readDiff reads a diff that is in a string
 */
export function readJsonEdits(
  text: string,
  firstLine: number,
  readDiff: ReadDiff,
): FileEdit[] | undefined {
  if (!holdsKey(text) && !text.includes("*** Begin Patch")) return undefined;
  const parsed = parseEach(text.trim());
  if (parsed === undefined) {
    const error = describeDiff("truncated", "The JSON of the edit is cut off or cannot be read.");
    return [{ filePath: undefined, form: "json", units: [], error }];
  }
  const found: Found = { files: new Map(), diffs: [], line: firstLine, readDiff };
  for (const value of parsed) collect(value, {}, found, 0);
  const all = [...found.files.values(), ...found.diffs];
  return all.length === 0 ? undefined : all;
}

/** Whether the text has a key that an edit has: without one nothing is looked into. */
function holdsKey(text: string): boolean {
  for (const [, key = ""] of text.matchAll(anyKey)) {
    const name = normalize(key);
    const isEdit = [diffKeys, codeEditKeys, wholeKeys].some((keys) => keys.has(name));
    if (isEdit || sideOfName(key) !== undefined) return true;
  }
  return false;
}

/** Reads the lines of a diff. */
type ReadDiff = (lines: readonly string[], firstLine: number) => FileEdit[] | undefined;

interface Found {
  files: Map<string | undefined, FileEdit>;
  /** What stood in strings. */
  diffs: FileEdit[];
  line: number;
  readDiff: ReadDiff;
}

/** What an object says for those inside of it. */
interface Said {
  path?: string | undefined;
  everywhere?: number | undefined;
}

function collect(value: unknown, said: Said, found: Found, depth: number): void {
  if (depth > maxDepth) return;
  if (typeof value === "string" && /^\s*\*\*\* Begin Patch/.test(value))
    addDiff(value, said.path, found);
  if (Array.isArray(value)) {
    for (const item of value) collect(item, said, found, depth + 1);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  const path = stringOf(entries, (key) => pathKeys.has(key)) ?? said.path;
  const places = entries.find(([key]) => isEverywhereKey(key));
  const own = { path, everywhere: places ? placesOf(places[1]) : said.everywhere };
  const diff = stringOf(entries, (key) => diffKeys.has(key));
  if (addEdit(entries, own, found)) return;
  if (diff !== undefined && addDiff(diff, path, found)) return;
  for (const [key, inner] of entries) {
    const isArguments = argumentKeys.has(normalize(key)) && typeof inner === "string";
    const named = Array.isArray(inner) && /[\w-]\.\w+$|[\\/]/.test(key) ? key : path;
    const inside = isArguments ? parsedOr(inner) : inner;
    collect(inside, { ...own, path: named }, found, depth + 1);
  }
}

/** How many places the value of such a field means, as {@link EditUnit.everywhere} has it; undefined for one. */
export function placesOf(value: unknown): number | undefined {
  const said = typeof value === "string" ? value.trim().toLowerCase() : value;
  const count = said === true || said === "" ? 0 : Number(said);
  if (count > 1 && count < 1e9) return Math.floor(count);
  const isAll =
    said === true || count === -1 || said === "true" || said === "yes" || said === "all";
  return isAll ? 0 : undefined;
}

/** Whether a field says how many places an edit means. */
export function isEverywhereKey(key: string): boolean {
  return key.length < 40 && everywhereKey.test(normalize(key));
}

/** Whether the object is an edit. */
function addEdit(
  entries: readonly [string, unknown][],
  { path, everywhere }: Said,
  { files, line }: Found,
): boolean {
  const sideOf = (side: "old" | "new"): string | undefined => {
    const texts = entries.map(([key, value]) =>
      sideOfName(key) === side ? textOf(value) : undefined,
    );
    return texts.find((text) => text !== undefined);
  };
  const [search, replace] = [sideOf("old"), sideOf("new")];
  if (search !== undefined && replace !== undefined && entries.length <= maxKeys) {
    const isText = everywhere !== undefined && search !== "";
    const toUnit = (decode: (text: string) => string): EditUnit => {
      const [old, now] = [decode(search), decode(replace)].map(isText ? asLines : toLines);
      return { search: old ?? "", replace: now ?? "", ...(isText ? { everywhere } : {}) };
    };
    const unit: ParsedUnit = { ...toUnit(String), line, strict: false };
    // A line end that was escaped twice, or code with an escape: the file shows which.
    if (!isText && /^[^\n]*\\n[^\n]*\n?$/.test(search)) unit.readings = [toUnit(decodeEscapes)];
    fileOf(files, path).units.push(unit);
    return true;
  }
  const lines = replace === undefined ? undefined : linesIn(entries);
  const whole = path === undefined ? undefined : stringOf(entries, (key) => wholeKeys.has(key));
  const isWhole = whole?.trim().includes("\n") === true && entries.length <= maxKeys;
  const marked = stringOf(entries, (key) => codeEditKeys.has(key)) ?? (isWhole ? whole : undefined);
  const code = lines === undefined ? marked : replace;
  if (code === undefined) return false;
  const file = fileOf(files, path);
  file.form = "code-edit";
  // Two such edits of a file would need lines of a file that the first has changed.
  if (lines !== undefined && file.codeEdit !== undefined)
    file.error ??= describeDiff("malformed", "The JSON has several edits by line number.");
  file.codeEdit = { code: toLines(code), line, ...(lines === undefined ? {} : { lines }) };
  return true;
}

/** The lines of the file that an object names for its new text. */
function linesIn(entries: readonly [string, unknown][]): LineRange | undefined {
  const numberOf = (name: RegExp): number | undefined => {
    const value = entries.find(([key]) => name.test(normalize(key)))?.[1];
    return Number.isSafeInteger(value) ? Number(value) : undefined;
  };
  const startLine = numberOf(/^(?:start|from|begin)?line(?:start|number)?$/);
  const endLine = numberOf(/^(?:end|to)line$|^lineend$/) ?? startLine;
  return startLine === undefined || endLine === undefined ? undefined : { startLine, endLine };
}

/** Whether the string holds a diff. */
function addDiff(
  diff: string,
  path: string | undefined,
  { diffs, line, readDiff }: Found,
): boolean {
  const edits = readDiff(diff.split(/\r?\n/), line) ?? [];
  for (const edit of edits) diffs.push({ ...edit, filePath: path ?? edit.filePath, form: "json" });
  return edits.length > 0;
}

function fileOf(files: Map<string | undefined, FileEdit>, path: string | undefined): FileEdit {
  const file = files.get(path) ?? { filePath: path, form: "json" as const, units: [] };
  files.set(path, file);
  return file;
}

function stringOf(
  entries: readonly [string, unknown][],
  isWanted: (key: string) => boolean,
): string | undefined {
  const found = entries.find(
    ([key, value]) => isWanted(normalize(key)) && typeof value === "string",
  );
  return typeof found?.[1] === "string" ? found[1] : undefined;
}

/** Lines may come as a list. */
function textOf(value: unknown): string | undefined {
  // No code holds a backspace: a pattern is meant.
  if (typeof value === "string") return value.replaceAll("\b", "\\b");
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
  return isLines ? value.join("\n") : undefined;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function normalize(key: string): string {
  return key.replaceAll(/[_\- ]/g, "").toLowerCase();
}

/** A text, and a line end behind it. */
function asLines(text: string): string {
  return `${text.replaceAll("\r\n", "\n")}\n`;
}

function toLines(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
}
