// Code blocks that are no edits by their form: a function, a class, or all of the file, as it should be.
import { languageOf } from "../../../turn/context/language.ts";
import type { CodeBlock, EditForm } from "../../../edit/read/file-edit.ts";
import { trimEndSigns } from "../../../base/text/lines.ts";
import { isSameFile } from "../../../edit/read/is-same-file.ts";
import type { EditScene } from "../edit-scene.ts";
import type { EditTarget } from "../../place/edit-target.ts";
import { type Analyze, analyzeAs, type FencedCode, readFence, readLines } from "./fenced-code.ts";
import { fillBodies, isStub } from "./fill-bodies.ts";
import { type LineChange, mergeImports } from "./merge-imports.ts";
import { findDamage } from "./find-damage.ts";
import { findNamesake, findOnly, listOwned } from "./namesake.ts";
import { readPart, type SelectedPart } from "./selected-part.ts";
import { changeStatements } from "./statements.ts";
import { changeSymbol, findLostMember } from "./symbol-change.ts";
import { changeFile, findDemo, findLost } from "./whole-file.ts";

/** What code blocks make of the file. */
export type BlocksReading =
  /** No block can be meant as a change of the file. */
  | { kind: "none" }
  /** The text of the file after the change, with "\n" as its line ends, and the blocks that it came from. */
  | { kind: "change"; form: EditForm; after: string; blocks: readonly CodeBlock[] }
  /** Blocks that may be a change, each with what is not clear, for the model. */
  | { kind: "unread"; problems: string[] };

/** Further blocks are not looked at. */
const maxBlocks = 20;

/** Reads all blocks of an answer together: what they change is applied as a whole, or not at all. */
export async function readCodeBlocks(
  scene: EditScene,
  all: readonly CodeBlock[],
): Promise<BlocksReading> {
  const { target, services, turn } = scene;
  const text = target.text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
  const blocks = all.slice(0, maxBlocks).filter((block) => mayChange(block, target, text));
  if (blocks.length === 0) return { kind: "none" };
  const analyze = analyzeAs(target, services, turn.signal);
  const lines = text.replace(/\n$/, "").split("\n");
  const end = text.endsWith("\n") || text === "" ? "\n" : "";
  const file = await readLines(lines, analyze);
  const reading = await readAgainst(scene, blocks, { code: file, isPart: false }, analyze);
  if (reading.kind === "change") {
    // Without the line that PHP was opened with for reading.
    const isOpened = file.lines.length > lines.length && reading.after.startsWith("<?php\n");
    return { ...reading, after: reading.after.slice(isOpened ? 6 : 0) + end };
  }
  if (reading.kind === "none") return reading;
  const part = await readPart(lines, scene.within, analyze);
  const inPart = part && (await readInPart(scene, blocks, part, analyze));
  const changed = inPart ?? (await readNew(scene, blocks, lines, analyze));
  if (changed === undefined) return reading;
  const after = changed.lines.join("\n") + end;
  const [was, is] = [file.analysis, await analyze(after)];
  // Of a file that could not be read the errors tell nothing; and `x += 1` declares no x, as `x = x + 1` may.
  const isBroken =
    inPart === undefined
      ? is.problems.length > was.problems.length
      : was.problems.length === 0 && findDamage(was, is) !== undefined;
  return isBroken ? reading : { kind: "change", form: changed.form, after, blocks };
}

/** All lines of the file after a change. */
interface PartReading {
  form: EditForm;
  lines: string[];
}

async function readInPart(
  scene: EditScene,
  blocks: readonly CodeBlock[],
  part: SelectedPart,
  analyze: Analyze,
): Promise<PartReading | undefined> {
  const base = { code: part.code, isPart: true };
  const change = await readAgainst({ ...scene, within: undefined }, blocks, base, analyze);
  if (change.kind !== "change") return undefined;
  return { form: change.form, lines: part.embed(change.after.split("\n")) };
}

async function readNew(
  scene: EditScene,
  [block, ...more]: readonly CodeBlock[],
  lines: readonly string[],
  analyze: Analyze,
): Promise<PartReading | undefined> {
  if (block?.isClosed !== true || more.length > 0 || announcesExample(block.above))
    return undefined;
  const changed = await changeStatements(scene, block.code, lines, analyze);
  return changed && { form: "function", lines: changed };
}

/** The file, or the part of it that is meant, which is one declaration then. */
interface Base {
  code: FencedCode;
  isPart: boolean;
}

/** What the blocks make of the lines of the base. */
async function readAgainst(
  scene: EditScene,
  blocks: readonly CodeBlock[],
  base: Base,
  analyze: Analyze,
): Promise<BlocksReading> {
  const file = base.code;
  const changes: LineChange[] = [];
  const read: CodeBlock[] = [];
  const unread: { block: CodeBlock; problem: string }[] = [];
  let form: EditForm = "function";
  for (const block of blocks) {
    const change = await readBlock(scene, block, base, analyze);
    if (typeof change === "string") {
      if (!announcesExample(block.above)) unread.push({ block, problem: change });
    } else {
      read.push(block);
      changes.push(...change.changes);
      form = change.form;
    }
  }
  if (changes.length === 0 && unread.length === 0) return { kind: "none" };
  const after = apply(changes, file.lines);
  // A part of the change that is shown on its own says nothing new.
  const isNew = ({ block }: { block: CodeBlock }): boolean =>
    !block.isClosed || after === undefined || !standsIn(block.code, after);
  const problems = unread.filter(isNew).map(({ block, problem }) => describe(block, problem));
  if (problems.length > 0) return { kind: "unread", problems };
  if (after === undefined)
    return { kind: "unread", problems: ["Two code blocks change the same lines."] };
  const broken = findDamage(file.analysis, await analyze(after));
  if (broken !== undefined) return { kind: "unread", problems: [broken] };
  const shown = [...read, ...unread.map(({ block }) => block)];
  return { kind: "change", form, after, blocks: shown };
}

const notCode =
  /^(?:sh|bash|shell|shellscript|zsh|fish|console|terminal|powershell|ps1|bat|cmd|text|txt|plain|plaintext|output|log|mermaid)$/i;
const example =
  /^(?:(?:example )?usage(?: examples?)?|examples?(?: of use)?|(?:expected |sample )?output|用法|示例|输出(?:结果)?|测试(?:一下|代码)?|验证(?:一下)?)$|\b(?:call|use|test|verify)(?:ing)? (?:it|this|the function) (?:like|as|with|by)\b|\b(?:called|used) like\b|使用示例|示例用法|调用(?:方式|示例)|使用方法/i;

/** A line that announces an example of use, or what comes out. */
function announcesExample(above: string): boolean {
  const line = above.trim();
  const isHeading = /^(?:#|\*\*)/.test(line);
  const isLabel = isHeading || /[:：]$/.test(trimEndSigns(line, "*_` "));
  const words = line.split(/[.!]\s+|[。！]/).at(-1) ?? "";
  return isLabel && line.length <= 120 && example.test(words.replaceAll(/[#*`:：]/g, "").trim());
}

/** Whether a block may be meant as code of the file: not a command, an example, another file, or what stands there. */
function mayChange(block: CodeBlock, target: EditTarget, text: string): boolean {
  const [word = ""] = block.info.trim().split(/[\s:{]/, 1);
  const language = languageOf(`x.${word}`) || word.toLowerCase();
  const isOther =
    languageOf(`x.${word}`) !== "" && familyOf(language) !== familyOf(target.language);
  if (notCode.test(word) || isOther || block.code.trim() === "") return false;
  if (!isSameFile(block.filePath, target.path)) return false;
  return !standsIn(block.code, text);
}

function familyOf(language: string): string {
  const name = language.toLowerCase();
  return /^(?:(?:java|type)script(?:react)?|tsx)$/.test(name) ? "script" : name;
}

/** The lines of the block stand in the file, one after the other, whatever their indentation. */
function standsIn(code: string, text: string): boolean {
  const bare = (lines: string): string =>
    `\n${lines
      .trim()
      .split("\n")
      .map((line) => line.trim())
      .join("\n")}\n`;
  return bare(text).includes(bare(code));
}

interface BlockChange {
  form: EditForm;
  changes: LineChange[];
}

/** The change that a block means, or what is not clear about it. */
async function readBlock(
  scene: EditScene,
  block: CodeBlock,
  base: Base,
  analyze: Analyze,
): Promise<BlockChange | string> {
  if (!block.isClosed) return "it is not closed";
  const code = await fillBodies(scene, block.code, base.code, analyze);
  const readings = await readFence(code, analyze);
  if (readings === undefined)
    return "code without SEARCH and REPLACE cannot be placed in a file of this language";
  const { plain } = readings;
  // A file of one declaration is that declaration: it keeps what the answer leaves out of its head.
  const whole =
    plain === undefined || isOne(plain) || base.isPart
      ? undefined
      : readWhole(scene, plain, base.code);
  if (whole !== undefined) return whole;
  const read = plain && readSymbol(scene, plain, base);
  if (read !== undefined && typeof read !== "string") return read;
  const member = await readings.asMember();
  const readMember = member && readSymbol(scene, member, base);
  if (readMember !== undefined && typeof readMember !== "string") return readMember;
  return (
    read ?? readMember ?? "it is not a complete function, class or file, or has a syntax error"
  );
}

function readWhole(
  { target }: EditScene,
  answer: FencedCode,
  file: FencedCode,
): BlockChange | undefined {
  if (answer.isMember || target.linesAbove > 0) return undefined;
  if (findLost(answer, file) !== undefined || findDemo(answer, file) !== undefined)
    return undefined;
  const lines = changeFile(answer, file);
  if (lines === undefined) return undefined;
  return { form: "whole-file", changes: [{ start: 0, end: file.lines.length, lines }] };
}

function readSymbol(
  { within }: EditScene,
  answer: FencedCode,
  { code: file, isPart }: Base,
): BlockChange | string {
  const [symbol] = answer.symbols;
  if (symbol === undefined || !isOne(answer))
    return "it holds more than one function or class, and is not all of the file";
  const [owned] = listOwned([symbol]);
  const isMember = answer.isMember || (symbol.kind === "method" && owned?.owner === "");
  const namesake = isPart
    ? findOnly(symbol, file.symbols)
    : owned && findNamesake(owned, file.analysis, isMember, within);
  if (namesake === undefined)
    return `the file does not have exactly one ${symbol.kind} ${symbol.name} with as many parameters at this level`;
  if (isStub(symbol, answer) && !isStub(namesake, file)) return `${symbol.name} has no body`;
  const member = findLostMember(symbol, namesake);
  if (member !== undefined)
    return `${symbol.name} lacks ${JSON.stringify(member)}, which the file has`;
  // Beside a part of a file nothing shows where its imports are.
  const isOpen = isPart && answer.analysis.imports.length > 0;
  const imports = isOpen ? undefined : mergeImports(answer, file);
  if (imports === undefined) return "it is not clear where its imports belong";
  const change = changeSymbol({ symbol, code: answer }, { symbol: namesake, code: file });
  if (change === undefined) return `${symbol.name} cannot be put in place line by line`;
  const form = /^(?:function|method|constructor)$/.test(symbol.kind) ? "function" : "class";
  return { form, changes: [...imports, change] };
}

/** One declaration, and beside it imports at most. */
function isOne(code: FencedCode): boolean {
  return code.symbols.length === 1 && code.others.every((line) => isFrame(code, line));
}

/** A line that every file of the language begins with. */
function isFrame({ lines, analysis }: FencedCode, line: number): boolean {
  const text = (lines[line - 1] ?? "").trim();
  return (
    (analysis.language === "go" && /^(?:import\s*\(|\))$/.test(text)) ||
    /^(?:package\s+[\w.]+;?|namespace\s+[\w.\\]+;|<\?php|["']use strict["'];?)$/.test(text)
  );
}

function describe({ line }: CodeBlock, problem: string): string {
  return `The code block at line ${line} of your answer could not be read as a change of the file: ${problem}.`;
}

/** Undefined if two changes overlap; the same change twice counts once. */
function apply(changes: readonly LineChange[], lines: readonly string[]): string | undefined {
  const sorted = changes.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const after: string[] = [];
  let at = 0;
  let before: LineChange | undefined;
  for (const change of sorted) {
    if (before !== undefined && isSame(before, change)) continue;
    const isSamePlace = before?.start === change.start && before.end === change.end;
    if (change.start < at || isSamePlace) return undefined;
    after.push(...lines.slice(at, change.start), ...change.lines);
    at = change.end;
    before = change;
  }
  return [...after, ...lines.slice(at)].join("\n");
}

function isSame(one: LineChange, other: LineChange): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.lines.join("\n") === other.lines.join("\n")
  );
}
