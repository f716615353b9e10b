// Code that has the meant statements of a file anew, one for one.
import { placeholderOf } from "../placeholder.ts";
import type { LineRange } from "../edit-unit.ts";
import { type AlignedFile, alignWithin } from "./align-segment.ts";
import { missingIndent } from "./missing-indent.ts";
import type { Region } from "./write-regions.ts";
import { leastColumn, sourceLines, wordsOf } from "./source-lines.ts";
import { columnsOf, countWhile, indentOf, isSolid, solidPart } from "../../base/text/lines.ts";

/**
 * New lines for the statements that are meant, if the code is a new version of them for sure: on the outermost level both
 * have as many statements, each assigns the same name, calls the same function or begins with the same keyword.
 *
 * @param within the lines that are meant, if not all of them are
 */
export function changeStatements(
  code: readonly string[],
  file: AlignedFile,
  within: LineRange | undefined,
): Region | undefined {
  const { all, numbers } = file.source;
  let start = (within?.startLine ?? 1) - 1;
  let end = within?.endLine ?? all.length;
  while (start < end && !isSolid(all[start] ?? "")) start += 1;
  while (end > start && !isSolid(all[end - 1] ?? "")) end -= 1;
  const below = all.slice(end).find(isSolid);
  const goesOn = below !== undefined && indentOf(below).length > indentOf(all[start] ?? "").length;
  const original = all.slice(start, end);
  const shown = withIndent(solidPart(code));
  if (goesOn || shown.some((line) => placeholderOf(line) !== undefined || /`|"""|'''/.test(line)))
    return undefined;
  const now = headsOf(shown);
  const was = now && headsOf(withIndent(original));
  if (now === undefined || was === undefined || was.length === 0) return undefined;
  const isSame = now.length === was.length && now.every((head, nth) => head === was[nth]);
  if (!isSame || !sharesWords(shown, original)) return undefined;
  const lines = sourceLines(shown);
  const [from, to] = [start, end].map((line) =>
    countWhile(numbers.length, (nth) => (numbers[nth] ?? 0) < line),
  );
  const way = alignWithin(lines, file, from ?? 0, to ?? 0);
  return { number: 1, lines, way, isTop: false, isBottom: false, isPart: false };
}

function withIndent(lines: readonly string[]): string[] {
  const indent = missingIndent(lines);
  return lines.map((line, nth) => (nth === 0 ? indent + line : line));
}

/** Undefined if one of the outermost lines does not show what its statement does. */
function headsOf(lines: readonly string[]): string[] | undefined {
  const solid = lines.filter((line) => line.trim() !== "" && !isComment(line.trim()));
  const depth = leastColumn(sourceLines(solid));
  if (solid.length === 0 || columnsOf(solid[0] ?? "") !== depth) return undefined;
  const heads: string[] = [];
  for (const line of solid) {
    if (columnsOf(line) !== depth) continue;
    const head = headOf(line.trim());
    if (head === undefined) return undefined;
    heads.push(head);
  }
  return heads;
}

function isComment(line: string): boolean {
  return /^(?:\/\/|\/\*|\*|#(?!\[|include|define|if|else|end))/.test(line);
}

const control =
  /^(?:if|elif|elsif|else|for|foreach|while|do|switch|match|try|catch|except|finally|with|using|unless|until|begin|rescue|ensure|loop)\b/;
const leaving = /^(?:return|throw|raise|break|continue|yield|await|go|defer|assert|delete)\b/;

/** In characters: a longer line is no head that somebody wrote. */
const longestHead = 10_000;

/** What a statement does, by its first line; undefined if that is a declaration, or not clear. */
function headOf(line: string): string | undefined {
  if (line.length > longestHead) return undefined;
  if (/^(?:[)\]}][)\]};,]*|\{|end)$/.test(line)) return line;
  const bare = line.replace(/^\} ?/, "");
  const word = control.exec(bare)?.[0] ?? leaving.exec(bare)?.[0];
  if (word !== undefined) return line === bare ? word : `} ${word}`;
  if (/[{:]$|=>|->|\b(?:function|lambda|def|class|fn|func|import|from)\b/.test(line))
    return undefined;
  return targetOf(line) ?? /^[\w$.:@>-]+[!?]?(?=\()/.exec(line)?.[0];
}

/** The target of an assignment, as written; undefined if the line is not one. */
function targetOf(line: string): string | undefined {
  const at = line.search(/[^=!<>]=(?![=>~])/);
  if (at === -1) return undefined;
  const target = line.slice(0, at + 1).replace(/[-+*/%&|^?:. ]{1,4}$/, "");
  return /^[\w$@&*][\w$@.,:&*<>[\] -]*$/.test(target) ? `${target} =` : undefined;
}

/** At least half of the words of the one are in the other: a mere example of such a statement has others. */
function sharesWords(lines: readonly string[], others: readonly string[]): boolean {
  const [now, was] = [wordsOf(lines.join("\n")), wordsOf(others.join("\n"))];
  const kept = [...was].filter((word) => now.has(word));
  return kept.length * 2 >= was.size && was.size > 1;
}
