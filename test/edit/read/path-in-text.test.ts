import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EditReader } from "../../../src/edit/read/edit-reader.ts";
import {
  pathInSentence,
  pathOfInfo,
  pathOfLine,
} from "../../../src/edit/read/dress/path-in-text.ts";

/** Words that labels are made of, and marks that dresses are made of, as names of files begin and end with them. */
const beginnings = fc.constantFrom(
  ..."in file files path update edit modify change changes filename index internal updater __ _ . ( [ @ $ ~ 文档 名称".split(
    " ",
  ),
  "",
);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
const segment = fc.oneof(
  fc.tuple(beginnings, word).map(([start, name]) => {
    if (start === "(") return `(${name})`;
    if (start === "[") return `[${name}]`;
    return start === "__" ? `__${name}__` : start + name;
  }),
  fc.constantFrom("..", "[...slug]", "C#", "c++", "in", "file", "changes"),
);
const ending = fc.constantFrom(".ts", ".py", ".html", ".test.tsx", ".go", ".md", ".blade.php");
const name = segment.filter((each) => each !== "..");
const paths = fc
  .tuple(fc.array(segment, { maxLength: 3 }), name, ending, fc.constantFrom("", "/", "./", "C:\\"))
  .map(([folders, last, end, root]) => {
    const path = [...folders, last + end].join("/");
    return root === "C:\\" ? root + path.replaceAll("/", "\\") : root + path;
  });

const lines: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `\`${path}\``,
  (path) => `**${path}**`,
  (path) => `**\`${path}\`**`,
  (path) => `"${path}"`,
  (path) => `(${path})`,
  (path) => `[${path}](${path})`,
  (path) => `File: ${path}`,
  (path) => `**File:** \`${path}\``,
  (path) => `Update ${path}`,
  (path) => `in \`${path}\`:`,
  (path) => `${path}:`,
  (path) => `### ${path}`,
  (path) => `### 1. \`${path}\``,
  (path) => `- ${path}`,
  (path) => `// ${path}`,
  (path) => `# ${path}`,
  (path) => `/* ${path} */`,
  (path) => `<!-- ${path} -->`,
  (path) => `文件：${path}`,
  (path) => `修改\`${path}\`：`,
];
const sentences: readonly ((path: string) => string)[] = [
  ...lines,
  (path) => `Change ${path} so that it adds up:`,
  (path) => `Then open \`${path}\`, and change:`,
  (path) => `The fix is in ${path}.`,
  (path) => `See ${path}, which is wrong.`,
  (path) => `See ${path}:12 and say why.`,
  (path) => `在 ${path} 中修改：`,
  (path) => `请打开\`${path}\`，然后修改：`,
];
const infos: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `ts:${path}`,
  (path) => `ts ${path}`,
  (path) => `12:20:${path}`,
  (path) => `ts title="${path}" {1,3}`,
  (path) => `ts file=${path}`,
];
const answers: readonly ((path: string) => string)[] = [
  (path) => `${path}\n${unit()}`,
  (path) => `\`\`\`\n${path}\n${unit()}\`\`\`\n`,
  (path) => `\`\`\`ts ${path}\n${unit()}\`\`\`\n`,
  (path) => unit(` ${path}`),
  (path) => unit(`: \`${path}\``),
  (path) => `<file-edit filePath="${path}">\n${unit()}</file-edit>\n`,
  (path) => `<file path="${path}">\n${unit()}</file>\n`,
  (path) => `<edit>\n<path>${path}</path>\n${unit()}</edit>\n`,
  (path) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-old\n+new\n*** End Patch\n`,
  (path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+new\n`,
];

function unit(named = ""): string {
  return `------- SEARCH${named}\nold\n=======\nnew\n+++++++ REPLACE\n`;
}

function pathOfAnswer(answer: string): string | undefined {
  const reader = new EditReader();
  reader.push(answer);
  reader.end({ isStopped: true });
  return reader.files.length === 1 ? reader.files[0]?.filePath : undefined;
}

describe("a path is read as it is written", () => {
  it.each([
    ["as a line", lines, pathOfLine],
    ["in a sentence", sentences, pathInSentence],
    ["behind a code fence", infos, pathOfInfo],
    ["in an answer with an edit", answers, pathOfAnswer],
  ] as const)("%s, whatever it begins with", (_, dresses, read) => {
    fc.assert(
      fc.property(paths, fc.constantFrom(...dresses), (path, dress) => {
        expect([dress(path), read(dress(path))]).toEqual([dress(path), path]);
      }),
      { numRuns: 2_000, seed: 20 },
    );
  });

  it("or not at all, where its signs are those of text", () => {
    const sign = fc.constantFrom(..."aB1._-/\\,;='\"(){}[]<>*`~!?#$%&+@:文".split(""));
    const odd = fc
      .array(sign, { minLength: 1, maxLength: 10 })
      .map((signs) => `${signs.join("")}.ts`);
    const dressed = fc.tuple(odd, fc.constantFrom(...sentences.slice(0, 1), ...infos.slice(0, 3)));
    fc.assert(
      fc.property(dressed, ([path, dress]) => {
        for (const read of [pathOfLine, pathInSentence, pathOfInfo]) {
          const found = read(dress(path));
          if (found === undefined) continue;
          // Marks are cut off, and a language before a colon, but no part of a name.
          const rest = path.slice(0, Math.max(0, path.indexOf(found))).replaceAll("__", "");
          expect(rest).not.toMatch(/[\p{L}\p{N}_](?!.*:)/u);
        }
      }),
      { numRuns: 5_000, seed: 20 },
    );
  });

  it.each([
    ["src/a.ts and src/b.ts:", undefined],
    ["see https://example.com/a.html:", undefined],
    ["src/a.ts (see https://example.com/a.html):", "src/a.ts"],
    ["请修改src/a.ts中的函数：", "src/a.ts"],
    ["修改src/a.ts：", "src/a.ts"],
    ["src/a.ts's total is wrong:", "src/a.ts"],
    ["Update a,b.ts:", undefined],
  ])("%s names %s", (text, path) => {
    expect(pathInSentence(text)).toBe(path);
  });
});
