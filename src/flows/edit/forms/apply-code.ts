// The text of a file with one code block in place.
import {
  columnsOf,
  countWhile,
  indentOf,
  isSolid,
  joinLines,
  linesOf,
} from "../../../base/text/lines.ts";
import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";
import { findDamage, flattenSymbols, isCallable } from "../../../code/symbols.ts";
import { namedBy } from "../../../edit/align/align-units.ts";
import { firstWord } from "../../../edit/align/place-statements.ts";
import { hasWords } from "../../../edit/align/line-version.ts";
import {
  likenessOfWords,
  declaredName,
  isCloser,
  isImport,
  nameSetBy,
  wordsOf,
} from "../../../edit/align/source-lines.ts";
import { applyCodeAside } from "../../../edit/apply-code-edit.ts";
import { inLevelsOf } from "../../../edit/find/indentation.ts";
import { describeDiff, describeSegment } from "../../../edit/describe-error.ts";
import {
  type EditError,
  type EditResult,
  encloses,
  type LineRange,
} from "../../../edit/edit-unit.ts";
import {
  asksToReplace,
  namesSeveral,
  ordersIn,
  quotedIn,
  scopeOf,
  lastSentence,
  sentencesOf,
  speaksOfLess,
} from "../../../edit/read/blocks/told-words.ts";
import type { CodeBlock, CodeEdit, EditForm } from "../../../edit/read/file-edit.ts";
import { findTextChanges } from "../../../edit/unified-diff.ts";
import type { EditScene } from "../show-edit.ts";
import { type TextChange, plainText } from "./apply-text.ts";
import {
  announcesMore,
  leadsToCode,
  restThatStays,
  tellsMove,
  tellsOrder,
  tellsRemoval,
} from "./block-words.ts";
import { declaredIn } from "./code-block.ts";
import { namedLines, renumbered } from "./named-lines.ts";
import {
  placeAsTold,
  replaceSection,
  replaceVersion,
  withoutLines,
  withPutIn,
} from "./told-place.ts";
import { adds, isBeside, readOrder, type Words } from "./told-things.ts";

/** The text with the change, or what is wrong with it. */
export async function applyCode(
  scene: EditScene,
  text: string,
  block: Pick<CodeBlock, "code" | "filePath"> &
    Words &
    Pick<CodeEdit, "lines"> & { isOneOfSeveral?: boolean },
): Promise<{ after: string; form: EditForm } | EditError> {
  const { services, turn, within, target } = scene;
  const { filePath, tail = "", lead = "", lines } = block;
  const written = linesOf(block.code);
  const levelled = inLevelsOf(linesOf(text), written);
  const code = levelled === written ? block.code : joinLines(levelled);
  const was = await analyzeText(scene, text);
  const damageOf = async (after: string, isWhole = false): Promise<string | undefined> =>
    findDamage(was, await analyzeText(scene, after), isWhole);
  const sound = async (after: unknown): Promise<{ after: string; form: EditForm } | undefined> =>
    typeof after === "string" &&
    !comeAgain(twinsIn(text, after)) &&
    (await damageOf(after)) === undefined
      ? { after, form: "function" }
      : undefined;
  const above = renumbered(block.above, plainText(target.text), text);
  const words = { above, tail, lead };
  const [head = "", next = ""] = linesOf(code).filter(isSolid);
  const isLine = next === "";
  const isRest = restThatStays(`${above}\n${tail}`).some((name) => wordsOf(head).has(name));
  const placed = isRest
    ? undefined
    : target.language === "markdown" && !announcesMore(above)
      ? replaceSection(text, code)
      : placeAsTold(text, code, words, was, within);
  const told = await sound(placed);
  if (told !== undefined) return told;
  const named = namedLines(above, was, code.trim());
  const orders = ordersIn(above).filter(asksToReplace);
  const isAdded = announcesMore(above);
  const shown = isRest ? `${code}${indentOf(next)}...\n` : code;
  const options = {
    within,
    isUnnamed: filePath === undefined,
    near: lines ?? namesake(code, text, above, named ?? within) ?? named,
    isChange: above !== "" && !announcesMore(lastSentence(above)),
    isAdded,
    isLess:
      speaksOfLess(above) ||
      (isAboutMember(code, above, was, within) && !tellsRemoval(above) ? false : undefined),
    isReplaced: orders.length > 0,
    replacesComment: orders.some((one) => /\bcomment|注释/i.test(one)),
  };
  const result = await applyCodeAside(text, shown, options, services.code.applyCode, turn.signal);
  // A line with something put in is that line, whatever other one it is like.
  if (isLine && !isAdded) {
    const longer = result.ok ? withPutIn(text, head, named ?? within) : undefined;
    const better = (await sound(longer)) ?? (await sound(replaceEach(text, head, result, above)));
    if (better !== undefined) return better;
  }
  let reason: string | undefined;
  if (result.ok) {
    const isMove = tellsMove(above);
    const twins = twinsIn(text, result.text, isMove ? code : undefined);
    const gone = isMove ? twins : movedIn(code, result.text, twins);
    const rest = gone.size > 0 ? withoutLines(result.text, gone) : undefined;
    const moved = await sound(rest);
    if (moved !== undefined) return moved;
    const isWhole = result.units.some(({ level }) => level === "whole-file");
    const isLess = linesOf(result.text).length < linesOf(text).length;
    const isUnclear =
      isLine && !isLess && block.isOneOfSeveral !== true && orders.some(namesSeveral);
    const meant = functionIn(was, named) ?? functionQuoted(was, above) ?? within;
    const isAgain = !isWhole && (comeAgain(twins) || (!isAdded && saysAgain(text, result.text)));
    const isOther =
      (!isWhole && isAstray(code, above, text, result.text, [meant, within ?? meant])) ||
      isAway(words, text, result.text);
    const isTurned = tellsOrder(above) && !keepsOrder(code, result.text);
    const fault = isAgain ? saidAgain : isOther ? elsewhere : isTurned ? turned : undefined;
    reason = isUnclear ? severalMeant : ((await damageOf(result.text, isWhole)) ?? fault);
    const form = isWhole ? "whole-file" : "function";
    if (reason === undefined) return { after: result.text, form };
  }
  const leads = leadsToCode(above) && (isLine || !announcesMore(above));
  const isRefused = !leads || (!result.ok && result.error.code === "too-large");
  const version = isRefused ? undefined : replaceVersion(text, code, { above, lead }, was, within);
  const anew = await sound(version);
  if (anew !== undefined) return anew;
  if (result.ok) return describeDiff("malformed", reason ?? elsewhere);
  return Array.isArray(placed) ? describeSegment(1, linesOf(code), placed) : result.error;
}

/**
 * The numbers of lines, from 0, that were there and are near and in the same block once more now: code may be meant to take
 * their place.
 *
 * @param moved code that moves lines: those of which it has new versions count, too
 */
function twinsIn(was: string, now: string, moved?: string): ReadonlySet<number> {
  const lines = linesOf(now);
  const textOf = (at: number): string => (lines[at] ?? "").trim();
  const isLong = (at: number): boolean => textOf(at).length > shortTwin;
  // What would have to go again is what has come.
  const added = findTextChanges(now, was).map((one) => ({
    from: one.startLine - 1,
    to: one.endLine,
  }));
  const [before, after] = [placesIn(was), placesIn(now)];
  // What has gone from elsewhere is there as often as it was.
  const isMore = (line: string): boolean =>
    (after.get(line)?.length ?? 0) > (before.get(line)?.length ?? 0);
  const shown = new Set(linesOf(moved ?? "").map((line) => line.trim()));
  const twins = new Set<number>();
  for (const { from, to } of added) {
    const own = lines.slice(from, to).filter(isSolid);
    const known = new Set(own.map((line) => line.trim()).filter(isMore));
    const isVersion = (text: string): boolean =>
      own.length <= mostMoved &&
      own.some(
        (line) =>
          firstWord(line.trim()) === firstWord(text) && likenessOfWords(line, text) >= leastAlike,
      );
    const deep = Math.min(...own.map(columnsOf));
    for (const step of [-1, 1]) {
      let least = deep;
      let seen = 0;
      for (
        let at = step < 0 ? from - 1 : to;
        lines[at] !== undefined && seen < farTwin;
        at += step
      ) {
        if (textOf(at) === "") continue;
        seen += 1;
        const column = columnsOf(lines[at] ?? "");
        least = Math.min(least, column);
        const text = textOf(at);
        const isSame =
          known.has(text) ||
          (moved !== undefined && column === deep && !shown.has(text) && isVersion(text));
        if (column === least && isSame && isLong(at)) twins.add(at);
      }
    }
  }
  return twins;
}

/** The numbers of the lines of a text, from 0, by what they say. */
function placesIn(text: string): ReadonlyMap<string, readonly number[]> {
  const lines = linesOf(text);
  return Map.groupBy(lines.keys(), (at) => (lines[at] ?? "").trim());
}

/** The lines that code and a text have once each come in one order in both. */
function keepsOrder(code: string, now: string): boolean {
  const all = placesIn(now);
  const places = [...placesIn(code)].flatMap(([line, own]) => {
    const there = all.get(line) ?? [];
    return line.length > shortTwin && own.length === 1 && there.length === 1 ? there : [];
  });
  return places.every((at, nth) => at > (places[nth - 1] ?? -1));
}

/** Alone a line may well come again. */
function comeAgain(twins: ReadonlySet<number>): boolean {
  return [...twins].some((at) => twins.has(at + 1));
}

/** The only one, where it is right behind the last line that code shows, or before its first one, and as deep: code moves it. */
function movedIn(code: string, now: string, twins: ReadonlySet<number>): ReadonlySet<number> {
  const lines = linesOf(now);
  const own = linesOf(code).filter(isSolid);
  const [at = -1, ...more] = twins;
  const isNext = (step: number): boolean => {
    let near = at + step;
    while (lines[near]?.trim() === "") near += step;
    const line = lines[near] ?? "";
    const isEdge = line.trim() === own.at(step < 0 ? -1 : 0)?.trim();
    return isEdge && !isCloser(line.trim()) && columnsOf(line) === columnsOf(lines[at] ?? "");
  };
  return more.length === 0 && own.length > 2 && (isNext(-1) || isNext(1)) ? twins : new Set();
}

/** In characters, and in lines. */
const [shortTwin, farTwin, mostMoved] = [8, 40, 100];
/** How much a line that has moved says the same, from 0 to 1. */
const leastAlike = 0.5;

/** Code changes nothing of any of the lines that are meant, and the text above does not quote what it sets. */
function isAstray(
  code: string,
  above: string,
  was: string,
  now: string,
  meant: readonly (LineRange | undefined)[],
): boolean {
  const [first = "", ...more] = linesOf(code)
    .filter(isSolid)
    .map((line) => line.trim());
  const isLike = (line: string): boolean => line.trim() === first;
  // The text is about what it sets, or it begins as one block of the file does.
  const isTold =
    quotedIn(above).includes(nameSetBy(first) ?? first) ||
    (more.length > 0 && linesOf(was).filter(isLike).length === 1);
  return !isTold && meant.every((range) => isBeyond(range, code, was, now));
}

/** What code with `... existing code ...` makes of a file, or why that is not clear. */
export async function applyMarkedCode(
  scene: EditScene,
  codeEdit: CodeEdit,
  filePath: string | undefined,
  before: string,
): Promise<TextChange | EditError> {
  const text = plainText(before);
  const change = await applyCode(scene, text, { ...codeEdit, filePath, above: "" });
  const isOther = "code" in change && change.code !== "too-large";
  return isOther ? describeDiff("malformed", change.message) : change;
}

export function analyzeText(
  { target, services, turn }: EditScene,
  text: string,
): Promise<CodeAnalysis> {
  return services.code.analyze(text, target.language, target.path, { signal: turn.signal });
}

/** The text with a line in place of all that are as the one that it replaces, where the last words above say so. */
function replaceEach(
  text: string,
  line: string,
  result: EditResult,
  above: string,
): string | undefined {
  const words = lastSentence(above).replaceAll(/`[^`]*`/g, "`");
  const isBoth = /\bboth\b|[两二](?:处|个|行)/i.test(words);
  if (!isBoth && !/\b(?:each|every|all|everywhere)\b|每|都|所有/i.test(words)) return undefined;
  const all = linesOf(text);
  const places = result.ok
    ? findTextChanges(text, result.text).flatMap((one) => [one.startLine, one.endLine])
    : (result.error.candidates ?? []).flatMap((one) => [one.startLine, one.endLine]);
  const [old, ...others] = new Set(places.map((place) => all[place - 1]?.trim() ?? ""));
  const same = [...all.keys()].filter((at) => all[at]?.trim() === old);
  const isAll = isBoth ? same.length === 2 : same.length > 1;
  if (old === undefined || old.length < 4 || others.length > 0 || !isAll) return undefined;
  const now = all.map((one) => (one.trim() === old ? indentOf(one) + line.trim() : one));
  return joinLines(now);
}

/** The lines, if they are a function. */
function functionIn(
  { symbols }: CodeAnalysis,
  lines: LineRange | undefined,
): LineRange | undefined {
  const isOne = (one: CodeSymbol): boolean =>
    isCallable(one) && one.range.startLine === lines?.startLine;
  return flattenSymbols(symbols).some(isOne) ? lines : undefined;
}

/** The one function that a text quotes, or of several the one in which something is. */
function functionQuoted({ symbols }: CodeAnalysis, above: string): LineRange | undefined {
  const names = quotedIn(above).map((one) => one.replace(/\(.*/, ""));
  const scopes = sentencesOf(above).flatMap((one) => scopeOf(one, []) ?? []);
  const isMeant = ({ name }: CodeSymbol): boolean => names.includes(name);
  const all = flattenSymbols(symbols).filter((one) => isCallable(one) && isMeant(one));
  const found = all.length > 1 ? all.filter(({ name }) => scopes.includes(name)) : all;
  return found.length === 1 ? found[0]?.range : undefined;
}

/**
 * Where nothing says that new lines come besides, the first of them begins as the line right before them does, which stays, and
 * has all of its words.
 */
function saysAgain(was: string, now: string): boolean {
  const lines = linesOf(was);
  return findTextChanges(was, now).some(({ startLine, endLine, text }) => {
    const own = (lines[startLine - 2] ?? "").trim();
    const next = (linesOf(text).find(isSolid) ?? "").trim();
    const head = countWhile(own.length, (at) => next.startsWith(own.slice(0, at + 1)));
    const isLike = head * 2 >= own.length || wordsOf(own).size > 2;
    const isNew = endLine < startLine || wordsOf(own).size > 2;
    return isNew && isLike && hasWords(next, own);
  });
}

/** A sentence puts the code beside what it quotes of a line, and that goes, or nothing comes beside it. */
function isAway(words: Words, was: string, now: string): boolean {
  const { order } = readOrder(words) ?? {};
  const places = order && adds(order.one) ? order.things.filter(isBeside) : [];
  const quoted = places.flatMap(({ quoted: one = "" }) => (/[\s:]/.test(one) ? one : []));
  const lines = linesOf(was);
  return quoted.some((one) => {
    const isPlace = (line: string): boolean => line.includes(one);
    if (!lines.some(isPlace)) return false;
    if (!linesOf(now).some(isPlace)) return true;
    return !findTextChanges(was, now).some(({ startLine, endLine }) =>
      lines.slice(Math.max(0, startLine - 3), endLine + 2).some(isPlace),
    );
  });
}

/** Statements change nothing of the lines that are meant, and something elsewhere. */
function isBeyond(meant: LineRange | undefined, code: string, was: string, now: string): boolean {
  const lines = linesOf(code).map((line) => line.trim());
  const isUnit = lines.some((line) => isImport(line) || declaredName(line) !== undefined);
  if (meant === undefined || meant.startLine === meant.endLine || isUnit) return false;
  return findTextChanges(was, now).every(
    ({ startLine, endLine }) => endLine < meant.startLine - 1 || startLine > meant.endLine + 1,
  );
}

const elsewhere = "its only place is not in the lines that are meant";

const saidAgain = "it would come behind a line that it seems to replace";

const turned = "its parts would stay in the order of the file, and the text speaks of another one";

const severalMeant = "it is to replace several lines, and it is not clear which";

/** A text names a member of what the code shows, or one is selected. */
function isAboutMember(
  code: string,
  above: string,
  { symbols }: CodeAnalysis,
  within: LineRange | undefined,
): boolean {
  const [, ...members] = declaredIn(linesOf(code));
  const isOne = ({ name, range }: CodeSymbol): boolean =>
    members.includes(name) && within !== undefined && encloses(within, range);
  const isNamed = quotedIn(above).some((one) => members.includes(one.replace(/\(.*/, "")));
  return isNamed || flattenSymbols(symbols).filter(isOne).length === 1;
}

/** The one line of a text, or of those that are meant, that sets or imports what a line of code does. */
function namesake(
  code: string,
  text: string,
  above: string,
  meant: LineRange | undefined,
): LineRange | undefined {
  const [line = "", ...others] = linesOf(code).filter(isSolid);
  const key = others.length > 0 ? undefined : namedBy(line.trim());
  if (key === undefined) return undefined;
  const lines = linesOf(text);
  const places = lines.flatMap((one, nth) => (namedBy(one.trim()) === key ? [nth + 1] : []));
  const isMeant = (at: number): boolean =>
    meant !== undefined && at >= meant.startLine && at <= meant.endLine;
  const isOnly = isImport(line) || (meant === undefined && !announcesMore(above));
  const [place, ...more] = isOnly ? places : places.filter(isMeant);
  return place === undefined || more.length > 0 ? undefined : { startLine: place, endLine: place };
}
