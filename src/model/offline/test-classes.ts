// Test files that are classes, and those of C++ and PHP.
import { hasMatch, stemOf, type TestTarget } from "./test-target.ts";
import { noteHidden, type Skeleton, toComment, toPascalCase } from "./test-words.ts";

/** In the package of the file under test; in Kotlin, too. */
export function writeJava(annotation: string): Skeleton {
  return (target, cases, texts) => {
    const isKotlin = target.language === "kotlin";
    const end = isKotlin ? "" : ";";
    const name = /^[ \t]*package[ \t]+([\w.]+)/m.exec(target.source)?.[1];
    return [
      ...(name === undefined ? [] : [`package ${name}${end}`, ""]),
      `import ${annotation}${end}`,
      "",
      ...noteHidden(target, "//", texts),
      `${annotation.startsWith("org.junit.jupiter") || isKotlin ? "" : "public "}class ${className(target)} {`,
      ...cases.flatMap((text, nth) => [
        ...(nth === 0 ? [] : [""]),
        `    /** ${toComment(text)} */`,
        "    @Test",
        isKotlin ? `    fun case${nth + 1}() {` : `    public void case${nth + 1}() {`,
        `        // ${texts.todoCheck(target.name)}`,
        "    }",
      ]),
      "}",
    ];
  };
}

export function writeCsharp(library: string, attribute: string, classAttribute?: string): Skeleton {
  return (target, cases, texts) => {
    const space = /^[ \t]*namespace[ \t]+([\w.]+)/m.exec(target.source)?.[1];
    return [
      ...(space === undefined ? [] : [`using ${space};`]),
      `using ${library};`,
      "",
      ...noteHidden(target, "//", texts),
      ...(classAttribute === undefined ? [] : [`[${classAttribute}]`]),
      `public class ${className(target)}`,
      "{",
      ...cases.flatMap((text, nth) => [
        ...(nth === 0 ? [] : [""]),
        `    // ${toComment(text)}`,
        `    [${attribute}]`,
        `    public void Case${nth + 1}()`,
        "    {",
        `        // ${texts.todoCheck(target.name)}`,
        "    }",
      ]),
      "}",
    ];
  };
}

export const writeGoogleTest: Skeleton = ({ name }, cases, texts) => [
  `// ${texts.todoInclude(name)}`,
  "#include <gtest/gtest.h>",
  ...cases.flatMap((text, nth) => [
    "",
    `// ${toComment(text)}`,
    `TEST(${toPascalCase(name)}, Case${nth + 1}) {`,
    `  // ${texts.todoCheck(name)}`,
    "}",
  ]),
];

export const writeCatch: Skeleton = ({ name }, cases, texts) => [
  `// ${texts.todoInclude(name)}`,
  "#include <catch2/catch_test_macros.hpp>",
  ...cases.flatMap((text) => [
    "",
    `TEST_CASE(${JSON.stringify(text)}) {`,
    `  // ${texts.todoCheck(name)}`,
    "}",
  ]),
];

export const writePhpUnit: Skeleton = (target, cases, texts) => [
  "<?php",
  "",
  ...importPhp(target),
  "use PHPUnit\\Framework\\TestCase;",
  "",
  ...noteHidden(target, "//", texts),
  `final class ${className(target)} extends TestCase`,
  "{",
  ...cases.flatMap((text, nth) => [
    ...(nth === 0 ? [] : [""]),
    `    /** ${toComment(text)} */`,
    `    public function testCase${nth + 1}(): void`,
    "    {",
    `        $this->markTestIncomplete(${phpText(texts.todoCheck(target.name))});`,
    "    }",
  ]),
  "}",
];

export const writePest: Skeleton = (target, cases, texts) => [
  "<?php",
  "",
  ...importPhp(target),
  ...noteHidden(target, "//", texts),
  ...cases.flatMap((text) => [
    "",
    `test(${phpText(text)}, function () {`,
    `    // ${texts.todoCheck(target.name)}`,
    "});",
  ]),
];

function importPhp({ source, importName }: TestTarget): string[] {
  const space = /^[ \t]*namespace[ \t]+([\w\\]+)/m.exec(source)?.[1];
  if (space === undefined || importName === undefined) return [];
  const isFunction = hasMatch(source, /\bfunction\s+&?([^\s(]+)/g, importName);
  return [`use ${isFunction ? "function " : ""}${space}\\${importName};`];
}

/** Files and their classes have one name in these languages. */
function className({ testPath, name }: TestTarget): string {
  const stem = stemOf(testPath);
  return /^[\p{L}_][\p{L}\w]*$/u.test(stem) ? stem : `${toPascalCase(name)}Test`;
}

function phpText(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
