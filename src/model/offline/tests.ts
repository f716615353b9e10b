// Test cases that parameters and branches show by themselves, and tests of them whose checks are left to the person.
import { commentMarksOf } from "../../code/comment-marks.ts";
import type { CodeSymbol } from "../../code/code-analysis.ts";
import { foldSpaces, trimEndSigns } from "../../base/text/lines.ts";
import { encloses } from "../../edit/edit-unit.ts";
import type { TestCase } from "../../turn/focus.ts";
import { flattenSymbols, isCallable, listParameters } from "../../code/symbols.ts";
import { type Scene, nameOfSymbol, symbolOf } from "./explain.ts";

const maxCases = 12;

/** The usual case, a case for each branch and each parameter; of these only what is not known, and one case at least. */
export function proposeCases(scene: Scene, known: ReadonlySet<string>): TestCase[] {
  const { analysis, place, texts } = scene;
  const symbol = symbolOf(scene);
  const name = targetOf(scene).name;
  const lines = { startLine: place.startLine, endLine: place.endLine + 1 };
  const branches = analysis
    .branchesIn(symbol?.range ?? { ...lines, startColumn: 1, endColumn: 1 })
    .filter(({ kind, text }) => text !== "" && !/^(?:else|return)$/.test(kind))
    .map((one) => texts.caseBranch(one.kind, one.text, one.line + place.linesAbove));
  const parameters = symbol === undefined ? [] : listParameters(symbol, analysis.language);
  const edges = new Set([...branches, ...parameters.map(texts.caseParameter)]);
  const all: TestCase[] = [
    { description: texts.caseUsual(name, parameters), category: "happy path" },
    ...Array.from(edges, (description) => ({ description, category: "edge case" })),
  ];
  const fresh = all.filter(({ description }) => !known.has(description));
  if (fresh.length > 0) return fresh.slice(0, maxCases);
  return [{ description: texts.caseNone(name), category: "edge case" }];
}

/** What tests are of: the symbol with the types around it, and what a test imports for it; or lines without a name. */
function targetOf(scene: Scene): { name: string; owner?: CodeSymbol; importName?: string } {
  const { analysis, place, subject, texts } = scene;
  const symbol = symbolOf(scene);
  const { startLine, endLine, linesAbove } = place;
  if (symbol === undefined)
    return { name: texts.codeOfLines(startLine + linesAbove, endLine + linesAbove) };
  const isAround = ({ kind, range }: CodeSymbol): boolean =>
    kind !== "module" && encloses(range, symbol.range);
  const owner = flattenSymbols(analysis.symbols).find(isAround) ?? symbol;
  // What is local to a function is tested through it.
  const name = nameOfSymbol(isCallable(owner) ? owner : symbol);
  const stem = wordsOf(stemOf(subject.path)).join("") || "subject";
  const ofFile = (text: string): string => (text === "default" ? stem : text);
  return { name: ofFile(name), owner, importName: ofFile(owner.name) };
}

/**
 * The begin of a test file, a test, and its end. `{snake}` and `{word}` are the name of what is tested, `{class}` is the
 * test class, `{script}` and `{python}` a line that imports it, `{package}` the source's own line. A test has its title
 * as a text, `{quoted}`, and for comments, `{comment}`, and its `{number}`.
 */
type Frame = readonly [head: string, test: string, foot?: string];

const script = (head: string, call: string): Frame => [
  `${head}{script}`,
  `\n${call}({quoted}, () => {\n  // {todo}\n});\n`,
];
const junit = (library: string): Frame => [
  `{package}\n\nimport ${library};\n\npublic class {class} {\n`,
  "    /** {comment} */\n    @Test\n    public void case{number}() {\n        // {todo}\n    }\n\n",
  "}",
];
const go: Frame = [
  '{package}\n\nimport "testing"\n\nfunc Test{word}(t *testing.T) {\n',
  "\tt.Run({quoted}, func(t *testing.T) {\n\t\t// {todo}\n\t})\n",
  "}",
];
const frames: Readonly<Record<string, Frame>> = {
  vitest: script('import { expect, test } from "vitest";\n', "test"),
  jest: script("", "test"),
  mocha: script("", "it"),
  ava: script('import test from "ava";\n', "test"),
  "node:test": script('import { test } from "node:test";\n', "test"),
  pytest: ["{python}", "\n\ndef test_{snake}_{number}():\n    {quoted}\n    # {todo}\n"],
  "go test": go,
  testify: go,
  "JUnit 5": junit("org.junit.jupiter.api.Test"),
  "JUnit 4": junit("org.junit.Test"),
  TestNG: junit("org.testng.annotations.Test"),
};

/** The code of a test file with a test for each case; comments only where the framework has no frame here. */
export function writeTestSkeleton(
  scene: Scene,
  testPath: string,
  cases: readonly string[],
): string {
  const { path, file, language, facts } = scene.subject;
  const target = targetOf(scene);
  const { name, importName } = target;
  const known = language === "kotlin" ? "" : (facts.framework ?? "");
  const sign = commentMarksOf(language)?.line ?? "//";
  const comments: Frame = [
    `${language === "php" ? "<?php\n\n" : ""}${sign} {todo}\n`,
    `\n${sign} TODO: {comment}\n`,
  ];
  const [head, test, foot = ""] = (Object.hasOwn(frames, known) && frames[known]) || comments;
  const snake = wordsOf(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2")).join("_");
  const words: Record<string, string> = {
    snake: snake.toLowerCase(),
    word: name.replace(/\W/g, ""),
    class: wordsOf(stemOf(testPath)).join("") || "CodeTest",
    todo: scene.texts.todoCheck(name),
    script: importScript(file, pathFrom(testPath, path), target),
    python: importName === undefined ? "" : `from ${moduleOf(path)} import ${importName}\n`,
    package: /^package[ \t]+[\w.]+;?/m.exec(file)?.[0] ?? (language === "go" ? "package main" : ""),
  };
  const tests = cases.map((text, nth) => {
    const title = foldSpaces(text);
    const ofCase = { quoted: JSON.stringify(title), comment: toComment(title) };
    return fill(test, { ...words, ...ofCase, number: `${nth + 1}` });
  });
  return `${fill(head, words)}${tests.join("")}${foot}`.trim();
}

function fill(frame: string, words: Readonly<Record<string, string>>): string {
  return frame.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? "");
}

const exporting = /^export\s*\{[^}]*\}|^(?:export|exports|module\.exports)\b.*/gm;

/** None where no other file can reach what is meant. */
function importScript(
  source: string,
  from: string,
  { owner, importName = "" }: ReturnType<typeof targetOf>,
): string {
  const exported = Array.from(source.matchAll(exporting), ([text]) => wordsOf(text)).flat();
  if (owner === undefined || !exported.includes(owner.name)) return "";
  const defaults = Array.from(
    source.matchAll(/^export default\b([^\n]*)/gm),
    ([, text = ""]) => text,
  );
  const isDefault = ["default", ...defaults.flatMap(wordsOf)].includes(owner.name);
  return `import ${isDefault ? importName : `{ ${importName} }`} from ${JSON.stringify(from)};\n`;
}

/** Below `src` packages are named by their folders; elsewhere the test is beside the file. */
function moduleOf(path: string): string {
  const module = path.replaceAll("\\", "/").replace(/^(?:.*\/)?src\/|^.*\//, "");
  return module.replace(/(?:\/__init__)?\.pyw?$/, "").replaceAll("/", ".");
}

/** The path of one file as another one writes it: `../src/cart.ts`. */
function pathFrom(here: string, there: string): string {
  const partsOf = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== ".");
  const [from, to] = [partsOf(here), partsOf(there)];
  const isRooted = ([first = ""]: readonly string[]): boolean => /^(?:[a-z]:)?$/i.test(first);
  if (isRooted(from) !== isRooted(to)) return `./${to.at(-1)}`;
  const parting = to.findIndex((part, nth) => part !== from[nth] || nth === to.length - 1);
  const up = from.slice(parting + 1).map(() => "..");
  return [...(up.length === 0 ? ["."] : up), ...to.slice(parting)].join("/");
}

/** Where the test file belongs if no framework says so: beside the source. */
export function testPathFor(path: string): string {
  return /[^\\/]$/.test(path) ? path.replace(/(\.[^./\\]+)?$/, "_test$1") : "test.txt";
}

/** `cart` of `src/cart.test.ts`. */
function stemOf(path: string): string {
  return path.split(/[\\/]/).at(-1)?.split(".", 1)[0] ?? "";
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** Ends no comment, goes on in no next line, and is no Unicode escape of Java. */
function toComment(text: string): string {
  return trimEndSigns(text.replaceAll("*/", "* /").replaceAll("\\u", "\\ u"), "\\");
}
