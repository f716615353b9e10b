// What a function uses, as the plugin's IDE knows it: the code that defines its names and their types.
import * as z from "zod";
import { type FoundName, listUses } from "../../../code/list-uses.ts";
import { plainCodeParser } from "../../../code/plain/read-plainly.ts";
import { encloses, overlaps } from "../../../edit/edit-unit.ts";
import { fence } from "../../../base/text/fence.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { oneLine } from "../../../turn/context/one-line.ts";
import { WireRange } from "../schema.ts";
import { flattenSymbols, type FoundSymbol } from "../read/func-symbols.ts";
import { linesOfRange, toPath } from "../read/wire-range.ts";
import type { IdeServices } from "./ide-services.ts";

/** Names of a function that are looked up, all at once, and definitions that the prompt gets. */
const maxNames = 20;
/** Of a function, in characters: what is behind them is not looked through for names. */
const maxFunction = 50_000;
const maxDefinitions = 15;
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
  lines: { startLine: number; endLine: number };
}

interface Definition {
  /** With slashes, to compare and to show. */
  path: string;
  /** As the plugin wrote it, to ask for it. */
  abspath: string;
  lines: { startLine: number; endLine: number };
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
  const definitions = distinct(found.flat())
    .filter((one) => !isOwn(one))
    .slice(0, maxDefinitions);
  const files = new Map<string, string>([[toPath(abspath), place.content]]);
  const printed: string[] = [];
  for (const definition of definitions) {
    const text = files.get(definition.path) ?? (await readFile(ide, definition.abspath, signal));
    files.set(definition.path, text);
    const code = print(definition, text);
    if (code !== "") printed.push(code);
  }
  return printed.join("\n\n");
}

function namesIn(symbols: readonly FoundSymbol[], { lines }: FunctionPlace): FoundSymbol[] {
  const inside = symbols.filter((one) => encloses(lines, one) && !encloses(one, lines));
  const names = new Map(inside.map((one) => [one.name, one]));
  return [...names.values()].slice(0, maxNames);
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

function distinct(definitions: readonly Definition[]): Definition[] {
  const known = new Map(
    definitions.map((one) => [`${one.path}:${one.lines.startLine}-${one.lines.endLine}`, one]),
  );
  return [...known.values()];
}

/** A plugin that offers no texts of files leaves those of the request. */
async function readFile(ide: IdeServices, abspath: string, signal: AbortSignal): Promise<string> {
  const text = await ide.call("/read_file", { abspath }, signal);
  return typeof text === "string" && text.length <= maxFile ? text : "";
}

function print({ path, lines: { startLine, endLine } }: Definition, text: string): string {
  const last = Math.min(endLine, startLine + maxLines - 1);
  const code = text
    .split(/\r?\n/)
    .slice(startLine - 1, last)
    .join("\n");
  if (code.trim() === "") return "";
  // The path stands outside of the fence, which it must not open or close.
  const name = oneLine(path).replaceAll("`", "'");
  return `${name}:${startLine}\n${fence(code, languageOf(path))}`;
}

/** The absolute path of a file of the project, in the way of the plugin's system. */
export function joinRoot(root: string, path: string): string {
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
