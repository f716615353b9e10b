// Test cases that parameters and branches show by themselves, and tests of them whose checks are left to the person.
import { commentMarksOf } from "../../code/comment-marks.ts";
import type { CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";
import { foldSpaces, trimEndSigns } from "../../base/text/trim.ts";
import { isCallable, nameOf, type Scene, symbolOf } from "./explain.ts";

export interface OfflineCase {
  description: string;
  category: "happy path" | "edge case";
}

const maxCases = 12;

/** The usual case, a case for each branch and each parameter; of these only what is not known, and one case at least. */
export function proposeCases(scene: Scene, known: ReadonlySet<string>): OfflineCase[] {
  const { analysis, place, texts } = scene;
  const symbol = symbolOf(scene);
  const name = targetOf(scene).name;
  const lines = { startLine: place.startLine, endLine: place.endLine + 1 };
  const branches = analysis
    .branchesIn(symbol?.range ?? { ...lines, startColumn: 1, endColumn: 1 })
    .filter(({ kind, text }) => text !== "" && !/^(?:else|return|logical)$/.test(kind))
    .map((one) => texts.caseBranch(one.kind, one.text, one.range.startLine + place.linesAbove));
  const parameters = (symbol?.parameters ?? []).map((one) => one.name);
  const edges = new Set([...branches, ...parameters.map(texts.caseParameter)]);
  const all: OfflineCase[] = [
    { description: texts.caseUsual(name, parameters), category: "happy path" },
    ...Array.from(edges, (description) => ({ description, category: "edge case" as const })),
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
    kind !== "module" &&
    range.startLine <= symbol.range.startLine &&
    range.endLine >= symbol.range.endLine;
  const owner = flattenSymbols(analysis.symbols).find(isAround) ?? symbol;
  // What is local to a function is tested through it. Methods of Go are written apart from their type.
  const apart = isCallable(owner) ? owner.container?.split(".").at(-1) : undefined;
  const name = nameOf(isCallable(owner) ? owner : symbol);
  const stem = wordsOf(stemOf(subject.path)).join("") || "subject";
  const importName = apart ?? owner.name;
  const ofFile = (text: string): string => (text === "default" ? stem : text);
  return { name: ofFile(name), owner, importName: ofFile(importName) };
}

/** What a test file is written from. */
interface Words {
  /** What is tested, also in snake case; and the name of the test class. */
  name: string;
  snake: string;
  className: string;
  todo: string;
  /** A line that imports it. */
  script: string;
  python: string;
  /** The line of the source that names its package. */
  package: string;
}

/** The begin of a test file, a test, and its end. */
interface Frame {
  head: (words: Words) => string;
  test: (title: string, words: Words, number: number) => string;
  foot?: string;
}

const script = (head: string, call: string): Frame => ({
  head: (words) => head + words.script,
  test: (title, { todo }) => `\n${call}(${JSON.stringify(title)}, () => {\n  // ${todo}\n});\n`,
});
const junit = (library: string): Frame => ({
  head: (words) => `${words.package}\n\nimport ${library};\n\npublic class ${words.className} {\n`,
  test: (title, { todo }, number) =>
    `    /** ${toComment(title)} */\n    @Test\n    public void case${number}() {\n        // ${todo}\n    }\n\n`,
  foot: "}",
});
const go: Frame = {
  head: (words) =>
    `${words.package || "package main"}\n\nimport "testing"\n\nfunc Test${words.name.replace(/\W/g, "")}(t *testing.T) {\n`,
  test: (title, { todo }) =>
    `\tt.Run(${JSON.stringify(title)}, func(t *testing.T) {\n\t\t// ${todo}\n\t})\n`,
  foot: "}",
};
const frames: Readonly<Record<string, Frame>> = {
  vitest: script('import { expect, test } from "vitest";\n', "test"),
  jest: script("", "test"),
  mocha: script("", "it"),
  ava: script('import test from "ava";\n', "test"),
  "node:test": script('import { test } from "node:test";\n', "test"),
  pytest: {
    head: ({ python }) => python,
    test: (title, { snake, todo }, number) =>
      `\n\ndef test_${snake}_${number}():\n    ${JSON.stringify(title)}\n    # ${todo}\n`,
  },
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
  const { subject, texts } = scene;
  const { path, file, language, facts } = subject;
  const target = targetOf(scene);
  const { name, importName } = target;
  const known = language === "kotlin" ? "" : (facts.framework ?? "");
  const frame = Object.hasOwn(frames, known) ? frames[known] : undefined;
  const { head, test, foot = "" } = frame ?? commentsFrame(language);
  const words: Words = {
    name,
    snake: wordsOf(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"))
      .join("_")
      .toLowerCase(),
    className: wordsOf(stemOf(testPath)).join("") || "CodeTest",
    todo: texts.todoCheck(name),
    script: importScript(file, pathFrom(testPath, path), target),
    python: importName === undefined ? "" : `from ${moduleOf(path)} import ${importName}\n`,
    package: /^package[ \t]+[\w.]+;?/m.exec(file)?.[0] ?? "",
  };
  const tests = cases.map((text, nth) => test(foldSpaces(text), words, nth + 1));
  return `${head(words)}${tests.join("")}${foot}`.trim();
}

function commentsFrame(language: string): Frame {
  const sign = commentMarksOf(language)?.line ?? "//";
  const start = language === "php" ? "<?php\n\n" : "";
  return {
    head: ({ todo }) => `${start}${sign} ${todo}\n`,
    test: (title) => `\n${sign} TODO: ${toComment(title)}\n`,
  };
}

/** None where no other file can reach what is meant. */
function importScript(
  source: string,
  from: string,
  { owner, importName = "" }: ReturnType<typeof targetOf>,
): string {
  const names = (pattern: RegExp): string[] =>
    Array.from(source.matchAll(pattern), ([, text = ""]) => wordsOf(text)).flat();
  if (names(/^(import|export)\b/gm).length === 0 && /\bexports\b/.test(source)) {
    const isAll = names(/\bmodule\.exports[ \t]*=[ \t]*([\w$]+)/g).includes(importName);
    return `const ${isAll ? importName : `{ ${importName} }`} = require(${JSON.stringify(from)});\n`;
  }
  if (owner?.isExported !== true) return "";
  const isDefault = ["default", ...names(/^export default\b([^\n]*)/gm)].includes(owner.name);
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
