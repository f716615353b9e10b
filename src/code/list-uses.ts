import type { CodeAnalysis, CodeRange, Stretches } from "./code-analysis.ts";

const identifier = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

/** A name and the place of its first letter, both from 0. */
export interface FoundName {
  name: string;
  line: number;
  character: number;
}

/** The first use of each name in a range, in the order of the text, outside of comments and strings. */
export function listUses(analysis: CodeAnalysis, range: CodeRange): FoundName[] {
  const wanted = new Set(analysis.identifiersIn(range));
  const { comments, strings } = analysis.offsets;
  const skipped = [createLookup(comments), createLookup(strings)];
  const { source } = analysis;
  const found: FoundName[] = [];
  for (let line = range.startLine - 1; line < range.endLine && wanted.size > 0; line += 1) {
    const at = { startLine: line + 1, startColumn: 1, endLine: line + 1, endColumn: 1 };
    const [start] = source.offsetsOf(at);
    for (const { 0: name, index } of source.line(line + 1).matchAll(identifier)) {
      const offset = start + index;
      if (!wanted.has(name) || skipped.some((holds) => holds(offset))) continue;
      wanted.delete(name);
      found.push({ name, line, character: index });
    }
  }
  return found;
}

/** Whether a stretch holds an offset; asked for ever larger ones. */
function createLookup(stretches: Stretches): (offset: number) => boolean {
  let next = 0;
  return (offset) => {
    while (next < stretches.count && stretches.end(next) <= offset) next += 1;
    return next < stretches.count && stretches.start(next) <= offset;
  };
}
