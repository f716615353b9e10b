// The names that a plugin found in the function under test: `func_symbols` of the document.
import { encloses, overlaps } from "../../../edit/edit-unit.ts";
import { fence } from "../../../base/text/fence.ts";
import { oneLine } from "../../../turn/context/one-line.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import { WireRange } from "../schema.ts";
import { pluginTexts } from "../texts.ts";
import { linesOfRange } from "./wire-range.ts";

/** More of them are not looked at. */
const maxSymbols = 500;
const maxListed = 100;
const maxDefinitions = 20;
/** Lines of one definition. */
const maxLines = 60;

/** A name with its place. */
export interface FoundSymbol {
  name: string;
  /** As the wire counts, from 0. */
  line: number;
  character: number;
  /** 1-based and inclusive. */
  startLine: number;
  endLine: number;
}

/**
 * Tells the prompt of these names: those inside the function by name and line, those that lie elsewhere in the
 * file with their lines. `kind` says something else with every IDE, so nothing depends on it.
 *
 * @param own the lines of the function, 1-based and inclusive
 */
export function printFuncSymbols(
  symbols: readonly unknown[],
  file: { text: string; language: string },
  own: { startLine: number; endLine: number },
  locale: Locale,
): string {
  const found = flattenSymbols(symbols);
  const lines = file.text.split(/\r?\n/);
  const isElsewhere = (symbol: FoundSymbol): boolean =>
    !overlaps(symbol, own) && symbol.startLine <= lines.length;
  const texts = pluginTexts(locale);
  const named = new Map(found.filter((one) => encloses(own, one)).map((one) => [one.name, one]));
  const listed = [...named.values()]
    .slice(0, maxListed)
    .map(({ name, startLine }) => texts.symbolAt(name, startLine));
  const definitions = found
    .filter(isElsewhere)
    .slice(0, maxDefinitions)
    .map(({ name, startLine, endLine }) => {
      const last = Math.min(endLine, startLine + maxLines - 1);
      const code = lines.slice(startLine - 1, last).join("\n");
      return `${texts.symbolAt(name, startLine)}\n${fence(code, file.language)}`;
    });
  const head = listed.length === 0 ? [] : [texts.symbolsUsed(listed)];
  return [...head, ...definitions].join("\n\n");
}

/** Level by level, so that a tree of any depth is read. */
export function flattenSymbols(symbols: readonly unknown[]): FoundSymbol[] {
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
          ...startOf(place.data),
          ...linesOfRange(place.data),
        });
      if (Array.isArray(children)) next.push(...(children as unknown[]).slice(0, maxSymbols));
    }
    level = next;
  }
  return found.slice(0, maxSymbols);
}

function startOf({ start }: WireRange): { line: number; character: number } {
  return { line: start.line, character: start.character ?? 0 };
}
