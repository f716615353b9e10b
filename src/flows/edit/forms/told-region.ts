// The lines of a file that told things may mean.
import { trimEndSigns } from "../../../base/text/lines.ts";
import type { CodeAnalysis } from "../../../code/code-analysis.ts";
import {
  declaredName,
  docstringEnd,
  headlinesAbove,
  isAfterGap,
  isImport,
  isCloser,
  isEven,
  isHeadline,
  leastColumn,
  nameSetBy,
  solidLinesIn,
  type SourceLines,
  unitEnd,
  wordsOf,
} from "../../../edit/align/source-lines.ts";
import { importedNames } from "../../../edit/align/line-version.ts";
import { keywordOf } from "../../../edit/align/align-units.ts";
import type { LineRange } from "../../../edit/edit-unit.ts";
import { hasWord, rangesNamed } from "./named-lines.ts";
import { keyword, loops, type Thing } from "./told-things.ts";

/** Solid lines [from, to). */
export interface Region {
  from: number;
  to: number;
}

/** Finds what is told in a text. */
export class RegionReader {
  readonly source: SourceLines;
  readonly #analysis: CodeAnalysis;

  constructor(source: SourceLines, analysis: CodeAnalysis) {
    this.source = source;
    this.#analysis = analysis;
  }

  /** What an order says that all of it is in, within what is selected, or the one thing that is told of before. */
  scopeOf(
    things: readonly Thing[],
    told: readonly Thing[],
    within: LineRange | undefined,
  ): Region | undefined {
    const all = this.#all();
    const around = this.named(told.filter(({ relation }) => relation === "in"));
    const [only = all, ...more] = around.length === 1 ? around : this.named(told);
    const meant = within === undefined ? only : solidLinesIn(within, this.source);
    let scope = within === undefined && more.length > 0 ? all : meant;
    for (const thing of things.filter(({ relation }) => relation === "in")) {
      const region = this.regionOf(thing, scope) ?? this.regionOf(thing, all);
      if (region === undefined) return undefined;
      scope = region;
    }
    return scope;
  }

  #all(): Region {
    return { from: 0, to: this.source.texts.length };
  }

  /** What some things name, by their names alone. */
  named(some: readonly Thing[]): Region[] {
    const callees = some.map(({ quoted = "" }) => quoted.replace(/(?<=\w)\(.*\)$/, ""));
    const names = new Set(callees.filter((name) => aName.test(name)));
    const found = [...names].slice(-maxNames).flatMap((name) => this.#named(name, this.#all()));
    return found.filter(({ from }, nth) => found.findIndex((one) => one.from === from) === nth);
  }

  /** The one place among the lines of the scope that a thing may be. */
  regionOf(thing: Thing, scope: Region): Region | undefined {
    const [only, ...more] = this.#regionsOf(thing, scope, true);
    return more.length === 0 ? only : undefined;
  }

  /** Where something may come in beside a thing, or in it. */
  gapsOf(thing: Thing, scope: Region, isAlone: boolean, own: SourceLines): Gap[] {
    const { quoted = "", isCall, isBody } = thing;
    const kind = kindOf(own.texts.find((one) => !isHeadline(one)) ?? "");
    // A block comes beside the one of its kind that has the name.
    const isSame = (line: string): boolean =>
      kindOf(line) === kind &&
      line
        .replaceAll(/["']/g, "")
        .split(/[\s({:]/)
        .includes(quoted);
    const isKind = !isCall && !isBody && kind !== "" && quoted !== "" && own.texts.length > 2;
    const same = isKind ? this.#where(scope, isSame) : [];
    // A command that is all of a line, and not what it runs.
    const isCommand = own.texts.length === 1 && !isHeadline(own.texts[0] ?? "");
    const line = isCommand
      ? this.#where(scope, (text) => text === quoted && /^[\w-]+$/.test(text))
      : [];
    const [all = this.#regionsOf(thing, scope, isAlone)] = [same, line].filter(
      ({ length }) => length === 1,
    );
    return all.flatMap((region): Gap | [] => {
      const { from, to } = region;
      const top = headlinesAbove(this.source, from);
      const head = this.source.texts[from] ?? "";
      const isUnit =
        to > from + 1 &&
        head !== thing.quoted &&
        (declaredName(head) !== undefined || keywordOf(head) !== "");
      const isLoose = isAfterGap(this.source, top) || (isUnit && isAfterGap(this.source, to));
      if (thing.relation === "after" && this.#isHead(thing, region, own)) {
        const at = this.bodyOf(region)?.from ?? from + 1;
        return { at, like: from + 1, isAbove: true, isLoose: false };
      }
      if (thing.relation === "before")
        return { at: top, like: this.#likeBefore(from, own), isAbove: true, isLoose, isUnit };
      if (thing.relation === "after")
        return { at: to, like: from, isAbove: false, isLoose, isUnit };
      const body = thing.isBody ? region : this.bodyOf(region);
      if (body === undefined) return [];
      const isAbove = thing.relation === "start";
      const like = body.from < body.to ? body.from : -1;
      const end = Math.min(unitEnd(this.source, body.from), body.to);
      const areLoose = end < body.to ? isAfterGap(this.source, end) : end > body.from + 1;
      const at = isAbove ? body.from : body.to;
      return { at, like, isAbove, isLoose: areLoose, isStart: isAbove };
    });
  }

  /** What comes before the end of a block is as deep as what is in it, if it does not end one, too. */
  #likeBefore(from: number, code: SourceLines): number {
    const { texts, columns } = this.source;
    const own = columns[from] ?? 0;
    if (!isCloser(texts[from] ?? "") || isCloser(code.texts[0] ?? "")) return from;
    let like = from;
    for (let at = from - 1; (columns[at] ?? 0) > own; at -= 1)
      if (like === from || (columns[at] ?? 0) < (columns[like] ?? 0)) like = at;
    return like;
  }

  /** What is below the head of a block that is quoted comes into it, unless it is another one of its kind, or as deep. */
  #isHead(
    { quoted = "", isBlock, isLine: isNamed, line }: Thing,
    { from }: Region,
    own: SourceLines,
  ): boolean {
    const { texts, columns } = this.source;
    const head = texts[from] ?? "";
    const isHead = isNamed || /[\s:{>]/.test(quoted) || head === quoted;
    const isQuoted = !isBlock && isHead && startsWith(head, quoted.trim());
    const isLine = isQuoted || line !== undefined;
    const [kind, now] = [head, own.texts.find((one) => !isHeadline(one)) ?? ""].map(kindOf);
    const least = leastColumn(own);
    const isOther = (kind === "" || kind !== now) && !(least > 0 && least === columns[from]);
    return isLine && isOther && (columns[from + 1] ?? 0) > (columns[from] ?? 0);
  }

  #regionsOf(thing: Thing, scope: Region, isAlone: boolean): Region[] {
    const any = this.#find(thing, scope, isAlone);
    // "The `orders` table" begins with a line that says so.
    const ofKind = any.filter(({ from }) =>
      hasWord((this.source.texts[from] ?? "").toLowerCase(), thing.kind ?? ""),
    );
    const found = ofKind.length > 0 || written.test(thing.kind ?? "") ? ofKind : any;
    const all =
      thing.nth === undefined || thing.count !== undefined
        ? found
        : found.slice(...(thing.nth === "first" ? [0, 1] : [-1]));
    return thing.isBody ? all.flatMap((one) => this.bodyOf(one) ?? []) : all;
  }

  #named(quoted: string, scope: Region): Region[] {
    return (
      rangesNamed([quoted], this.#analysis)
        .flat()
        .map((range) => solidLinesIn(range, this.source))
        // Without a grammar a head may be all that is known.
        .map(({ from, to }) => ({ from, to: to - from > 1 ? to : unitEnd(this.source, from) }))
        .filter(({ from, to }) => from >= scope.from && to <= scope.to)
    );
  }

  /** @param isAlone nothing else tells which of several is meant */
  #find(thing: Thing, scope: Region, isAlone: boolean): Region[] {
    const { quoted, word, isBody, isCall, nth, count, line: number } = thing;
    if (number !== undefined) {
      const at = this.source.numbers.indexOf(number - 1);
      return at === -1 ? [] : [{ from: at, to: at + 1 }];
    }
    if (count !== undefined) return this.#linesOf(scope, thing, count);
    if (word === "line") return this.#lineOf(scope, nth);
    const isFile = scope.to - scope.from === this.source.texts.length;
    if (quoted === undefined && word === undefined) return isBody && !isFile ? [scope] : [];
    const said = quoted ?? word ?? "";
    const [shown = ""] = said.split(/(?<=.)(?:\.{3}|…)/);
    const name = shown.replace(/\(\)?$/, "").trim();
    // `function go() {` is no call of it.
    const holds = (line: string): boolean =>
      hasCall(line, name) && (line.startsWith(name) || declaredName(line) !== name);
    if (isCall) return this.#where(scope, holds);
    if (said === "loop" || keyword.test(said)) {
      const found = this.#where(scope, (line) =>
        said === "loop" ? loops.test(line) : beginsWith(line, said),
      );
      const columnOf = ({ from }: Region): number => this.source.columns[from] ?? 0;
      const least = Math.min(...found.map(columnOf));
      return isAlone ? found.filter((one) => columnOf(one) === least) : found;
    }
    if (quoted === undefined && maker.test(said))
      return this.#where(scope, (line) => this.#makes(line, said));
    // A call that is all of one line is that line, and not what it calls.
    const lines = said.includes("(") ? this.#where(scope, (line) => isAllOf(line, said)) : [];
    if (isAlone && lines.length === 1) return lines;
    const wanted = [...wordsOf(name)];
    const sets = (line: string): boolean => nameSetBy(line) === name || isImportOf(line, name);
    const setsLast = (line: string): boolean => lastOf(nameSetBy(line) ?? "") === name;
    const kinds = [
      (line: string) => line.endsWith(`${name};`) && isTyped(line.slice(0, -name.length - 1)),
      sets,
      (line: string) => beginsWith(line, name),
      setsLast,
      holds,
      (line: string) =>
        wanted.length > 1 &&
        wanted.every((one) => line.includes(one)) &&
        declaredName(line) !== undefined,
      (line: string) => hasWord(line, name),
    ];
    const named = this.#named(said, scope);
    const isOther = !sets(this.source.texts[named[0]?.from ?? -1] ?? "");
    const part = wanted[0] ?? name;
    const isSet =
      isOther &&
      this.#where(scope, (line) => line.includes(part) && (sets(line) || setsLast(line))).length >
        0;
    const isNamed = !isSet && (named.length === 1 || /^[\w$.:#]+(?:\(.*\))?$/.test(said));
    const all = isNamed ? [...named] : [];
    for (const kind of kinds) {
      if (isAlone && all.length > 0) return all;
      all.push(...this.#where(scope, (line) => line.includes(part) && kind(line)));
    }
    return all;
  }

  /** It begins the constructor, or the destructor, of what the file declares. */
  #makes(line: string, said: string): boolean {
    const isEnd = said.startsWith("de");
    const name = declaredName(line)?.replace(/^~/, "") ?? "";
    const isOfType = (text: string): boolean =>
      hasWord(text, name) && /\b(?:class|struct|record)\b/.test(text);
    const isNamed = line.includes("(") && name !== "" && this.source.texts.some(isOfType);
    const isDestructor = /^(?:virtual +)?~/.test(line) || /^(?:deinit|def __del__)\b/.test(line);
    if (isEnd) return isDestructor;
    return (
      !isDestructor &&
      (isNamed || /^(?:def )?(?:__init__|initialize|constructor|init)\b/.test(line))
    );
  }

  /** The statements of a kind, without the head of what they are in. */
  #where({ from, to }: Region, isOfKind: (line: string) => boolean): Region[] {
    const { texts } = this.source;
    const isHead =
      to - from > 1 &&
      unitEnd(this.source, from) >= to &&
      declaredName(texts[from] ?? "") !== undefined;
    const found = texts
      .slice(from, to)
      .flatMap((line, nth) => (!(isHead && nth === 0) && isOfKind(line) ? [from + nth] : []));
    return found.length > maxFound
      ? []
      : found.map((at) => ({ from: at, to: Math.min(unitEnd(this.source, at), to) }));
  }

  /** So many lines or statements where a body begins or ends. */
  #linesOf(scope: Region, { nth, word }: Thing, count: number): Region[] {
    const isUnit = declaredName(this.source.texts[scope.from] ?? "") !== undefined;
    const { from, to } = (isUnit ? this.bodyOf(scope) : undefined) ?? scope;
    const ends: number[] = [];
    for (let at = from; at < to; at = ends.at(-1) ?? to)
      ends.push(word === "line" ? at + 1 : Math.min(unitEnd(this.source, at), to));
    const starts = [from, ...ends];
    const [start, end] =
      nth === "first" ? [from, starts[count]] : nth === "last" ? [starts.at(-1 - count), to] : [];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end }];
  }

  /** The first or last line that says something. */
  #lineOf({ from, to }: Region, nth: Thing["nth"]): Region[] {
    const isClosed = isCloser(this.source.texts[to - 1] ?? "");
    const at = nth === "first" ? from : isClosed ? to - 2 : to - 1;
    return nth === undefined || at <= from ? [] : [{ from: at, to: at + 1 }];
  }

  /** What is below the head of a block, and before what closes it. */
  bodyOf({ from, to }: Region): Region | undefined {
    const { texts, columns } = this.source;
    const own = columns[from] ?? 0;
    let head = from;
    while (head + 1 < to && /^\{$/.test(texts[head + 1] ?? "")) head += 1;
    // A head over several lines is not told from what is in it.
    if (!isEven(texts.slice(from, head + 1).map((line) => line.replace(/^[}\])\s]+|\{$/g, ""))))
      return undefined;
    const start = Math.min(docstringEnd(this.source, head), to);
    const isClosed = (columns[to - 1] ?? 0) <= own && isCloser(texts[to - 1] ?? "");
    const end = isClosed ? to - 1 : to;
    return start <= end ? { from: start, to: end } : undefined;
  }
}

/** Kinds of things that the heads of them name. */
const written =
  /^(?:table|view|trigger|resource|variable|output|class|struct|interface|enum|trait|namespace)$/;
const maker = /^(?:con|de)structor$/i;
const aName = /^(?=.*[A-Za-z])[\w$.:#~%()-]+[?!]?$/;
/** Of what is told besides, these may say what something is in. */
const maxNames = 4;
/** Of more lines none is meant. */
const maxFound = 100;

/** But for what closes the block before it. */
function beginsWith(line: string, word: string): boolean {
  return startsWith(line.replace(/^[}\])\s]+/, ""), word);
}

/** But for the sign that ends it. */
export function isAllOf(line: string, quoted: string): boolean {
  return trimEndSigns(line, ";,") === trimEndSigns(quoted.trim(), ";,");
}

/** Of `self.limit`, and of a key between quotes, the name alone. */
function lastOf(set: string): string | undefined {
  return set
    .replaceAll(/["']/g, "")
    .split(/->|[\s.#:*&]+/)
    .at(-1);
}

/** Words before a name that make it a declaration without a value. */
function isTyped(words: string): boolean {
  return (
    /^[\w$<>[\],.?:]+ [\w$<>[\],.?:*& ]*$/.test(words) &&
    !/^(?:return|throw|delete|goto|yield|await|case|new)\b/.test(words)
  );
}

function isImportOf(line: string, name: string): boolean {
  return isImport(line) && [...importedNames(line)].join() === name;
}

function kindOf(line: string): string {
  return keywordOf(line) || (/^(?:- )?[\w$-]+(?=[\s:])/.exec(line)?.[0] ?? "");
}

function hasCall(line: string, callee: string): boolean {
  const call = callee.includes("(") ? callee : `${callee}(`;
  const at = line.indexOf(call);
  return at !== -1 && !/[\w$]/.test(line[at - 1] ?? "");
}

/** Where lines come in: behind so many solid lines, and as deep as one of them; -1 where there is none. */
export interface Gap {
  at: number;
  like: number;
  /** Right above what is behind them, and not right below what is before. */
  isAbove: boolean;
  /** What is there is set apart. */
  isLoose: boolean;
  /** That is a declaration of several lines. */
  isUnit?: boolean;
  /** It is where a block begins. */
  isStart?: boolean;
}

export function startsWith(line: string, quoted: string): boolean {
  const isWhole = !/[\w$]$/.test(quoted) || !/^[\w$]/.test(line.slice(quoted.length));
  return line.startsWith(quoted) && isWhole;
}
