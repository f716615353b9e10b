// Statements as new versions of those that set the same, or begin with the same word, among the lines that are meant.
import type { Alignment, Borders } from "./align-segment.ts";
import { keywordOf } from "./align-units.ts";
import { hasWords } from "./line-version.ts";
import {
  declaredName,
  isEven,
  isHeadline,
  nameSetBy,
  settingOf,
  type SourceLines,
  unitEnd,
} from "./source-lines.ts";

/** Solid lines of a text, [start, end). */
type Statement = Pick<Alignment, "start" | "end">;

/** Of a line that another one holds, in characters. */
const leastHeld = 8;
/** Statements of the code and lines of the file: a product. */
const maxPairs = 50_000;

/**
 * The solid lines [start, end) of which the code is a new version: its first statement has the one of the kind among the
 * lines [from, to), and so has each statement of the file up to the last one that has; others are new.
 *
 * @param isReplaced something says that what is there is replaced: then the same word at its beginning tells a statement
 */
export function placeStatements(
  code: SourceLines,
  source: SourceLines,
  { from, to }: Pick<Borders, "from" | "to">,
  isReplaced: boolean,
): Statement | undefined {
  const head = source.texts[from] ?? "";
  const inner = to - from > 1 && declaredName(head) !== undefined ? from + 1 : from;
  const units = statementsWhere(code, { from: 0, to: code.texts.length }, () => true);
  if (from === -1 || !isEven(code.texts) || units.length * (to - from) > maxPairs) return undefined;
  const isFunction = ({ start, end }: Statement): boolean => {
    const text = code.texts[start] ?? "";
    return isHeadline(text) || (keywordOf(text) !== "" && /[{:]$/.test(text) && end > start + 1);
  };
  if (units.some(isFunction)) return undefined;
  const places = units.map(({ start, end }) => {
    const text = code.texts[start] ?? "";
    const isOne = (kind: (line: string) => boolean): Statement | undefined => {
      const [only, ...more] = statementsWhere(source, { from: inner, to }, kind);
      return more.length > 0 || (only?.end ?? 0) > to ? undefined : only;
    };
    const set = settingOf(text);
    const own =
      isOne((line) => line === text) ??
      (set === undefined ? undefined : isOne((line) => settingOf(line) === set));
    if (own !== undefined) return own;
    const all = code.texts.slice(start, end).join(" ");
    const begins = (line: string): boolean => firstWord(line) === firstWord(text);
    if (!isReplaced) return isOne(begins) && isOne((line) => begins(line) && hasWords(all, line));
    const isHeld = (line: string): boolean =>
      line.length >= leastHeld && text.includes(line.replace(/;$/, ""));
    return isOne(isHeld) ?? isOne(begins);
  });
  const [first, last] = [places[0], places.findLast((place) => place !== undefined)];
  if (first === undefined || last === undefined) return undefined;
  // What comes behind may be a new version of what is there.
  const next = firstWord(source.texts[last.end] ?? "");
  const behind = units.slice(places.lastIndexOf(last) + 1);
  if (behind.some(({ start }) => firstWord(code.texts[start] ?? "") === next)) return undefined;
  const old = places.filter((place) => place !== undefined);
  // What goes on to set the same elsewhere would be lost, or be wrong.
  const rest = [...source.texts.slice(inner, first.start), ...source.texts.slice(last.end, to)];
  const isSetOn = units.some(({ start }) => {
    const set = nameSetBy(code.texts[start] ?? "") ?? "";
    const name = set.split(/[^\w$]/).at(-1) ?? "";
    return name !== "" && rest.some((line) => changes(line, name));
  });
  const isRow = old.every(({ start }, nth) => nth === 0 || start === old[nth - 1]?.end);
  const isAsDeep = old.every(({ start }) => source.columns[start] === source.columns[first.start]);
  return isRow && isAsDeep && !isSetOn ? { start: first.start, end: last.end } : undefined;
}

/** The statements of a kind that begin among the lines [from, to), without those that are in another one of it. */
function statementsWhere(
  source: SourceLines,
  { from, to }: Pick<Borders, "from" | "to">,
  isOfKind: (line: string) => boolean,
): Statement[] {
  const found: Statement[] = [];
  for (let start = Math.max(0, from); start < to; start += 1) {
    const isInside = start < (found.at(-1)?.end ?? 0);
    if (isInside || !isOfKind(source.texts[start] ?? "")) continue;
    found.push({ start, end: unitEnd(source, start) });
  }
  return found;
}

/** A line that computes a value anew from what it was: `name += 1`. */
function changes(line: string, name: string): boolean {
  return (
    line.startsWith(name) &&
    /^\s*(?:[-+*/%|&^.?]|<<|>>)+=(?!=)|^(?:\+\+|--)/.test(line.slice(name.length))
  );
}

/** With the signs before it. */
export function firstWord(text: string): string {
  return /^\W*[\w$]*/.exec(text)?.[0] ?? "";
}
