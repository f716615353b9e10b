import type { CodeAnalysis, Stretches } from "./code-analysis.ts";
import type { CodeRange } from "./code-range.ts";

const identifier = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

/** A name and the place of its first letter, both from 0. */
export interface FoundName {
  name: string;
  line: number;
  character: number;
}

/** The first use of each name in a range, in the order of the text, outside of comments and strings. */
export function listUses(text: string, analysis: CodeAnalysis, range: CodeRange): FoundName[] {
  const wanted = new Set(analysis.identifiersIn(range));
  const { comments, strings } = analysis.offsets;
  const skipped = [createLookup(comments), createLookup(strings)];
  const lines = splitLines(text);
  const starts = startsOf(text);
  const found: FoundName[] = [];
  for (let line = range.startLine - 1; line < range.endLine && wanted.size > 0; line += 1) {
    for (const { 0: name, index } of (lines[line] ?? "").matchAll(identifier)) {
      const offset = (starts[line] ?? 0) + index;
      if (!wanted.has(name) || skipped.some((holds) => holds(offset))) continue;
      wanted.delete(name);
      found.push({ name, line, character: index });
    }
  }
  return found;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

function startsOf(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
}

/** Whether a stretch holds an offset; asked for ever larger ones. */
function createLookup(stretches: Stretches): (offset: number) => boolean {
  let next = 0;
  return (offset) => {
    while (next < stretches.count && stretches.end(next) <= offset) next += 1;
    return next < stretches.count && stretches.start(next) <= offset;
  };
}
