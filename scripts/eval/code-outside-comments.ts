import type { CodeAnalysis, CodeParser } from "../../src/symbols/code-analysis.ts";
import { flattenSymbols } from "../../src/symbols/flatten-symbols.ts";
import { createSourceText } from "../../src/symbols/source-text.ts";

/**
 * The lines of code without comments, doc strings, blanks at their ends and blank lines. Blanks
 * before a comment go with it; indentation stays, since it is code in Python.
 */
export async function codeOutsideComments(
  text: string,
  path: string,
  code: CodeParser,
): Promise<string> {
  const { comments, symbols } = await code.analyze(text, undefined, path);
  return cutRanges(text, [...comments, ...docStringsOf(symbols)])
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function docStringsOf(symbols: CodeAnalysis["symbols"]): CodeAnalysis["comments"] {
  return flattenSymbols(symbols).flatMap(({ docComment }) => docComment ?? []);
}

function cutRanges(text: string, ranges: CodeAnalysis["comments"]): string {
  const source = createSourceText(text);
  const offsets = ranges.map((range) => source.offsetsOf(range)).toSorted(([a], [b]) => a - b);
  let kept = "";
  let at = 0;
  for (const [start, end] of offsets) {
    if (end <= at) continue;
    kept += text.slice(at, Math.max(at, start)).replace(/[ \t]+$/, "");
    at = end;
  }
  return kept + text.slice(at);
}
