import { languageOf } from "../turn/context/language.ts";
import { oneLine } from "../base/errors/names.ts";
import { isSolid, linesOf } from "../base/text/lines.ts";
import type { CodeSymbol } from "../code/code-analysis.ts";
import { analyzePlain } from "../code/plain/analyze-plain.ts";
import { lexicalRulesOf } from "../code/language-of.ts";
import { codeBorders, headingOf, namesOf, symbolBorders } from "./code-blocks.ts";
import { type LineSpan, cutRange, textBorders } from "./cut-ranges.ts";
import { readMarkdown } from "./markdown-sections.ts";
import type { KnowledgePassage } from "./retriever.ts";

type Piece = LineSpan & { heading?: string | undefined };

/** Endings of code that the editor's language table does not have. */
const otherCode =
  /\.(?:mts|cts|cjs|kts|bash|zsh|ps1|psm1|bat|cmd|pl|pm|r|jl|ex|exs|erl|hs|ml|clj|dart|proto|graphql|svelte|less|scss|sass|tf|mm?|hh|hxx|fs|vb|groovy|cmake|mk|ini|conf|properties)$/i;
const codeNames = /(?:^|\/)(?:Makefile|Dockerfile|Jenkinsfile|Rakefile|Gemfile|CMakeLists\.txt)$/i;

/**
 * Cuts a file into passages of 20 to 60 lines or about 300 tokens: Markdown by its headings, code by
 * its declarations, other text by its paragraphs. Every line that is not blank is in exactly one
 * passage, in order; no passage begins or ends with a blank line. Sections that are shorter stay
 * apart; a code fence, and a single line, stays whole however long it is.
 *
 * @param fileName the path below the folder, with `/`; its ending tells what the file is
 * @param symbols what a grammar has found in code; without them lines and indentation tell
 */
export function chunkFile(
  fileName: string,
  text: string,
  symbols?: readonly CodeSymbol[],
): KnowledgePassage[] {
  const plain = text.replace(/^\uFEFF/, "");
  const lines = linesOf(plain);
  const kind = kindOf(fileName);
  const sourceType = kind === "code" ? "code" : "doc";
  return cutters[kind](lines, fileName, symbols).flatMap((piece): KnowledgePassage[] => {
    const { start, end } = trimBlank(piece, lines);
    if (start >= end) return [];
    return [
      {
        text: lines.slice(start, end).join("\n"),
        fileName,
        sourceType,
        startLine: start + 1,
        endLine: end,
        ...(piece.heading ? { heading: oneLine(piece.heading) } : {}),
      },
    ];
  });
}

const cutters = { markdown: cutMarkdown, code: cutCode, text: cutText };

function kindOf(fileName: string): keyof typeof cutters {
  if (/\.(?:md|mdx|markdown)$/i.test(fileName)) return "markdown";
  const isCode =
    languageOf(fileName) !== "" || otherCode.test(fileName) || codeNames.test(fileName);
  return isCode ? "code" : "text";
}

function cutMarkdown(lines: readonly string[]): Piece[] {
  const { sections, borders } = readMarkdown(lines);
  return sections.flatMap((section) => {
    const heading = section.path.filter((part) => part !== "").join(" > ");
    return cutRange(section, lines, borders).map((range) => ({ ...range, heading }));
  });
}

function cutCode(
  lines: readonly string[],
  fileName: string,
  symbols?: readonly CodeSymbol[],
): Piece[] {
  const borders = symbols === undefined ? codeBorders(lines) : symbolBorders(lines, symbols);
  // What is only guessed names a passage well enough, but does not say where it ends.
  const names = namesOf(
    symbols ?? analyzePlain(lines.join("\n"), lexicalRulesOf(undefined, fileName)).symbols,
  );
  return cutRange({ start: 0, end: lines.length }, lines, borders).map((range) => ({
    ...range,
    heading: headingOf(trimBlank(range, lines), names),
  }));
}

function cutText(lines: readonly string[]): Piece[] {
  return cutRange({ start: 0, end: lines.length }, lines, textBorders(lines));
}

function trimBlank(range: LineSpan, lines: readonly string[]): LineSpan {
  let { start, end } = range;
  while (start < end && !isSolid(lines[start] ?? "")) start++;
  while (end > start && !isSolid(lines[end - 1] ?? "")) end--;
  return { start, end };
}
