// Code without marks: the whole of a file, or functions and classes that take the place of those that they name.
import { type AlignedFile, type Alignment, alignWithin } from "./align-segment.ts";
import { type Region, regionOf } from "./write-regions.ts";
import { importedNames, isNewLine } from "./line-version.ts";
import {
  bracketsOf,
  declaredName,
  docEnd,
  docstringEnd,
  hasSameBrackets,
  headlinesAbove,
  isAfterGap,
  isAttribute,
  isCloser,
  isComment,
  isEven,
  isHeadline,
  isImport,
  likenessOfWords,
  isStyleRule,
  leastColumn,
  linesInStrings,
  maxHead,
  memberName,
  nameSetBy,
  settingOf,
  partOf,
  type SourceLines,
  sourceLines,
  unitEnd,
  wordsOf,
} from "./source-lines.ts";
import { type LineRange, overlaps } from "../edit-unit.ts";
import type { Change } from "../find/merge-replace.ts";
import { commonEdges } from "../../base/text/count-text.ts";
import { countWhile, indented, indentOf, isSolid } from "../../base/text/lines.ts";

/**
 * The code as all of the file; `unclear` where it shows most of it and leaves out what nobody means to go, undefined where
 * it shows less.
 *
 * @param least the share of the lines of both that has to be the same
 */
export function rewriteFile(
  code: SourceLines,
  file: AlignedFile,
  least: number,
): Region | "unclear" | undefined {
  const { source } = file;
  const { texts } = source;
  // Most of the file cannot be in it.
  if (code.texts.length * 2 < texts.length) return undefined;
  const way = alignWithin(code, file, 0, texts.length);
  const { deleted, inserted } = way;
  const shared = texts.length - deleted;
  const [first, second] = unitsOf(code);
  const isSeveral = second !== undefined;
  // It has half of the file's lines, and begins as the file does, other than with a new version of its first function.
  const isSame = first?.lines.texts.every((text, line) => text === texts[line]) === true;
  const isFromTop =
    isSeveral &&
    code.texts[0] === texts[0] &&
    (isSame || first?.name === undefined || first.head > 0);
  const short = (): Region | "unclear" | undefined =>
    rewriteAll(code, file, least) ?? (isFromTop ? "unclear" : undefined);
  if (shared * 2 < texts.length || shared < Math.min(2, texts.length)) return short();
  const longer = Math.max(texts.length, code.texts.length);
  const isOther = shared < least * longer && longer - shared > 6 && !hasNames(code, source);
  // What goes is between lines that are shown, or others take its place.
  const hasEnds = code.texts[0] === texts[0] && code.texts.at(-1) === texts.at(-1);
  const isClose = deleted === 0 || (deleted <= 4 + 2 * inserted && shared * 2 >= code.texts.length);
  const headlines = keptHeadlines(code, file, way);
  // Lines that go in one place are all that the code can be about, if nothing else is other.
  const edges = commonEdges(texts, code.texts);
  const isCut = hasEnds && edges.head + edges.tail === code.texts.length;
  const isUnclear = isOther || (!isCut && lacksParts(code, source, way));
  if ((isClose || hasEnds) && !isUnclear && !lacksEnds(code, source, way, headlines)) {
    // Annotations that go, and nothing else, are what it is about, too.
    const shown = new Set(way.at);
    const areGone =
      inserted === 0 && texts.every((text, line) => shown.has(line) || isAttribute(text));
    const kept = isCut || areGone ? new Map<number, string[]>() : headlines;
    return { ...regionOf(code, way), isTop: true, isBottom: true, kept };
  }
  const above = texts.slice(
    0,
    way.at.find((line) => line !== undefined),
  );
  const hasDirectives = (lines: SourceLines): boolean => lines.texts.some(isDirective);
  const isWhole = hasEnds && hasDirectives(code);
  const isFrame = !isWhole && way.at.includes(texts.length - 1) && above.every(isDirective);
  const isPart = isDeeper(code, source) || (hasDirectives(source) && !hasDirectives(code));
  const isMore = isSeveral && !isPart && (isUnclear || !isFrame);
  return short() ?? (isMore ? "unclear" : undefined);
}

/** It shows anew all that the file has on its outermost level, from its first line to its last, whatever has changed in it. */
function rewriteAll(code: SourceLines, file: AlignedFile, least: number): Region | undefined {
  // Other files of its kind are about the same things.
  const isLong = Math.max(code.texts.length, file.source.texts.length) > shortFile;
  if (least > 0 && isLong) return undefined;
  const keysOf = (lines: SourceLines): string[] =>
    [...unitsOf(lines)].map(({ text }) => keyOf(text).key);
  const [keys, own] = [keysOf(file.source), keysOf(code)];
  const [known, shown] = [new Set(keys), new Set(own)];
  const isAll = known.size >= leastKinds && keys.every((key) => shown.has(key));
  if (
    own.length < leastLength * keys.length ||
    !isAll ||
    keys[0] !== own[0] ||
    keys.at(-1) !== own.at(-1)
  )
    return undefined;
  const way = alignWithin(code, file, 0, file.source.texts.length);
  if (lacksParts(code, file.source, way) || isCutAt(code, file.source, way)) return undefined;
  return { ...regionOf(code, way), isTop: true, isBottom: true };
}

/** With fewer kinds of statements and declarations, or so much shorter, it may as well be a part of the file. */
const [leastKinds, leastLength] = [4, 0.7];
/** In lines: a longer file has to be named. */
const shortFile = 60;

function isDeeper(code: SourceLines, source: SourceLines): boolean {
  return leastColumn(code) > leastColumn(source);
}

/** It does not show the end of the file, or what that begins with. */
function lacksEnds(
  code: SourceLines,
  source: SourceLines,
  way: Alignment,
  kept: ReadonlyMap<number, readonly string[]>,
): boolean {
  const first = way.at.findIndex((line) => line !== undefined);
  const above = way.at[first] ?? 0;
  const keptAbove = kept.get(0)?.filter(isSolid).length ?? 0;
  const [own = 0, was = 0] = [code.columns[first], source.columns[above]];
  const isInner = own === leastColumn(code) && was > leastColumn(source);
  // Where other imports are shown, those above them were taken out; a file keeps the name of its package.
  const mayGo = (text: string): boolean => isImport(text) && !/^(?:package|namespace)\b/.test(text);
  const isTakenOut =
    source.texts.slice(0, above).every(mayGo) &&
    way.at.some((line) => isImport(source.texts[line ?? -1] ?? ""));
  const isRunLost = source.texts[0]?.startsWith("#!") === true && above > keptAbove;
  const isHeadLost = isRunLost || (above - keptAbove > 3 * first && !isTakenOut);
  return isInner || isHeadLost || isCutAt(code, source, way);
}

/** It leaves out a definition or an import that is used. */
function lacksParts(code: SourceLines, source: SourceLines, way: Alignment): boolean {
  return lostName(source, code.texts) !== undefined || lostImport(code, source, way) !== undefined;
}

/** Whether code that shows a file from its beginning ends before the file does, or inside of a block. */
export function isCutOff(code: SourceLines, file: AlignedFile): boolean {
  const { length } = file.source.texts;
  if (code.texts[0] !== file.source.texts[0] || code.texts.length * 2 < length) return false;
  return isCutAt(code, file.source, alignWithin(code, file, 0, length));
}

function isCutAt(
  { texts }: SourceLines,
  { texts: known, columns }: SourceLines,
  { at, deleted }: Alignment,
): boolean {
  if (deleted > 0 && isEven(known) && !isEven(texts)) return true;
  const [was = "", now = ""] = [known.at(-1), texts.at(-1)];
  if (!known.includes(now) && !isCloser(was) && isNewLine(was, now)) return false;
  let [end, size] = [known.length, texts.length];
  while (size > 0 && at[size - 1] === end - 1) [end, size] = [end - 1, size - 1];
  const last = at.findLastIndex((line, nth) => nth < size && line !== undefined);
  const added = size - 1 - last;
  let start = (at[last] ?? -1) + 1;
  const below = end - start;
  // The last lines of both may be alike by chance: what goes may as well be all that comes at the end.
  if (below > 0 && added === 0)
    while (end < known.length && known[start] === known[end] && columns[start] === columns[end])
      [start, end] = [start + 1, end + 1];
  return end === known.length && below > added;
}

/** What comes before the code of a file, and is left out where only a part is shown. */
function isDirective(text: string): boolean {
  return isImport(text) || /^(?:<\?php|["']use strict["'];?)$/.test(text);
}

const sameImport = 0.5;
/** Lines of one import. */
const maxImport = 100;

/** An import that the code leaves out, though it uses what that binds. */
function lostImport(
  code: SourceLines,
  { texts }: SourceLines,
  { at }: Alignment,
): string | undefined {
  const shown = new Set(at);
  const isUse = (text: string): boolean => !isImport(text) && !isComment(text);
  const used = new Set(code.texts.filter(isUse).flatMap((text) => [...wordsOf(text)]));
  const imports = code.texts.flatMap((text, nth) =>
    isImport(text) ? code.texts.slice(nth, Math.min(unitEnd(code, nth), nth + maxImport)) : [],
  );
  const known = wordsOf(imports.join("\n"));
  const anew = code.texts.filter((text, nth) => at[nth] === undefined && isImport(text));
  const declared = namesIn(code.texts);
  const isLost = (name: string): boolean =>
    used.has(name) && !known.has(name) && !declared.has(name);
  return texts.find((text, line) => {
    if (shown.has(line) || !isImport(text) || !/\b(?:import|from|use|using)\b/.test(text))
      return false;
    // A new version of it shows what it binds.
    return (
      [...importedNames(text)].some(isLost) &&
      !anew.some((one) => likenessOfWords(one, text) >= sameImport)
    );
  });
}

/**
 * A name that a file declares and some code does not, unless that declares as many new ones. What the code has taken out
 * wherever the file used it is not lost.
 */
function lostName(source: SourceLines, now: readonly string[]): string | undefined {
  const [old, own] = [namesIn(source.texts), namesIn(now)];
  const known = new Set(source.texts);
  const set = new Set(now.map((text) => (known.has(text) ? undefined : nameSetBy(text))));
  const missing = [...old].filter((name) => !own.has(name) && !set.has(name));
  const added = [...own].filter((name) => !old.has(name));
  const has = (texts: readonly string[], name: string): boolean =>
    texts.some((text) => !isComment(text) && wordsOf(text).has(name));
  const isTakenOut = (name: string): boolean => {
    const at = source.texts.findIndex((text) => declaredName(text) === name);
    const rest = source.texts.toSpliced(at, unitEnd(source, at) - at);
    return has(rest, name) && !has(now, name);
  };
  if (missing.length <= added.length) return undefined;
  const lost = missing.filter((name) => missing.length > maxTakenOut || !isTakenOut(name));
  return lost.length > added.length ? lost[0] : undefined;
}

/** Of more names that are gone, the code leaves them out. */
const maxTakenOut = 5;

/** It declares most of what the file does. */
function hasNames(code: SourceLines, source: SourceLines): boolean {
  const [names, own] = [[...namesIn(source.texts)], namesIn(code.texts)];
  return names.length > 2 && names.filter((name) => own.has(name)).length >= 0.7 * names.length;
}

/** A function is bound, and no call that takes one. */
const isFunction = /= ?(?:async )?(?:function\b|<|(?:\([^()]*\)[^()]*|[\w$]+ ?)=>)/;

/** Of functions and types; not of variables, nor of what is called. */
function namesIn(texts: readonly string[]): Set<string> {
  const isDefined = (text: string, nth: number): boolean => {
    // A rule of CSS may go.
    if (isStyleRule(text)) return false;
    const word = keywordOf(text);
    if (/^(?:const|let|var|val)$/.test(word)) return isFunction.test(text);
    if (word !== "") return !text.endsWith(";");
    const [parentheses = 0] = bracketsOf([text]);
    return (
      parentheses === 0 && ((/[{:]$/.test(text) && !text.includes("=>")) || texts[nth + 1] === "{")
    );
  };
  return new Set(
    texts.flatMap((text, nth) => (isDefined(text, nth) ? (declaredName(text) ?? []) : [])),
  );
}

/**
 * Comments and annotations above lines that stay, which the code leaves out: if it shows none of those that the lines
 * have, it does not mean that they go. By the line of the code before which they belong.
 */
export function keptHeadlines(
  { texts }: SourceLines,
  { source }: AlignedFile,
  { start: from, end: to, at }: Alignment,
): Map<number, readonly string[]> {
  const kept = new Map<number, readonly string[]>();
  const shown = new Set(texts);
  const own = source.texts.slice(from, to).filter((text) => shown.has(text));
  const [hasComments, hasAttributes] = [own.some(isComment), own.some(isAttribute)];
  const isShown = (text: string): boolean => (isComment(text) ? hasComments : hasAttributes);
  // What was a comment may be code now.
  const isLeftOut = (text: string): boolean =>
    isHeadline(text) && !isShown(text) && !shown.has(text.replace(/^(?:\/\/|#|--)\s*/, ""));
  for (const [nth, line] of at.entries()) {
    if (line === undefined || (nth > 0 && isHeadline(texts[nth - 1] ?? ""))) continue;
    // Within a body a comment is about statements, which may be others now.
    if (nth > 0 && declaredName(texts[nth] ?? "") === undefined) continue;
    // What is set apart, other than at the top, is about more than this line.
    const isApart = (below: number): boolean => nth > 0 && isAfterGap(source, below);
    let first = line;
    while (first > from && !isApart(first) && isLeftOut(source.texts[first - 1] ?? "")) first -= 1;
    const [start, end] = [source.numbers[first] ?? 0, source.numbers[line] ?? 0];
    if (first < line) kept.set(nth, source.all.slice(start, end));
  }
  return kept;
}

/** An outermost declaration, import or statement. */
export interface Unit {
  /** With the comments and annotations above the line that declares it. */
  lines: SourceLines;
  /** The line that declares it, and its text. */
  head: number;
  text: string;
  name: string | undefined;
  /** Where its first line is in the code, counted with the empty ones. */
  at: number;
  /** Its solid lines in the code. */
  from: number;
  to: number;
}

export function* unitsOf(code: SourceLines): Iterable<Unit> {
  const least = leastColumn(code);
  const { texts, columns } = code;
  for (let at = 0; at < texts.length;) {
    let from = at;
    at = docEnd(code, at) ?? at;
    const below = at;
    while (at < texts.length && isHeadline(texts[at] ?? ""))
      at = isComment(texts[at] ?? "") ? at + 1 : unitEnd(code, at);
    // Comments at the end belong to nothing.
    const head = at < texts.length ? at : from;
    let to = at < texts.length ? Math.max(unitEnd(code, head), head + 1) : texts.length;
    while (to < texts.length && (columns[to] ?? 0) > least && !isAfterGap(code, to)) to += 1;
    // A comment that is set apart is none of this.
    for (let line = below + 1; line <= head; line += 1)
      if (isAfterGap(code, line) && isComment(texts[line - 1] ?? "")) from = line;
    const text = texts[head] ?? "";
    const [first, end] = [from, to];
    let own: SourceLines | undefined;
    yield {
      // Of thousands of units a few are looked into.
      get lines() {
        own ??= partOf(code, first, end);
        return own;
      },
      text,
      head: head - from,
      name: declaredName(text),
      at: code.numbers[from] ?? 0,
      from,
      to,
    };
    at = to;
  }
}

/** All of the file is one function or class. */
export function isOneUnit(source: SourceLines): boolean {
  const [only, next] = unitsOf(source);
  return only?.name !== undefined && next === undefined;
}

/** It has more than one function or class. */
export function hasSeveralUnits(code: SourceLines): boolean {
  const units = [...unitsOf(code)];
  return units.filter(({ name, lines }) => name !== undefined && lines.texts.length > 1).length > 1;
}

/** The file has the heads of half of its functions and classes as they are, and each takes something. */
export function hasHeads(code: SourceLines, file: AlignedFile): boolean {
  const heads = [...unitsOf(code)].flatMap(({ name, lines, text }) =>
    name !== undefined && lines.texts.length > 1 ? text : [],
  );
  const known = heads.filter((text) => file.countOf(text) > 0);
  const words = known.reduce((sum, text) => sum + wordsOf(text).size, 0);
  return words > 2 * known.length + 1 && known.length * 2 >= heads.length;
}

/** It is nothing but functions and classes. */
export function hasOnlyUnits(code: SourceLines): boolean {
  const units = [...unitsOf(code)];
  return (
    units.length > 0 &&
    units.every(({ name, lines }) => name !== undefined && lines.texts.length > 1)
  );
}

/** Without what is in parentheses, also in others. */
function withoutParentheses(text: string): string {
  const outer = text.replaceAll(/\([^()]*\)/g, "");
  return outer === text ? text : withoutParentheses(outer);
}

/** A declaration with all that it is bound to: `fun name() = value`. */
function isOneLine({ lines, head, text, name }: Unit): boolean {
  const isBound = withoutParentheses(text.slice(0, 500)).includes("=");
  const isWhole = isBound && /[^=]=>?\s*[^\s=>]/.test(text) && /[\w"'`;)\]}]$/.test(text);
  return name !== undefined && lines.texts.length === head + 1 && isWhole && isEven([text]);
}

/** Names of what shows how code is used. */
const demo = /^(?:main|demo|example|usage|test)(?:[_A-Z].*)?$/;

/** Each unit in place of the one of the file that it names; undefined unless that is clear for all of them. */
export function rewriteUnits(
  code: SourceLines,
  file: AlignedFile,
  within: LineRange | undefined,
): (Region | Change)[] | undefined {
  const units = [...unitsOf(code)];
  const isLong = ({ lines, head }: Unit): boolean => lines.texts.length - head > 1;
  // In one line it is all of one that the file has in several.
  const isWhole = (unit: Unit): boolean =>
    isLong(unit) ||
    (isOneLine(unit) &&
      file.declaring(unit.name ?? "").some((at) => unitEnd(file.source, at) > at + 1));
  if (!units.some((unit) => unit.name !== undefined && isWhole(unit))) return undefined;
  // It begins or ends in a block, or in a comment, that is not all there.
  const isInside = units[0]?.name === undefined && code.columns[0] !== leastColumn(code);
  const isRest = ({ lines, text }: Unit): boolean =>
    isCloser(text) || lines.texts[0]?.startsWith("*") === true;
  if (isInside || units.some(isRest)) return undefined;
  const imports = addImports(units.filter(isImportUnit), file);
  if (imports === undefined) return undefined;
  const changes: (Region | Change)[] = [...imports];
  const places = findUnits(units, file, within);
  const leading: Unit[] = [];
  const kept: string[] = [];
  const replaced: { start: number; end: number; texts: readonly string[] }[] = [];
  let last: number | undefined;
  let indent = "";
  for (const [nth, unit] of units.entries()) {
    const { text } = unit;
    const isOne = unit.lines.texts.length === 1;
    if (isImportUnit(unit)) continue;
    if (isOne && file.countOf(text) > 0) {
      kept.push(text);
      continue;
    }
    const place = places[nth];
    if (place === undefined) {
      if (!isAddition(unit, units, file)) return undefined;
      if (last === undefined) leading.push(unit);
      else changes.push(addUnit(unit, file, last, indent));
      continue;
    }
    if (place === "unclear" || !isNewVersion(unit, file, place)) return undefined;
    const [lead] = last === undefined ? leading : [];
    if (lead !== undefined) {
      // Declarations of another block would not be in its scope.
      if (file.source.columns[place.start] !== leastColumn(code)) return undefined;
      changes.push(addAbove(code.all.slice(lead.at, unit.at), file, place.start));
    }
    changes.push(replaceUnit(unit, file, place));
    replaced.push({ ...place, texts: unit.lines.texts });
    last = place.end;
    indent = indentOf(file.source.all[file.source.numbers[place.start] ?? 0] ?? "");
  }
  if (leading.length > 0 && last === undefined) return undefined;
  // What is shown beside a unit, and is in it, is moved.
  const goes = (at: number, text: string): boolean =>
    replaced.some(({ start, end, texts }) => at >= start && at < end && !texts.includes(text));
  const isMoved = (text: string): boolean => {
    const all = file.fewPlaces(text);
    return all.length > 0 && all.every((at) => goes(at, text));
  };
  return changes.length > 0 && !kept.some(isMoved) ? changes : undefined;
}

export function isImportUnit({ text, lines, head }: Unit): boolean {
  // What has a body of its own in the file is none.
  const isBlock = /^(?:module|namespace|package)\b/.test(text) && lines.texts.length > head + 1;
  return isImport(text) && !isBlock;
}

/**
 * What code that imports, and does nothing else, adds to the imports of the file: beside those that it shows, which the file
 * has together; new ones alone in their order.
 *
 * @param isAdded something says that they are added
 * @param isLess something says that others go: those between the first and the last one
 */
export function addOnlyImports(
  code: SourceLines,
  file: AlignedFile,
  isAdded: boolean,
  isLess = false,
): Change[] | undefined {
  const units = [...unitsOf(code)];
  const areImports = units.every(isImportUnit);
  const added = areImports ? addImports(units, file) : undefined;
  const at = code.texts.map((text) =>
    file.countOf(text) === 1 ? file.places.get(text)?.[0] : undefined,
  );
  const shown = at.filter((line) => line !== undefined);
  const [first] = shown;
  if (first === undefined) return isAdded ? added : undefined;
  // Between them nothing can have gone.
  const areTogether = shown.every((line, nth) => line === first + nth);
  const areNew = added?.every(({ start, end }) => start === end) === true;
  const { numbers, texts } = file.source;
  const last = shown.at(-1);
  const isRow = shown.every((line, nth) => nth === 0 || line > (shown[nth - 1] ?? 0));
  if (areImports && isLess && isRow && at[0] === first && last !== undefined) {
    const old = texts.slice(first, last + 1);
    const range = { start: numbers[first] ?? 0, end: (numbers[last] ?? 0) + 1 };
    return hasSameBrackets(code.texts, old) ? [{ ...range, lines: [...code.all] }] : undefined;
  }
  // A line that opens brackets shows no more than the beginning of its import.
  const areWhole = shown.every((line) => isEven([texts[line] ?? ""]));
  if (!areTogether || !areNew || !areWhole) return undefined;
  let below = numbers[first] ?? 0;
  return code.texts.flatMap((_, nth): Change[] => {
    const line = at[nth];
    if (line !== undefined) below = (numbers[line] ?? 0) + 1;
    const own = code.all[code.numbers[nth] ?? 0] ?? "";
    return line === undefined ? [{ start: below, end: below, lines: [own] }] : [];
  });
}

/** An import between two that the code shows around it, and that the file has one behind the other. */
function addBetween(nth: number, units: readonly Unit[], file: AlignedFile): Change[] | undefined {
  const [above, below] = [units[nth - 1], units[nth + 1]].map(
    (unit) => unit && file.fewPlaces(unit.text)[0],
  );
  if (above === undefined || below !== above + 1) return undefined;
  const start = file.source.numbers[below] ?? 0;
  return [{ start, end: start, lines: [...(units[nth]?.lines.all ?? [])] }];
}

/** What imports of the code add to those of the file; undefined if that is not clear. */
export function addImports(units: readonly Unit[], file: AlignedFile): Change[] | undefined {
  // What is above a known line of its own says nothing of it.
  const isKnown = ({ lines, head, text }: Unit): boolean =>
    lines.texts.length === head + 1 && file.countOf(text) > 0;
  if (units.filter((unit) => !isKnown(unit)).length > maxImports) return undefined;
  const changes: Change[] = [];
  const first: string[] = [];
  for (const [nth, unit] of units.entries()) {
    if (isKnown(unit)) continue;
    const { lines } = unit;
    const own = addBetween(nth, units, file) ?? addImport(lines, file);
    if (own === undefined) return undefined;
    if (own === "first") first.push(...lines.all);
    else for (const one of own) changes.push(one);
  }
  if (first.length === 0) return changes;
  const top = firstImports(first, file);
  return top && [top, ...changes];
}

/**
 * What tells a member from others: its name or pattern, all that an item of a list has; less surely its first word, or what
 * it calls by a name.
 *
 * @param isData of settings, whose first word is as good as a name
 */
export function keyOf(line: string, isData = false): { key: string; isSure: boolean } {
  const text = line.slice(0, maxHead);
  const isItem = /^(?:-\s|[[{]$)/.test(text);
  const name = isItem ? text : (settingOf(text) ?? /^[^=]+(?==>)/.exec(text)?.[0]);
  const word = /^\W*[\w$.]+(?:\(["'`][^"'`]*["'`])?/.exec(text)?.[0] ?? text;
  const key = name === undefined ? word : `${keywordOf(text)} ${name}`;
  return { key, isSure: name !== undefined || isData };
}

/** What a line declares: `class`, `function` in a language's word, or nothing of the kind. */
export function keywordOf(text: string): string {
  const word =
    /(?:^|\s)(function|func|fun|fn|def|sub|class|struct|interface|trait|enum|impl|module|namespace|object|type)\s/;
  return (word.exec(text) ?? /(?:^|\s)(const|let|var|val)\s/.exec(text))?.[1] ?? "";
}

/** What a line declares, as {@link keywordOf} says; a function has one kind, whether it is bound to a name or has it. */
function kindOf(text: string): string {
  const word = keywordOf(text);
  return /^(?:const|let|var)$/.test(word) && isFunction.test(text) ? "function" : word;
}

/** How many parameters a head has; undefined where it does not show them all. */
export function parametersOf(text: string, name: string): number | undefined {
  const call = text.lastIndexOf(`${name}(`);
  const from = text.indexOf("(", call === -1 ? text.lastIndexOf(name) : call);
  let [depth, commas] = [0, 0];
  for (let at = from; at !== -1 && at < text.length; at += 1) {
    const sign = text.charAt(at);
    if ("([{<".includes(sign)) depth += 1;
    else if (")]}>".includes(sign) && text.charAt(at - 1) !== "=") depth -= 1;
    else if (sign === "," && depth === 1) commas += 1;
    if (depth === 0) return /^\(\s*\)/.test(text.slice(from)) ? 0 : commas + 1;
  }
  return undefined;
}

/** New imports; each is compared with those of the file. */
const maxImports = 200;

/** Of more declarations with one name none is looked at. */
const maxTwins = 50;

/** The units of the file that some code may mean, the most alike first; `clear` where that can only be the first. */
interface Candidates {
  ranked: readonly Alignment[];
  isClear: boolean;
}

/** Several are nearly as good, or there is too much to compare. */
const unclear: Candidates = { ranked: [], isClear: false };
const clearLead = 0.2;
/** What it counts for a candidate that it has lines which are meant: as much as a difference that most twins have. */
const meantShare = 0.4;

export function shareOfWay({ start, end, at, inserted }: Alignment): number {
  return (2 * (at.length - inserted)) / (at.length + end - start);
}

function candidatesOf(
  { lines, text, name }: Unit,
  file: AlignedFile,
  within: LineRange | undefined,
): Candidates {
  const { texts, numbers } = file.source;
  const own = name === undefined ? [] : file.declaring(name);
  const same = file.places.get(text) ?? [];
  const isNamed = (at: number): boolean => {
    const line = texts[at] ?? "";
    const counts = [line, text].map((one) => parametersOf(one, name ?? ""));
    const isVariable = /\b(?:const|let|var|val)\s+[\w$]+\s*[:=]/.test(text);
    const isOverload = !isVariable && !counts.includes(undefined) && counts[0] !== counts[1];
    return kindOf(line) === kindOf(text) && !isOverload;
  };
  const named = same.length > 0 ? same : own.filter(isNamed);
  if (named.length > maxTwins) return unclear;
  for (const line of named) {
    const pairs = (lines.texts.length * (unitEnd(file.source, line) - line)) >> 2;
    if (!file.compare(pairs)) return unclear;
  }
  const lineOf = (solid: number): number => (numbers[solid] ?? 0) + 1;
  const likenessOf = (one: Alignment): number => {
    const range = { startLine: lineOf(one.start), endLine: lineOf(one.end - 1) };
    const isMeant = within !== undefined && overlaps(within, range);
    return shareOfWay(one) + (isMeant ? meantShare : 0);
  };
  const ranked = named
    .map((line) => alignWithin(lines, file, line, unitEnd(file.source, line)))
    .sort((a, b) => likenessOf(b) - likenessOf(a));
  const [best, next] = ranked;
  if (best === undefined || next === undefined) return { ranked, isClear: true };
  return { ranked, isClear: likenessOf(best) - likenessOf(next) > clearLead };
}

/** The unit of the file that each means; undefined where there is none, `unclear` where there are several. */
function findUnits(
  units: readonly Unit[],
  file: AlignedFile,
  within: LineRange | undefined,
): (Alignment | "unclear" | undefined)[] {
  const found = units.map((unit) => candidatesOf(unit, file, within));
  const sameHeads = Map.groupBy(units, ({ text }) => text);
  // Where those above end, and those below begin, of which it is clear which they are.
  const [above, below] = [[0], [Infinity]];
  for (const [nth, { ranked, isClear }] of found.entries())
    above.push(Math.max(above[nth] ?? 0, isClear ? (ranked[0]?.end ?? 0) : 0));
  for (const [nth, { ranked, isClear }] of found.toReversed().entries())
    below.push(Math.min(below[nth] ?? 0, isClear ? (ranked[0]?.start ?? Infinity) : Infinity));
  return found.map(({ ranked, isClear }, nth) => {
    const unit = units[nth];
    if (isClear || unit === undefined) return ranked[0];
    // All that have this head, in their order; or the one between those that are clear.
    const own = sameHeads.get(unit.text) ?? [];
    if (own.length === ranked.length)
      return ranked.toSorted((a, b) => a.start - b.start)[own.indexOf(unit)];
    const [low = 0, high = Infinity] = [above[nth], below[units.length - 1 - nth]];
    const [only, ...more] = ranked.filter(({ start, end }) => start >= low && end <= high);
    if (only === undefined || more.length > 0) return "unclear";
    return ranked.every((one) => shareOfWay(one) - shareOfWay(only) <= clearLead)
      ? only
      : "unclear";
  });
}

const empty = /^(?:pass|\.\.\.|(?:\/\/|#)\s*todo\b.*|todo!\(\).*|unimplemented!\(\).*)$/i;

/** Nothing that the file's unit declares is left out, the code is whole, and it is about the same. */
export function isNewVersion(unit: Unit, { source }: AlignedFile, place: Alignment): boolean {
  const { lines, head } = unit;
  const was = source.texts.slice(place.start, place.end);
  const own = lines.texts.slice(head);
  const isCode = (text: string): boolean => !isComment(text) && !isCloser(text);
  const hasBody = (body: SourceLines, from: number, to: number): boolean =>
    body.texts
      .slice(docstringEnd(body, from), to)
      .some((text) => isCode(text) && !empty.test(text));
  const isAll = isOneLine(unit) || hasBody(lines, head, lines.texts.length);
  if (hasBody(source, place.start, place.end) && !isAll) return false;
  // Some languages close a body by a word, which nothing counts as a bracket.
  const [end = "", last = ""] = [own.at(-1), was.at(-1)];
  const isUnclosed = /^\w/.test(last) && isCloser(last) && !isCloser(end);
  // Without a word or a bracket that closes it, a body ends as the file's does, or with something new, or what comes there
  // in the file has gone up.
  const line = place.at.at(-1);
  const depthIn = ({ columns }: SourceLines, at: number, from: number): number =>
    (columns[at] ?? 0) - (columns[from] ?? 0);
  const isMoved =
    depthIn(lines, lines.texts.length - 1, head) !== depthIn(source, line ?? 0, place.start);
  // What ends a body by itself is new, though it may be like another line.
  const isEnd = (line ?? -1) < 0 && /^(?:return|raise|throw)\b/.test(end);
  const isEarly =
    line !== undefined &&
    !isEnd &&
    was.slice(line + 1 - place.start).some((text) => !own.includes(text));
  const isOpen = !isCloser(last) && isEarly && !isMoved;
  const isHead = end.endsWith(":") && !last.endsWith(":");
  const isCut = was.length > 1 && (isHead || isOpen || isUnclosed);
  if (isCut || !hasSameBrackets(own, was)) return false;
  if (declaresBeside(lines, head)) return false;
  const names = namesIn(own.slice(1));
  if ([...namesIn(was.slice(1))].some((name) => !names.has(name))) return false;
  if ((was.length - place.deleted) * 2 >= Math.min(was.length, own.length)) return true;
  const [words, old] = [wordsOf(own.join(" ")), wordsOf(was.join(" "))];
  const known = [...old].filter((word) => words.has(word)).length;
  return known * 2 >= Math.min(words.size, old.size);
}

/** It has a second declaration beside the first one, whose own indentation was lost. */
export function declaresBeside({ columns, texts }: SourceLines, head: number): boolean {
  const [depth = 0, inner = 0] = columns.slice(head);
  return columns.some(
    (column, nth) =>
      column > depth && column < inner && declaredName(texts[nth] ?? "") !== undefined,
  );
}

/** A note of what was changed documents nothing. */
const note =
  /^(?:\/\/|#|--)(?![/!])\s*(?:(?:fix(?:ed)?|correct(?:ed|ion)|updated|changed?|new|improved|optimi[sz]ed|refactored)\b|已?(?:修复|修正|更新|优化|改进|修改))/i;

export function replaceUnit(
  unit: Unit,
  file: AlignedFile,
  { start: from, end: to }: Alignment,
): Region {
  const { source } = file;
  const { texts } = unit.lines;
  const isOfName = wordsOf(texts[0] ?? "").has(unit.name ?? "");
  const isNote = unit.head === 1 && note.test(texts[0] ?? "") && !isOfName;
  const skipped = isNote ? 1 : 0;
  const head = unit.head - skipped;
  const shown = unit.lines.all.slice(unit.lines.numbers[skipped] ?? 0);
  const nth = (unit.lines.numbers[unit.head] ?? 0) - (unit.lines.numbers[skipped] ?? 0);
  const own = sourceLines(
    shown.with(nth, withModifiers(shown[nth] ?? "", source.all[source.numbers[from] ?? 0] ?? "")),
  );
  let start = from;
  if (head > 0) start = headlinesAbove(source, from);
  // What is shown from a line of the comment on, leaves what is above that line.
  const first = source.texts.slice(start, from).indexOf(own.texts[0] ?? "");
  if (first !== -1) start += first;
  const way = alignWithin(own, file, start, to);
  const kept = keptHeadlines(own, file, way);
  // Of comments and annotations above it, each kind stays where the code has none.
  const above = own.texts.slice(0, head);
  const lineOf = (solid: number): string => source.all[source.numbers[solid] ?? 0] ?? "";
  const stays = Array.from({ length: from - start }, (_, line) => start + line).filter(
    (line) => !above.some((text) => isComment(text) === isComment(source.texts[line] ?? "")),
  );
  const isComments = stays.every((line) => isComment(source.texts[line] ?? ""));
  kept.delete(0);
  if (stays.length > 0) kept.set(isComments ? 0 : head, stays.map(lineOf));
  const doc = docstringEnd(source, from);
  if (doc > from + 1 && docstringEnd(own, head) === head + 1 && own.texts.length > head + 1)
    kept.set(
      head + 1,
      source.all.slice(source.numbers[from + 1], (source.numbers[doc - 1] ?? 0) + 1),
    );
  return { ...regionOf(own, way), kept };
}

/** These stay in any case: who shows a function on its own leaves them out. */
const lasting = /^(?:export|default|declare)$/;
const visibility = /^(?:pub(?:\([\w: ]*\))?|public|private|protected|internal|open)$/;
const modifier =
  /^(?:export|default|declare|public|private|protected|internal|static|final|abstract|override|readonly|async|pub(?:\([\w: ]*\))?|unsafe|extern|virtual|inline|synchronized|open|partial|sealed|native)$/;

/** The head of the code with the modifiers of the file: all if it has none, else those that nobody takes off. */
function withModifiers(head: string, fileHead: string): string {
  const [now, was] = [modifiersOf(head), modifiersOf(fileHead)];
  const isVisible = now.some((word) => visibility.test(word));
  const stays = (word: string): boolean =>
    now.length === 0 ||
    now.includes(word) ||
    lasting.test(word) ||
    (visibility.test(word) && !isVisible);
  const words = [...now];
  // An annotation may come before them.
  const shown = new Set(head.trim().split(/[ \t]+/));
  for (const [nth, word] of was.entries()) {
    if (shown.has(word) || !stays(word)) continue;
    words.splice(words.indexOf(was[nth - 1] ?? "") + 1, 0, word);
  }
  const rest = now.reduce((text, word) => text.slice(word.length).trimStart(), head.trimStart());
  return indentOf(head) + words.map((word) => `${word} `).join("") + rest;
}

function modifiersOf(head: string): string[] {
  const words = head.trim().split(/[ \t]+/);
  const end = words.findIndex((word) => !modifier.test(word));
  return words.slice(0, end === -1 ? words.length : end);
}

/** What a statement on the outermost level binds, as Python and shells do without a word for it. */
function boundName(text: string): string | undefined {
  return /^([\w$]+)\s*(?::[^=]*)?=(?![=>~])/.exec(text)?.[1];
}

/** Of a rule of CSS, or a resource of Terraform: nothing runs where it is, so it may come beside another one. */
function isBlockName(name: string): boolean {
  return /[^\w$]/.test(name) && !name.includes("(");
}

/** A unit that the file does not have, and that another one of the code uses. */
function isAddition(
  { lines, text, name }: Unit,
  units: readonly Unit[],
  file: AlignedFile,
): boolean {
  const own = name ?? boundName(text);
  const kind = keywordOf(text);
  const isKnown = (at: number): boolean => keywordOf(file.source.texts[at] ?? "") === kind;
  if (own === undefined || demo.test(own) || file.declaring(own).some(isKnown)) return false;
  if (file.source.texts.some((line) => boundName(line) === own)) return false;
  return units
    .slice(0, maxTwins)
    .some(
      (other) =>
        other.lines !== lines &&
        (other.lines.texts.some((line) => wordsOf(line).has(own.replace(/[?!]$/, ""))) ||
          (other.name !== undefined && isBlockName(own) && isBlockName(other.name))),
    );
}

/** A new unit comes below the one that the code has above it, as deep as that is. */
function addUnit({ lines }: Unit, { source }: AlignedFile, below: number, indent: string): Change {
  const start = (source.numbers[below - 1] ?? 0) + 1;
  return { start, end: start, lines: ["", ...indented(lines.all, indent)] };
}

/** New units come above the first one that the file has, and its comments and annotations. */
function addAbove(lines: readonly string[], { source }: AlignedFile, line: number): Change {
  const start = source.numbers[headlinesAbove(source, line)] ?? 0;
  return { start, end: start, lines: [...lines] };
}

/** The first imports of a file come behind its header: comments that are set apart, and what says what file it is. */
function firstImports(imports: readonly string[], { source }: AlignedFile): Change | undefined {
  const { texts, numbers } = source;
  const inside = linesInStrings(source.all);
  const isHeader = (line: number): boolean => {
    const text = texts[line] ?? "";
    return isComment(text) || isDirective(text) || inside.has(numbers[line] ?? 0);
  };
  let first = 0;
  while (first < texts.length && isHeader(first)) first += 1;
  const below = texts[first] ?? "";
  // What is right above is of what follows.
  while (first > 0 && !isAfterGap(source, first)) first -= 1;
  if (first === texts.length || (first === 0 && isHeader(0))) return undefined;
  const start = numbers[first] ?? 0;
  const gap = below.endsWith(":") ? ["", ""] : [""];
  return { start, end: start, lines: [...imports, ...gap] };
}

const quotedSource = /["'`<]([^"'`<>]+)["'`>];?$/;
const bareSource = /^(?:from|import|use|using|require)\s+([\w.:\\/]+)/;

/** What an import is from. */
function importSource(text: string): string | undefined {
  return (quotedSource.exec(text) ?? bareSource.exec(text))?.[1];
}

/** The name that a line sets, the element that it begins, or the module that it imports from. */
export function namedBy(text: string): string | undefined {
  const tag = /^<[A-Za-z][\w-]*/.exec(text)?.[0];
  return (
    (tag && (memberName(text) ?? tag)) ??
    (isImport(text) ? importSource(text) : nameSetBy(text)?.replaceAll(/["']/g, ""))
  );
}

/** Where a new import goes among those that are sorted: in the group that has the most like it. */
function sortedPlace(
  text: string,
  imports: readonly number[],
  source: SourceLines,
): number | undefined {
  const textOf = (line: number | undefined): string => source.texts[line ?? -1] ?? "";
  const groups: number[][] = [];
  for (const line of imports)
    if (groups.length === 0 || isAfterGap(source, line)) groups.push([line]);
    else groups.at(-1)?.push(line);
  const shared = (line: number): number =>
    countWhile(text.length, (at) => textOf(line).startsWith(text.slice(0, at + 1)));
  const likeness = groups.map((group) => Math.max(...group.slice(0, maxImports).map(shared)));
  // Imports that begin with another word may have an order of their own.
  const begins = (line: number): boolean => textOf(line).split(" ", 1)[0] === text.split(" ", 1)[0];
  const group = (groups[likeness.indexOf(Math.max(...likeness))] ?? []).filter(begins);
  const isSorted = group.every((line, nth) => nth === 0 || textOf(group[nth - 1]) <= textOf(line));
  if (!isSorted || group.length < 3) return undefined;
  const above = group.findLast((line) => textOf(line) < text);
  const below = source.numbers[group[0] ?? 0];
  return above === undefined ? below : (source.numbers[unitEnd(source, above) - 1] ?? 0) + 1;
}

/** What an import of the code adds to those of the file: nothing, a line, or more names; `first` where the file has none; undefined if that is not clear. */
function addImport(
  { texts, all }: SourceLines,
  { source }: AlignedFile,
): Change[] | "first" | undefined {
  const [text = ""] = texts;
  // Those of a component are in its script.
  const script = source.texts.findIndex((line) => line.startsWith("<script"));
  const depth = (script === -1 ? 0 : source.columns[script + 1]) ?? 0;
  const imports = source.texts.flatMap((line, at) =>
    isImport(line) && source.columns[at] === depth && !/^(?:package|namespace|module)\b/.test(line)
      ? [at]
      : [],
  );
  const last = imports.at(-1);
  const lineOf = (solid: number): number => source.numbers[solid] ?? 0;
  const lines = indented(all, indentOf(source.all[lineOf(last ?? -1)] ?? ""));
  if (texts.length > 1) {
    // A block of imports: what it has more comes below the line that the code has above it.
    const block = imports.find((at) => source.texts[at] === text);
    if (block === undefined) return undefined;
    const end = unitEnd(source, block);
    const known = new Map(source.texts.slice(block, end).map((line, nth) => [line, block + nth]));
    const indent = indentOf(source.all[lineOf(block + 1)] ?? "");
    let start = lineOf(block) + 1;
    return texts.flatMap((line): Change[] => {
      const at = known.get(line);
      if (at !== undefined && at < end - 1) start = lineOf(at) + 1;
      return at === undefined ? [{ start, end: start, lines: [indent + line] }] : [];
    });
  }
  const same = imports.find((at) => importSource(source.texts[at] ?? "") === importSource(text));
  const words = wordsOf(text);
  if (same !== undefined) {
    const old = wordsOf(source.texts[same] ?? "");
    if ([...words].every((word) => old.has(word))) return [];
    if ([...old].every((word) => words.has(word)))
      return [{ start: lineOf(same), end: lineOf(same) + 1, lines }];
    const names = importedNames(source.texts[same] ?? "");
    if ([...importedNames(text)].some((name) => names.has(name))) return undefined;
  }
  // What another one names is from elsewhere now.
  const others = imports.filter((at) => at !== same).map((at) => wordsOf(source.texts[at] ?? ""));
  const isNamed = (name: string): boolean => others.some((own) => own.has(name));
  if ([...importedNames(text)].some(isNamed)) return undefined;
  const declared = namesIn(source.texts);
  if ([...words].some((word) => declared.has(word))) return undefined;
  if (last === undefined) return "first";
  const place = same === undefined ? sortedPlace(text, imports, source) : undefined;
  const start = place ?? lineOf(unitEnd(source, same ?? last) - 1) + 1;
  return [{ start, end: start, lines }];
}
