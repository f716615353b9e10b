// Test skeletons: a test for each case, whose checks are left to the person.
import {
  writeCatch,
  writeCsharp,
  writeGoogleTest,
  writeJava,
  writePest,
  writePhpUnit,
} from "./test-classes.ts";
import {
  script,
  writeGo,
  writeMinitest,
  writePytest,
  writePythonClass,
  writeRspec,
  writeRust,
} from "./test-functions.ts";
import { baseOf, type TestTarget } from "./test-target.ts";
import { type Skeleton, toComment } from "./test-words.ts";
import type { OfflineTexts } from "./texts.ts";

/** By framework. */
const skeletons: ReadonlyMap<string, Skeleton> = new Map([
  ["vitest", script({ imports: ['import { expect, test } from "vitest";'] })],
  ["jest", script({})],
  ["mocha", script({ call: "it" })],
  ["ava", script({ imports: ['import test from "ava";'], parameter: "t" })],
  [
    "node:test",
    script({
      imports: ['import assert from "node:assert/strict";', 'import { test } from "node:test";'],
      requires: [
        'const assert = require("node:assert/strict");',
        'const { test } = require("node:test");',
      ],
    }),
  ],
  ["pytest", writePytest],
  ["unittest", writePythonClass],
  ["go test", writeGo],
  ["testify", writeGo],
  ["cargo test", writeRust],
  ["JUnit 5", writeJava("org.junit.jupiter.api.Test")],
  ["JUnit 4", writeJava("org.junit.Test")],
  ["TestNG", writeJava("org.testng.annotations.Test")],
  ["xUnit", writeCsharp("Xunit", "Fact")],
  ["NUnit", writeCsharp("NUnit.Framework", "Test")],
  [
    "MSTest",
    writeCsharp("Microsoft.VisualStudio.TestTools.UnitTesting", "TestMethod", "TestClass"),
  ],
  ["GoogleTest", writeGoogleTest],
  ["Catch2", writeCatch],
  ["PHPUnit", writePhpUnit],
  ["Pest", writePest],
  ["RSpec", writeRspec],
  ["minitest", writeMinitest],
]);

/** The code of a test file with a test for each case; comments only where the framework is not known. */
export function writeTestSkeleton(
  framework: string,
  target: TestTarget,
  cases: readonly string[],
  texts: OfflineTexts,
): string {
  const write = skeletons.get(framework) ?? writeComments;
  const lines = write(target, cases.map(oneLine), texts);
  return lines.join("\n").trim();
}

function writeComments(
  { name, language }: TestTarget,
  cases: readonly string[],
  texts: OfflineTexts,
): string[] {
  const sign = signs.get(language) ?? "//";
  return [
    `${sign} ${texts.todoCheck(name)}`,
    "",
    ...cases.map((text) => `${sign} TODO: ${toComment(text)}`),
  ];
}

/** Of comments, in languages whose test frameworks are not known. */
const signs: ReadonlyMap<string, string> = new Map([
  ["lua", "--"],
  ["sql", "--"],
  ["haskell", "--"],
  ["shellscript", "#"],
  ["perl", "#"],
  ["r", "#"],
  ["yaml", "#"],
  ["toml", "#"],
]);

/** Where the test file is to stand if no framework says so: beside the source. */
export function testPathFor(path: string): string {
  return baseOf(path) === "" ? "test.txt" : path.replace(/(\.[^./\\]+)?$/, "_test$1");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
