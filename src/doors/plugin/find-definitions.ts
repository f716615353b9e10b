// What a function uses, as the plugin's IDE knows it: the code that defines its names and their types.
import * as z from "zod";
import { type FoundName, listUses } from "../../code/symbols.ts";
import { plainCodeParser } from "../../code/plain/analyze-plain.ts";
import { type LineRange, encloses, overlaps } from "../../edit/edit-unit.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { pluginTexts } from "./texts.ts";
import { fence } from "../../base/text/fence.ts";
import { languageOf } from "../../turn/context/language.ts";
import { oneLine } from "../../base/errors/names.ts";
import { WireRange, linesOfRange, toPath } from "./schema.ts";
import type { IdeServices } from "./ide-services.ts";

/** Names of a function that are looked up, all at once, and definitions that the prompt gets. */
const maxNames = 20;
/** Of a function, in characters: what is behind them is not looked through for names. */
const maxFunction = 50_000;
const maxDefinitions = 15;
/** Lines of one definition. */
const maxLines = 60;
const maxLocations = 5;
/** Of a file that a plugin sends, in characters; longer ones are not used. */
const maxFile = 500_000;

const Location = z.looseObject({ abspath: z.string(), range: WireRange });

/** The function under test, in its file. */
export interface FunctionPlace {
  /** As the request names it, with slashes. */
  path: string;
  content: string;
  /** 1-based and inclusive. */
  lines: LineRange;
}

interface Definition {
  /** With slashes, to compare and to show. */
  path: string;
  /** As the plugin wrote it, to ask for it. */
  abspath: string;
  lines: LineRange;
}

/**
 * Prints the definitions and types of the names in a function, a fenced block each; of names that it only uses, the
 * definitions.
 *
 * @param symbols the request's own; where there are none, the plugin is asked for those of the file
 * @returns "" where the plugin offers nothing, or nothing of use
 */
export async function findIdeDefinitions(
  ide: IdeServices,
  place: FunctionPlace,
  symbols: readonly unknown[],
  signal: AbortSignal,
): Promise<string> {
  const abspath = joinRoot(ide.root, place.path);
  if (!ide.has("/find_def_locations") && !ide.has("/find_type_def_locations")) return "";
  const given =
    symbols.length > 0 ? symbols : await ide.call("/get_document_symbols", { abspath }, signal);
  const symbolsOfFile = flattenSymbols(Array.isArray(given) ? given : []);
  const names = namesIn(symbolsOfFile, place);
  // The function itself, and what it is in, are no names that it uses.
  const around = symbolsOfFile.filter((one) => encloses(one, place.lines));
  const known = new Set([...names, ...around].map(({ name }) => name));
  const used = (await listUsed(place, signal)).filter(({ name }) => !known.has(name));
  const found = await Promise.all([
    ...names.map((name) => locate(ide, abspath, name, definitionServices, signal)),
    ...used
      .slice(0, maxNames - names.length)
      .map((name) => locate(ide, abspath, name, ["/find_def_locations"], signal)),
  ]);
  const isOwn = ({ path, lines }: Definition): boolean =>
    path === toPath(abspath) && overlaps(lines, place.lines);
  const placeOf = ({ path, lines }: Definition): string =>
    `${path}:${lines.startLine}-${lines.endLine}`;
  const definitions = distinct(found.flat(), placeOf)
    .filter((one) => !isOwn(one))
    .slice(0, maxDefinitions);
  const files = new Map<string, string>([[toPath(abspath), place.content]]);
  const printed: string[] = [];
  for (const definition of definitions) {
    const text = files.get(definition.path) ?? (await readFile(ide, definition.abspath, signal));
    files.set(definition.path, text);
    const { path, lines } = definition;
    const head = `${oneLine(path).replaceAll("`", "'")}:${lines.startLine}`;
    const code = printLines(head, lines, text, languageOf(path));
    if (code !== "") printed.push(code);
  }
  return printed.join("\n\n");
}

function namesIn(symbols: readonly FoundSymbol[], { lines }: FunctionPlace): FoundSymbol[] {
  const inside = symbols.filter((one) => encloses(lines, one) && !encloses(one, lines));
  return distinct(inside, ({ name }) => name).slice(0, maxNames);
}

/** The last one of each key, in the order of the first ones. */
function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((one) => [keyOf(one), one])).values()];
}

/** The first use of each name in the function's lines, outside of comments and strings. */
async function listUsed(
  { path, content, lines: { startLine, endLine } }: FunctionPlace,
  signal: AbortSignal,
): Promise<FoundName[]> {
  const lines = content.split(/\r\n|\r|\n/).slice(startLine - 1, endLine);
  const text = lines.join("\n").slice(0, maxFunction);
  const analysis = await plainCodeParser.analyze(text, undefined, path, { signal });
  const whole = { startLine: 1, startColumn: 1, endLine: lines.length, endColumn: Infinity };
  const names = listUses(analysis, whole);
  return names.map(({ line, ...rest }) => ({ ...rest, line: line + startLine - 1 }));
}

const definitionServices = ["/find_def_locations", "/find_type_def_locations"] as const;

async function locate(
  ide: IdeServices,
  abspath: string,
  { line, character }: FoundName,
  services: readonly (typeof definitionServices)[number][],
  signal: AbortSignal,
): Promise<Definition[]> {
  const params = { abspath, line, character };
  const results = await Promise.all(services.map((path) => ide.call(path, params, signal)));
  return results.flatMap((result) =>
    (Array.isArray(result) ? result.slice(0, maxLocations) : []).flatMap((location: unknown) => {
      const { data } = Location.safeParse(location);
      if (data === undefined) return [];
      const { abspath: found, range } = data;
      return [{ path: toPath(found), abspath: found, lines: linesOfRange(range) }];
    }),
  );
}

/** A plugin that offers no texts of files leaves those of the request. */
async function readFile(ide: IdeServices, abspath: string, signal: AbortSignal): Promise<string> {
  const text = await ide.call("/read_file", { abspath }, signal);
  return typeof text === "string" && text.length <= maxFile ? text : "";
}

/** Code is outside of its head, which it must not open or close; "" where there is none. */
function printLines(
  head: string,
  { startLine, endLine }: LineRange,
  text: string,
  language: string,
): string {
  const last = Math.min(endLine, startLine + maxLines - 1);
  const code = text
    .split(/\r?\n/)
    .slice(startLine - 1, last)
    .join("\n");
  return code.trim() === "" ? "" : `${head}\n${fence(code, language)}`;
}

/** The absolute path of a file of the project, in the way of the plugin's system. */
function joinRoot(root: string, path: string): string {
  if (root === "") return path;
  const folder = toPath(root).replace(/\/$/, "");
  const isInside = path.startsWith(`${folder}/`);
  // On Windows a path without its drive is not absolute.
  const isWindows = root.includes("\\") || hasDrive(root);
  if (!isInside && (hasDrive(path) || (path.startsWith("/") && !isWindows))) return path;
  const relative = isInside ? path.slice(folder.length + 1) : path.replace(/^(?:\.?\/)+/, "");
  const joined = `${root.replace(/[\\/]$/, "")}/${relative}`;
  return root.includes("\\") ? joined.replaceAll("/", "\\") : joined;
}

function hasDrive(path: string): boolean {
  return /^[a-z]:[\\/]/i.test(path);
}

// The names that a plugin found in the function under test: `func_symbols` of the document.

/** More of them are not looked at. */
const maxSymbols = 500;
const maxListed = 100;
const maxElsewhere = 20;

/** A name with its place, as the wire counts it and as lines of the file. */
type FoundSymbol = FoundName & LineRange;

/**
 * Tells the prompt of these names: those inside the function by name and line, those that lie elsewhere in the
 * file with their lines. `kind` says something else with every IDE, so nothing depends on it.
 */
export function printFuncSymbols(
  symbols: readonly unknown[],
  { path, content, lines: own }: FunctionPlace,
  locale: Locale,
): string {
  const found = flattenSymbols(symbols);
  const texts = pluginTexts(locale);
  const inside = found.filter((one) => encloses(own, one));
  const listed = distinct(inside, ({ name }) => name)
    .slice(0, maxListed)
    .map(({ name, startLine }) => texts.symbolAt(name, startLine));
  const definitions = found
    .filter((one) => !overlaps(one, own))
    .slice(0, maxElsewhere)
    .map((one) =>
      printLines(texts.symbolAt(one.name, one.startLine), one, content, languageOf(path)),
    );
  const head = listed.length === 0 ? [] : [texts.symbolsUsed(listed)];
  return [...head, ...definitions].filter((text) => text !== "").join("\n\n");
}

/** Level by level, so that a tree of any depth is read. */
function flattenSymbols(symbols: readonly unknown[]): FoundSymbol[] {
  const found: FoundSymbol[] = [];
  let level: readonly unknown[] = symbols;
  for (let seen = 0; level.length > 0 && seen < maxSymbols; seen += level.length) {
    const next: unknown[] = [];
    for (const node of level.slice(0, maxSymbols)) {
      const { name, range, children }: { name?: unknown; range?: unknown; children?: unknown } =
        Object(node);
      const place = WireRange.safeParse(range);
      if (typeof name === "string" && name !== "" && place.success)
        // Prompts show it in a line of prose, as code.
        found.push({
          name: oneLine(name).replaceAll("`", "'"),
          line: place.data.start.line,
          character: place.data.start.character ?? 0,
          ...linesOfRange(place.data),
        });
      if (Array.isArray(children)) next.push(...(children as unknown[]).slice(0, maxSymbols));
    }
    level = next;
  }
  return found.slice(0, maxSymbols);
}
