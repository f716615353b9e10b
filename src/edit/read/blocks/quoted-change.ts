// Changes that an answer tells with code that it quotes, in words or beside blocks. The file says which side is which: what
// it holds is old, what it does not hold and is like that is new. So neither the language nor the order of the words counts;
// where it holds both, the words have to say it.
import { countText } from "../../../base/text/count-text.ts";
import { isSolid, joinLines, linesOf, trimEndSigns } from "../../../base/text/lines.ts";
import {
  declaredName,
  hasSameBrackets,
  likenessOfWords,
  type SourceLines,
  sourceLines,
  unitEnd,
  wordsOf,
} from "../../align/source-lines.ts";
import type { CodeBlock } from "../file-edit.ts";
import {
  codeAlone,
  holds,
  isCallToAdd,
  isName,
  maxQuoted,
  placesIn,
  readSentences,
  type Sentence,
  squeeze,
  type TextLine,
} from "./quoted-sentences.ts";
import {
  addsBeside,
  asksForChange,
  asksForCode,
  asksForLess,
  asksToRemove,
  isHead,
  isListItem,
  isTurned,
  leavesToPerson,
  lineNamed,
  onlyGoesOn,
  onlyTalks,
  pointsToRemoval,
  quotedIn,
  readApart,
  readSentence,
  refersBack,
  removesThat,
  scopeOf,
  staysAsItIs,
  takesBack,
  tellsWhere,
} from "./told-words.ts";

interface Sides {
  search: string;
  replace: string;
}

/** What takes the place of what, and the blocks that said so. */
export interface ToldChange extends Sides {
  /** As in a unit. */
  everywhere?: number;
  line: number;
  filePath: string | undefined;
  blocks: readonly CodeBlock[];
  /** What it changes of one line of the file, where it is clear which. */
  parts?: readonly Part[];
}

/** Sides of which the old one is a part of a line. */
interface Part extends Sides {
  /** In the text of the file. */
  at: number;
  /** Where what it is in begins. */
  from: number;
}

/** Of an answer with more text none is read. */
export const maxTextLines = 2_000;

/** Code as the answer quotes it. */
interface Quotation {
  code: string;
  isOld: boolean;
  /** Where it begins and ends in the answer. */
  line: number;
  end: number;
  /** What quotes it, or leads to it; absent where nothing does. */
  sentence: Sentence | undefined;
  /** It is a part of the sentence. */
  isInline: boolean;
  /** What the sentence says since the quotation before, and behind this one. */
  before: string;
  after: string;
  block?: CodeBlock;
}

/** The file that the answer is about. */
class GivenFile {
  readonly text: string;
  readonly squeezed: string;
  #source: SourceLines | undefined;

  constructor(text: string) {
    this.text = text;
    this.squeezed = squeeze(text);
  }

  get source(): SourceLines {
    return (this.#source ??= sourceLines(linesOf(this.text)));
  }
}

/** Of the words of both sides, at least so much is the same. */
const leastAlike = 0.4;
/** Lines between a quotation and the block that it is about. */
const maxGap = 4;

/**
 * The changes that an answer tells of a file.
 *
 * @returns nothing where anything else in it may be meant as a change of the file
 */
export function readToldChanges(
  lines: readonly TextLine[],
  blocks: readonly CodeBlock[],
  given: string,
): ToldChange[] {
  if (lines.length > maxTextLines) return [];
  const sentences = lines.flatMap((line) => (line.isCode ? [] : readSentences(line)));
  const file = new GivenFile(given.replaceAll("\r\n", "\n"));
  const quotations = readQuotations(lines, blocks, sentences, file.squeezed);
  const told: ToldChange[] = [];
  const places: number[] = [];
  const left = new Set(sentences);
  for (let at = 0; at < quotations.length;) {
    const [one, next] = quotations.slice(at, at + 2);
    if (one === undefined) break;
    const pair = next && toChange(one, next, file);
    const change = pair ?? toDeletion(one, sentences, file, told.at(-1)?.replace === "");
    // A word on its own may just be talked about.
    const isTalk = one.isInline && (tellsWhere(one.before) || onlyTalks(one.sentence?.text ?? ""));
    const isMore = !one.isOld && /[\s@]|\)$/.test(one.code.trim()) && !isTalk;
    const sides = pair === undefined || next === undefined ? [one] : [one, next];
    const isToGo = !one.isInline && one.isOld && asksForLess(one.before);
    if (change === "unclear" || (change === undefined && (isMore || isToGo))) return [];
    if (change !== undefined) {
      if (isLeft(sides, lines, sentences)) return [];
      const { search, replace } = change;
      const twin = told.findIndex((other) => areOfOneLine(other, change, file.text));
      const joined = joinParts(told[twin], change, file.text);
      if (joined === undefined) return [];
      if (told.some((other) => other.search === search && other.replace !== replace) && twin === -1)
        return [];
      told.splice(twin === -1 ? told.length : twin, 1, joined);
      places.push(change.line);
      for (const { sentence } of sides) if (sentence !== undefined) left.delete(sentence);
    }
    at += sides.length;
  }
  const asksMore = [...left].some(({ text }) => asksForChange(text));
  const kept = [...left].flatMap(({ text }) => (staysAsItIs(text) ? quotedIn(text) : []));
  if (told.some(({ search }) => kept.some((one) => search.includes(one)))) return [];
  // Of a list of changes each item is one.
  const items = new Set(lines.flatMap(({ text, line }) => (isListItem(text) ? [line] : [])));
  const isLost = ({ line, text }: Sentence): boolean =>
    items.has(line) && quotedIn(text).length > 1;
  if (places.filter((line) => items.has(line)).length > 1 && [...left].some(isLost)) return [];
  return asksMore ? [] : told;
}

/**
 * New code that sentences quote with nothing that it takes the place of, as blocks: they have to say where it belongs. None
 * where one of them may only talk about it.
 */
export function readQuotedCode(lines: readonly TextLine[], given: string): CodeBlock[] {
  const quoting = lines.filter(({ text }) => text.includes("`"));
  if (quoting.length === 0 || quoting.length > maxQuoted) return [];
  const file = squeeze(given);
  const found: CodeBlock[] = [];
  for (const line of quoting) {
    const sentences = readSentences(line);
    for (const [nth, { text, quoted }] of sentences.entries()) {
      const [only, ...more] = quoted.filter(({ code }) => !holds(file, squeeze(code)));
      // Beside an old side it is the new one.
      const isAlone = quoted.length === 1 || (only !== undefined && addsBeside(only.before));
      if (only === undefined || more.length > 0 || !isAlone) continue;
      const isAsked = asksForCode(only);
      const isLine = /\s/.test(only.code) || isCallToAdd(only.code, only.before, only.after);
      if (isAsked === false || !isLine) continue;
      if (isAsked === "perhaps") return [];
      const rest = trimEndSigns(text.replace(`\`${only.code}\``, ""), ".。 ");
      const above = [...sentences.slice(0, nth).map((one) => one.text), rest].join(" ");
      const block = { info: "", code: `${only.code}\n`, raw: "", above, filePath: undefined };
      found.push({ ...block, option: undefined, line: line.line, isClosed: true });
    }
  }
  return found;
}

/** A sentence behind it takes it back, or what heads it leaves it to the person. */
function isLeft(
  sides: readonly Quotation[],
  lines: readonly TextLine[],
  sentences: readonly Sentence[],
): boolean {
  const own = sentences.findLastIndex((one) => one === sides.at(-1)?.sentence);
  const start = sides[0]?.line ?? 0;
  const head = lines.findLast(({ line, text }) => line < start && isHead(text));
  return (
    sentences.slice(own + 1, own + 3).some(({ text }) => takesBack(text)) ||
    leavesToPerson(head?.text ?? "")
  );
}

/** All that is quoted, in its order, without names and what comes again at once. */
function readQuotations(
  lines: readonly TextLine[],
  blocks: readonly CodeBlock[],
  sentences: readonly Sentence[],
  file: string,
): Quotation[] {
  const all: Omit<Quotation, "isOld">[] = sentences.flatMap((sentence) =>
    sentence.quoted.map((one) => {
      const { line } = sentence;
      return { ...one, sentence, isInline: true, line, end: line };
    }),
  );
  const apart = { sentence: undefined, isInline: false, before: "", after: "" };
  for (const block of blocks) {
    const { code, line } = block;
    all.push({ ...apart, code, line, end: line + 1 + linesOf(code).length, block });
  }
  for (const piece of piecesApart(lines)) all.push({ ...apart, ...piece });
  if (all.length > maxQuoted) return [];
  const sorted = all.toSorted((a, b) => a.line - b.line);
  for (const one of sorted) {
    if (one.isInline) continue;
    const lead = sentences.findLast((each) => each.line < one.line);
    const tail = sentences.find((each) => each.line > one.end);
    one.sentence = lead;
    one.before = lead?.text ?? "";
    // The sentence goes on.
    if (tail !== undefined && /^\s*(?:[a-z]|如果|若|除非)/.test(tail.text)) one.after = tail.text;
  }
  return sorted
    .filter(({ code }, nth) => squeeze(code) !== squeeze(sorted[nth + 1]?.code ?? ""))
    .map((one) => ({ ...one, isOld: holds(file, squeeze(one.code)) }));
}

/** Code that is set apart: by its indentation, or in quotes as all of a line. */
function piecesApart(lines: readonly TextLine[]): { code: string; line: number; end: number }[] {
  const found: { code: string; line: number; end: number }[] = [];
  for (const { text, line, isCode } of lines) {
    const alone = isCode ? text : codeAlone(text);
    const last = found.at(-1);
    if (alone === undefined) continue;
    if (isCode && last?.end === line - 1) {
      last.code += `${text}\n`;
      last.end = line;
    } else found.push({ code: `${alone}\n`, line, end: line });
  }
  return found;
}

/** Code that is set apart without a fence, as blocks. */
export function readCodeApart(lines: readonly TextLine[]): CodeBlock[] {
  if (lines.length > maxTextLines) return [];
  return piecesApart(lines).map(({ code, line }) => {
    const above = lines.findLast((one) => one.line < line)?.text ?? "";
    const named = { info: "", filePath: undefined, option: undefined };
    return { ...named, code, raw: code, above, line: line - 1, isClosed: true };
  });
}

/** Undefined where the two are no sides of a change; `unclear` where they may be, and may not. */
function toChange(
  one: Quotation,
  next: Quotation,
  file: GivenFile,
): ToldChange | "unclear" | undefined {
  const areBeside = isBeside(one, next);
  if (!areBeside && !isNear(one, next)) return undefined;
  const between = areBeside ? next.before : "";
  const isOldFirst = one.isOld && !(next.isOld && isTurned(between));
  // What goes is no side.
  const size = linesOf(one.code).filter(isSolid).length;
  if (!one.isInline && next.isInline && pointsToRemoval({ before: one.before, after: "" }, size))
    return undefined;
  const [old, now] = isOldFirst ? [one, next] : [next, one];
  const telling = areBeside
    ? readSentence({ before: one.before, after: next.after }, between, isOldFirst)
    : readApart(old, now, isOldFirst);
  const isSure = telling?.isSure === true;
  if (!old.isOld) return undefined;
  // Several lines may show what is around the one that the text quotes.
  const isOpen = old.isInline && squeeze(now.code).includes("\n");
  const isOther = !isSure && (now.isOld || likenessOfWords(old.code, now.code) < leastAlike);
  if (isOpen || isOther || showsOther(old.code, now.code, file.squeezed, isSure)) return undefined;
  if (addsBeside(next.before) || isPlace(old, areBeside)) return undefined;
  // Code that is set apart is a part of a line only if it begins as that part does.
  const [first, begins] = [old, now].map(({ code }) => wordsOf(code).values().next().value);
  if (old.isInline && !now.isInline && first !== begins) return undefined;
  const sides =
    telling &&
    placeSides(
      { search: old.code.trim(), replace: now.code.trim() },
      file,
      telling.everywhere,
      scopeOf(one.before, [between, next.after]) ?? lineNamed(one.before),
    );
  if (telling === undefined) return undefined;
  if (sides === undefined) return "unclear";
  const blocks = [one, next].flatMap(({ block }) => block ?? []);
  const filePath = [one, next]
    .flatMap(({ sentence }) => sentence?.path ?? [])
    .find((path) => path !== old.code);
  const line = blocks[0] === undefined ? one.line : blocks[0].line + 1;
  return { ...sides, line, filePath, blocks };
}

/** The words around a quotation say that something comes before or behind it, or in a sentence that something is in it. */
function isPlace({ before, after, isInline }: Quotation, areBeside: boolean): boolean {
  const [lead, tail] = [before.trimEnd(), after.trimStart()];
  const isIn = areBeside && /\b(?:in|inside|within)(?: the)?$/i.test(lead);
  return (
    isInline &&
    (isIn ||
      /\b(?:before|after|above|below|behind|under|underneath)(?: the(?: \w+)?)?$/i.test(lead) ||
      /^(?:[^，。；`]{0,4}[的之])?(?:[前后]|[上下]面)/.test(tail))
  );
}

/** Both are parts of one sentence. */
function isBeside(one: Omit<Quotation, "isOld">, next: Omit<Quotation, "isOld">): boolean {
  return one.isInline && next.isInline && one.sentence === next.sentence;
}

/** Two pieces of code that are not in one sentence may be sides of a change; options are none. */
function isNear(one: Quotation, next: Quotation): boolean {
  if (one.block && next.block && one.block.option !== next.block.option) return false;
  if (next.line - one.end > maxGap) return false;
  if (!one.isInline || !next.isInline) return true;
  const areAlone = [one, next].every(({ sentence }) => sentence?.quoted.length === 1);
  return areAlone && refersBack(next.before);
}

/** A whole line that a sentence, or the one behind it, orders to remove, or a block, that the file has once. */
function toDeletion(
  { code, before, after, line, isOld, isInline, sentence, block }: Quotation,
  sentences: readonly Sentence[],
  { squeezed: file, text }: GivenFile,
  isBehindOne: boolean,
): ToldChange | undefined {
  const count = linesOf(code).filter(isSolid).length;
  const next = sentences[sentences.findIndex((one) => one === sentence) + 1];
  const isAsked =
    asksToRemove({ before, after }, count) ||
    (!isInline && pointsToRemoval({ before, after }, count)) ||
    (isBehindOne && onlyGoesOn(before)) ||
    (isInline && next?.quoted.length === 0 && removesThat(next.text, count));
  // Lines may go from what is quoted.
  if (!isAsked || (isInline && tellsWhere(before))) return undefined;
  const isThere = isOld && countText(`\n${file}\n`, `\n${squeeze(code)}\n`, 2) === 1;
  if (!isThere) return undefined;
  const blocks = block === undefined ? [] : [block];
  // Of the empty lines around what is set apart one goes with it.
  const [, behind, ...more] = text.split(`\n\n${code}`);
  const isApart = more.length === 0 && /^\s*(?:\n|[})\]]|end\b|$)/.test(behind ?? " x");
  const isOwnLine = `\n\n${text}`.includes(`\n\n${code.trim()}\n\n`);
  const top = isOwnLine ? "\n\n" : "";
  const search = isInline ? `${code.trim()}${top}` : `${isApart ? "\n" : ""}${code}`;
  return { search, replace: "", line, filePath: sentence?.path, blocks };
}

/** The sides as a unit has them; undefined where it is not clear which of several places is meant. */
function placeSides(
  sides: Sides,
  file: GivenFile,
  everywhere: number | undefined,
  name: string | number | undefined,
): (Sides & Pick<ToldChange, "everywhere" | "parts">) | undefined {
  const { search } = sides;
  const { text } = file;
  const places = tokensIn(text, search);
  const scope = name === undefined ? undefined : scopeIn(file.source, name);
  const inside = places.filter((at) => scope === undefined || (at >= scope.from && at < scope.to));
  if (everywhere !== undefined)
    return inside.length === countText(text, search) ? { ...sides, everywhere } : undefined;
  const isOne = places.length === 1;
  const [at, ...more] = isOne ? places : inside;
  if (scope === undefined && !isOne) return sides;
  if (at === undefined || more.length > 0) return undefined;
  const parts = [{ ...sides, at, from: scope?.from ?? 0 }];
  // A name may be a part of others.
  const isLine = isName(search) || (inside.length > 0 && scope !== undefined);
  return isLine ? { ...inLines(text, parts), parts } : { ...sides, parts };
}

/** Whether both are changes of parts of the same line. */
function areOfOneLine(one: ToldChange, other: ToldChange, text: string): boolean {
  const [first, second] = [one, other].map(({ parts = [] }) => parts[0]?.at ?? -1);
  const [from = 0, to = 0] = [first, second].toSorted((a = 0, b = 0) => a - b);
  return from >= 0 && !text.slice(from, to).includes("\n");
}

/** A change with another one of the same line, if there is one; undefined where both are of the same part of it. */
function joinParts(
  one: ToldChange | undefined,
  other: ToldChange,
  text: string,
): ToldChange | undefined {
  if (one === undefined) return other;
  if (one.search === other.search && one.replace === other.replace) return one;
  const parts = [one, other]
    .flatMap((change) => change.parts ?? [])
    .toSorted((first, second) => first.at - second.at);
  const isOver = ({ at }: Part, nth: number): boolean => {
    const { at: before = 0, search = "" } = parts[nth - 1] ?? {};
    return at < before + search.length;
  };
  const blocks = [...one.blocks, ...other.blocks];
  return parts.some(isOver) ? undefined : { ...one, ...inLines(text, parts), parts, blocks };
}

/** Where a text has some code; an operator where it stands apart, if it does anywhere. */
function tokensIn(text: string, code: string): number[] {
  const places = [...placesIn(text, code)];
  const isSpace = (at: number): boolean => /\s/.test(text[at] ?? " ");
  const apart = places.filter((at) => isSpace(at - 1) && isSpace(at + code.length));
  return /\w/.test(code) || apart.length === 0 ? places : apart;
}

/** Lines. */
const maxContext = 50;

/** The line that has some parts with the lines before it, as many as tell the place from others. */
function inLines(text: string, parts: readonly Part[]): Sides {
  const { from = 0, at = 0 } = parts[0] ?? {};
  const lineEnd = text.indexOf("\n", at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  let start = text.lastIndexOf("\n", at) + 1;
  const isTwin = (): boolean => countText(`\n${text}`, `\n${text.slice(start, end)}\n`, 2) > 1;
  for (let more = 0; more < maxContext && start > from && isTwin(); more += 1)
    start = text.lastIndexOf("\n", start - 2) + 1;
  const replace = parts.reduceRight(
    (made, one) =>
      made.slice(0, one.at - start) + one.replace + made.slice(one.at - start + one.search.length),
    text.slice(start, end),
  );
  return { search: `${text.slice(start, end)}\n`, replace: `${replace}\n` };
}

/** Where the text has the one function, class or the like of a name, or a line by its number. */
function scopeIn(
  source: SourceLines,
  name: string | number,
): { from: number; to: number } | undefined {
  const { all, texts, numbers } = source;
  const offsetOf = (line: number): number => joinLines(all.slice(0, line)).length;
  if (typeof name === "number") return { from: offsetOf(name - 1), to: offsetOf(name) };
  const [head, ...more] = texts.flatMap((line, nth) =>
    line.includes(name) && declaredName(line) === name ? [nth] : [],
  );
  if (head === undefined || more.length > 0) return undefined;
  const end = numbers[unitEnd(source, head)] ?? all.length;
  return { from: offsetOf(numbers[head] ?? 0), to: offsetOf(end) };
}

/** The new side is not the old one anew: it opens or declares something else, or has lines that the file has elsewhere. */
function showsOther(old: string, now: string, file: string, isSure: boolean): boolean {
  const [was, lines] = [squeeze(old).split("\n"), squeeze(now).split("\n")];
  const names = new Set(lines.map((line) => declaredName(line)));
  const isGone =
    !isSure && was.flatMap((line) => declaredName(line) ?? []).some((name) => !names.has(name));
  const more = lines.filter((line) => line.length > 3 && !was.includes(line));
  const isMore = lines.length > 1 && more.some((line) => holds(file, line));
  return isGone || isMore || !hasSameBrackets(was, lines);
}
