// The test framework of a project: found from its package files, else the usual one of the language.
import type { PackageFiles } from "../../context/package-files.ts";

export interface TestFramework {
  name: string;
  /** How a test file gets it, for the model. */
  note: string;
  /** The path of the test file for a source file. */
  testPath: (path: string, packageFiles: PackageFiles) => string;
  /** Unit tests stand in the file under test. */
  isInSource?: true;
}

interface Candidate extends TestFramework {
  languages: readonly string[];
  /** Where package files show it; absent for the usual one of its languages. */
  sign?: RegExp;
}

const scripts = ["javascript", "typescript", "tsx", "javascriptreact", "typescriptreact"];
const beside = (ending: string) => (path: string) => path.replace(/(\.[^./]+)$/, `${ending}$1`);

/** In this order: what package files show comes before what is usual. */
const candidates: readonly Candidate[] = [
  {
    name: "vitest",
    languages: scripts,
    sign: /"vitest"\s*:/,
    note: 'import { describe, expect, test } from "vitest"',
    testPath: beside(".test"),
  },
  {
    name: "jest",
    languages: scripts,
    sign: /"(?:jest|ts-jest|@jest\/globals)"\s*:/,
    note: "describe, test, expect and jest are global",
    testPath: beside(".test"),
  },
  {
    name: "mocha",
    languages: scripts,
    sign: /"mocha"\s*:/,
    note: "describe and it are global; assertions as the package files show (chai or node:assert)",
    testPath: beside(".spec"),
  },
  {
    name: "ava",
    languages: scripts,
    sign: /"ava"\s*:/,
    note: 'import test from "ava"',
    testPath: beside(".test"),
  },
  {
    name: "node:test",
    languages: scripts,
    note: 'import { test } from "node:test"; import assert from "node:assert/strict"',
    testPath: beside(".test"),
  },
  {
    name: "pytest",
    languages: ["python"],
    sign: /\bpytest\b/i,
    note: "plain test_ functions and assert; import pytest for raises and parametrize",
    testPath: pythonTest,
  },
  {
    name: "unittest",
    languages: ["python"],
    note: "import unittest; a TestCase class",
    testPath: pythonTest,
  },
  {
    name: "testify",
    languages: ["go"],
    sign: /stretchr\/testify/,
    note: "testing.T with assert and require of github.com/stretchr/testify",
    testPath: beside("_test"),
  },
  {
    name: "go test",
    languages: ["go"],
    note: "the testing package; table-driven where cases are alike",
    testPath: beside("_test"),
  },
  {
    name: "TestNG",
    languages: ["java", "kotlin"],
    sign: /testng/i,
    note: "org.testng.annotations.Test",
    testPath: javaTest,
  },
  {
    name: "JUnit 4",
    languages: ["java", "kotlin"],
    sign: /<artifactId>junit<\/artifactId>|\bjunit:junit:4|\bjunit4\b/i,
    note: "org.junit.Test and org.junit.Assert",
    testPath: javaTest,
  },
  {
    name: "JUnit 5",
    languages: ["java", "kotlin"],
    note: "org.junit.jupiter.api.Test and Assertions",
    testPath: javaTest,
  },
  {
    name: "cargo test",
    languages: ["rust"],
    note: "a #[cfg(test)] mod tests with use super::*; the tests go to the end of the file under test",
    testPath: (path) => path,
    isInSource: true,
  },
  {
    name: "NUnit",
    languages: ["csharp"],
    sign: /\bNUnit\b/i,
    note: "using NUnit.Framework",
    testPath: csharpTest,
  },
  {
    name: "MSTest",
    languages: ["csharp"],
    sign: /\bMSTest/i,
    note: "using Microsoft.VisualStudio.TestTools.UnitTesting",
    testPath: csharpTest,
  },
  {
    name: "xUnit",
    languages: ["csharp"],
    note: "using Xunit; [Fact] and [Theory]",
    testPath: csharpTest,
  },
  {
    name: "minitest",
    languages: ["ruby"],
    sign: /\bminitest\b/i,
    note: 'require "minitest/autorun"',
    testPath: (path) =>
      path
        .replace(/(?:^|\/)(?:lib|app)\//, "/test/")
        .replace(/^\//, "")
        .replace(/\.rb$/, "_test.rb"),
  },
  {
    name: "RSpec",
    languages: ["ruby"],
    note: 'require "spec_helper"',
    testPath: (path) =>
      path
        .replace(/(?:^|\/)(?:lib|app)\//, "/spec/")
        .replace(/^\//, "")
        .replace(/\.rb$/, "_spec.rb"),
  },
  {
    name: "Pest",
    languages: ["php"],
    sign: /pestphp\/pest/,
    note: "test() and expect() are global",
    testPath: phpTest,
  },
  {
    name: "PHPUnit",
    languages: ["php"],
    note: "a class that extends PHPUnit\\Framework\\TestCase",
    testPath: phpTest,
  },
  {
    name: "Catch2",
    languages: ["c", "cpp"],
    sign: /\bcatch2\b/i,
    note: "#include <catch2/catch_test_macros.hpp>",
    testPath: beside("_test"),
  },
  {
    name: "GoogleTest",
    languages: ["c", "cpp"],
    note: "#include <gtest/gtest.h>",
    testPath: beside("_test"),
  },
];

/**
 * @param language the editor's language id
 * @returns undefined for languages whose frameworks are not known
 */
export function findTestFramework(
  language: string,
  packageFiles: PackageFiles = [],
): TestFramework | undefined {
  const known = candidates.filter(({ languages }) => languages.includes(language));
  const shown = known.find(({ sign }) => packageFiles.some(({ content }) => sign?.test(content)));
  return shown ?? known.find(({ sign }) => sign === undefined);
}

/** In the folder that the settings of pytest name; in `tests` of a project with `src`; else beside the source. */
function pythonTest(path: string, packageFiles: PackageFiles): string {
  const named = path.slice(path.lastIndexOf("/") + 1).replace(/\.py$/, "");
  const [folder] = packageFiles.flatMap(
    ({ content }) => /^testpaths\s*=\s*(?:\[\s*)?["']?([\w./-]+)/m.exec(content)?.[1] ?? [],
  );
  const root = /^(.*?\/)?src\//.exec(path);
  if (folder !== undefined) return `${root?.[1] ?? ""}${folder}/test_${named}.py`;
  if (root !== null) return `${root[1] ?? ""}tests/test_${named}.py`;
  return `${path.slice(0, path.lastIndexOf("/") + 1)}test_${named}.py`;
}

/** In the project of tests if the package files hold one. */
function csharpTest(path: string, packageFiles: PackageFiles): string {
  const [project] = packageFiles.flatMap(
    ({ filepath }) => /^(.*\/)?[^/]*Tests?\.csproj$/.exec(filepath)?.[1] ?? [],
  );
  const test = beside("Tests")(path);
  return project === undefined ? test : project + test.replace(/^.*\//, "");
}

function javaTest(path: string): string {
  return path.replace("src/main/", "src/test/").replace(/(\.(?:java|kt))$/, "Test$1");
}

function phpTest(path: string): string {
  return path.replace(/^(?:src|app)\//, "tests/").replace(/\.php$/, "Test.php");
}
