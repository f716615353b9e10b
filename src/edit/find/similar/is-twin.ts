// Blocks that differ in one name, number or text only: SEARCH for the one is no misquoted SEARCH for the other.
import { commonEdges } from "../../../base/text/common-edges.ts";
import type { FileIndex } from "../file-index.ts";
import { indentOf } from "../../../base/text/lines.ts";

/** In characters; lines with less around what differs are of no kind. */
const leastKind = 3;
/** Lines that are looked at for another of the kind. */
const maxLooks = 200;

/**
 * Whether a line of SEARCH says another name, number or text than the line of the file for which it would be
 * taken, where lines of that kind tell blocks apart: it begins a block, or the file has more such lines.
 *
 * @param solid the solid line of the file
 */
export function isTwin(quoted: string, index: FileIndex, solid: number): boolean {
  const [search, file] = [quoted.trim(), index.line(index.solidLines[solid] ?? 0).trim()];
  const { head, tail } = commonEdges(search, file);
  const [start, end] = [wordStart(search, head), tail - wordEnd(search, search.length - tail)];
  const [named, found] = [
    search.slice(start, search.length - end),
    file.slice(start, file.length - end),
  ];
  if (!isOther(named, found, index)) return false;
  return (
    beginsBlock(index, solid, file) ||
    hasKind(index, file.slice(0, start), file.slice(file.length - end))
  );
}

const wordSign = /[\p{L}\p{N}_$]/u;

/** Where the word begins that goes on at an offset. */
function wordStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && wordSign.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** How many characters of a word follow an offset. */
function wordEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && wordSign.test(text.charAt(at))) at += 1;
  return at - offset;
}

/** Each says a word or a number that the other lacks, and that is no misspelling. */
function isOther(search: string, file: string, index: FileIndex): boolean {
  const [said, there] = [wordsOf(search), wordsOf(file)];
  const gone = said.filter((word) => !there.includes(word));
  const come = there.filter((word) => !said.includes(word));
  if (gone.length === 0 || come.length === 0) return false;
  return gone.some(
    (word) => index.hasWord(word) || !come.some((other) => isMisspelling(word, other)),
  );
}

function wordsOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}_$]+/gu) ?? [];
}

/** One or, in a long word, two letters are other, missing, too many, or have changed places; never a digit. */
function isMisspelling(one: string, other: string): boolean {
  if (one.replaceAll(/\P{N}/gu, "") !== other.replaceAll(/\P{N}/gu, "")) return false;
  if (Math.min(one.length, other.length) < 3) return false;
  const { head, tail } = commonEdges(one, other);
  const [middle1, middle2] = [
    one.slice(head, one.length - tail),
    other.slice(head, other.length - tail),
  ];
  const longest = Math.max(middle1.length, middle2.length);
  return longest <= (Math.max(one.length, other.length) < 8 ? 1 : 2) || isSwap(middle1, middle2);
}

function isSwap(one: string, other: string): boolean {
  return one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0];
}

function beginsBlock(index: FileIndex, solid: number, file: string): boolean {
  if (/[:{]$/.test(file)) return true;
  const next = index.solidLines[solid + 1];
  const indent = indentOf(index.line(index.solidLines[solid] ?? 0));
  return next !== undefined && indentOf(index.line(next)).length > indent.length;
}

/** Another line of the file begins and ends as this one. */
function hasKind(index: FileIndex, head: string, tail: string): boolean {
  const anchor = head.length < tail.length ? tail : head;
  if (head.trim().length + tail.trim().length < leastKind || anchor.trim() === "") return false;
  let [found, looks] = [0, 0];
  let at = index.text.indexOf(anchor);
  while (at !== -1 && found < 2 && looks < maxLooks) {
    const line = index.lineOf(at);
    const text = index.line(line).trim();
    if (text.startsWith(head) && text.endsWith(tail)) found += 1;
    looks += 1;
    at = index.text.indexOf(anchor, Math.max(at + 1, index.ends[line] ?? at + 1));
  }
  return found > 1;
}
