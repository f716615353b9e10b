// Code without an explicit from and to: with marks that stand for unchanged text, a whole file, functions, statements.
import {
  describeElision,
  describeLost,
  describeNoChange,
  describeSegment,
  describeTooLarge,
  describeUnplaced,
  describeLeftOut,
  describeOtherFile,
  describeWholeFile,
} from "./describe-error.ts";
import {
  type EditError,
  type EditLevel,
  type EditResult,
  encloses,
  type LineRange,
} from "./edit-unit.ts";
import {
  AlignedFile,
  type Alignment,
  type Borders,
  alignSegment,
  alignWithin,
  evidenceOf,
  oldLine,
  rangeOfWay,
} from "./align/align-segment.ts";
import {
  addOnlyImports,
  declaresBeside,
  hasHeads,
  hasOnlyUnits,
  hasSeveralUnits,
  isCutOff,
  isOneUnit,
  keptHeadlines,
  namedBy,
  parametersOf,
  rewriteFile,
  rewriteUnits,
  unitsOf,
} from "./align/align-units.ts";
import { type Region, regionOf, writeRegions } from "./align/write-regions.ts";
import { type FillUnit, markText, mergeOutline } from "./align/merge-outline.ts";
import { hasLostBlocks, missingIndent, unflattened } from "./align/missing-indent.ts";
import { firstWord, placeStatements } from "./align/place-statements.ts";
import { placeDocs } from "./align/place-docs.ts";
import { placeSegments, type PlaceWindow, type Segment } from "./align/place-segments.ts";
import {
  closestWay,
  fragmentVetoes,
  hasNearResult,
  nearResults,
  plainVetoes,
} from "./align/vetoes.ts";
import {
  declaredName,
  hasSameBrackets,
  headerEnd,
  headlinesAbove,
  isCloser,
  isComment,
  isAfterGap,
  isEven,
  isHeadline,
  isImport,
  isTable,
  leastColumn,
  likenessOfWords,
  partOf,
  solidLinesIn,
  sourceLines,
  type SourceLines,
  sectionEnd,
  unitEnd,
  wordsOf,
} from "./align/source-lines.ts";
import { withoutPathLine } from "./read/dress/path-in-text.ts";
import { withoutNumbers } from "./find/decoration.ts";
import { foldPlaceholders, splitAtMarks } from "./find/elision.ts";
import { FileIndex } from "./find/file-index.ts";
import { inLevelsOf } from "./find/indentation.ts";
import { type Change, splice } from "./find/merge-replace.ts";
import { replaceFile } from "./edit-session.ts";
import {
  columnsOf,
  indented,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
  solidPart,
  trimEndSigns,
  countLines,
} from "../base/text/lines.ts";
import {
  inlinePlaceholders,
  isPythonBody,
  mayHoldPlaceholder,
  namesThatStay,
  placeholderOf,
} from "./placeholder.ts";

interface FragmentHints {
  /** The lines that the answer names for the code. */
  near?: LineRange | undefined;
  /** Where nothing else is named, code that has half as many lines takes the place of all of these. */
  selected?: LineRange | undefined;
  /** Something says that the code is a new version of what is there; else it shows lines of that, or adds to each. */
  isChange?: boolean | undefined;
}

export interface CodeEditOptions extends FragmentHints {
  /** The lines that are meant, where that is less than the whole file. */
  within?: LineRange | undefined;
  /** Nothing says which file the code is for: it is taken where much of it is in this one. */
  isUnnamed?: boolean | undefined;
  /** Something says that the code comes beside what is there: imports alone go to those of the file. */
  isAdded?: boolean | undefined;
  /** Something says that a part of what is there goes; false: what is said speaks of nothing that goes. */
  isLess?: boolean | undefined;
  /** Something says that the code takes the place of a part of the lines that are meant. */
  isReplaced?: boolean | undefined;
  /** Something says that a comment is replaced: documentation takes the place of any that is there. */
  replacesComment?: boolean | undefined;
  /** Pairs of lines that may be compared, 25 of which take about a microsecond; 3,000,000 where absent. */
  maxPairs?: number | undefined;
}

/** Code for a file, as a thread takes it. */
export interface CodeEditJob {
  before: string;
  code: string;
  options: CodeEditOptions;
}

/**
 * Applies code in a thread; undefined where no thread has done it in time.
 *
 * @throws nothing but the reason of the signal, once that is aborted
 */
export type RunCodeEdit = (
  job: CodeEditJob,
  signal: AbortSignal,
) => Promise<EditResult | undefined>;

/** What holds a loop for about 50 ms: in lines and characters of the file and the code, and in pairs of lines. */
const maxOnLoop = { lines: 20_000, characters: 2_000_000, pairs: 1_000_000 };

/** Applies code as {@link applyCodeEdit} does, what is too large for the loop in a thread; refuses that where there is none. */
export async function applyCodeAside(
  before: string | undefined,
  code: string,
  options: CodeEditOptions,
  run: RunCodeEdit | undefined,
  signal: AbortSignal,
): Promise<EditResult> {
  const texts = [before ?? "", code];
  const { lines, characters, pairs: maxPairs } = maxOnLoop;
  const isLarge =
    texts.reduce((sum, { length }) => sum + length, 0) > characters ||
    texts.reduce((sum, text) => sum + countLines(text), 0) > lines;
  const result = isLarge ? undefined : applyCodeEdit(before, code, { ...options, maxPairs });
  if (result?.ok === true || (result !== undefined && result.error.code !== "too-large"))
    return result;
  const why = run === undefined ? "there is no thread for it here" : "it was not done in time";
  const done = await run?.({ before: before ?? "", code, options }, signal);
  return done ?? { ok: false, error: describeTooLarge(why) };
}

/**
 * Makes the change that some code means: the aligner finds for each of its lines the line of the file that it is, takes
 * the place of, or comes after, and takes the cheapest way; of two ways that are nearly as good, none.
 *
 * With marks (`... existing code ...`), each part between them makes one region of the file new. Without, the code is the
 * whole file, or functions and classes each of which takes the place of the one that it names, or the lines of one place.
 *
 * @param before the text of the file; undefined if there is no such file
 */
export function applyCodeEdit(
  before: string | undefined,
  codeEdit: string,
  options: CodeEditOptions = {},
): EditResult {
  const index = new FileIndex(before ?? "");
  const all = Array.from({ length: index.lineCount }, (_, nth) => index.line(nth));
  const given = inLevelsOf(all, withoutPathLine(linesOf(codeEdit.replace(/^\uFEFF/, "")), all));
  const isKnown = (line: string): boolean => isSolid(line) && index.formOf(line) !== -1;
  const { lines: listed } = withoutNumbers({ search: given, replace: [] }) ?? {};
  const isListing = !given.some(isKnown) && listed?.search.some(isKnown) === true;
  const isOutermost = (line: string): boolean =>
    line.length > 3 && !isCloser(line) && all.includes(line);
  const folded = foldPlaceholders(isListing ? listed.search : given);
  const lines = unflattened(folded, index.indentUnit, isOutermost);
  if (hasLostBlocks(lines) && !hasLostBlocks(all)) return { ok: false, error: describeLost() };
  if (index.solidLines.length === 0) {
    const replace = joinLines(
      toSegments(lines, index).flatMap((segment) => [...segment.lines.all]),
    );
    return (
      replaceFile(before, [{ search: "", replace }]) ?? { ok: false, error: describeNoChange() }
    );
  }
  if (lines.length + index.lineCount > maxLines)
    return { ok: false, error: describeTooLarge(`they have more than ${maxLines} lines`) };
  const { maxPairs = mostPairs } = options;
  const file = new AlignedFile(sourceLines(all), maxPairs);
  const marks = marksOf(lines, index);
  const segments = toSegments(lines, index, marks);
  const isMarked = segments.length > 1;
  const meant = options.near ?? options.within;
  const docs = isMarked
    ? undefined
    : placeDocs(sourceLines(lines), file.source, meant, options.replacesComment);
  const write = (found: Found | EditError): EditResult => {
    if ("code" in found) return { ok: false, error: found };
    const { level } = found;
    const changes = writeRegions(found.regions, file.source);
    if ("code" in changes) return { ok: false, error: changes };
    const { within, isUnnamed } = options;
    // What takes the place of what is selected is meant for it.
    const isMeant = changes.every(
      ({ start, end }) => within && encloses(within, { startLine: start + 1, endLine: end }),
    );
    const isOther =
      isUnnamed === true &&
      !isMeant &&
      segments.length === 1 &&
      isForOther(sourceLines(lines), file);
    // Heads that the file has say which file it is.
    if (isOther && found !== docs) return { ok: false, error: describeOtherFile() };
    const text = splice(index, changes);
    if (text === index.text) return { ok: false, error: describeNoChange() };
    // A result without one of the new lines would be half a change; notes, and other heads of what the file declares, may be left out.
    const come = new Set(linesOf(text).map(bareEnd));
    const isNew = (line: string, at: number): boolean =>
      isSolid(line) &&
      !marks.has(at) &&
      index.formOf(line) === -1 &&
      !come.has(bareEnd(line)) &&
      !leavesOut(line, index) &&
      !isComment(line.trim()) &&
      file.declaring(declaredName(line.trim()) ?? "").length === 0;
    const open = lines.filter(isNew);
    if (open.length > maxAdapted || !open.every((line) => text.includes(bareEnd(line))))
      return { ok: false, error: describeUnplaced(lines, index) };
    const units = changes.map(({ start, end }) => ({ level, startLine: start + 1, endLine: end }));
    return { ok: true, text, units };
  };
  const isUnclear = lines.some((line, at) => !marks.has(at) && leavesOut(line, index));
  if (isUnclear && docs === undefined) return { ok: false, error: describeElision(1) };
  if (docs !== undefined && (isUnclear || docs.isCut)) return write(docs);
  const result = write(
    isMarked
      ? (asOutline(lines, file, options, index) ?? withMarks(segments, file, options))
      : withoutMarks(lines, file, options),
  );
  if (!result.ok && docs !== undefined) return write(docs);
  // Most of a file is no piece of it: what it lacks may be meant to stay, or to go.
  const isMost = lines.filter(isSolid).length * 2 >= file.source.texts.length;
  const isAll = isMost && options.isLess !== false;
  const pieces = isAll ? [] : [asOutline, asFragment, asPieces];
  const later =
    result.ok || isMarked ? [] : [asStatements, ...pieces, asNamed, asWrapped, asSelected];
  const changed = later.reduce((best, read) => {
    const found = best.ok ? undefined : read(lines, file, options, index);
    if (found === undefined) return best;
    const next = write(found);
    return next.ok || next.error.code === "ambiguous" ? next : best;
  }, result);
  if (file.isTooMuch && maxPairs < mostPairs)
    return {
      ok: false,
      error: describeTooLarge(`that takes more than ${maxPairs} pairs of lines`),
    };
  const isUnplaced =
    lines.some(isSolid) && !isAll && !changed.ok && changed.error.code === "whole-file";
  return isUnplaced ? { ok: false, error: describeUnplaced(lines, index) } : changed;
}

/** New lines that are only a part of a line of the result: each is looked for in all of it. */
const maxAdapted = 40;

/** A line without what goes on to the next one, and with straight quotes. */
function bareEnd(line: string): string {
  const straight = line.replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'");
  return trimEndSigns(straight.trim(), ",;");
}

/** Lines of the file and the code together. */
const maxLines = 200_000;
const mostPairs = 3_000_000;

/** Lines of code that shows one place of the file, without marks. */
const maxFragment = 150;
const maxPieces = 12;

interface Found {
  regions: readonly (Region | Change)[];
  level: EditLevel;
}

/**
 * The share of the lines of some code that the file has for which it is, at least. Measured on true commits: several
 * functions have at most 0.45 from another file of the project, and from their own 0.6 and more; one has 0.25 and more.
 */
const leastShown = { several: 0.5, one: 0.25 };
/** In lines: less code may be all new. */
const leastCode = 12;

function isForOther(code: SourceLines, file: AlignedFile): boolean {
  const telling = code.texts.filter((text) => text.length > 3 && !isCloser(text));
  const known = telling.filter((text) => file.countOf(text) > 0);
  const isSeveral = hasSeveralUnits(code);
  if (hasHeads(code, file) || sharesWords(code, file)) return false;
  if (!isSeveral && telling.length < leastCode) return false;
  return known.length < telling.length * (isSeveral ? leastShown.several : leastShown.one);
}

/** Few lines of what is shown in part are in the file, few of the heads, and not all that it declares. */
function hasFew(code: SourceLines, file: AlignedFile): boolean {
  const telling = code.texts.filter((text) => text.length > 3 && !isCloser(text));
  const known = telling.filter((text) => file.countOf(text) > 0);
  const names = telling.flatMap((text) => declaredName(text) ?? []);
  const areNamed = names.length > 0 && names.every((name) => file.declaring(name).length > 0);
  return known.length < leastPart * telling.length && !areNamed && !hasHeads(code, file);
}

/** Of the lines of a part, those that the file has, at least. */
const leastPart = 0.4;

/** Of the different words of some code, those that a file has, at least, where its lines are other ones; of short code. */
const [leastWords, shortCode] = [0.7, 30];

function sharesWords(code: SourceLines, { source }: AlignedFile): boolean {
  if (code.texts.length > shortCode) return false;
  const wordsIn = ({ texts }: SourceLines): Set<string> =>
    new Set(texts.flatMap((text) => [...wordsOf(text)]));
  const [words, known] = [[...wordsIn(code)], wordsIn(source)];
  return words.filter((word) => known.has(word)).length >= leastWords * words.length;
}

/** Of the lines that both the code and a file have, in all: with fewer the code may be for another file. */
const leastShare = 0.7;

/**
 * Enough of code with marks is in the file: rare lines that are, and the lines at the ends of each part; not the header
 * alone, which other files have, too.
 */
function isKnownIn(ways: readonly Alignment[], file: AlignedFile): boolean {
  const header = headerEnd(file.source);
  if (ways.every(({ end }) => end <= header)) return false;
  const known = ways.reduce((sum, way) => sum + evidenceOf(way, file), 0);
  const count = ways.flatMap(({ at }) => at).length;
  const isShown = ways.every(({ at }) => [at[0], at.at(-1)].every((line) => (line ?? -1) >= 0));
  return known >= Math.max(1, Math.min(1.5, count / 4)) && (isShown || known >= 0.5 * count);
}

const importWord = /\b(?:imports?|includes?|using|use|require)\b|导入|引入|引用/i;

function withMarks(
  all: readonly Segment[],
  file: AlignedFile,
  { within, isUnnamed = false }: CodeEditOptions,
  given?: PlaceWindow,
): Found | EditError {
  // New imports above a mark that stands for the others have a place of their own.
  const [top] = all;
  const isNew = top !== undefined && !top.lines.texts.some((text) => file.countOf(text) > 0);
  const areOthers = isNew && importWord.test(top.markText ?? "");
  const imports = areOthers ? (addOnlyImports(top.lines, file, true) ?? []) : [];
  const segments = imports.length > 0 ? all.slice(1) : all;
  const window = given ?? { ...unitWindow(segments, file), within };
  // What begins deeper than the file does not begin with it.
  const [own = 0, least = 0] = [segments[0]?.lines, file.source].map((one) => one?.columns[0]);
  const isInside = !window.isUnit && own > least;
  // Brackets alone tell nothing of their place; words in them that are new do.
  const isBare = (text: string): boolean =>
    isCloser(text) && (!/\w/.test(text) || file.countOf(text) > 0);
  const telling = segments
    .map((one, nth) => ({ ...one, isTop: one.isTop && !(isInside && nth === 0) }))
    .filter(({ lines, isTop, isBottom }) => isTop || isBottom || !lines.texts.every(isBare))
    .filter(({ lines }) => lines.texts.length > 0)
    .map((one) => ({ ...one, lines: file.quoting(one.lines) }));
  const placed = placeSegments(telling, file, window);
  // Those at the end may be others than the file has there: `}` for `},`.
  const areClosers = telling.at(-1)?.lines.texts.every(isBare) === true;
  const ways =
    areClosers && "code" in placed ? placeSegments(telling.slice(0, -1), file, window) : placed;
  if (Array.isArray(ways)) {
    // The head of a function or class of the file says which file is meant, and so does what is selected.
    const isMeant = ways.every((way) => within && encloses(within, rangeOfWay(way, file)));
    if (isUnnamed && !window.isUnit && !isMeant && !isKnownIn(ways, file))
      return describeOtherFile();
    const regions = telling.flatMap((one, nth) => {
      const way = ways[nth];
      if (way === undefined || isFrame(one.lines, way)) return [];
      // Heads alone are a frame around what changes.
      const areHeads = one.lines.texts.every(
        (text) => declaredName(text) !== undefined || /^(?:\{|namespace\b.*)$/.test(text),
      );
      const kept = areHeads ? { kept: keptHeadlines(one.lines, file, way) } : {};
      return [{ ...one, way, isPart: true, ...kept }];
    });
    return { regions: [...imports, ...regions], level: "elision" };
  }
  const { lines, number = 1 } = telling[ways.nth] ?? {};
  const segment = lines?.all ?? [];
  if (ways.code !== "unquoted") return describeSegment(number, segment, ways.candidates);
  const line = ways.candidates?.[0]?.startLine ?? 1;
  return describeLeftOut(number, line, file.source.all[line - 1] ?? "");
}

/** Heads that the file has, each inside of the one before: what is between them is not shown. */
function isFrame({ texts, columns }: SourceLines, { at }: Alignment): boolean {
  const areHeads = texts.every(
    (text, nth) =>
      (at[nth] ?? -1) >= 0 &&
      /[{[(:]$/.test(text) &&
      (nth === 0 || (columns[nth] ?? 0) > (columns[nth - 1] ?? 0)),
  );
  return texts.length > 1 && areHeads;
}

/** Code that is one function or class with marks inside is about the lines of that alone. */
function unitWindow(segments: readonly Segment[], { source, places }: AlignedFile): PlaceWindow {
  const [first] = segments;
  const texts = first?.lines.texts ?? [];
  const above = Math.max(
    0,
    texts.findIndex((text) => !isHeadline(text)),
  );
  const shown = sourceLines(segments.flatMap(({ lines }) => lines.all));
  const all = places.get(texts[above] ?? "") ?? [];
  const isAsDeep = (at: number): boolean => source.columns[at] === shown.columns[above];
  const [line, ...more] = all.length > 1 ? all.filter(isAsDeep) : all;
  const endOf = (lines: SourceLines, at: number): number =>
    sectionEnd(lines, at) ?? unitEnd(lines, at);
  const isUnit = endOf(shown, above) === shown.texts.length && shown.texts.length > above + 1;
  const from = above > 0 && line !== undefined ? headlinesAbove(source, line) : line;
  // A comment that the file has elsewhere shows more than the unit.
  const hasMore = texts
    .slice(0, above)
    .some((text) => text.length > 3 && places.get(text)?.every((at) => at < (from ?? 0)) === true);
  if (!isUnit || line === undefined || from === undefined || more.length > 0 || hasMore)
    return { from: 0, to: source.texts.length, shift: 0, isUnit: false };
  const shift = (source.columns[line] ?? 0) - (shown.columns[0] ?? 0);
  return { from, to: endOf(source, line), shift, isUnit: true };
}

function withoutMarks(
  given: readonly string[],
  file: AlignedFile,
  options: CodeEditOptions,
): Found | EditError {
  const { within, isUnnamed = false, isAdded = false, isLess = false } = options;
  const start = given.findIndex(isSolid);
  if (start === -1) return describeWholeFile("does not show all of its lines");
  const text = given[start] ?? "";
  // What the file has without indentation has lost none.
  const head = file.source.all[(options.near?.startLine ?? 0) - 1] ?? "";
  const isOutermost =
    (isImport(text) && isEven([text])) ||
    file.fewPlaces(text).some((line) => file.source.columns[line] === 0) ||
    (indentOf(head) === "" && likenessOfWords(head, text) >= 0.5);
  const first = (isOutermost ? "" : missingIndent(given)) + text;
  const whole = file.quoting(sourceLines(given.with(start, first)));
  const lines = solidPart(whole.all);
  const code = file.quoting(sourceLines(lines));
  const hint = (): EditError =>
    describeWholeFile(
      isCutOff(whole, file)
        ? "ends before the file does, or inside of a block, as if it were cut off"
        : "does not show all of its lines",
    );
  const members = belowImports(code, file, options);
  if (members !== undefined) return members;
  // A file of one declaration is that declaration.
  const isOneFile = file.source.texts.length > 1 && isOneUnit(file.source);
  const isOne = unitEnd(code, 0) === code.texts.length;
  const single = isOne || isOneFile ? rewriteUnits(code, file, within) : undefined;
  if (single !== undefined) return { regions: single, level: "elision" };
  const imports = addOnlyImports(code, file, isAdded, isLess);
  if (imports !== undefined && imports.length > 0) return { regions: imports, level: "elision" };
  const moved = placeReordered(code, file);
  if (moved !== undefined) return { regions: [regionOf(code, moved)], level: "elision" };
  const share = isUnnamed ? leastShare : 0;
  const all = isOneFile ? undefined : rewriteFile(whole, file, share);
  if (typeof all === "object") return { regions: [all], level: "whole-file" };
  if (all === "unclear") return hint();
  const units = !isOne && !isOneFile ? rewriteUnits(code, file, within) : undefined;
  if (units !== undefined) return { regions: units, level: "elision" };
  const isUnits = hasOnlyUnits(code);
  // A function with another head is another one.
  const selected = isUnits ? undefined : placeSelected(code, file, within);
  if (selected !== undefined) return { regions: [regionOf(code, selected)], level: "elision" };
  const isLong = code.texts.length > maxFragment;
  if ((isOneFile && !isOne) || isLong || (isUnits && !isOne)) return hint();
  // Where the answer names lines, they may have a place that is less like the code than another one.
  const near = options.near && solidLinesIn(options.near, file.source);
  const isAround = (at: number): boolean =>
    near !== undefined && at < near.from && unitEnd(file.source, at) >= near.to;
  // Code that begins with the head of what is around these lines shows more than them.
  const isWider = file.fewPlaces(code.texts[0] ?? "").some(isAround);
  for (const isNear of near === undefined || near.from === -1 || isWider ? [] : [false, true]) {
    const named = near && placeBetween(code, file, options, { ...near, isNear });
    // What begins as all of it does, and ends before, may be all of it anew.
    const isCut =
      isOne && code.texts.length > 1 && !Array.isArray(named) && named?.start === near?.from;
    if (named === undefined || Array.isArray(named) || (isCut && named.end !== near?.to)) continue;
    return { regions: [regionOf(code, asWhole(named, code, file))], level: "elision" };
  }
  const segment = { number: 1, lines: code, isTop: false, isBottom: false, markBelow: undefined };
  const window = { from: 0, to: file.source.texts.length, shift: 0, isUnit: false, within };
  const ways = placeSegments([segment], file, window, plainVetoes);
  const [way] = Array.isArray(ways) ? ways : [];
  if (way === undefined) return hint();
  const isMeant = within && encloses(within, rangeOfWay(way, file));
  if (isUnnamed && isMeant !== true && !isKnownIn([way], file)) return describeOtherFile();
  const full = asWhole(way, code, file);
  return { regions: [{ ...segment, way: full, isPart: true }], level: "elision" };
}

/** Imports, and below them members as deep as the file has them; undefined where code is anything else. */
function belowImports(
  code: SourceLines,
  file: AlignedFile,
  options: CodeEditOptions,
): Found | undefined {
  const size = code.texts.findIndex((text) => !isImport(text));
  const isInner = size > 0 && !code.columns.slice(size).includes(0);
  // The first lines of a longer import are none.
  if (!isInner || !isEven(code.texts.slice(0, size))) return undefined;
  const imports = addOnlyImports(partOf(code, 0, size), file, true);
  const below = withoutMarks(code.all.slice(code.numbers[size]), file, options);
  if (imports === undefined || "code" in below) return undefined;
  return { regions: [...imports, ...below.regions], level: "elision" };
}

/** A file, a class or settings that are shown in part. */
function asOutline(
  given: readonly string[],
  file: AlignedFile,
  options: CodeEditOptions,
  index: FileIndex,
): Found | EditError | undefined {
  const [code, marks] = [file.quoting(sourceLines(given)), marksOf(given, index)];
  const texts = code.texts.map((text, nth) =>
    marks.has(code.numbers[nth] ?? -1) ? markText : text,
  );
  const shown = { ...code, texts };
  if (options.isUnnamed === true && (isForOther(shown, file) || hasFew(shown, file)))
    return undefined;
  const fill: FillUnit = (lines, from, to) => {
    const shift = (file.source.columns[from] ?? 0) - leastColumn(sourceLines(lines));
    const window = { from, to, shift, isUnit: true };
    const found = withMarks(toSegments(lines, index), file, options, window);
    // What is around the unit is not shown.
    return "code" in found
      ? undefined
      : found.regions.map((one) => ({ ...one, isTop: false, isBottom: false }));
  };
  const regions = mergeOutline(shown, file, fill, options.isLess === false);
  if (regions?.length === 0) return describeNoChange();
  return regions && { regions, level: "elision" };
}

/** Code that shows only what changes. */
function asFragment(
  given: readonly string[],
  file: AlignedFile,
  { within, ...hints }: CodeEditOptions,
): Found | EditError | undefined {
  const lines = file.quoting(sourceLines(solidPart(given)));
  // Each of several functions has a place of its own.
  if (hasSeveralUnits(lines)) return undefined;
  const way = placeFragment(lines, file, { ...hints, selected: within });
  if (way === undefined) return undefined;
  if (Array.isArray(way)) return describeSegment(1, lines.all, way);
  const whole = asWhole(way, lines, file);
  return { regions: [regionOf(lines, whole)], level: "elision" };
}

/** All of a recipe, or of a table, of which the code is one, too. */
function asWhole(way: Alignment, lines: SourceLines, file: AlignedFile): Alignment {
  const end = unitEnd(file.source, way.start);
  const isOne = unitEnd(lines, 0) === lines.texts.length && way.end <= end;
  const areOne = (kind: typeof isTarget): boolean => kind(lines, 0) && kind(file.source, way.start);
  // All of a function is shown as an equation.
  const name = declaredName(file.source.texts[way.start] ?? "");
  const isEquation =
    lines.texts.length === 1 &&
    name !== undefined &&
    equation.exec(lines.texts[0] ?? "")?.[1] === name;
  const isWhole = isOne && (areOne(isTarget) || areOne(isTable) || isEquation);
  return isWhole ? alignWithin(lines, file, way.start, end) : way;
}

const equation = /^(\w+)\(.*\) = \S/;

/** The head of a recipe, whose lines begin with a tab: a new version has all of it. */
function isTarget({ texts, columns, all, numbers }: SourceLines, at: number): boolean {
  const isHead = /^(?!(?:public|private|protected|default)\b)[\w./%$()-]+(?: [^=:]*)?::?(?!=)/.test(
    texts[at] ?? "",
  );
  return isHead && columns[at] === 0 && all[(numbers[at] ?? 0) + 1]?.startsWith("\t") === true;
}

/** What a place may cost, for the first line and for each. */
const [most, mostLine] = [1.1, 0.9];
/** What it costs to be elsewhere than the lines that are meant. */
const awayCost = 1;

/**
 * The lines of a file of which the code is a new version: each line of both is the same, is like the other one, or is
 * new or gone between two that are. Several ranges where the same lines are in each.
 */
function placeFragment(
  code: SourceLines,
  file: AlignedFile,
  hints: FragmentHints,
): Alignment | LineRange[] | undefined {
  const { source } = file;
  if (code.texts.length > maxFragment) return undefined;
  return placeBetween(code, file, hints, { from: 0, to: source.texts.length });
}

function placeBetween(
  code: SourceLines,
  file: AlignedFile,
  { near, selected, isChange = false }: FragmentHints,
  { isNear = false, ...lines }: Pick<Borders, "from" | "to" | "isNear">,
): Alignment | LineRange[] | undefined {
  const { texts } = code;
  const { source } = file;
  const isMeant = (way: Alignment): boolean => {
    if (near !== undefined || selected === undefined) return true;
    const range = rangeOfWay(way, file);
    const isPart = encloses(selected, range) && !encloses(range, selected);
    return !isPart || selected.endLine - selected.startLine + 1 > 2 * texts.length;
  };
  const meant = [near, selected].filter((range) => range !== undefined);
  const costOf = (way: Alignment): number => {
    const isAway =
      meant.length > 0 && !meant.some((range) => encloses(range, rangeOfWay(way, file)));
    return way.cost + (isAway ? awayCost : 0);
  };
  const borders = { ...lines, isTop: false, isBottom: false, isLoose: true, isNear };
  const ways = alignSegment(code, file, borders)
    .filter(isMeant)
    .map((way) => ({ ...way, cost: costOf(way) }))
    .sort((a, b) => a.cost - b.cost);
  const best = closestWay(ways, code, file);
  // Where a block begins or ends in mid code, and not all lines are new versions, it is not clear what else belongs to it.
  const isCut = texts.length > 1 && !isEven(texts);
  const shiftAt = (line: number, nth: number): number =>
    (source.columns[oldLine(line) ?? -1] ?? 0) - (code.columns[nth] ?? 0);
  // Where lines are named, those between the first and the last one may be new.
  const isInPlace = best?.at.every((line, nth) =>
    line === undefined
      ? isNear && best.at[0] !== undefined && (best.at.at(-1) ?? -1) >= 0
      : shiftAt(line, nth) === (best.at[0] === undefined ? 0 : shiftAt(best.at[0], 0)),
  );
  if (best === undefined || (isCut && (isInPlace !== true || best.deleted > 0))) return undefined;
  const mostCost = (near === undefined ? 1 : 2) * most + mostLine * texts.length;
  const candidate = { best, others: ways, lines: code, file, mostCost, isChange, isNear };
  const against = fragmentVetoes.filter(([, isAgainst]) => isAgainst(candidate));
  if (against.some(([, one]) => one !== hasNearResult)) return undefined;
  if (against.length === 0) return best;
  const twins = nearResults(candidate);
  const olds = new Set(twins.map(({ start, end }) => source.texts.slice(start, end).join("\n")));
  // Only of places that are the same a person knows which is meant.
  return olds.size === 1 && !olds.has("") ? twins.map((way) => rangeOfWay(way, file)) : undefined;
}

/** All lines that are meant, or all of the file, of which the code is a new version: it begins and ends where they do. */
function placeSelected(
  code: SourceLines,
  file: AlignedFile,
  within: LineRange | undefined,
): Alignment | undefined {
  const { source } = file;
  const all = { startLine: 1, endLine: source.all.length };
  const { from: first, to } = solidLinesIn(within ?? all, source);
  let from = first;
  // What is above the code and says what it is, stays.
  if (!isHeadline(code.texts[0] ?? ""))
    while (from < to && isHeadline(source.texts[from] ?? "")) from += 1;
  const size = code.texts.length;
  if (from === -1 || to - from > 2 * size) return undefined;
  const meant = partOf(source, from, to);
  const isWhole = meant.columns[0] === leastColumn(meant) && unitEnd(source, to - 1) === to;
  if (!isWhole || !isEven(code.texts) || !hasSameBrackets(code.texts, meant.texts))
    return undefined;
  const borders = { from, to, isTop: true, isBottom: true, isLoose: true };
  const way = alignSegment(code, file, borders).find(
    ({ start, end }) => start === from && end === to,
  );
  if (way === undefined) return undefined;
  const { at, deleted, inserted } = way;
  // A new line that the file has elsewhere may be one around what is meant.
  const isElsewhere = at.some((line, nth) => {
    const text = code.texts[nth] ?? "";
    return line === undefined && file.countOf(text) > 0 && !isCloser(text);
  });
  const hasEnds = at[0] !== undefined && at.at(-1) !== undefined;
  // All of a file may as well lack something, or have more around it.
  const isClear = within === undefined ? inserted + deleted === 0 : hasEnds || deleted === 0;
  return isClear && !isElsewhere && (size - inserted) * 2 >= Math.max(size, to - from)
    ? way
    : undefined;
}

/** The lines of the one place that has these lines, and no others, in another order. */
function placeReordered(
  { texts }: SourceLines,
  { source, places }: AlignedFile,
): Alignment | undefined {
  const size = texts.length;
  const sorted = texts.toSorted().join("\n");
  if (size < 2 || new Set(texts).size < size) return undefined;
  // Around its rarest line, since each place costs a sort.
  const [rarest = []] = texts
    .map((text) => places.get(text) ?? [])
    .sort((one, two) => one.length - two.length);
  const near = rarest.flatMap((line) => texts.map((_, nth) => line - nth));
  const [start, ...more] = near.filter(
    (from) =>
      from >= 0 &&
      source.texts
        .slice(from, from + size)
        .toSorted()
        .join("\n") === sorted,
  );
  if (start === undefined || more.length > 0) return undefined;
  const at = texts.map((text) => source.texts.indexOf(text, start));
  const way = { start, end: start + size, cost: 0, at, deleted: 0, replaced: 0, inserted: 0 };
  return at.every((line, nth) => line === start + nth) ? undefined : { ...way, isInsertion: false };
}

/**
 * A new version of all of what the answer names, or of what is selected: it has that name, and what is below it another one,
 * which the file does not have.
 */
function asNamed(
  given: readonly string[],
  file: AlignedFile,
  { near, within, isChange = false, isAdded = false }: CodeEditOptions,
): Found | undefined {
  const range = near ?? within;
  if (range === undefined || (near !== undefined && !isChange && !isAdded)) return undefined;
  const { source } = file;
  const code = sourceLines(solidPart(given));
  const { from, to } = solidLinesIn(range, source);
  let head = from;
  while (head < to - 1 && isHeadline(source.texts[head] ?? "")) head += 1;
  const was = source.texts[head] ?? "";
  const key = namedBy(was);
  if (from === -1 || key === undefined || unitEnd(source, head) !== to || !isEven(code.texts))
    return undefined;
  const [first, ...others] = unitsOf(code);
  // A function with other parameters is another one.
  const counts = [was, first?.text ?? ""].map((text) => parametersOf(text, key));
  const [had = 0, has = had] = counts;
  // What callers need not give may go.
  const optional = was.split(/=(?![=>])/).length - 1;
  const isFewer = has >= had - optional && has < had && !isAdded;
  const isOther =
    !counts.includes(undefined) && has !== had && !(isFewer && file.declaring(key).length === 1);
  if (first === undefined || namedBy(first.text) !== key || isOther) return undefined;
  if (declaresBeside(code, first.head) || isPath(code)) return undefined;
  const names = others.map(({ text }) => namedBy(text));
  const isNew = (name = ""): boolean => name !== key && file.declaring(name).length === 0;
  const areNew = near !== undefined && names.every(isNew);
  if (!areNew && !names.every((name) => name === key)) return undefined;
  const start = first.head > 0 ? from : head;
  return { regions: [regionOf(code, alignWithin(code, file, start, to))], level: "elision" };
}

/** Keys, each below the one before, and what the last one holds: the rest of them is not shown. */
function isPath({ texts, columns }: SourceLines): boolean {
  const keys = texts.slice(0, -1);
  const isDeeper = (column: number, nth: number): boolean =>
    nth === 0 || column > (columns[nth - 1] ?? 0);
  return (
    keys.length > 0 && keys.every((text) => /^["'\w.-]+:$/.test(text)) && columns.every(isDeeper)
  );
}

/** New versions of statements of what the answer names, or of what is selected. */
function asStatements(
  given: readonly string[],
  file: AlignedFile,
  { near, within, isChange = false, isReplaced = false }: CodeEditOptions,
): Found | undefined {
  const range = near ?? (isReplaced ? within : undefined);
  if (range === undefined || !isChange) return undefined;
  const { source } = file;
  const code = sourceLines(solidPart(given));
  const lines = solidLinesIn(range, source);
  const place = isPath(code) ? undefined : placeStatements(code, source, lines, isReplaced);
  if (place === undefined) return undefined;
  const start = source.numbers[place.start] ?? 0;
  const end = (source.numbers[place.end - 1] ?? 0) + 1;
  if (within !== undefined && !encloses(within, { startLine: start + 1, endLine: end }))
    return undefined;
  const own = indented(code.all, indentOf(source.all[start] ?? ""));
  return { regions: [{ start, end, lines: own }], level: "elision" };
}

/** Lines of the file in a new block: all that is deeper than its head, up to what closes it. */
function asWrapped(
  given: readonly string[],
  file: AlignedFile,
  { near, within }: CodeEditOptions,
): Found | undefined {
  const { source } = file;
  const code = sourceLines(solidPart(given));
  const [outer = 0, first = outer] = code.columns;
  const below = code.columns.findIndex((column, nth) => nth > 0 && column <= outer);
  const inner = code.texts.slice(1, below === -1 ? code.texts.length : below);
  // A declaration of its own is no block around something.
  const isBlock = first > outer && declaredName(code.texts[0] ?? "") === undefined;
  if (!isBlock || !isEven(code.texts) || !isEven(inner)) return undefined;
  const isAt = (at: number): boolean => inner.every((text, nth) => source.texts[at + nth] === text);
  const meant = near ?? within;
  const lines = meant ? solidLinesIn(meant, source) : { from: 0, to: source.texts.length };
  const isInside = (at: number): boolean => at >= lines.from && at + inner.length <= lines.to;
  const all = file.fewPlaces(inner[0]).filter(isAt);
  const [at, ...more] = all.length > 1 ? all.filter(isInside) : all;
  if (at === undefined || more.length > 0) return undefined;
  // The block is around them already, or what is to come behind them is there.
  const behind = source.texts.slice(at + inner.length).slice(0, code.texts.length);
  const depths = source.columns.slice(at + inner.length);
  const depth = depths.findIndex((column) => column < (source.columns[at] ?? 0));
  const beside = [source.texts[at - 1], ...behind.slice(0, depth === -1 ? undefined : depth)];
  const end = unitEnd(code, 0);
  const isNew = (text: string, nth: number): boolean =>
    isCloser(text) || !(nth < end ? beside : behind).includes(text);
  const isInner = (nth: number): boolean => nth > 0 && nth <= inner.length;
  if (!code.texts.every((text, nth) => isInner(nth) || isNew(text, nth))) return undefined;
  const start = source.numbers[at] ?? 0;
  const last = (source.numbers[at + inner.length - 1] ?? 0) + 1;
  const own = indented(code.all, indentOf(source.all[start] ?? ""));
  return { regions: [{ start, end: last, lines: own }], level: "elision" };
}

/**
 * What is selected, written anew: it begins with the same word, says something of each of its lines, and nothing that the file has
 * elsewhere.
 */
function asSelected(
  given: readonly string[],
  file: AlignedFile,
  { near, within, isAdded = false }: CodeEditOptions,
): Found | undefined {
  if (within === undefined || near !== undefined || isAdded) return undefined;
  const { source } = file;
  const { from, to } = solidLinesIn(within, source);
  if (from === -1 || to - from > maxSelected) return undefined;
  const [code, was] = [sourceLines(solidPart(given)), partOf(source, from, to)];
  const [[head = ""], [old = ""]] = [code.texts, was.texts];
  // What declares something has a name to be found by.
  const declares = ({ texts }: SourceLines): boolean =>
    texts.some((text) => declaredName(text) !== undefined);
  const areOf = firstWord(head) === firstWord(old) && !declares(code) && !declares(was);
  const isWhole = was.columns[0] === leastColumn(was) && unitEnd(source, to - 1) === to;
  if (!areOf || !isWhole || ![code, was].every(({ texts }) => isEven(texts))) return undefined;
  // What begins with the same line as nothing else may have lines of others.
  const isSame = head === old && file.countOf(head) === 1;
  const isElsewhere = (text: string): boolean =>
    !isSame &&
    text.length > 3 &&
    !isCloser(text) &&
    file.countOf(text) > 0 &&
    !was.texts.includes(text);
  const said = new Set(code.texts.flatMap((text) => [...wordsOf(text)]));
  const words = was.texts.map((text) => [...wordsOf(text)]);
  const isSaid = (own: readonly string[], nth: number): boolean => {
    const rare = own.filter((word) =>
      words.every((line, at) => at === nth || !line.includes(word)),
    );
    return rare.length === 0 || rare.some((word) => said.has(word));
  };
  if (code.texts.some(isElsewhere) || !words.every(isSaid)) return undefined;
  const [start = 0, end = 0] = [source.numbers[from], source.numbers[to - 1]];
  const lines = indented(code.all, indentOf(source.all[start] ?? ""));
  return { regions: [{ start, end: end + 1, lines }], level: "elision" };
}

/** Solid lines. */
const maxSelected = 20;

/** Pieces set apart by empty lines, each with a place of its own. */
function asPieces(
  given: readonly string[],
  file: AlignedFile,
  options: CodeEditOptions,
): Found | undefined {
  const code = sourceLines(given);
  const least = leastColumn(code);
  const starts = code.numbers.filter(
    (_, nth) => nth === 0 || (isAfterGap(code, nth) && code.columns[nth] === least),
  );
  if (starts.length < 2 || starts.length > maxPieces) return undefined;
  const regions: Found["regions"][number][] = [];
  for (const [nth, start] of starts.entries()) {
    const piece = solidPart(given.slice(start, starts[nth + 1]));
    const found = withoutMarks(piece, file, options);
    const own = "code" in found ? asFragment(piece, file, options) : found;
    if (own === undefined || "code" in own) return undefined;
    for (const region of own.regions) regions.push(region);
  }
  const places = regions.map((one) =>
    "way" in one ? (file.source.numbers[one.way.start] ?? 0) : one.start,
  );
  // In another order they may be meant to change places.
  const isMoved = places.some((start, nth) => start < (places[nth - 1] ?? 0));
  return isMoved ? undefined : { regions, level: "elision" };
}

/** The lines that are marks: dots without words are one unless the file itself has such a line. */
function marksOf(lines: readonly string[], index: FileIndex): Set<number> {
  const areNames = (names: readonly string[]): boolean => {
    const known = names.length === 0 ? [] : index.solidLines.map((at) => index.line(at).trim());
    const heads = new Set(known.flatMap((line) => [firstWord(line), declaredName(line)]));
    return names.length > 0 && names.every((name) => heads.has(name));
  };
  const isMark = (line: string, at: number): boolean => {
    const kind = placeholderOf(line);
    // A comment that the file has is none.
    if (kind === undefined || kind === "words")
      return kind === "words" && index.formOf(line) === -1;
    // Dots below a docstring are what the docstring is for.
    if (kind === "dots" && isPythonBody(lines, at) && endsDocstring(lines, at)) return true;
    // Alone in a body it is what that body is, and so are names that the file has.
    if (kind === "phrase" && (isAloneInBody(lines, at) || areNames(namesThatStay(line))))
      return true;
    if (kind === "phrase" || index.formOf(line) !== -1) return false;
    return kind === "comment" || !isPythonBody(lines, at);
  };
  return new Set([...lines.keys()].filter((at) => isMark(lines[at] ?? "", at)));
}

function toSegments(
  lines: readonly string[],
  index: FileIndex,
  marked = marksOf(lines, index),
): Segment[] {
  const marks = [...marked].map((at) => lines[at] ?? "");
  const parts = splitAtMarks(lines, (_, at) => marked.has(at));
  return parts.map((part, nth) => ({
    number: nth + 1,
    lines: sourceLines(part),
    isTop: nth === 0,
    isBottom: nth === parts.length - 1,
    markBelow: marks[nth] === undefined ? undefined : columnsOf(marks[nth]),
    markText: marks[nth],
  }));
}

/** The only line between one that opens a block and one that closes it. */
function isAloneInBody(lines: readonly string[], at: number): boolean {
  const [above = "", line = "", below = ""] = lines.slice(Math.max(0, at - 1), at + 2);
  const isInside = columnsOf(line) > columnsOf(above) && columnsOf(below) === columnsOf(above);
  return at > 0 && isInside && isSolid(above) && isCloser(below.trim());
}

/** The line above, if it is not empty, ends a string of Python. */
function endsDocstring(lines: readonly string[], at: number): boolean {
  let above = at - 1;
  while (above > 0 && !isSolid(lines[above] ?? "")) above -= 1;
  return /"""$|'''$/.test((lines[above] ?? "").trim());
}

/** A line that may be a mark or not, or holds one inside. */
function leavesOut(line: string, index: FileIndex): boolean {
  if (!mayHoldPlaceholder(line) || index.formOf(line) !== -1) return false;
  const kind = placeholderOf(line);
  return kind === "phrase" || (kind === undefined && inlinePlaceholders(line).length > 0);
}
