// Test files that are functions or blocks: JavaScript, Python, Go, Rust, Ruby.
import { importPython, importScript, isCommonJs, type TestTarget } from "./test-target.ts";
import { noteHidden, type Skeleton, toPascalCase, toSnakeCase } from "./test-words.ts";
import type { OfflineTexts } from "./texts.ts";

interface ScriptStyle {
  imports?: readonly string[];
  /** In place of the imports in CommonJS. */
  requires?: readonly string[];
  call?: string;
  parameter?: string;
}

export function script({
  imports = [],
  requires,
  call = "test",
  parameter = "",
}: ScriptStyle): Skeleton {
  return (target, cases, texts) => {
    const isRequired = requires !== undefined && isCommonJs(target.source);
    return [
      ...(isRequired ? requires : imports),
      ...importScript(target),
      ...noteHidden(target, "//", texts),
      ...cases.flatMap((text) => [
        "",
        `${call}(${JSON.stringify(text)}, (${parameter}) => {`,
        `  // ${texts.todoCheck(target.name)}`,
        "});",
      ]),
    ];
  };
}

export const writePytest: Skeleton = (target, cases, texts) => [
  ...importPython(target),
  ...cases.flatMap((text, nth) => [
    "",
    "",
    `def test_${toSnakeCase(target.name)}_${nth + 1}():`,
    `    ${JSON.stringify(text)}`,
    `    # ${texts.todoCheck(target.name)}`,
  ]),
];

export const writePythonClass: Skeleton = (target, cases, texts) => [
  "import unittest",
  "",
  ...importPython(target),
  "",
  "",
  `class ${toPascalCase(target.name)}Test(unittest.TestCase):`,
  ...cases.flatMap((text, nth) => [
    ...(nth === 0 ? [] : [""]),
    `    def test_${nth + 1}(self):`,
    `        ${JSON.stringify(text)}`,
    `        # ${texts.todoCheck(target.name)}`,
  ]),
];

export function writeGo(
  target: TestTarget,
  cases: readonly string[],
  texts: OfflineTexts,
): string[] {
  const name = /^package\s+(\w+)/m.exec(target.source)?.[1] ?? "main";
  return [
    `package ${name}`,
    "",
    'import "testing"',
    "",
    `func Test${toPascalCase(target.name)}(t *testing.T) {`,
    ...cases.flatMap((text) => [
      `\tt.Run(${JSON.stringify(text)}, func(t *testing.T) {`,
      `\t\t// ${texts.todoCheck(target.name)}`,
      "\t})",
    ]),
    "}",
  ];
}

export const writeRust: Skeleton = ({ name }, cases, texts) => [
  "#[cfg(test)]",
  "mod tests {",
  "    use super::*;",
  ...cases.flatMap((text, nth) => [
    "",
    `    /// ${text}`,
    "    #[test]",
    `    fn ${toSnakeCase(name)}_${nth + 1}() {`,
    `        // ${texts.todoCheck(name)}`,
    "    }",
  ]),
  "}",
];

export const writeRspec: Skeleton = ({ name }, cases, texts) => [
  'require "spec_helper"',
  "",
  `RSpec.describe ${rubyText(name)} do`,
  ...cases.flatMap((text, nth) => [
    ...(nth === 0 ? [] : [""]),
    `  it ${rubyText(text)} do`,
    `    skip ${rubyText(texts.todoCheck(name))}`,
    "  end",
  ]),
  "end",
];

export const writeMinitest: Skeleton = ({ name }, cases, texts) => [
  'require "minitest/autorun"',
  "",
  `class ${toPascalCase(name)}Test < Minitest::Test`,
  ...cases.flatMap((text, nth) => [
    ...(nth === 0 ? [] : [""]),
    `  # ${text}`,
    `  def test_case_${nth + 1}`,
    `    skip ${rubyText(texts.todoCheck(name))}`,
    "  end",
  ]),
  "end",
];

function rubyText(text: string): string {
  return JSON.stringify(text).replace(/#(?=[{@$])/g, "\\#");
}
