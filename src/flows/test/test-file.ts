// The test file that an answer holds: new files, calls that write one, JSON, or its blocks of code, read as all edits are.
import { coveredCode } from "../../edit/read/dress/tags.ts";
import { pathOfLine, withoutPathLine } from "../../edit/read/dress/path-in-text.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import { encloses } from "../../edit/edit-unit.ts";
import type { CodeBlock, FileEdit } from "../../edit/read/file-edit.ts";
import type { CodeAnalysis, CodeImport, CodeParser } from "../../code/code-analysis.ts";
import { namesBoundBy } from "../../code/symbols.ts";
import { isSolid, joinLines, linesOf } from "../../base/text/lines.ts";
import { languageOf } from "../../turn/context/language.ts";
import { isFileName } from "../../turn/proposed-edit.ts";
import { readCalledEdits } from "../edit/propose-edit.ts";
import { announcesExample } from "../../edit/read/blocks/told-words.ts";
import { languageKind } from "../edit/forms/code-block.ts";
import { familyOf, isAmongTests } from "./test-subject.ts";

interface TestedFile {
  /** As the editor names it. */
  path: string;
  text: string;
  /** The path of its test file by the convention of the project; "" where none is known. */
  testPath: string;
}

/** Text that may be a part of the file. */
interface TestText {
  path: string | undefined;
  text: string;
  /** It may be no code at all, or not all of it: only a grammar can say so. */
  isUnsure: boolean;
}

const maxBlocks = 10;

/**
 * The test file that an answer holds, beside which commands, settings and examples may come. Its path is the one that
 * the answer gives it, else one that a sentence names, else the one of the project's convention. Of two versions of the
 * same tests the last one counts; other blocks are parts of the file. The text ends with one line end. Undefined where
 * they are not clearly one.
 */
export async function readTests(
  answer: string,
  tested: TestedFile,
  options: JoinOptions,
): Promise<{ name: string; text: string } | undefined> {
  const reader = new EditReader({ blocks: "events", tagged: "code" });
  const events = [...reader.push(answer), ...reader.end({ isStopped: true })];
  const said = events.flatMap((event) => (event.type === "text" ? event.text : [])).join("");
  const blocks = events.flatMap((event) => (event.type === "block" ? event.block : []));
  if (blocks.length > maxBlocks) return undefined;
  const isBare = blocks.length + reader.files.length === 0;
  const readBare = (): string => joinLines(coveredCode(linesOf(answer), ""));
  // The surest first; later ones are read only where nothing else was.
  const ways = [
    () => wholeFiles(reader.files, tested),
    () => testBlocks(blocks, tested, true),
    async () => wholeFiles((await readCalledEdits(answer)).files, tested),
    () => testBlocks(blocks, tested, false),
    () => (isBare ? toTexts(undefined, readBare(), tested, true) : []),
  ];
  let meant: readonly TestText[] = [];
  for (const read of ways) if (meant.length === 0) meant = await read();
  const found = withoutOthers(meant, tested);
  const paths = [...new Set(found.flatMap(({ path }) => path ?? []))];
  const name = paths[0] ?? pathInText(linesOf(said), tested) ?? tested.testPath;
  if (found.length === 0 || paths.length > 1 || name === "") return undefined;
  const texts = withoutDrafts(found.map(({ text }) => text));
  const isSure = texts.length === 1 && !found.some(({ isUnsure }) => isUnsure);
  const text = isSure ? texts[0] : await joinTests(texts, options);
  return text === undefined ? undefined : { name: placeAsUsual(name, tested), text };
}

function wholeFiles(files: readonly FileEdit[], tested: TestedFile): TestText[] {
  return files.flatMap(({ filePath, units: [unit, ...more], codeEdit, error }) => {
    const isNew = unit?.search === "" && more.length === 0;
    const text = isNew ? unit.replace : unit === undefined ? codeEdit?.code : undefined;
    return text === undefined || error !== undefined ? [] : toTexts(filePath, text, tested);
  });
}

/** @param path as the answer has it */
function toTexts(
  path: string | undefined,
  text: string,
  tested: TestedFile,
  isUnsure = false,
): TestText[] {
  const lines = linesOf(text.replaceAll("\r\n", "\n"));
  const [first = ""] = lines.filter(isSolid);
  const rest = withoutPathLine(lines, []);
  const inComment = rest === lines ? undefined : pathOfLine(first);
  const found = [path, inComment].map(toPath);
  // The comment on the first line may name what is tested.
  const named = found.find((one) => one !== undefined && !isSamePath(one, tested.path));
  // As a head of the file it may be meant; behind a word such as `File:` it is none.
  const isLabelled = inComment !== undefined && /\p{L}/u.test(first.split(inComment, 1)[0] ?? "");
  const bare = isLabelled ? rest : lines;
  const own = joinLines(bare.slice(Math.max(0, bare.findIndex(isSolid)))).trimEnd();
  // The code under test may be shown again, and what begins with a brace is data.
  const isNone = /^(?:$|\[?\s*\{)/.test(own.trim()) || tested.text.includes(own.trim());
  return isNone ? [] : [{ path: named, text: `${own}\n`, isUnsure }];
}

/** The blocks that may be tests. @param isSure only those that name their file or the language count */
function testBlocks(blocks: readonly CodeBlock[], tested: TestedFile, isSure: boolean): TestText[] {
  const language = languageOf(tested.path);
  // What names no language is output, where others name that of the code.
  const hasOwn = blocks.some(({ info }) => languageKind(info, language) === "own");
  return blocks.flatMap((block) => {
    const path = toPath(block.filePath) ?? pathInText([block.above], tested);
    const kind = languageKind(block.info, languageOf(path ?? "") || language);
    if (kind === "other") return [];
    const read = toTexts(path, block.code, tested, !block.isClosed);
    if (read.some((text) => text.path !== undefined)) return read;
    return (kind === "none" && (hasOwn || isSure)) || announcesExample(block.above) ? [] : read;
  });
}

/** Without settings and the like, which come beside tests; what the tests may need is not left out. */
function withoutOthers(texts: readonly TestText[], { path: tested }: TestedFile): TestText[] {
  const isTest = ({ path }: TestText): boolean => path !== undefined && isAmongTests(path);
  const family = familyOf(languageOf(tested));
  const mayBeNeeded = ({ path }: TestText): boolean =>
    path === undefined || familyOf(languageOf(path)) === family;
  return texts.some(isTest) ? texts.filter((one) => isTest(one) || mayBeNeeded(one)) : [...texts];
}

/** Texts that are in no other one, and of which no later one has most of the lines again. */
function withoutDrafts(texts: readonly string[]): string[] {
  // Every part imports, and closes what it opens.
  const says = (line: string): boolean =>
    (line.match(/\w+/g) ?? []).length > 1 && !isImport.test(line);
  const all = texts.map((text) =>
    linesOf(text)
      .filter(says)
      // Another writer has other quotes.
      .map((line) => line.replace(/[\s"'`;]+/g, "")),
  );
  return texts.filter((text, nth) => {
    const lines = all[nth] ?? [];
    const isIn = (later: readonly string[]): boolean => {
      const known = new Set(later);
      return 2 * lines.filter((line) => known.has(line)).length > lines.length;
    };
    const isPiece = texts.some((other, at) => (at > nth || other !== text) && other.includes(text));
    return !isPiece && !(lines.length > 0 && all.slice(nth + 1).some(isIn));
  });
}

const isImport = /^\s*(?:import|from|using|use|require|package|#include|const .*\brequire\()\b/;

const maxLine = 1_200;

/** The one test file of the tested language that sentences name; undefined if they name several. */
function pathInText(lines: readonly string[], tested: TestedFile): string | undefined {
  const words = lines.flatMap((line) =>
    line.length > maxLine ? [] : line.split(/[\s`"'*<>()（）“”，。：；,;]+|[:.](?=\s|$)/),
  );
  const family = familyOf(languageOf(tested.path));
  // Most words are none, and to read a path out of one takes longer.
  const found = words.flatMap((word) =>
    isAmongTests(word) ? (toPath(pathOfLine(word)) ?? []) : [],
  );
  const paths = new Set(found.filter((path) => familyOf(languageOf(path)) === family));
  const [path] = paths;
  return paths.size === 1 ? path : undefined;
}

/** A bare name is meant in the folder of the convention. */
function placeAsUsual(name: string, { testPath }: TestedFile): string {
  return /[\\/]/.test(name) ? name : testPath.slice(0, testPath.lastIndexOf("/") + 1) + name;
}

function isSamePath(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** Of a file of code, inside of the project. */
function toPath(path = ""): string | undefined {
  const isInside = isFileName(path) && !path.split(/[/\\]/).includes("..");
  return isInside && languageOf(path) !== "" ? path.replace(/^\.\//, "") : undefined;
}

/**
 * A file with tests added at its end, without imports that it has. The tests may come as the whole file with them: if all
 * of it is there again, that is the file. Undefined where the two are not clearly one, or tests may come twice.
 */
export async function addTests(
  file: string,
  added: string,
  options: JoinOptions,
): Promise<string | undefined> {
  const { code, language, path, signal } = options;
  const read = async (text: string) => {
    const analysis = await code.analyze(text, language, path, { signal });
    const imports = analysis.imports.map((one) => ({ ...one, names: namesBoundBy(one, analysis) }));
    const isImported = (line: number): boolean =>
      imports.some(({ range }) => range.startLine <= line && line <= range.endLine);
    const own = linesOf(text).filter((line, nth) => isSolid(line) && !isImported(nth + 1));
    return { imports, own: own.map((line) => line.trimEnd()) };
  };
  const [old, all] = [await read(file), await read(added)];
  let next = 0;
  for (const line of all.own) if (line === old.own[next]) next += 1;
  const isImported = ({ source, names }: (typeof old.imports)[number]): boolean => {
    const same = all.imports.filter((one) => one.source === source);
    return same.length > 0 && names.every((name) => same.some((one) => one.names.includes(name)));
  };
  if (next === old.own.length && old.imports.every(isImported)) return added;
  return withoutDrafts([file, added]).length === 2 ? joinTests([file, added], options) : undefined;
}

interface JoinOptions {
  code: CodeParser;
  language: string;
  path: string;
  signal: AbortSignal;
}

/**
 * One file of several blocks, the imports that come again left out. Undefined where they may be no parts of
 * one file: no grammar reads it, it has a syntax error, or declares a name twice.
 */
async function joinTests(
  texts: readonly string[],
  { code, language, path, signal }: JoinOptions,
): Promise<string | undefined> {
  const read = (text: string): Promise<CodeAnalysis> =>
    code.analyze(text, language, path, { signal });
  const gap = /\bpython\b/.test(language) ? "\n\n\n" : "\n\n";
  let joined = "";
  for (const text of texts) {
    const known = new Set(joined.split("\n").map((line) => line.trim()));
    const fresh = withoutKnownNames(await read(text), await read(joined));
    const { imports } = await read(fresh);
    const isAgain = (line: string, nth: number): boolean =>
      known.has(line.trim()) &&
      (/^package\s/.test(line) ||
        imports.some(
          ({ range: { startLine, endLine } }) => startLine === nth + 1 && endLine === startLine,
        ));
    const lines = fresh.split("\n").filter((line, nth) => !isAgain(line, nth));
    const rest = lines
      .join("\n")
      .replace(/^import \(\s*\)\n?/m, "")
      .replace(/^\s*\n/, "")
      .trimEnd();
    joined = joined === "" ? rest : joined + gap + rest;
  }
  const analysis = await read(joined);
  const { language: known, problems, symbols, imports } = analysis;
  // `const assert = require("assert")` is both.
  const own = symbols.filter(({ range }) => !imports.some((one) => encloses(one.range, range)));
  const bound = imports.flatMap((one) => namesBoundBy(one, analysis));
  const names = [...own.map(({ name }) => name), ...bound];
  const isWhole = problems.length === 0 && new Set(names).size === names.length;
  return known !== undefined && isWhole && isInFront(imports, symbols, known)
    ? `${joined}\n`
    : undefined;
}

/** A name that an import lists as it is, with the comma behind it. */
const listedName =
  /(?<=[{(,]\s{0,80}|\bimport\s{1,9})([\w$]+)(?:\s{0,9},\s{0,80}|(?=\s{0,80}(?:[)}]|$)))/g;

/** A text without the names that its imports take from where others have them from; an import of nothing else goes with its lines. */
function withoutKnownNames(own: CodeAnalysis, others: CodeAnalysis): string {
  const textOf = (of: CodeAnalysis, { range }: CodeImport): string =>
    of.source.text.slice(...of.source.offsetsOf(range));
  const known = new Set(
    others.imports.flatMap((one) => {
      const text = textOf(others, one);
      // What brings a type alone is not there when the tests run.
      const names = /\btype\b/.test(text)
        ? []
        : Array.from(text.matchAll(listedName), ([, name]) => name);
      return names.map((name) => `${one.source}\n${name}`);
    }),
  );
  let fresh = own.source.text;
  for (const one of own.imports.toReversed()) {
    const isKnown = (name: string): boolean => known.has(`${one.source}\n${name}`);
    const text = textOf(own, one);
    const left = text.replace(listedName, (all, name: string) => (isKnown(name) ? "" : all));
    if (left === text) continue;
    const [start, end] = own.source.offsetsOf(one.range);
    const isGone = namesBoundBy(one, own).every(isKnown);
    const kept = left.replace(/,(\s{0,80}(?:[)}]|$))/, "$1");
    const after = isGone ? fresh.slice(end).replace(/^;?[ \t]*\n/, "") : fresh.slice(end);
    const before = fresh.slice(0, start);
    // `const a = require("a")` goes with its first word.
    const bare = before.trimEnd();
    const word = bare.slice(bare.lastIndexOf("\n") + 1);
    const isBound = isGone && /^(?:const|let|var)$/.test(word);
    fresh = (isBound ? bare.slice(0, -word.length) : before) + (isGone ? "" : kept) + after;
  }
  return fresh;
}

/** Python and scripts may import anywhere. */
function isInFront(
  imports: CodeAnalysis["imports"],
  symbols: CodeAnalysis["symbols"],
  language: string,
): boolean {
  if (/^(?:python|javascript|typescript|tsx|ruby|php)$/.test(language)) return true;
  const first = Math.min(...symbols.map(({ range }) => range.startLine));
  return imports.every(({ range }) => range.startLine < first);
}
