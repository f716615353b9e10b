// What tests are written for: the place of the code, the framework, and a test to follow.
import { fence } from "../../base/text/fence.ts";
import { referencesOf } from "../../turn/context/variables.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { isCallable } from "../../code/symbols.ts";
import { type Focus, type PromptFacts, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, type Place, analyzeTarget, placeOfTurn } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import { type NamedLines, fullName, textOfLines } from "../place/find-names.ts";
import { type TestFramework, findTestFramework } from "./test-framework.ts";
import { textsFor } from "../texts.ts";
import { type FlowPlan, prepare } from "../ask/answer.ts";
import { languageOf } from "../../turn/context/language.ts";
import { listSelected } from "../../turn/context/active-editor.ts";
import { linesOf } from "../../base/text/lines.ts";
import { type OtherFile, listWantedFiles } from "../ask/other-files.ts";

type TestSubject = Awaited<ReturnType<typeof findTestSubject>>;

export async function findTestSubject(
  turn: Turn,
  services: Services,
  target: EditTarget,
  given: Focus,
) {
  const analysis = await analyzeTarget(turn, services, target);
  const place = onlyFunction(placeOfTurn(turn, target, analysis), analysis);
  const { packageFiles } = turn.context;
  const signs = {
    prompt: `${turn.context.userInputPrompt ?? ""}\n${given.facts.wishes ?? ""}`,
    imports: analysis.imports
      .map(({ range }) => textOfLines(analysis.source, range.startLine, range.endLine))
      .join("\n"),
  };
  const find = (tests: string): { framework: TestFramework | undefined; usual: string } => {
    const framework = findTestFramework(target.language, packageFiles, { ...signs, tests });
    return { framework, usual: framework?.testPath(target.path, packageFiles ?? []) ?? "" };
  };
  const tests = findProjectTests(turn, target, find("").usual);
  const reference = given.facts.referenceTest ?? referenceTestOf(turn);
  const { framework, usual } = find(`${tests.followed}\n${reference}`);
  const { existing } = tests;
  const { startLine, endLine, symbol } = place;
  const texts = textsFor(turn.locale);
  const name = symbol === undefined ? "" : fullName(symbol);
  const head = texts.subject(target.path, texts.placeInPrompt(name, startLine, endLine));
  const code = textOfLines(analysis.source, startLine, endLine);
  const facts: PromptFacts = {
    // Of a whole file nothing is around.
    place: place.kind === "file" ? "" : subjectName(place, target),
    subject: `${head}\n${fence(code, target.language)}`,
    referenceTest: reference,
    framework: framework?.name ?? "",
    frameworkNote: framework?.note ?? "",
    testPath: framework?.isInSource === true ? usual : tests.path || usual,
    ...tests.facts,
  };
  return { place, analysis, framework, existing, facts };
}

/** A file with a single function is about that one. */
function onlyFunction(place: Place, analysis: CodeAnalysis): Place {
  const [only, ...others] = place.kind === "file" ? findTestable(analysis.symbols) : [];
  if (only === undefined || others.length > 0) return place;
  const { startLine, endLine } = only.symbol.range;
  return { kind: "symbol", startLine, endLine, symbol: only.symbol };
}

/** For the prompts of the next steps, which are about the same code wherever the cursor is by then. */
export function testedPlace({ place }: TestSubject, { named }: Focus): NamedLines {
  if (named !== undefined) return named;
  const { symbol, startLine, endLine } = place;
  const isWhole = symbol?.range.startLine === startLine && symbol.range.endLine === endLine;
  return { startLine, endLine, ...(isWhole ? { name: fullName(symbol) } : {}) };
}

/** The code under test, for a person: its name, else its lines. */
export function subjectName({ symbol, startLine, endLine }: Place, { path }: EditTarget): string {
  return symbol?.name ?? `${path}:${startLine}-${endLine}`;
}

/** The best passage of the knowledge that is a test. */
function referenceTestOf({ context }: Turn): string {
  const reference = referencesOf(context.knowledgeBase ?? []).find(({ metadata }) =>
    isAmongTests(metadata?.fileName || metadata?.source || ""),
  );
  return reference === undefined ? "" : fence(reference.chunk);
}

const plan: FlowPlan = {
  // Without a place nothing around it is shown.
  spare: ["definitions", "referenceTest", "testFile", "place"],
  repeatsDefinitions: true,
  // The cases came from it.
  shown: ["userInputPrompt"],
};

/**
 * Builds the prompt with as much of the subject as the model's window takes: package files, knowledge and
 * history go first, then lines of the file, then definitions from other files, then the reference test, then all that is around it. The
 * receipt names what went.
 *
 * @throws AppError `prompt_too_large` if the function alone is too much
 */
export function prepareForTests(
  turn: Turn,
  services: Services,
  given: Focus,
  { place: { startLine, endLine }, facts }: TestSubject,
  asked: PromptFacts,
): ReturnType<typeof prepare> {
  // What the request says itself is stronger than what was found.
  const known = { ...facts, ...asked, ...given.facts };
  const focus = { ...withFacts(given, known), place: { startLine, endLine } };
  const { context } = turn;
  const { length: selected } = listSelected(context.activeEditor ?? {});
  const message = `only the first of ${selected} selections is tested`;
  const left = { path: "activeEditor.selectedRanges", message, keys: [] };
  const dropped = [...(context.dropped ?? []), left];
  const told = selected < 2 ? turn : { ...turn, context: { ...context, dropped } };
  return prepare(told, services, focus, undefined, plan);
}

export interface TestableFunction {
  symbol: CodeSymbol;
  /** With the types around it, and without modules: `Cart.total`. */
  name: string;
}

const testModule = /^(?:tests?|specs?)$/i;

/**
 * The functions and methods of a file that tests can call: none that are local to others, no destructors,
 * and none of a module of tests.
 */
export function findTestable(
  symbols: readonly CodeSymbol[],
  types: readonly string[] = [],
): TestableFunction[] {
  return symbols.flatMap((symbol) => {
    const { kind, name, body, children, container } = symbol;
    if (kind === "module") return testModule.test(name) ? [] : findTestable(children, types);
    if (!isCallable(symbol)) return findTestable(children, [...types, name]);
    if (body === undefined || name.startsWith("~")) return [];
    // A method that is written apart from its type names it as its container.
    const around = types.length > 0 || container === undefined ? types : [container];
    return [{ symbol, name: [...around, name].join(".") }];
  });
}

// The tests that a project has, as far as the request brings them: one to follow, and the one that is there already.

/** Longer ones are not sent. */
const maxExisting = 40_000;

/** @param usual the path that the framework's convention gives; "" where it gives none */
function findProjectTests(turn: Turn, target: EditTarget, usual: string) {
  const isAlike = ({ path }: OtherFile): boolean =>
    isTestPath(path) && familyOf(languageOf(path)) === familyOf(target.language);
  const rankOf = ({ path }: OtherFile): number => rankTestPath(path, target.path, usual);
  const isOwn = (file: OtherFile): boolean =>
    isAlike(file) && file.text.length <= maxExisting && rankOf(file) > 0;
  const [own] = listWantedFiles(turn, isOwn).sort((left, right) => rankOf(right) - rankOf(left));
  const [example] = listWantedFiles(turn, isAlike);
  const followed = own ?? example;
  const suggested = own?.path ?? (example === undefined ? "" : pathLike(example.path, target));
  return {
    existing: own,
    /** The path that the tests of the project suggest; "" where they suggest none. */
    path: suggested,
    /** The text of the test that shows how the project writes them; "" where there is none. */
    followed: followed?.text ?? "",
    facts: {
      testFile: own && `${own.source}\n${fence(own.text, target.language)}`,
      testIndent: indentOf(followed?.text ?? target.text),
      testImport: importIn(followed?.text ?? target.text),
    },
  };
}

/** JavaScript and TypeScript take the place of each other. */
export function familyOf(language: string): string {
  return /^(?:javascript|typescript|tsx|vue)/.test(language) ? "script" : language;
}

/** `tab`, or how many spaces a level has; undefined where nothing is indented. */
function indentOf(text: string): string | undefined {
  const indents = linesOf(text.slice(0, maxExisting)).flatMap(
    (line) => /^(?:\t| {2,8}(?=[^\s*]))/.exec(line)?.[0] ?? [],
  );
  const [first] = indents;
  if (first === undefined) return undefined;
  // The first indented line may be one of a comment or of a list that is deeper.
  return first === "\t" ? "tab" : String(Math.min(...indents.map((indent) => indent.length)));
}

const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\b.*\brequire\(|require\b|require_relative\b|use\s|using\s|#include\b)/;

/** A line that imports from the project, else any; one that goes on in the next lines shows nothing. */
function importIn(text: string): string | undefined {
  const lines = linesOf(text.slice(0, maxExisting)).filter(
    (line) => importLine.test(line) && !/[{(,]$/.test(line.trimEnd()),
  );
  const near = lines.find((line) => /["']\.|from \.|_relative|#include "/.test(line)) ?? lines[0];
  return near?.trim().slice(0, 200);
}

// Which code a test file belongs to, and where the test of a file belongs, as paths tell it.

const testName = /(?:^|\/)(?:test_[^/]+|[^/]+(?:[._-](?:test|tests|spec|specs)|Tests?|Spec))\.\w+$/;
/** What the names of tests end with before their ending: `cart.spec.ts`, `CartTest.java`. */
const affix = /(?:[._-](?:test|tests|spec|specs)|Tests?|Spec)$/;
const anyTestName =
  /(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|(?:Tests?|Spec|IT)\.\w+$|(?:^|\/)Test[A-Z]/;
const testFolder = /^(?:.*\/)?(?:tests?|specs?|__tests__)(?=\/)/;
/** Of tests, with a folder in it that sorts them by their kind and mirrors nothing; of the sources that they mirror. */
const testFolders =
  /(?<=^|\/)(?:tests?|specs?|__tests__)\/(?:(?:unit|integration|e2e|functional)\/)?/;
const sourceFolders = /(?<=^|\/)(?:src|lib|app|source)\/(?:main\/)?/;
/** Many folders of one project have a file of such a name. */
const commonName =
  /^(?:index|main|mod|lib|app|utils?|helpers?|common|constants|config|types|models?|views?|routes?|page|layout|init|__init__|__main__)$/i;
/** Languages whose frameworks find tests wherever they are: there the project's own way counts. */
const freeLanguages =
  /^(?:javascript|typescript|tsx|javascriptreact|typescriptreact|python|ruby|php)$/;

/** Whether the file is a test by its own name: one that can belong to a file of the code. */
export function isTestPath(path: string): boolean {
  return testName.test(slashed(path));
}

/** Whether a path looks like tests in any way: `src/cart.test.ts`, `CartIT.java`, `tests/cart.rs`, `test-guide.md`. */
export function isAmongTests(path: string): boolean {
  return anyTestName.test(slashed(path));
}

/**
 * How surely a test file is the one of the code: the greater, the surer; 0 where it is the test of something else.
 * `usual` is the path that the framework's convention gives, or "".
 */
export function rankTestPath(test: string, code: string, usual: string): number {
  const [testPath, codePath] = [slashed(test), slashed(code)];
  const named = baseOf(testPath)
    .replace(/^test_/, "")
    .replace(affix, "");
  if (named !== baseOf(codePath)) return 0;
  if (testPath === slashed(usual)) return 4;
  const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(codePath);
  const isSame = (folder: string, end: string): boolean =>
    folder === end || (isAbsolute && end !== "" && endsWith(folder, end));
  if (!testFolders.test(testPath)) return isSame(folderOf(codePath), folderOf(testPath)) ? 3 : 0;
  const [mirrored, folder] = [mirroredFolder(testPath), mirroredFolder(codePath)];
  if (isSame(folder, mirrored)) return 2;
  const isNear = endsWith(folder, mirrored) || endsWith(mirrored, folder);
  return isNear && !commonName.test(baseOf(codePath)) ? 1 : 0;
}

/** What a source file and its test have in common: `src/test/shop` is to `src/main/shop` as `test/shop` is to `src/shop`. */
function mirroredFolder(path: string): string {
  return folderOf(path).replace(testFolders, "").replace(sourceFolders, "");
}

/** With a slash at its end; "" for the root. */
function folderOf(path: string): string {
  const folders = path.split("/").slice(0, -1);
  return folders.map((name) => (name === "" || name === "." ? "" : `${name}/`)).join("");
}

/** Where the test of a file belongs if it is named and placed like another one; "" where that is not free. */
function pathLike(example: string, target: EditTarget): string {
  if (!freeLanguages.test(target.language)) return "";
  const separator = /[\\/]/.exec(example)?.[0] ?? /[\\/]/.exec(target.path)?.[0] ?? "/";
  const path = followPath(slashed(example), slashed(target.path));
  return separator === "\\" ? path.replaceAll("/", "\\") : path;
}

function followPath(test: string, path: string): string {
  const base = baseOf(path);
  const ending = path.slice(path.lastIndexOf("."));
  const named = test.slice(test.lastIndexOf("/") + 1);
  const [end] = affix.exec(baseOf(test)) ?? [];
  const name = end === undefined ? `test_${base}${ending}` : `${base}${end}${ending}`;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [root] = testFolder.exec(test) ?? [];
  if (root === undefined) return folder + name;
  if (root.endsWith("__tests__")) return `${folder}__tests__/${name}`;
  // Of tests without folders among them it is not known that they mirror the source, but names that many
  // folders have would meet there.
  const isFlat = test === `${root}/${named}` && !commonName.test(base);
  const inside = isFlat ? "" : folder.replace(/^(?:.*\/)?(?:src|lib|app|source)\//, "");
  return `${root}/${inside}${name}`;
}

/** Whole folders of its end. */
function endsWith(folder: string, end: string): boolean {
  return `/${folder}`.endsWith(`/${end}`);
}

/** `cart` of `src/cart.ts`. */
function baseOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.slice(0, Math.max(name.lastIndexOf("."), 0));
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
