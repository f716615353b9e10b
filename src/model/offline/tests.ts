// Test skeletons: a test for each case, whose checks are left to the person.
import { commentMarksOf } from "../../code/comment-marks.ts";
import { foldSpaces } from "../../edit/fold-spaces.ts";
import { testFrames } from "./test-frames.ts";
import {
  baseOf,
  hasMatch,
  importPython,
  importScript,
  isCommonJs,
  stemOf,
  type TestTarget,
} from "./test-target.ts";
import { toComment, toPascalCase, toSnakeCase } from "./test-words.ts";
import type { OfflineTexts } from "./texts.ts";

/** The code of a test file with a test for each case; comments only where the framework is not known. */
export function writeTestSkeleton(
  framework: string,
  target: TestTarget,
  cases: readonly string[],
  texts: OfflineTexts,
): string {
  const known = Object.hasOwn(testFrames, framework) ? testFrames[framework] : undefined;
  const frame = known ?? commentsFrame(target.language);
  const lines = linesFor(target, texts);
  const words = wordsFor(target, texts);
  const [head = "", each = "", foot = ""] = frame.split(/^\{(?:each|apart|end)\}\n?/m);
  const gap = frame.includes("\n{apart}\n") ? "\n" : "";
  const written = cases.map((text, nth) => {
    const own = { ...words, n: String(nth + 1), text: foldSpaces(text) };
    return `${nth > 0 ? gap : ""}${fill(each, own, lines)}`;
  });
  return [fill(head, words, lines), ...written, fill(foot, words, lines)].join("").trim();
}

/** Texts in place of names in braces; a line that is one name stands for lines of their own, or for none. */
function fill(
  template: string,
  words: Readonly<Record<string, string>>,
  lines: Readonly<Record<string, readonly string[]>>,
): string {
  const write = (all: string, block?: string, name = "", quoted = ""): string => {
    if (block !== undefined) return (lines[block] ?? []).map((line) => `${line}\n`).join("");
    const word = words[name];
    return word === undefined ? all : (quotes[quoted]?.(word) ?? word);
  };
  return template.replace(/^\{(\w+)\}\n|\{([\w;]+)(?::(\w+))?\}/gm, write);
}

const quotes: Readonly<Record<string, (text: string) => string>> = {
  json: JSON.stringify,
  comment: toComment,
  php: (text) => `'${text.replace(/[\\']/g, "\\$&")}'`,
  ruby: (text) => JSON.stringify(text).replace(/#(?=[{@$])/g, "\\#"),
};

/** What a name alone on its line stands for. */
function linesFor(target: TestTarget, texts: OfflineTexts): Record<string, readonly string[]> {
  const { source, name, isHidden, language, importName = "" } = target;
  const end = language === "kotlin" ? "" : ";";
  const [, javaPackage] = /^[ \t]*package[ \t]+([\w.]+)/m.exec(source) ?? [];
  const [, namespace] = /^[ \t]*namespace[ \t]+([\w.]+)/m.exec(source) ?? [];
  const [, phpSpace] = /^[ \t]*namespace[ \t]+([\w\\]+)/m.exec(source) ?? [];
  const isFunction = hasMatch(source, /\bfunction\s+&?([^\s(]+)/g, importName);
  const phpName = `${isFunction ? "function " : ""}${phpSpace}\\${importName}`;
  return {
    imports: importScript(target),
    pythonImports: importPython(target),
    hidden: isHidden ? [`// ${texts.todoHidden(name)}`] : [],
    package: javaPackage === undefined ? [] : [`package ${javaPackage}${end}`, ""],
    namespace: namespace === undefined ? [] : [`using ${namespace};`],
    use: phpSpace === undefined || importName === "" ? [] : [`use ${phpName};`],
    nodeTest: isCommonJs(source)
      ? ['const assert = require("node:assert/strict");', 'const { test } = require("node:test");']
      : ['import assert from "node:assert/strict";', 'import { test } from "node:test";'],
  };
}

/** What a name inside of a line stands for. */
function wordsFor(target: TestTarget, texts: OfflineTexts): Record<string, string> {
  const { name, source, testPath, language } = target;
  const isKotlin = language === "kotlin";
  const stem = stemOf(testPath);
  return {
    name,
    Name: toPascalCase(name),
    snake: toSnakeCase(name),
    // Files and their classes have one name in the languages that use it.
    class: /^[\p{L}_][\p{L}\w]*$/u.test(stem) ? stem : `${toPascalCase(name)}Test`,
    todo: texts.todoCheck(name),
    include: texts.todoInclude(name),
    goPackage: /^package\s+(\w+)/m.exec(source)?.[1] ?? "main",
    function: isKotlin ? "fun" : "public void",
    public: isKotlin ? "" : "public ",
    ";": isKotlin ? "" : ";",
  };
}

/** In languages whose test frameworks are not known, the tests are comments. */
function commentsFrame(language: string): string {
  const sign = commentMarksOf(language)?.line ?? "//";
  return `${sign} {todo}\n\n{each}\n${sign} TODO: {text:comment}\n{end}`;
}

/** Where the test file belongs if no framework says so: beside the source. */
export function testPathFor(path: string): string {
  return baseOf(path) === "" ? "test.txt" : path.replace(/(\.[^./\\]+)?$/, "_test$1");
}
