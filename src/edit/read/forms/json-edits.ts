// Edits in JSON: {"search", "replace"}, {"oldText", "newText"}, {"old_string", "new_string"}, alone or in lists.
import { describeDiff } from "../../describe-error.ts";
import type { EditUnit, LineRange, ParsedUnit } from "../../edit-unit.ts";
import type { FileEdit } from "../file-edit.ts";
import { isPathName, sideOfName } from "../side-words.ts";
import { decodeEscapes } from "../../../base/text/cursor.ts";
import { isRecord, parseJson } from "../../../base/text/json.ts";
import { parseEach } from "../../../base/text/mended-json.ts";

/** Keys without `_` and `-`, in lower case. */
const diffKey = /^(?:diffcontent|diff|patch)$/;
/** All of a file, where its path is beside it. */
const wholeKey = /^(?:content|contents|filecontent|newcontent|code|text)$/;
/** What calls of tools hold their arguments in, also as JSON in a string. */
const argumentKey = /^(?:arguments|args|input|parameters|params)$/;
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
 * not: then text may be missing, and the edit is `truncated`.
 *
 * @param firstLine of the text in the answer, 1-based
 * @param readDiff reads a diff that is in a string
 */
export function readJsonEdits(text: string, firstLine: number, readDiff: ReadDiff): FileEdit[] {
  if (!holdsKey(text) && !text.includes("*** Begin Patch")) return [];
  const parsed = parseEach(text.trim());
  if (parsed === undefined) {
    const error = describeDiff("truncated", "The JSON of the edit is cut off or cannot be read.");
    return [{ filePath: undefined, form: "json", units: [], error }];
  }
  return readFields(parsed, "json", firstLine, readDiff);
}

/**
 * Reads edits out of objects and lists, such as the arguments of a call.
 *
 * @param line of all edits
 */
export function readFields(
  values: readonly unknown[],
  form: "json" | "tool-call",
  line: number,
  readDiff: ReadDiff,
): FileEdit[] {
  const found: Found = { files: new Map(), diffs: [], form, line, readDiff };
  for (const value of values) collect(value, {}, found, 0);
  return [...found.files.values(), ...found.diffs];
}

/** Whether the text has a key that an edit has: without one nothing is looked into. */
function holdsKey(text: string): boolean {
  return [...text.matchAll(anyKey)].some(([, key = ""]) => {
    const name = normalize(key);
    const isEdit = diffKey.test(name) || wholeKey.test(name) || name === "codeedit";
    return isEdit || sideOfName(key) !== undefined;
  });
}

/** Reads the lines of a diff. */
type ReadDiff = (lines: readonly string[], firstLine: number) => FileEdit[] | undefined;

interface Found {
  readonly files: Map<string | undefined, FileEdit>;
  /** What stood in strings. */
  readonly diffs: FileEdit[];
  readonly form: "json" | "tool-call";
  readonly line: number;
  readonly readDiff: ReadDiff;
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
  if (!isRecord(value)) return;
  const fields = new Map(Object.entries(value).map(([key, inner]) => [normalize(key), inner]));
  const path = stringOf(fields, isPathName) ?? said.path;
  const places = [...fields].find(([name]) => everywhereKey.test(name));
  const own = { path, everywhere: places ? placesOf(places[1]) : said.everywhere };
  const diff = stringOf(fields, (name) => diffKey.test(name));
  if (addEdit(fields, own, found)) return;
  if (diff !== undefined && addDiff(diff, path, found)) return;
  for (const [key, inner] of Object.entries(value)) {
    const isArguments = argumentKey.test(normalize(key)) && typeof inner === "string";
    const named = Array.isArray(inner) && /[\w-]\.\w+$|[\\/]/.test(key) ? key : path;
    const inside = isArguments ? (parseJson(inner) ?? inner) : inner;
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

/** By their names without `_` and `-`, in lower case. */
type Fields = ReadonlyMap<string, unknown>;

/** Whether the object is an edit. */
function addEdit(fields: Fields, { path, everywhere }: Said, found: Found): boolean {
  const { line } = found;
  const sideOf = (side: "old" | "new"): string | undefined =>
    [...fields].flatMap(([name, value]) => (sideOfName(name) === side ? textOf(value) : []))[0];
  const [search, replace] = [sideOf("old"), sideOf("new")];
  if (search !== undefined && replace !== undefined && fields.size <= maxKeys) {
    const isText = everywhere !== undefined && search !== "";
    const toUnit = (decode: (text: string) => string): EditUnit => {
      const [old = "", now = ""] = [search, replace].map((text) => toLines(decode(text), isText));
      return { search: old, replace: now, ...(isText ? { everywhere } : {}) };
    };
    const unit: ParsedUnit = { ...toUnit(String), line, strict: false };
    // A line end that was escaped twice, or code with an escape: the file shows which.
    if (!isText && /^[^\n]*\\n[^\n]*\n?$/.test(search)) unit.readings = [toUnit(decodeEscapes)];
    fileOf(found, path).units.push(unit);
    return true;
  }
  const lines = replace === undefined ? undefined : linesIn(fields);
  const whole = stringOf(fields, (name) => wholeKey.test(name));
  const isWhole =
    path !== undefined && whole?.trim().includes("\n") === true && fields.size <= maxKeys;
  const marked = stringOf(fields, (name) => name === "codeedit");
  // The content that a call brings is a diff.
  if (marked === undefined && isWhole && found.form === "tool-call")
    return addDiff(whole, path, found);
  const code = lines === undefined ? (marked ?? (isWhole ? whole : undefined)) : replace;
  if (code === undefined) return false;
  const file = fileOf(found, path);
  file.form = "code-edit";
  // Two such edits of a file would need lines of a file that the first has changed.
  if (lines !== undefined && file.codeEdit !== undefined)
    file.error ??= describeDiff("malformed", "The JSON has several edits by line number.");
  file.codeEdit = { code: toLines(code), line, ...(lines === undefined ? {} : { lines }) };
  return true;
}

/** The lines of the file that an object names for its new text. */
function linesIn(fields: Fields): LineRange | undefined {
  const numberOf = (wanted: RegExp): number | undefined => {
    const value = [...fields].find(([name]) => wanted.test(name))?.[1];
    return Number.isSafeInteger(value) ? Number(value) : undefined;
  };
  const startLine = numberOf(/^(?:start|from|begin)?line(?:start|number)?$/);
  const endLine = numberOf(/^(?:end|to)line$|^lineend$/) ?? startLine;
  return startLine === undefined || endLine === undefined ? undefined : { startLine, endLine };
}

/** Whether the string holds a diff. */
function addDiff(text: string, path: string | undefined, found: Found): boolean {
  const edits = found.readDiff(text.split(/\r?\n/), found.line) ?? [];
  for (const edit of edits)
    found.diffs.push({ ...edit, filePath: path ?? edit.filePath, form: found.form });
  return edits.length > 0;
}

function fileOf({ files, form }: Found, path: string | undefined): FileEdit {
  const file = files.get(path) ?? { filePath: path, form, units: [] };
  files.set(path, file);
  return file;
}

function stringOf(fields: Fields, isWanted: (name: string) => boolean): string | undefined {
  return [...fields].flatMap(([name, value]) =>
    isWanted(name) && typeof value === "string" ? value : [],
  )[0];
}

/** Lines may come as a list; nothing for another value. */
function textOf(value: unknown): string | [] {
  // No code holds a backspace: a pattern is meant.
  if (typeof value === "string") return value.replaceAll("\b", "\\b");
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
  return isLines ? value.join("\n") : [];
}

function normalize(key: string): string {
  return key.replaceAll(/[_\- ]/g, "").toLowerCase();
}

/** @param isText a line end belongs behind it, whatever it ends with */
function toLines(text: string, isText = false): string {
  const lines = text.replaceAll("\r\n", "\n");
  return !isText && (lines === "" || lines.endsWith("\n")) ? lines : `${lines}\n`;
}
