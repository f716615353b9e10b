import { confirmAction } from "../../turn/action.ts";
import { noFocus, withFacts } from "../../turn/focus.ts";
import { passAnswer, templated } from "../ask/answer.ts";
import { newFileEvent, otherFileEvent } from "../edit/show-edit.ts";
import { hasCode, targetOf } from "../place/edit-target.ts";
import type { Flow } from "../flow.ts";
import {
  type ExistingTests,
  familyOf,
  findTestSubject,
  isAmongTests,
  prepareForTests,
  testedPlace,
} from "../test/test-subject.ts";
import { sealAction } from "../click/seal-action.ts";
import { jsonValues } from "../test/parse-cases.ts";
import { printKnownCases, readCases, testTexts } from "../test/case-prompt.ts";
import type { EditUnit } from "../../edit/edit-unit.ts";
import { trimEndSigns } from "../../base/text/lines.ts";
import { findFenced, readFence, unfenced } from "../../base/text/fence.ts";
import type { CodeAnalysis, CodeParser } from "../../code/code-analysis.ts";
import { languageOf } from "../../turn/context/language.ts";
import { isFileName } from "../../turn/proposed-edit.ts";
import { pathOfInfo, pathOfLine } from "../../edit/read/dress/path-in-text.ts";

/** Writes the tests of the chosen cases, in the project's own framework, as one file. */
export const unittestWrite: Flow = async function* (turn, services, given = noFocus) {
  const target = targetOf(turn.context.activeEditor);
  if (!hasCode(target) || turn.messageTemplates !== undefined) {
    return yield* templated(turn, services);
  }
  const texts = testTexts[turn.locale];
  const subject = await findTestSubject(turn, services, target, given);
  const { cases, others } = readCases(turn.context.userInputPrompt ?? "");
  const facts = { ...subject.facts, chosenCases: cases, openCases: others || texts.allCases };
  const wishes = [cases.length === 0 ? "" : others, given.facts.wishes ?? ""];
  const told = withFacts(given, { wishes: wishes.filter((text) => text !== "").join("\n\n") });
  const { receipt, request } = await prepareForTests(turn, services, told, { ...subject, facts });
  yield receipt;
  const { raw, reason } = yield* passAnswer(turn, request);
  if (subject.framework?.isInSource === true) {
    yield { type: "text-delta", text: `\n\n${texts.addToSource(target.path)}\n` };
  } else if (reason === "stop") {
    const { path, text, language } = target;
    const tested = { path, text, testPath: subject.facts.testPath ?? "" };
    const options = { code: services.code, language, path, signal: turn.signal };
    const file = await readTests(raw, tested, options);
    const { existing } = subject;
    if (existing !== undefined) {
      yield { type: "text-delta", text: `\n\n${texts.addToTests(existing.path)}\n` };
      const change = file && (await addTests(existing, file.text, options));
      if (change !== undefined) yield otherFileEvent(existing.path, [change]);
    } else if (file !== undefined) yield newFileEvent(file.name, file.text);
  }
  const prompt = printKnownCases(cases, testedPlace(subject, given), turn.locale);
  const more = confirmAction({ ...texts.moreCases, command: "unittest", prompt });
  yield await sealAction(turn, services, more);
  yield { type: "turn-end", reason };
};

/**
 * The change of a test file that adds tests at its end, without imports that it has. Undefined where only a
 * passage of it is known, or the two are not clearly one file.
 */
async function addTests(
  { text, isWhole }: ExistingTests,
  added: string,
  options: JoinOptions,
): Promise<EditUnit | undefined> {
  if (!isWhole) return undefined;
  const search = `${trimEndSigns(text.replaceAll("\r\n", "\n"), "\n")}\n`;
  // A model may have written the whole file after all.
  const isRepeated = added.startsWith(search.trimEnd());
  const replace = isRepeated ? added : await joinTests([search, added], options);
  return replace === undefined ? undefined : { search, replace };
}

// The test file that an answer holds: its blocks of code, and its path as the answer, or else the project, gives it.

/** What is known of the code under test. */
interface TestedFile {
  /** As the editor names it. */
  path: string;
  text: string;
  /** The path of its test file by the convention of the project; "" where none is known. */
  testPath: string;
}

/** A file of tests, as a model has written it. */
interface TestFile {
  name: string;
  /** Ends with one line end. */
  text: string;
}

/**
 * The test file that an answer holds in its blocks of code, beside which commands and settings may come. Its path is
 * the one on the line above, in the fence, in the first line of the code, or in a sentence; else the one of the
 * project's convention.
 *
 * @returns undefined where the blocks are not clearly one file, or the path is not clear
 */
export async function readTests(
  answer: string,
  tested: TestedFile,
  options: JoinOptions,
): Promise<TestFile | undefined> {
  const found = findTests(answer, tested);
  if (found === undefined) return undefined;
  const { name, texts } = found;
  const text = texts.length > 1 ? await joinTests(texts, options) : texts[0];
  return text === undefined ? undefined : { name, text };
}

/** A fenced block of an answer. */
interface AnswerBlock {
  info: string;
  /** Whole lines, ended by "\n"; without empty lines at its end. */
  text: string;
  /** The last line with words above it. */
  above: string;
}

const maxBlocks = 10;
const maxFields = 100;
const commands =
  /^(?:sh|bash|shell|shellscript|zsh|fish|console|terminal|powershell|ps1|bat|cmd)$/i;
/** What is no code of tests, unless it has a path: output, settings, diffs. */
const others =
  /^(?:text|txt|plain|plaintext|output|log|json[c5]?|ya?ml|toml|ini|xml|properties|diff|patch|md|markdown|dockerfile|makefile)$/i;

/** The blocks that make a test file, in their order, each once, and its path. */
function findTests(
  answer: string,
  tested: TestedFile,
): { name: string; texts: string[] } | undefined {
  const { blocks: written, around } = splitAnswer(answer) ?? { blocks: [], around: [] };
  const values = (written.length === 0 ? [answer] : written.map(({ text }) => text))
    .filter((text) => written.length === 0 || /^\s*[{[]/.test(text))
    .flatMap((text) => jsonValues(text).flatMap((value) => filesIn(value)));
  const blocks = values.length > 0 ? values : written;
  const listed = around.flatMap((line) => /^`([^`]+)`:?$/.exec(line.trimEnd())?.[1] ?? []);
  if (blocks.length > maxBlocks || new Set(listed).size > 1) return undefined;
  // The code under test may be shown again.
  const isCopy = ({ text }: AnswerBlock): boolean => tested.text.includes(text.trim());
  const meant = blocks.flatMap((block) => {
    const { info, text, above } = block;
    const found = [pathOfLine(above), pathInText([above], tested), pathOfInfo(info)];
    const path = [...found, pathInComment(text)]
      .map(toPath)
      .find((one) => one !== undefined && !isSamePath(one, tested.path));
    const [word = ""] = info.split(/[\s:{]/, 1);
    const isOther = commands.test(word) || (path === undefined && others.test(word));
    return text === "" || isOther || isCopy(block) ? [] : { path, text };
  });
  const paths = [...new Set(meant.flatMap(({ path }) => path ?? []))];
  const name = paths[0] ?? pathInText(around, tested) ?? tested.testPath;
  if (meant.length === 0 || paths.length > 1 || name === "") return undefined;
  return { name: placeAsUsual(name, tested), texts: [...new Set(meant.map(({ text }) => text))] };
}

/** The files of a JSON value, however deep: a path and a text under one of their usual names. */
function filesIn(value: unknown, depth = 0): AnswerBlock[] {
  if (typeof value !== "object" || value === null || depth > 3) return [];
  const entries = Object.entries(value).slice(0, maxFields);
  const textOf = (key: RegExp): string =>
    entries.flatMap(([name, one]) => (key.test(name) && typeof one === "string" ? one : []))[0] ??
    "";
  const path = textOf(/^(?:file|test)?_?(?:path|name)$|^file$/i);
  const text = unfenced(textOf(/^(?:file|test)?_?(?:contents?|code|source|text)$/i)).trimEnd();
  if (path === "" || !text.includes("\n"))
    return entries.flatMap(([, one]) => filesIn(one, depth + 1));
  return [{ info: "", text: `${text.replaceAll("\r\n", "\n")}\n`, above: `\`${path}\`` }];
}

/** The fenced blocks of an answer and the lines around them; undefined where one has no end. */
function splitAnswer(answer: string): { blocks: AnswerBlock[]; around: string[] } | undefined {
  const lines = answer.split(/\r?\n/);
  const inside = findFenced(lines);
  const blocks: AnswerBlock[] = [];
  const around: string[] = [];
  let from = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const { indent = "    ", info = "" } = readFence(line) ?? {};
    if (indent.length < 4 && inside[at + 1] !== true) return undefined;
    if (indent.length >= 4) {
      around.push(line);
      continue;
    }
    const end = inside.indexOf(false, at + 1);
    const last = end === -1 ? lines.length : end;
    const text = lines
      .slice(at + 1, last - 1)
      .join("\n")
      .trimEnd();
    const above = around.slice(from).findLast((one) => one.trim() !== "") ?? "";
    blocks.push({ info, text: text === "" ? "" : `${text}\n`, above });
    at = last - 1;
    from = around.length;
  }
  return { blocks, around };
}

const maxLine = 1_200;

/** The path that a comment on the first line of code consists of. */
function pathInComment(text: string): string | undefined {
  const [first = ""] = text.split("\n", 1);
  return /^\s*(?:\/[/*]|#|--|<!--|;|%)/.test(first) ? pathOfLine(first) : undefined;
}

/** The one test file of the tested language that sentences name; undefined if they name several. */
function pathInText(lines: readonly string[], tested: TestedFile): string | undefined {
  const words = lines.flatMap((line) =>
    line.length > maxLine ? [] : line.split(/[\s`"'*()（）“”，。：；,;]+|[:.](?=\s|$)/),
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

/** Whether both name the same file, as far as they name it. */
function isSamePath(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** Of a file of code, inside of the project. */
function toPath(path = ""): string | undefined {
  const isInside = isFileName(path) && !path.split(/[/\\]/).includes("..");
  return isInside && languageOf(path) !== "" ? path.replace(/^\.\//, "") : undefined;
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
    const { imports } = await read(text);
    const isAgain = (line: string, nth: number): boolean =>
      known.has(line.trim()) &&
      (/^package\s/.test(line) ||
        imports.some(({ range }) => range.startLine <= nth + 1 && range.endLine >= nth + 1));
    const lines = text.split("\n").filter((line, nth) => !isAgain(line, nth));
    const rest = lines
      .join("\n")
      .replace(/^\s*\n/, "")
      .trimEnd();
    joined = joined === "" ? rest : joined + gap + rest;
  }
  const { language: known, problems, symbols, imports } = await read(joined);
  const names = [...symbols.map(({ name }) => name), ...imports.flatMap((one) => one.names)];
  const isWhole = problems.length === 0 && new Set(names).size === names.length;
  return known !== undefined && isWhole && isInFront(imports, symbols, known)
    ? `${joined}\n`
    : undefined;
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
