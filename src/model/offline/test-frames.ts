// Test files as templates, by framework. The lines from `{each}` to `{end}` come for each case, those from
// `{apart}` with a blank line between two cases. tests.ts says what else may be in braces.

const script = (call: string): string => `{imports}
{hidden}
{each}

${call} => {
  // {todo}
});
{end}`;

const junit = (annotation: string, modifier = ""): string => `{package}
import ${annotation}{;}

{hidden}
${modifier}class {class} {
{apart}
    /** {text:comment} */
    @Test
    {function} case{n}() {
        // {todo}
    }
{end}
}`;

const csharp = (library: string, attribute: string, classAttribute = ""): string => `{namespace}
using ${library};

{hidden}
${classAttribute}public class {class}
{
{apart}
    // {text:comment}
    [${attribute}]
    public void Case{n}()
    {
        // {todo}
    }
{end}
}`;

const cpp = (header: string, head: string): string => `// {include}
#include <${header}>
{each}

${head} {
  // {todo}
}
{end}`;

const go = `package {goPackage}

import "testing"

func Test{Name}(t *testing.T) {
{each}
\tt.Run({text:json}, func(t *testing.T) {
\t\t// {todo}
\t})
{end}
}`;

export const testFrames: Readonly<Record<string, string>> = {
  vitest: `import { expect, test } from "vitest";\n${script("test({text:json}, ()")}`,
  jest: script("test({text:json}, ()"),
  mocha: script("it({text:json}, ()"),
  ava: `import test from "ava";\n${script("test({text:json}, (t)")}`,
  "node:test": `{nodeTest}\n${script("test({text:json}, ()")}`,
  pytest: `{pythonImports}
{each}


def test_{snake}_{n}():
    {text:json}
    # {todo}
{end}`,
  unittest: `import unittest

{pythonImports}


class {Name}Test(unittest.TestCase):
{apart}
    def test_{n}(self):
        {text:json}
        # {todo}
{end}`,
  "go test": go,
  testify: go,
  "cargo test": `#[cfg(test)]
mod tests {
    use super::*;
{each}

    /// {text}
    #[test]
    fn {snake}_{n}() {
        // {todo}
    }
{end}
}`,
  "JUnit 5": junit("org.junit.jupiter.api.Test"),
  "JUnit 4": junit("org.junit.Test", "{public}"),
  TestNG: junit("org.testng.annotations.Test", "{public}"),
  xUnit: csharp("Xunit", "Fact"),
  NUnit: csharp("NUnit.Framework", "Test"),
  MSTest: csharp("Microsoft.VisualStudio.TestTools.UnitTesting", "TestMethod", "[TestClass]\n"),
  GoogleTest: cpp("gtest/gtest.h", "// {text:comment}\nTEST({Name}, Case{n})"),
  Catch2: cpp("catch2/catch_test_macros.hpp", "TEST_CASE({text:json})"),
  PHPUnit: `<?php

{use}
use PHPUnit\\Framework\\TestCase;

{hidden}
final class {class} extends TestCase
{
{apart}
    /** {text:comment} */
    public function testCase{n}(): void
    {
        $this->markTestIncomplete({todo:php});
    }
{end}
}`,
  Pest: `<?php

{use}
{hidden}
{each}

test({text:php}, function () {
    // {todo}
});
{end}`,
  RSpec: `require "spec_helper"

RSpec.describe {name:ruby} do
{apart}
  it {text:ruby} do
    skip {todo:ruby}
  end
{end}
end`,
  minitest: `require "minitest/autorun"

class {Name}Test < Minitest::Test
{apart}
  # {text}
  def test_case_{n}
    skip {todo:ruby}
  end
{end}
end`,
};
