import { fence } from "../../context/fence.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import type { EditTarget } from "../edit/edit-target.ts";
import { linesBetween } from "../place/lines-between.ts";
import type { Place } from "../place/place.ts";

/** Of a longer one the heads are shown only. */
const maxLines = 200;

/** The class, or whatever symbol, around a place; undefined at the top of a file. */
export function findClass({ symbols }: CodeAnalysis, place: Place): CodeSymbol | undefined {
  const isAround = ({ range }: CodeSymbol) =>
    range.startLine <= place.startLine &&
    range.endLine >= place.endLine &&
    (range.startLine < place.startLine || range.endLine > place.endLine);
  return flattenSymbols(symbols).findLast(isAround);
}

/** The code of the class; of a long one what its members declare. */
export function printClass({ text, language }: EditTarget, symbol: CodeSymbol): string {
  const { startLine, endLine } = symbol.range;
  if (endLine - startLine < maxLines) {
    return fence(linesBetween(text, startLine, endLine), language);
  }
  const heads = symbol.children.map(({ signature }) => `  ${signature}`);
  return fence([symbol.signature, ...heads].join("\n"), language);
}
