// Documentation on its own, or with the heads of what it documents and without their bodies.
import type { LineRange } from "../edit-unit.ts";
import type { Change } from "../find/merge-replace.ts";
import {
  commentSign,
  declaredName,
  docstringEnd,
  headlinesAbove,
  isDocstring,
  isComment,
  isHeadline,
  type SourceLines,
  wordsOf,
} from "./source-lines.ts";
import { indentOf, isSolid, trimEndSigns } from "../../base/text/lines.ts";

interface Documented {
  docs: string[];
  /** The lines that it is for, as the file has them; none where the answer only means them. */
  head: string[];
}

/**
 * Each documentation takes the place of what its declaration has, which its head names, or which is the first of the lines
 * that are meant.
 *
 * @returns undefined where the code holds anything else, or it is not clear what is documented
 */
export function placeDocs(
  code: SourceLines,
  source: SourceLines,
  meant: LineRange | undefined,
): Change[] | undefined {
  const parts = splitDocs(code.all);
  const changes: Change[] = [];
  for (const { docs, head } of parts ?? []) {
    if (docs.length === 0 || (head.length === 0 && parts?.length !== 1)) return undefined;
    const line =
      head.length > 0 ? lineOfHead(head, source, meant) : firstMeant(docs, source, meant);
    if (line === undefined) return undefined;
    changes.push(
      isDocstring(docs[0]?.trim() ?? "")
        ? writeBelow(docs, line, source)
        : writeAbove(docs, line, source),
    );
  }
  return changes.length > 0 ? changes : undefined;
}

/** Documentation with what is next to it: below it, or above where it is a string. */
function splitDocs(lines: readonly string[]): Documented[] | undefined {
  const parts: Documented[] = [];
  let part: Documented = { docs: [], head: [] };
  let end: string | undefined;
  for (const line of lines) {
    const text = line.trim();
    const sign = /^(?:\/\*|<!--|[rRuU]?(?:"""|'''))/.exec(text)?.[0];
    if (end !== undefined) {
      part.docs.push(line);
      if (text.includes(end)) end = undefined;
    } else if (sign !== undefined || isComment(text)) {
      const isBelow = isDocstring(text) && part.docs.length === 0;
      const isNext = part.head.length > 0 && !isBelow;
      if (isNext) {
        parts.push(part);
        part = { docs: [], head: [] };
      }
      part.docs.push(line);
      const closing = sign?.startsWith("/*")
        ? "*/"
        : sign?.startsWith("<")
          ? "-->"
          : sign?.slice(-3);
      if (closing !== undefined && !text.slice(sign?.length).includes(closing)) end = closing;
    } else if (text !== "") {
      if (isDocstring(part.docs[0]?.trim() ?? "") && part.head.length > 0) return undefined;
      part.head.push(text);
    }
  }
  return end === undefined ? [...parts, part] : undefined;
}

/** A head as it is with and without what begins a body. */
function bare(text: string): string {
  const body = text.endsWith("}") ? text.lastIndexOf("{") : -1;
  const isNothing = /^\{[ .…]*\}$/.test(text.slice(Math.max(0, body)));
  return trimEndSigns(isNothing ? text.slice(0, body) : text, " ;{:=>");
}

/** The line of the file on which a head begins: all of its lines are there, but for modifiers before the first. */
function lineOfHead(
  head: readonly string[],
  source: SourceLines,
  meant: LineRange | undefined,
): number | undefined {
  const bareHead = head.map(bare);
  const isHere = (at: number): boolean =>
    bareHead.every((text, nth) => {
      const own = bare(source.texts[at + nth] ?? "");
      return own === text || (nth === 0 && own.endsWith(` ${text}`));
    });
  const places = [...source.texts.keys()].filter(isHere);
  const [only, ...more] =
    places.length > 1 ? places.filter((at) => isIn(meant, at, source)) : places;
  if (only === undefined || more.length > 0) return undefined;
  const declared = source.texts.slice(only, only + head.length).find((text) => !isHeadline(text));
  return declaredName(declared ?? "") === undefined ? undefined : only;
}

function isIn(meant: LineRange | undefined, at: number, { numbers }: SourceLines): boolean {
  const line = (numbers[at] ?? 0) + 1;
  return meant !== undefined && line >= meant.startLine && line <= meant.endLine;
}

/** The declaration that the lines which are meant begin with. */
function firstMeant(
  docs: readonly string[],
  source: SourceLines,
  meant: LineRange | undefined,
): number | undefined {
  const at = source.texts.findIndex((text, line) => isIn(meant, line, source) && !isHeadline(text));
  const name = declaredName(source.texts[at] ?? "");
  if (name === undefined) return undefined;
  // Other comments may be anything, unless they name what is declared.
  const isDoc = /^(?:\/\*\*|\/\/\/|---|##|[rRuU]?(?:"""|'''))/.test(docs[0]?.trim() ?? "");
  return isDoc || wordsOf(docs.join("\n")).has(name) ? at : undefined;
}

/** Comments come above the annotations, in place of the comment of their kind that is next to them. */
function writeAbove(docs: readonly string[], line: number, source: SourceLines): Change {
  const { texts } = source;
  const first = headlinesAbove(source, line);
  let end = first;
  while (end < line && isComment(texts[end] ?? "")) end += 1;
  const sign = commentSign(docs[0]?.trim());
  const isBlock = sign.startsWith("/*") || sign.startsWith("<");
  const isOld = (at: number): boolean => ["", sign].includes(commentSign(texts[at]));
  let from = end;
  while (from > first && isOld(from - 1)) {
    from -= 1;
    if (isBlock && commentSign(texts[from]) === sign) break;
  }
  if (commentSign(texts[from]) !== sign) from = end;
  const [start, below] = [from, end].map((at) => source.numbers[at] ?? 0);
  const beside = source.all[source.numbers[line] ?? 0] ?? "";
  return { start: start ?? 0, end: below ?? 0, lines: indentDocs(docs, beside) };
}

/** A string comes below the head, in place of the one there. */
function writeBelow(docs: readonly string[], line: number, source: SourceLines): Change {
  let head = line;
  while (head < source.texts.length - 1 && !/:(?:\s*#.*)?$/.test(source.texts[head] ?? ""))
    head += 1;
  const last = docstringEnd(source, head) - 1;
  const [start, end] = [head, last].map((at) => (source.numbers[at] ?? 0) + 1);
  const below = source.all[source.numbers[head + 1] ?? 0] ?? "";
  return { start: start ?? 0, end: end ?? 0, lines: indentDocs(docs, below) };
}

/** The lines as deep as one of the file; the first may have been cut out in mid line. */
function indentDocs([first = "", ...rest]: readonly string[], beside: string): string[] {
  const indent = indentOf(beside);
  const isStarred = rest.filter(isSolid).every((line) => line.trim().startsWith("*"));
  const least = Math.min(...rest.filter(isSolid).map((line) => indentOf(line).length));
  const inner = rest.map((line) => {
    if (!isSolid(line)) return "";
    return indent + (isStarred ? ` ${line.trim()}` : line.slice(least));
  });
  return [indent + first.trim(), ...inner];
}
