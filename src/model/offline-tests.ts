// Test cases and test skeletons that parameters and branches show by themselves.
import type { CodeAnalysis, CodeSymbol } from "../symbols/code-analysis.ts";
import type { OfflineTexts } from "./offline-texts.ts";

const mostBranches = 8;

/** The answer to "unittest": the JSON that flows ask models for. */
export function proposeCases(
  name: string,
  symbol: CodeSymbol | undefined,
  analysis: CodeAnalysis,
  texts: OfflineTexts,
): string {
  const parameters = (symbol?.parameters ?? []).map((parameter) => parameter.name);
  const branches = symbol === undefined ? [] : analysis.branchesIn(symbol.range);
  const seen = new Set<string>();
  const conditions = branches.filter(({ kind, text }) => {
    const isNew =
      ["if", "case", "ternary", "loop", "catch", "throw", "guard"].includes(kind) &&
      !seen.has(text);
    seen.add(text);
    return isNew && text !== "";
  });
  const cases = [
    { description: texts.caseUsual(name, parameters), category: "happy path" },
    ...conditions.slice(0, mostBranches).map(({ kind, text, range }) => ({
      description: texts.caseBranch(kind, text, range.startLine),
      category: "edge case",
    })),
    ...parameters.slice(0, 4).map((parameter) => ({
      description: texts.caseParameter(parameter),
      category: "edge case",
    })),
  ];
  return `${JSON.stringify({ test_cases: cases })}\n`;
}

type Skeleton = (name: string, cases: readonly string[], path: string) => string;

const scriptTest =
  (head: string): Skeleton =>
  (name, cases, path) =>
    [
      head,
      `import { ${name} } from "./${baseName(path)}";`,
      "",
      ...cases.flatMap((text) => [
        `test(${JSON.stringify(text)}, () => {`,
        `  // TODO: call ${name} and check what it gives.`,
        "});",
        "",
      ]),
    ]
      .filter((line, at) => at > 0 || line !== "")
      .join("\n");

/** By framework; what is not here gets comments only. */
const skeletons: Readonly<Record<string, Skeleton>> = {
  vitest: scriptTest('import { expect, test } from "vitest";'),
  jest: scriptTest(""),
  "node:test": scriptTest(
    'import assert from "node:assert/strict";\nimport { test } from "node:test";',
  ),
  pytest: (name, cases, path) =>
    [
      `from ${baseName(path)} import ${name}`,
      "",
      ...cases.flatMap((text, nth) => [
        "",
        `def test_${snake(name)}_${nth + 1}():`,
        `    """${text.replaceAll('"""', "'''")}"""`,
        `    # TODO: call ${name} and assert what it gives.`,
        "",
      ]),
    ].join("\n"),
  unittest: (name, cases, path) =>
    [
      "import unittest",
      "",
      `from ${baseName(path)} import ${name}`,
      "",
      "",
      `class ${pascal(name)}Test(unittest.TestCase):`,
      ...cases.flatMap((text, nth) => [
        `    def test_${nth + 1}(self):`,
        `        """${text.replaceAll('"""', "'''")}"""`,
        `        # TODO: call ${name} and assert what it gives.`,
        "",
      ]),
    ].join("\n"),
  "go test": goTest,
  testify: goTest,
  "cargo test": (name, cases) =>
    [
      "#[cfg(test)]",
      "mod tests {",
      "    use super::*;",
      ...cases.flatMap((text, nth) => [
        "",
        `    /// ${oneLine(text)}`,
        "    #[test]",
        `    fn ${snake(name)}_${nth + 1}() {`,
        `        // TODO: call ${name} and assert what it gives.`,
        "    }",
      ]),
      "}",
    ].join("\n"),
  "JUnit 5": junit("org.junit.jupiter.api.Test"),
  "JUnit 4": junit("org.junit.Test"),
  xUnit: csharpTest("using Xunit;", "[Fact]"),
  NUnit: csharpTest("using NUnit.Framework;", "[Test]"),
  MSTest: csharpTest("using Microsoft.VisualStudio.TestTools.UnitTesting;", "[TestMethod]"),
  TestNG: junit("org.testng.annotations.Test"),
  GoogleTest: (name, cases) =>
    [
      "#include <gtest/gtest.h>",
      "",
      ...cases.flatMap((text, nth) => [
        `// ${oneLine(text)}`,
        `TEST(${pascal(name)}, Case${nth + 1}) {`,
        `  // TODO: call ${name} and check what it gives.`,
        "}",
        "",
      ]),
    ].join("\n"),
  PHPUnit: (name, cases) =>
    [
      "<?php",
      "",
      "use PHPUnit\\Framework\\TestCase;",
      "",
      `final class ${pascal(name)}Test extends TestCase`,
      "{",
      ...cases.flatMap((text, nth) => [
        `    /** ${oneLine(text).replaceAll("*/", "* /")} */`,
        `    public function testCase${nth + 1}(): void`,
        "    {",
        `        $this->markTestIncomplete('TODO: call ${name} and assert what it gives.');`,
        "    }",
        "",
      ]),
      "}",
    ].join("\n"),
  RSpec: (name, cases) =>
    [
      'require "spec_helper"',
      "",
      `RSpec.describe ${JSON.stringify(name)} do`,
      ...cases.flatMap((text) => [
        `  it ${JSON.stringify(oneLine(text))} do`,
        `    skip "TODO: call ${name} and check what it gives."`,
        "  end",
        "",
      ]),
      "end",
    ].join("\n"),
};

/** The code of a test file with a case each; what it has to check is left to the person. */
export function writeTestSkeleton(
  framework: string,
  name: string,
  cases: readonly string[],
  path: string,
): string {
  const skeleton = skeletons[framework];
  const comments = [`// ${name}`, ...cases.map((text) => `// TODO: ${oneLine(text)}`)];
  return skeleton === undefined ? comments.join("\n") : skeleton(name, cases, path);
}

function goTest(name: string, cases: readonly string[]): string {
  return [
    "package main // TODO: the package of the file under test",
    "",
    'import "testing"',
    "",
    `func Test${pascal(name)}(t *testing.T) {`,
    ...cases.flatMap((text) => [
      `\tt.Run(${JSON.stringify(oneLine(text))}, func(t *testing.T) {`,
      `\t\t// TODO: call ${name} and check what it gives.`,
      "\t})",
    ]),
    "}",
  ].join("\n");
}

function csharpTest(directive: string, attribute: string): Skeleton {
  return (name, cases) =>
    [
      directive,
      "",
      `public class ${pascal(name)}Tests`,
      "{",
      ...cases.flatMap((text, nth) => [
        `    // ${oneLine(text)}`,
        `    ${attribute}`,
        `    public void Case${nth + 1}()`,
        "    {",
        `        // TODO: call ${name} and assert what it gives.`,
        "    }",
        "",
      ]),
      "}",
    ].join("\n");
}

function junit(annotation: string): Skeleton {
  return (name, cases) =>
    [
      `import ${annotation};`,
      "",
      `class ${pascal(name)}Test {`,
      ...cases.flatMap((text, nth) => [
        `    /** ${oneLine(text).replaceAll("*/", "* /")} */`,
        "    @Test",
        `    void case${nth + 1}() {`,
        `        // TODO: call ${name} and assert what it gives.`,
        "    }",
        "",
      ]),
      "}",
    ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function baseName(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  return /\.[cm]?[jt]sx?$/.test(name) ? name : name.replace(/\.\w+$/, "");
}

function snake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toLowerCase();
}

function pascal(name: string): string {
  return name.replace(/(?:^|[_\W]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
