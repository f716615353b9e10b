import type { LineRange } from "../edit/edit-unit.ts";
import type { CodeSymbol } from "./code-analysis.ts";
import type { SourceText } from "./source-text.ts";

/** Of a longer head the beginning. */
const maxHead = 12;
/** What has no body and is no longer counts as a head as a whole. */
const shortLines = 3;

/** The declaration with the comment that documents it. */
export function linesOfDeclaration({ range, docComment }: CodeSymbol): LineRange {
  const { startLine, endLine } = range;
  return { startLine: Math.min(startLine, docComment?.startLine ?? startLine), endLine };
}

/** The lines that name a declaration, with decorators, up to where its body begins. */
export function linesOfHead(symbol: CodeSymbol, source: SourceText): LineRange {
  const { startLine, endLine } = symbol.range;
  const last = Math.min(lastOfHead(symbol, source), startLine + maxHead - 1, endLine);
  return { startLine, endLine: Math.max(last, startLine) };
}

function lastOfHead({ range, nameRange, body }: CodeSymbol, source: SourceText): number {
  if (body === undefined) {
    const isShort = range.endLine - range.startLine < shortLines;
    return isShort ? range.endLine : nameRange.endLine;
  }
  const before = source.line(body.startLine).slice(0, body.startColumn - 1);
  const isBesideHead = before.trim() !== "";
  return Math.max(nameRange.endLine, body.startLine - (isBesideHead ? 0 : 1));
}
