// What speaks against a place for some code, each by itself.
import { distance } from "fastest-levenshtein";
import {
  type AlignedFile,
  type Alignment,
  docsOf,
  evidenceOf,
  isBalanced,
  oldLine,
} from "./align-segment.ts";
import { hasWords, importedNames } from "./line-version.ts";
import {
  declaredName,
  isAfterGap,
  isCloser,
  isDocstring,
  isEven,
  isHeadline,
  isImport,
  leastColumn,
  likenessOfWords,
  nameSetBy,
  settingOf,
  type SourceLines,
  unitEnd,
  wordsOf,
} from "./source-lines.ts";

/** A place that some lines may have, and the other ones. */
interface Candidate {
  best: Alignment;
  others: readonly Alignment[];
  lines: SourceLines;
  file: AlignedFile;
}

/** A place for what is between two marks, or at the start or the end of the code. */
export interface PartCandidate extends Candidate {
  isTop: boolean;
  isBottom: boolean;
  markBelow: number | undefined;
  /** The lines of the file that may be meant; they are one function or class. */
  from: number;
  to: number;
  isUnit: boolean;
  /** Where the part above ends, and the one below begins. */
  low: number;
  high: number;
}

interface FragmentCandidate extends Candidate {
  mostCost: number;
  /** Something says that the code is a new version of what is there. */
  isChange: boolean;
  /** Something names the lines that are meant. */
  isNear: boolean;
}

type Reason = "no-match" | "ambiguous" | "unquoted";
export type Vetoes<Of> = readonly (readonly [Reason, (candidate: Of) => boolean])[];

/** The reason of the first veto. */
export function findVeto<Of>(vetoes: Vetoes<Of>, candidate: Of): Reason | undefined {
  return vetoes.find(([, isAgainst]) => isAgainst(candidate))?.[0];
}

/** Of code with marks, and of lines that are shown with others around them. */
export const partVetoes: Vetoes<PartCandidate> = [
  ["no-match", hasNewEdges],
  ["unquoted", ({ best }) => best.deleted > 12 + 3 * best.inserted],
  ["no-match", isUneven],
  ["ambiguous", hasOtherGap],
  ["unquoted", isCutOff],
  ["ambiguous", isLikeBeside],
  ["ambiguous", setsAgain],
  ["ambiguous", hidesDeletion],
  ["ambiguous", comesTwice],
  ["ambiguous", hasOtherResult],
  ["no-match", hasNoEvidence],
  ["unquoted", losesImport],
];

/** An import goes that is used, though no import shows that one is meant. */
function losesImport({ best, lines, file: { source } }: PartCandidate): boolean {
  const kept = new Set(best.at.map(oldLine));
  const gone = source.texts
    .slice(best.start, best.end)
    .filter((text, nth) => isImport(text) && !kept.has(best.start + nth));
  if (gone.length === 0 || lines.texts.some(isImport)) return false;
  const rest = [
    ...source.texts.slice(0, best.start),
    ...source.texts.slice(best.end),
    ...lines.texts,
  ];
  const used = new Set(
    rest.filter((text) => !isImport(text)).flatMap((text) => [...wordsOf(text)]),
  );
  return gone.some((text) => [...importedNames(text)].some((name) => used.has(name)));
}

/** Of such lines without a mark, one that is not shown may just have been left out. */
export const plainVetoes: Vetoes<PartCandidate> = [
  ...partVetoes,
  ["no-match", ({ best }) => !hasOldEnds(best) || best.deleted > 2 * best.inserted],
  ["ambiguous", takesOtherUnit],
  ["ambiguous", hasTwin],
  ["ambiguous", isElsewhereAsDeep],
];

/** Of lines that are shown without any others. */
export const fragmentVetoes: Vetoes<FragmentCandidate> = [
  ["no-match", ({ best, mostCost }) => best.cost > mostCost],
  ["ambiguous", hasNearResult],
  ["no-match", isNewBeyondGap],
  ["no-match", isLittleKnown],
  ["unquoted", ({ best }) => best.deleted > 2 * (best.inserted + best.replaced)],
  ["no-match", isUneven],
  ["ambiguous", takesOtherBlock],
  ["ambiguous", goesOnBelow],
  ["unquoted", losesName],
  ["ambiguous", setsAgain],
  ["ambiguous", comesFromElsewhere],
  ["no-match", isShifted],
  ["unquoted", isBeheaded],
];

/** The head of a declaration goes, and what is below it stays. */
function isBeheaded({ best, lines, file: { source } }: Candidate): boolean {
  return best.at.some((line, nth) => {
    if (line === undefined || line >= 0 || best.end > ~line + 1) return false;
    const was = source.texts[~line] ?? "";
    const isHead = declaredName(was) !== undefined && !/[({[,]$/.test(was);
    const now = lines.texts[nth] ?? "";
    const isOne = nth === lines.texts.length - 1 && / = |=>/.test(now);
    if (isOne && nth === 0 && now.startsWith(`${declaredName(was)}(`)) return false;
    return isHead && isOne && (source.columns[~line + 1] ?? 0) > (source.columns[~line] ?? 0);
  });
}

export const costMargin = 0.75;
const fragmentMargin = 0.6;
/** What a place costs at most where only a word or a sign is another one. */
const surelySame = 0.4;
const lossMargin = 3;
const insertionMargin = 3;
const leastEvidence = 0.8;
/** A line that is so much like another one is that. */
const surelyLike = 0.8;

const isOld = (line: number | undefined): boolean => line !== undefined && line >= 0;

/** The first line and the last one are in the file. */
function hasOldEnds({ at }: Alignment): boolean {
  return isOld(at[0]) && isOld(at.at(-1));
}

function isUneven({ best, lines, file }: Candidate): boolean {
  return !isBalanced(lines, best, file);
}

/** Lines go between two that are shown; at a border whether they do, or the new ones come beside them, is not said. */
function hasNewEdges(candidate: PartCandidate): boolean {
  const { best, lines, file, isTop, isBottom, markBelow, from, to } = candidate;
  if (setsSame(candidate)) return false;
  // A line that sets the same name anew, or has all of another one, is as good as one that is shown.
  const { source } = file;
  const beside = [source.texts[best.start - 1] ?? "", source.texts[best.end] ?? ""];
  const shown = best.at.map((line, nth) => {
    if (line === undefined || line >= 0) return line;
    const [was, now] = [source.texts[~line] ?? "", lines.texts[nth] ?? ""];
    const name = settingOf(was);
    const isMore = hasWords(now, was) || likenessOfWords(now, was) >= surelyLike;
    const isOnly = isMore && !beside.some((text) => hasWords(now, text));
    return isOnly || (name !== undefined && name === settingOf(now)) ? ~line : line;
  });
  const [first = best.end, last = best.start] = [shown.find(isOld), shown.findLast(isOld)];
  const isBlock =
    best.at.at(-1) === undefined && (lines.columns.at(-1) ?? 0) > (markBelow ?? Infinity);
  const docs = docsOf(best, lines, file);
  const isCutAbove =
    first > best.start && !(isTop && best.start === from) && docs.start !== best.start;
  const isCutBelow =
    last < best.end - 1 && !(isBottom && best.end === to) && !isBlock && docs.end !== best.end;
  return isCutAbove || isCutBelow;
}

/** Every line is in the file as it is. */
function isUnchanged({ best, lines }: Candidate): boolean {
  return best.end - best.start === lines.texts.length && best.at.every(isOld);
}

/** All of it is one function, class or block, and so is what it takes the place of. */
function isWholeUnit(lines: SourceLines): boolean {
  return lines.texts.length > 1 && unitEnd(lines, 0) === lines.texts.length;
}
function endsUnit({ best, file }: Candidate): boolean {
  return unitEnd(file.source, best.start) === best.end;
}
function isUnitOfFile(candidate: Candidate): boolean {
  return isWholeUnit(candidate.lines) && endsUnit(candidate);
}

/** It is one statement, and sets what the one sets whose place it takes. */
function setsSame(candidate: Candidate): boolean {
  const { best, lines, file } = candidate;
  const name = settingOf(lines.texts[0] ?? "");
  const isSame = name !== undefined && name === settingOf(file.source.texts[best.start] ?? "");
  const isOne = unitEnd(lines, 0) === lines.texts.length;
  return isSame && isOne && best.at[0] === ~best.start && endsUnit(candidate);
}

/** The first or the last line of the function or class that the code is about: these are nowhere else. */
function isFrame({ best, isUnit, isTop, isBottom, from, to }: PartCandidate): boolean {
  return isUnit && ((isTop && best.start === from) || (isBottom && best.end === to));
}

/** It shows an empty line above or below where the file has none. Those on both sides only set the marks apart. */
function hasOtherGap(candidate: PartCandidate): boolean {
  const { best, lines, file, markBelow } = candidate;
  const { all, numbers, columns, texts } = lines;
  const [above, below] = [(numbers[0] ?? 0) > 0, (numbers.at(-1) ?? 0) < all.length - 1];
  // The head of a block that goes on below the mark.
  const isHead = (markBelow ?? 0) > (columns.at(-1) ?? 0) && /[{:]$/.test(texts.at(-1) ?? "");
  const isShort = texts.length <= 3 && (above || below) && !isHead && !isFrame(candidate);
  if (isUnchanged(candidate) && isShort) return true;
  const isMisfit =
    above !== below &&
    ((above && !isAfterGap(file.source, best.start)) ||
      (below && !isAfterGap(file.source, best.end)));
  // Around a whole function or class, and in one, an empty line only sets the mark apart.
  const goesOnInside = isWholeUnit(lines) && (markBelow ?? 0) > (columns[0] ?? 0);
  return isMisfit && !isUnitOfFile(candidate) && !goesOnInside;
}

/**
 * Without a mark there, what comes before or behind may be meant to go; not where the code begins or ends inside of a block,
 * or leaves out imports alone.
 */
function isCutOff(candidate: PartCandidate): boolean {
  const { best, lines, file, isTop, isBottom, from, to } = candidate;
  const [above, below] = [isTop && best.start > from, isBottom && best.end < to];
  const isNew = (above && best.at[0] === undefined) || (below && best.at.at(-1) === undefined);
  if (isNew || (isUnchanged(candidate) && (above || below))) return true;
  const { source } = file;
  const isBorder = (line: number): boolean =>
    source.columns[line] === source.columns[from] || isAfterGap(source, line);
  const left = source.texts.slice(from, best.start);
  // What documents a file, or runs it, is above its imports.
  const isHeader = left.every((text) => isDocstring(text) || text.startsWith("#!"));
  const hasMore = !isHeader && (isImport(lines.texts[0] ?? "") || !left.every(isImport));
  const isInside = isCloser(source.texts[best.end] ?? "");
  return (above && hasMore && isBorder(best.start)) || (below && !isInside && isBorder(best.end));
}

/** The first line of the file that a segment should show, and does not. */
export function firstLeftOut(candidate: PartCandidate): number {
  const { best, isTop, isBottom, from, to } = candidate;
  const shown = new Set(best.at.map(oldLine));
  const end = isBottom ? to : best.end;
  let line = isTop ? from : best.start;
  while (line < end - 1 && shown.has(line)) line += 1;
  return line;
}

/** New lines at an end of a segment that are like lines beside them: they may as well take the place of those. */
function isLikeBeside({ best, lines, file }: PartCandidate): boolean {
  const { start, end, at } = best;
  const { texts } = lines;
  if (!best.isInsertion || docsOf(best, lines, file).start !== undefined) return false;
  const { source } = file;
  let [from, to] = [start, end];
  if (at[0] === undefined)
    while (from > 0 && (from === start || !isAfterGap(source, from))) from -= 1;
  if (at.at(-1) === undefined)
    while (to < source.texts.length && (to === end || !isAfterGap(source, to))) to += 1;
  const own = texts.filter(
    (text, nth) => at[nth] === undefined && text.length > 3 && !isCloser(text),
  );
  const isBeside = (line: number): boolean => line < start || line >= end;
  return file
    .likeLines(own, from, to)
    .some((likes) => likes.some(([line, likeness]) => likeness >= 0.7 && isBeside(line)));
}

/** A new line at an end sets what the line beside it sets: it would take its place. */
function setsAgain({ best: { at, start, end }, lines: { texts }, file }: Candidate): boolean {
  const isAgain = (nth: number, line: number): boolean => {
    const name = at.at(nth) === undefined ? settingOf(texts.at(nth) ?? "") : undefined;
    return name !== undefined && name === settingOf(file.source.texts[line] ?? "");
  };
  return isAgain(0, start - 1) || isAgain(-1, end);
}

/** The heads of functions and classes that go, of which the segment does not show the name. */
function lostUnits({ best: { start, end, at }, lines: { texts }, file }: Candidate): number[] {
  const { source } = file;
  const [kept, shown] = [new Set(at), new Set(texts.map(declaredName))];
  const isLost = (line: number): boolean => {
    const name = kept.has(line) ? undefined : declaredName(source.texts[line] ?? "");
    return name !== undefined && !shown.has(name) && unitEnd(source, line) > line + 1;
  };
  return Array.from({ length: end - start }, (_, nth) => start + nth).filter(isLost);
}

/**
 * A line comes a second time that the file has once, outside of what the segment makes new: at an end of the segment it
 * shows another place, and nobody imports twice, or declares something twice on the outermost level.
 */
function comesTwice({ best, lines: { texts, columns }, file, low, high }: PartCandidate): boolean {
  const { start, end, at } = best;
  const { places } = file;
  return at.some((line, nth) => {
    const text = texts[nth] ?? "";
    const isEdge = nth === 0 || nth === texts.length - 1;
    const isGlobal = columns[nth] === 0 && declaredName(text) !== undefined;
    const isOnce = isEdge || isGlobal || isImport(text);
    if ((line ?? -1) >= 0 || text.length <= 3 || !isOnce) return false;
    const [place, ...more] = places.get(text) ?? [];
    const isOutside = place !== undefined && (place < start || place >= end);
    return isOutside && more.length === 0 && place >= low && place < high;
  });
}

/** What the file around becomes: equal for the same change that is found in two ways. */
export function resultOf(
  { start, end }: Alignment,
  { texts }: SourceLines,
  { source }: AlignedFile,
): string {
  // The same lines at both ends belong to neither.
  let [low, high] = [0, 0];
  const isSame = (nth: number, line: number): boolean => texts[nth] === source.texts[line];
  while (low < texts.length && low < end - start && isSame(low, start + low)) low += 1;
  while (
    high < texts.length - low &&
    high < end - start - low &&
    isSame(texts.length - 1 - high, end - 1 - high)
  )
    high += 1;
  const own = texts.slice(low, texts.length - high);
  // A change may be moved along lines that repeat; it is the same then.
  let first = start + low;
  const gone = source.texts.slice(first, end - high);
  const moving = own.length > 0 && gone.length === 0 ? own : own.length === 0 ? gone : [];
  while (moving.length > 0 && first > 0 && source.texts[first - 1] === moving.at(-1)) {
    moving.unshift(moving.pop() ?? "");
    first -= 1;
  }
  return [first, gone.length, ...(moving.length > 0 ? moving : own)].join("\n");
}

/** Farther away, a single line tells nothing. */
const nearLines = 30;

/** Lines that are all in the file may be what is left around some that go: the first or the last of them come once more. */
function hidesDeletion(candidate: PartCandidate): boolean {
  const { best, lines: own, file, low, high } = candidate;
  const { start, end } = best;
  const { texts } = own;
  if (!isUnchanged(candidate)) return false;
  const lines = file.source.texts;
  const isAt = (line: number, from: number, to: number): boolean =>
    texts.slice(from, to).every((text, nth) => lines[line + nth] === text);
  const size = texts.length;
  for (let cut = 1; cut < size; cut += 1) {
    for (const line of file.fewPlaces(texts[cut])) {
      const isNear = size - cut > 1 || line <= end + nearLines;
      if (line <= start + cut || !isNear || line + size - cut > high || !isAt(line, cut, size))
        continue;
      if (isEven(lines.slice(start + cut, line))) return true;
    }
    for (const line of file.fewPlaces(texts[0])) {
      const isNear = cut > 1 || line >= start - nearLines;
      if (line >= start || line < low || !isNear || !isAt(line, 0, cut)) continue;
      if (isEven(lines.slice(line + cut, start + cut))) return true;
    }
  }
  return false;
}

/** Another result is nearly as good, or loses less. */
function hasOtherResult(candidate: PartCandidate): boolean {
  const { best, others, lines, file } = candidate;
  const result = resultOf(best, lines, file);
  const hasLost = lostUnits(candidate).length > 0;
  const isUnit = isUnitOfFile(candidate);
  return others.some((other) => {
    const more = other.cost - best.cost;
    const isBeside = other.isInsertion && (hasLost || (hasOldEnds(other) && !hasOldEnds(best)));
    const isLess = other.isInsertion && hasOldEnds(best) && !hasOldEnds(other);
    if (other === best || (!isBeside && (more > insertionMargin || isLess))) return false;
    // A whole function takes the place of one, and of nothing behind it.
    if (isUnit && other.start <= best.start && other.end >= best.end) return false;
    if (!isBalanced(lines, other, file) || resultOf(other, lines, file) === result) return false;
    const isInsertion = other.isInsertion && other.start <= best.end && other.end >= best.start;
    const losesLess = other.deleted <= best.deleted - 2 && more <= lossMargin;
    const hasLoss = best.deleted + best.replaced >= 2;
    return more <= costMargin || losesLess || isBeside || (isInsertion && hasLoss);
  });
}

function hasNoEvidence(candidate: PartCandidate): boolean {
  const isSure = isFrame(candidate) || setsSame(candidate);
  return !isSure && evidenceOf(candidate.best, candidate.file) < leastEvidence;
}

/** What the file has elsewhere comes once more. */
function hasTwin({ best, lines, file }: Candidate): boolean {
  const least = leastColumn(lines);
  return lines.texts.some(
    (text, nth) =>
      best.at[nth] === undefined &&
      lines.columns[nth] === least &&
      /^\w/.test(text) &&
      text.endsWith("{") &&
      file.countOf(text) > 0,
  );
}

/** The code is not as deep as the place, but as another one that begins with the same line. */
function isElsewhereAsDeep({ best, lines, file: { places, source } }: Candidate): boolean {
  const [column] = lines.columns;
  if (source.columns[best.start] === column) return false;
  return places.get(lines.texts[0] ?? "")?.some((line) => source.columns[line] === column) === true;
}

/** Of ways that cost nearly the same, those with twice as many other characters are clearly worse. */
const clearlyApart = 2;
/** Of more ways that cost nearly the same none is the one. */
const maxCompared = 12;

/** The way whose lines have the fewest other characters, of those that cost nearly the same as the first one. */
export function closestWay(
  ways: readonly Alignment[],
  lines: SourceLines,
  file: AlignedFile,
): Alignment | undefined {
  const least = ways[0]?.cost ?? 0;
  const near = ways.filter(({ cost }) => cost < least + fragmentMargin / 2).slice(0, maxCompared);
  if (near.length < 2) return near[0];
  const apart = near.map((way) => apartOf(way, lines, file));
  return near[apart.indexOf(Math.min(...apart))];
}

/** In lines: what goes, what is new, and of each new version the share of characters that are other ones. */
function apartOf(
  { at, deleted }: Alignment,
  { texts }: SourceLines,
  { source }: AlignedFile,
): number {
  return at.reduce<number>((sum, line, nth) => {
    const [now = "", was = ""] = [texts[nth], source.texts[oldLine(line) ?? -1]];
    const size = Math.max(now.length, was.length);
    return sum + (was === "" || size > maxCharacters ? 1 : distance(now, was) / size);
  }, deleted);
}

/** Of a longer line all of it counts. */
const maxCharacters = 300;

export function hasNearResult(candidate: Candidate): boolean {
  return nearResults(candidate).length > 1;
}

/** The ways that are nearly as good, one for each result. */
export function nearResults({ best, others, lines, file }: Candidate): Alignment[] {
  const margin = best.cost <= surelySame ? fragmentMargin / 2 : fragmentMargin;
  const least = clearlyApart * apartOf(best, lines, file);
  const near = others
    .filter((way) => way.cost < best.cost + margin)
    .filter((way, nth) => nth >= maxCompared || apartOf(way, lines, file) <= least);
  return [...new Map([best, ...near].map((way) => [resultOf(way, lines, file), way])).values()];
}

/** What is new at an end, and set apart or an import, may belong anywhere. */
function isNewBeyondGap({ best: { at }, lines }: Candidate): boolean {
  const isFound = (line: number | undefined): boolean => line !== undefined;
  const [first, last] = [at.findIndex(isFound), at.findLastIndex(isFound)];
  return lines.texts.some(
    (text, nth) =>
      (nth < first && (isAfterGap(lines, nth + 1) || isImport(text))) ||
      (nth > last && (isAfterGap(lines, nth) || isImport(text))),
  );
}

/** Nothing says that it is a new version: it shows lines of what is there, or adds to each. */
function isLittleKnown({ best, lines: { texts }, file, isChange }: FragmentCandidate): boolean {
  const { source } = file;
  const shown = best.at.filter((line) => line !== undefined);
  const isKnown = shown.some((line) => line >= 0 && file.countOf(source.texts[line]) === 1);
  const old = source.texts.slice(best.start, best.end);
  const isLonger = old.every((text, nth) => hasWords(texts[nth] ?? "", text));
  return shown.length * 2 < texts.length || !(isChange || isKnown || isLonger);
}

/** The heads of a whole function or block, and of what it takes the place of; undefined for other code. */
function headsOf({ best, lines, file: { source } }: Candidate): [string, string] | undefined {
  const { texts } = lines;
  const first = texts.findIndex((text) => !isHeadline(text));
  const line = oldLine(best.at[first]) ?? 0;
  const isUnit = texts.length > 1 && unitEnd(lines, first) === texts.length;
  return isUnit ? [texts[first] ?? "", source.texts[line] ?? ""] : undefined;
}

/** It is a new version only of what has its name. */
function takesOtherUnit(candidate: Candidate): boolean {
  const [name, own] = headsOf(candidate)?.map(declaredName) ?? [];
  return name !== own;
}

/** A second place that costs so much more is not the one that a changed block means. */
const farLead = 2;

/** Or, where nothing around it is shown, of what has its head; a block without a name also of one with half of its lines. */
function takesOtherBlock(candidate: FragmentCandidate): boolean {
  const { best, others, lines, file, isChange } = candidate;
  const [head = "", own = ""] = headsOf(candidate) ?? [];
  const isSame = (line: number | undefined): boolean =>
    line !== undefined && line >= 0 && !isCloser(file.source.texts[line] ?? "");
  const isMostly = best.at.filter(isSame).length * 2 >= lines.texts.length - 1;
  // Each line is one of the file, or a new version of one, and nothing else is near.
  const isAll = best.at.every((line) => line !== undefined) && best.deleted === 0;
  const isFar = others.every((way) => way === best || way.cost > best.cost + farLead);
  const isSure = isMostly || (isChange && isAll && isFar);
  const isOther = head !== own && declaredName(head) === undefined && !isSure;
  return takesOtherUnit(candidate) || isOther;
}

/** Without the sign that goes on to the next line, more may have to go. */
function goesOnBelow({ best, lines, file }: Candidate): boolean {
  const [was = "", now = ""] = [file.source.texts[best.end - 1], lines.texts.at(-1)];
  return /[,;]$/.test(was) && !/[,;{([:]$/.test(now);
}

/** What the file declares there, the code declares, too. */
function losesName({ best, lines: { texts }, file: { source } }: Candidate): boolean {
  const keyIn = (text: string): string | undefined =>
    /^[^(=<]+:/.test(text) ? nameSetBy(text.replace(/^- /, "")) : undefined;
  const nameIn = (text: string): string | undefined => declaredName(text) ?? keyIn(text);
  const names = new Set(texts.map(nameIn));
  const isBound = (text: string): boolean => /\b(?:const|let|va[lr])\s/.test(text);
  return source.texts.slice(best.start, best.end).some((text) => {
    const name = isBound(text) ? undefined : nameIn(text);
    return name !== undefined && !names.has(name);
  });
}

/** A new line, or a new version of one, is one that the file has elsewhere. */
function comesFromElsewhere({ best, lines: { texts }, file }: Candidate): boolean {
  return best.at.some((line, nth) => {
    const text = texts[nth] ?? "";
    if (isOld(line) || isCloser(text) || file.countOf(text) === 0) return false;
    const isNamed = declaredName(text) !== undefined || isImport(text);
    // What a statement becomes another one may be already.
    return isNamed || (line === undefined ? text.length > 12 : text.startsWith("- "));
  });
}

/** The code has an indentation, and the lines that it takes the place of have another one. */
function isShifted({ best, lines, file: { source }, isNear }: FragmentCandidate): boolean {
  if (isNear || leastColumn(lines) === 0) return false;
  return best.at.some((line, nth) => {
    const column = source.columns[oldLine(line) ?? -1];
    return column !== undefined && column !== lines.columns[nth];
  });
}
