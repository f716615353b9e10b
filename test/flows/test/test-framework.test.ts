import { expect, test } from "vitest";
import { findTestFramework } from "../../../src/flows/test/test-framework.ts";

test.each([
  ["typescript", '{"devDependencies":{"vitest":"5.0.0"}}', "vitest", "src/a.test.ts"],
  ["typescript", '{"devDependencies":{"ts-jest":"29"}}', "jest", "src/a.test.ts"],
  ["javascript", '{"devDependencies":{"mocha":"10"}}', "mocha", "src/a.spec.ts"],
  ["javascript", "{}", "node:test", "src/a.test.ts"],
])("%s with %s is tested with %s, in %s", (language, content, name, path) => {
  const packageFiles = [{ filepath: "package.json", content }];
  const found = findTestFramework(language, packageFiles);
  expect(found?.name).toBe(name);
  expect(found?.testPath("src/a.ts", packageFiles)).toBe(path);
});

test.each([
  [
    "python",
    "[tool.poetry.dev-dependencies]\npytest = '8'",
    "pytest",
    "shop/cart.py",
    "shop/test_cart.py",
  ],
  ["python", "", "pytest", "cart.py", "test_cart.py"],
  ["python", "test = 'python -m unittest'", "unittest", "cart.py", "test_cart.py"],
  ["go", "module shop", "go test", "cart/cart.go", "cart/cart_test.go"],
  ["go", "require github.com/stretchr/testify v1.9.0", "testify", "cart.go", "cart_test.go"],
  [
    "java",
    "<artifactId>junit-jupiter</artifactId>",
    "JUnit 5",
    "src/main/java/Cart.java",
    "src/test/java/CartTest.java",
  ],
  ["java", "<artifactId>junit</artifactId>", "JUnit 4", "Cart.java", "CartTest.java"],
  ["rust", "[package]", "cargo test", "src/lib.rs", "src/lib.rs"],
  ["csharp", '<PackageReference Include="NUnit" />', "NUnit", "Cart.cs", "CartTests.cs"],
  ["csharp", "", "xUnit", "Cart.cs", "CartTests.cs"],
  ["ruby", "gem 'rspec'", "RSpec", "lib/cart.rb", "spec/cart_spec.rb"],
  ["ruby", "gem 'minitest'", "minitest", "app/cart.rb", "test/cart_test.rb"],
  ["php", "{}", "PHPUnit", "src/Cart.php", "tests/CartTest.php"],
])("%s with %j is tested with %s", (language, content, name, path, testPath) => {
  const packageFiles = [{ filepath: "manifest", content }];
  const found = findTestFramework(language, packageFiles);
  expect(found?.name).toBe(name);
  expect(found?.testPath(path, packageFiles)).toBe(testPath);
});

test.each([
  ["python", "pyproject.toml", 'testpaths = ["checks"]', "src/shop/cart.py", "checks/test_cart.py"],
  ["python", "pytest.ini", "[pytest]\ntestpaths = tests", "shop/cart.py", "tests/test_cart.py"],
  ["python", "api/setup.cfg", "pytest", "api/src/shop/cart.py", "api/tests/test_cart.py"],
  [
    "csharp",
    "tests/Shop.Tests/Shop.Tests.csproj",
    "",
    "src/Shop/Cart.cs",
    "tests/Shop.Tests/CartTests.cs",
  ],
  ["csharp", "src/Shop/Shop.csproj", "", "src/Shop/Cart.cs", "src/Shop/CartTests.cs"],
])("tests of %s stand where %s says", (language, filepath, content, path, testPath) => {
  const packageFiles = [{ filepath, content }];
  const found = findTestFramework(language, packageFiles);
  expect(found?.testPath(path, packageFiles)).toBe(testPath);
});

test("a language without a known framework has none", () => {
  expect(findTestFramework("cobol", [])).toBeUndefined();
});

/** How words, tests, package files and imports show a framework, and how people refuse one. */
const shown: Record<string, Record<string, { prompt: string; tests: string; files: string }>> = {
  python: {
    pytest: { prompt: "pytest", tests: "def test_a():\n    assert 1", files: "pytest>=8" },
    unittest: {
      prompt: "unittest.TestCase",
      tests: "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self): pass",
      files: "commands = python -m unittest",
    },
  },
  typescript: {
    vitest: { prompt: "Vitest", tests: 'from "vitest"', files: '"vitest": "5"' },
    jest: { prompt: "Jest", tests: "jest.fn()", files: '"ts-jest": "29"' },
    mocha: { prompt: "mocha", tests: 'import { expect } from "chai"', files: '"mocha": "10"' },
    "node:test": { prompt: "node:test", tests: "'node:test'", files: '"node --test"' },
  },
  go: {
    testify: { prompt: "testify", tests: "stretchr/testify/assert", files: "stretchr/testify v1" },
    "go test": { prompt: "go test", tests: 'import "testing"', files: "" },
  },
  java: {
    TestNG: { prompt: "TestNG", tests: "import org.testng.Assert;", files: "<x>testng</x>" },
    "JUnit 4": { prompt: "JUnit 4", tests: "org.junit.Test;", files: "'junit:junit:4.13'" },
    "JUnit 5": { prompt: "JUnit5", tests: "org.junit.jupiter.api.Test", files: "junit-jupiter" },
  },
  csharp: {
    NUnit: { prompt: "NUnit", tests: "using NUnit.Framework;", files: '"NUnit"' },
    MSTest: { prompt: "MSTest", tests: "TestTools.UnitTesting; MSTest", files: '"MSTest.Sdk"' },
    xUnit: { prompt: "xUnit", tests: "using Xunit;", files: '"xunit"' },
  },
  ruby: {
    RSpec: { prompt: "RSpec", tests: 'require "spec_helper"', files: "gem 'rspec'" },
    minitest: { prompt: "minitest", tests: 'require "minitest/autorun"', files: "gem 'minitest'" },
  },
  php: {
    Pest: { prompt: "Pest", tests: "test('a', fn () => 1);", files: '"pestphp/pest": "3"' },
    PHPUnit: { prompt: "PHPUnit", tests: "extends TestCase", files: '"phpunit/phpunit": "11"' },
  },
  cpp: {
    Catch2: { prompt: "Catch2", tests: "<catch2/catch_test_macros.hpp>", files: "catch2/3.5" },
    GoogleTest: { prompt: "gtest", tests: "<gtest/gtest.h>", files: "find_package(GTest)" },
  },
};
const usual = [
  "pytest",
  "node:test",
  "go test",
  "JUnit 5",
  "xUnit",
  "RSpec",
  "PHPUnit",
  "GoogleTest",
];
const pairs = Object.entries(shown).flatMap(([language, frameworks]) =>
  Object.entries(frameworks).flatMap(([name, signs]) =>
    Object.entries(frameworks)
      .filter(([other]) => other !== name)
      .map(([other, others]) => ({ language, name, signs, other, others })),
  ),
);
const manifest = (content: string) => [{ filepath: "manifest", content }];

test.each(Object.keys(shown))(
  "%s has a usual framework where nothing says anything",
  (language) => {
    expect(usual).toContain(findTestFramework(language)?.name);
  },
);

test.each(pairs)(
  "$language: $name before $other, by words, then tests, then package files, then imports",
  ({ language, name, signs, others }) => {
    const find = (files: string, said: object) =>
      findTestFramework(language, manifest(files), said)?.name;
    const { prompt, tests, files } = signs;
    const all = { prompt: others.prompt, tests: others.tests, imports: others.tests };
    for (const text of [`Use ${prompt}.`, `please write ${prompt} tests`, `用 ${prompt} 编写测试`])
      expect(find(others.files, { ...all, prompt: text })).toBe(name);
    expect(find(others.files, { tests, imports: others.tests })).toBe(name);
    if (files !== "") expect(find(files, { imports: others.tests })).toBe(name);
    expect(find("", { imports: tests })).toBe(name);
  },
);

test.each(pairs)("$language: whoever refuses $other gets $name", ({ language, signs, others }) => {
  const { prompt: no } = others;
  const { prompt: yes } = signs;
  const wishes = [
    `Use ${yes} instead of ${no}.`,
    `Don't use ${no}, use ${yes}`,
    `We migrated from ${no} to ${yes}.`,
    `${no} is not installed here; write ${yes} tests.`,
    `用 ${yes} 而不是 ${no}。`,
    `不要使用 ${no}，用 ${yes}。`,
  ];
  const expected = findTestFramework(language, [], { prompt: `Use ${yes}.` })?.name;
  for (const prompt of wishes)
    expect([prompt, findTestFramework(language, manifest(others.files), { prompt })?.name]).toEqual(
      [prompt, expected],
    );
  const refused = findTestFramework(language, [], { prompt: `Please no ${no}!` })?.name;
  expect(refused).not.toBe(findTestFramework(language, [], { prompt: `Use ${no}` })?.name);
});

test.each([
  ["python", "Write unittest for total", "pytest"],
  ["python", "为 total 写 unittest", "pytest"],
  ["python", "use the built-in unittest module", "unittest"],
  ["python", "write the tests with `unittest`", "unittest"],
  ["python", "不用 pytest，用标准库的 unittest 框架", "unittest"],
  ["typescript", "Ava has no prices; test that", "node:test"],
  ["java", "JUnit please", "JUnit 5"],
])("%s, asked %j: %s", (language, prompt, name) => {
  expect(findTestFramework(language, [], { prompt })?.name).toBe(name);
});
