import { countWhile } from "../../base/text/lines.ts";
import { codeOf, type LanguageRules, stringTypes } from "./language-rules.ts";
import type { SourceText } from "../source-text.ts";
import { type SyntaxNode, namedChildren } from "./syntax-tree.ts";

interface Documented {
  /** Where the declaration begins, with its decorators. */
  start: number;
  node: SyntaxNode;
  /** The nodes around it that belong to it. */
  outer: readonly SyntaxNode[];
  body: SyntaxNode | undefined;
}

export interface Comments {
  source: SourceText;
  rules: LanguageRules;
  /** All of the text, in order. */
  comments: readonly SyntaxNode[];
}

/** The offsets of the comment that is directly above a declaration, or of its docstring. */
export function findDocComment(
  { start, node, outer, body }: Documented,
  from: Comments,
): readonly [start: number, end: number] | undefined {
  if (from.rules.docstring !== undefined) return findDocstring(body, from.rules);
  // A grammar may put the comment before the decorators, between them, or inside of a wrapper.
  for (const place of [start, ...outer.map((wrapper) => wrapper.start), node.start]) {
    const found = commentAbove(place, from);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The offsets of the string that a body, or a file, begins with. */
export function findDocstring(
  body: SyntaxNode | undefined,
  { docstring }: LanguageRules,
): readonly [number, number] | undefined {
  const first = body === undefined ? undefined : namedChildren(body)[0];
  const text = first === undefined ? undefined : namedChildren(first)[0];
  if (text === undefined || text.start !== first?.start || text.end !== first.end) return undefined;
  const isDocstring = stringTypes.has(text.type) && docstring?.test(codeOf(text));
  return isDocstring === true ? [text.start, text.end] : undefined;
}

function commentAbove(
  place: number,
  { source, rules, comments }: Comments,
): readonly [number, number] | undefined {
  let last = countWhile(comments.length, (nth) => (comments[nth]?.start ?? 0) < place) - 1;
  const end = comments[last]?.end;
  let start: number | undefined;
  for (let below = place; last >= 0; last--) {
    const comment = comments[last];
    if (comment === undefined || !isAbove(comment, below, source)) break;
    const words = codeOf(comment);
    if (!rules.docComment.test(words)) break;
    const isBlock = words.startsWith("/*") || words.startsWith("=");
    // A block documents alone, and lines belong together.
    if (isBlock && start !== undefined) break;
    ({ start } = comment);
    below = start;
    if (isBlock) break;
  }
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** Whether nothing but the end of a line, or blanks, is between a comment and what is below it. */
function isAbove({ start, end }: SyntaxNode, below: number, source: SourceText): boolean {
  const { text } = source;
  // Some grammars count the line break to the comment.
  const between = text.slice(start, below).slice(text.slice(start, end).trimEnd().length);
  const isNext = /^[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)?$/.test(between);
  const { startColumn } = source.rangeOf(start, start);
  return isNext && text.slice(start - startColumn + 1, start).trim() === "";
}
