// The test framework that tests are written for: the one that is asked for, else the project's own, else the usual one.
import type { PackageFiles } from "../../turn/context/variables.ts";

export interface TestFramework {
  name: string;
  /** How a test file gets it, for the model. */
  note: string;
  /** The path of the test file for a source file. */
  testPath: (path: string, packageFiles: PackageFiles) => string;
  /** Unit tests are in the file under test. */
  isInSource?: true;
}

export interface FrameworkSigns {
  /** Words of the person. */
  prompt?: string;
  /** Tests that are to be followed, or added to. */
  tests?: string;
  /** Imports of the file under test. */
  imports?: string;
}

/** The frameworks of some languages, by their names. In this order: of several that a text shows the first one is meant. */
interface Family {
  languages: readonly string[];
  /** Of those that have none of their own. */
  testPath: TestFramework["testPath"];
  /** It is taken where nothing shows another one. */
  usual: string;
  frameworks: Readonly<Record<string, Partial<TestFramework> & { sign?: RegExp; note: string }>>;
}

const beside = (ending: string) => (path: string) => path.replace(/(\.[^./]+)$/, `${ending}$1`);

const families: readonly Family[] = [
  {
    languages: ["javascript", "typescript", "tsx", "javascriptreact", "typescriptreact"],
    testPath: beside(".test"),
    usual: "node:test",
    frameworks: {
      vitest: { sign: /\bvitest\b/gi, note: 'import { describe, expect, test } from "vitest"' },
      jest: {
        // Not its plugins: `eslint-plugin-jest`, `@testing-library/jest-dom`.
        sign: /(?<![\w/-])(?:ts-)?jest(?![\w-])|@jest\/globals/gi,
        note: "describe, test, expect and jest are global",
      },
      mocha: {
        sign: /(?<![\w/-])mocha(?![\w-])|["']chai["']/gi,
        note: "describe and it are global; assertions as the package files show (chai or node:assert)",
        testPath: beside(".spec"),
      },
      ava: {
        // A word of people, too.
        sign: /["'`]ava["'`]|\bAVA\b|(?<=\b(?:[Uu]se|[Uu]sing|[Ww]ith|in) |用 ?)ava\b/g,
        note: 'import test from "ava"',
      },
      "node:test": {
        sign: /\bnode:test\b|\bnode\b[^\n"]{0,80}\s--test\b|\bnode(?:\.js)?(?:'s)? (?:built-in )?test runner/gi,
        note: 'import { test } from "node:test"; import assert from "node:assert/strict"',
      },
    },
  },
  {
    languages: ["python"],
    testPath: pythonTest,
    usual: "pytest",
    frameworks: {
      pytest: {
        sign: /\bpytest|\bconftest\.py\b|^(?:async )?def test_|^class Test\w*(?:\(\))?:/gim,
        note: "plain test_ functions and assert; import pytest for raises and parametrize",
      },
      unittest: {
        // Many write "unittest" and mean a unit test.
        sign: /\b(?:unittest\.)?TestCase\b|\bimport unittest\b(?!\.mock)|-m unittest\b|(?<=\b(?:use|using|with|in|via|prefer|keep|not)(?: to)?(?: the)?(?: (?:built-?in|standard|stdlib))? ["'`“]?)unittest\b|\bunittest["'`”]? (?:framework|module|library|style|package)\b|(?<=用 ?["'`“]?)unittest\b|\bunittest["'`”]? ?(?:框架|模块|标准库|风格|库)/gi,
        note: "import unittest; a TestCase class",
      },
    },
  },
  {
    languages: ["go"],
    testPath: beside("_test"),
    usual: "go test",
    frameworks: {
      testify: {
        sign: /\btestify\b/gi,
        note: "testing.T with assert and require of github.com/stretchr/testify",
      },
      "go test": {
        sign: /"testing"|\bgo test\b|\btesting package\b|\bstandard library\b|标准库/gi,
        note: "the testing package; table-driven where cases are alike",
      },
    },
  },
  {
    languages: ["java", "kotlin"],
    testPath: (path) =>
      path.replace("src/main/", "src/test/").replace(/(\.(?:java|kt))$/, "Test$1"),
    usual: "JUnit 5",
    frameworks: {
      TestNG: { sign: /testng/gi, note: "org.testng.annotations.Test" },
      "JUnit 5": {
        sign: /\bjupiter\b|\bjunit[ -]?5|(?<![\w.:>"'/-])junit(?![\w.:<"'/-]| ?4)/gi,
        note: "org.junit.jupiter.api.Test and Assertions",
      },
      "JUnit 4": {
        sign: /<artifactId>junit<\/artifactId>|\bjunit:junit:4|\bjunit[ -]?4|\borg\.junit\.(?!jupiter|platform)|(?<![\w.:>"'/-])junit(?![\w.:<"'/-]| ?5)/gi,
        note: "org.junit.Test and org.junit.Assert",
      },
    },
  },
  {
    languages: ["rust"],
    testPath: (path) => path,
    usual: "cargo test",
    frameworks: {
      "cargo test": {
        note: "a #[cfg(test)] mod tests with use super::*; the tests go to the end of the file under test",
        isInSource: true,
      },
    },
  },
  {
    languages: ["csharp"],
    testPath: csharpTest,
    usual: "xUnit",
    frameworks: {
      NUnit: { sign: /\bNUnit/gi, note: "using NUnit.Framework" },
      MSTest: {
        sign: /\bMSTest|VisualStudio\.TestTools\.UnitTesting/gi,
        note: "using Microsoft.VisualStudio.TestTools.UnitTesting",
      },
      xUnit: { sign: /\bxunit/gi, note: "using Xunit; [Fact] and [Theory]" },
    },
  },
  {
    languages: ["ruby"],
    testPath: rubyTest("spec"),
    usual: "RSpec",
    frameworks: {
      RSpec: {
        sign: /\brspec\b|\bspec_helper\b|\brails_helper\b/gi,
        note: 'require "spec_helper"',
      },
      minitest: {
        sign: /\bminitest\b|\bActiveSupport::TestCase\b/gi,
        note: 'require "minitest/autorun"',
        testPath: rubyTest("test"),
      },
    },
  },
  {
    languages: ["php"],
    testPath: (path) => path.replace(/^(?:src|app)\//, "tests/").replace(/\.php$/, "Test.php"),
    usual: "PHPUnit",
    frameworks: {
      Pest: {
        sign: /pestphp\/pest|\bPest\b|^(?:test|it)\(/gm,
        note: "test() and expect() are global",
      },
      PHPUnit: {
        sign: /\bphpunit\b|\bextends \w*TestCase\b/gi,
        note: "a class that extends PHPUnit\\Framework\\TestCase",
      },
    },
  },
  {
    languages: ["c", "cpp"],
    testPath: beside("_test"),
    usual: "GoogleTest",
    frameworks: {
      Catch2: {
        sign: /\bcatch2\b|\bcatch\.hpp\b|\bcatch_test_macros\b/gi,
        note: "#include <catch2/catch_test_macros.hpp>",
      },
      GoogleTest: { sign: /\bgtest\b|\bgoogle ?test\b/gi, note: "#include <gtest/gtest.h>" },
    },
  },
];

/**
 * What is surest counts first: the person's words, then tests to be followed, package files, and the imports of the
 * file under test. Where one of them shows several frameworks, the next one decides between these.
 *
 * @param language the editor's language id
 * @returns undefined for languages whose frameworks are not known
 */
export function findTestFramework(
  language: string,
  packageFiles: PackageFiles = [],
  { prompt = "", tests = "", imports = "" }: FrameworkSigns = {},
): TestFramework | undefined {
  const family = families.find(({ languages }) => languages.includes(language));
  if (family === undefined) return undefined;
  const { testPath, usual, frameworks } = family;
  const known = Object.entries(frameworks).map(([name, one]) => ({ name, testPath, ...one }));
  const files = packageFiles.map(({ filepath, content }) => `${filepath}\n${content}`).join("\n");
  const { wanted, open } = Object.groupBy(known, ({ sign }) => readWish(prompt, sign));
  let left = wanted ?? open ?? known;
  let isShown = wanted !== undefined;
  for (const text of [tests, files, imports]) {
    const shown = left.filter(({ sign }) => sign !== undefined && text.search(sign) !== -1);
    if (shown.length === 0) continue;
    left = shown;
    isShown = true;
  }
  return (isShown ? undefined : left.find(({ name }) => name === usual)) ?? left[0];
}

/** Of a person's words, in characters: a longer text is not about frameworks. */
const maxPrompt = 32_768;
/** Before a name, with nothing but such words between them. */
const refusal =
  /(?:\b(?:not?|no longer|never|without|avoid|replac(?:e|ing)|instead of|rather than|don['’]?t|(?:migrat|switch|mov|chang)\w* from)|不要|不想|不再|不用|不使用|不采用|别|勿|而不是|而非|不是|代替|替代|避免)(?:\s*(?:to|be|use|using|the|any|with|in|want|write|import|built-?in|standard|用|使用|采用))*$/i;
/** Behind it. */
const absence =
  /^ ?(?:(?:is|are|does|can)(?: not|n['’]?t)\b|cannot\b|(?:is|are) unavailable\b|不可用|没有?安装|未安装|没装|不能用)/i;

/** What a person says of a framework; each mention counts, and one that wants it is enough. */
function readWish(prompt: string, sign: RegExp | undefined): "wanted" | "refused" | "open" {
  if (sign === undefined) return "open";
  let wish: "refused" | "open" = "open";
  const mentions = prompt.slice(0, maxPrompt).matchAll(sign);
  for (const { 0: mention, index } of mentions) {
    const end = index + mention.length;
    const before = prompt.slice(Math.max(0, index - 60), index);
    const after = prompt.slice(end, end + 30).replace(/^["'`”]/, "");
    if (!refusal.test(before.replace(/["'`“]$/, "").trimEnd()) && !absence.test(after))
      return "wanted";
    wish = "refused";
  }
  return wish;
}

function rubyTest(folder: string) {
  return (path: string): string =>
    path
      .replace(/(?:^|\/)(?:lib|app)\//, `/${folder}/`)
      .replace(/^\//, "")
      .replace(/\.rb$/, `_${folder}.rb`);
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
