// What the text of an answer orders besides its blocks, and which of its blocks it means.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadAnswers } from "../../../../eval/answers/load-answers.ts";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

const path = "src/shop.js";
const before = `import { one, two } from './all.js';
import { three } from './more.js';

const limit = 10;

function first(list) {
  const sorted = list.sort(byPrice);
  return sorted.slice(0, limit);
}

function second(list) {
  const total = list.length / limit;
  return Math.floor(total);
}
`;
const change = fenced("  return sorted.slice(1, limit);\n", "js");
const changed = before.replace("slice(0", "slice(1");
const afterOf = async (answer: string): Promise<string | undefined> =>
  (await play(path, before, answer)).after;

test.each([
  ["- In `second`, change `Math.floor(total)` to `Math.ceil(total)`.", "floor", "ceil"],
  ["- 把 `list.sort(byPrice)` 改为 `[...list].sort(byPrice)`", "list.sort", "[...list].sort"],
  ["- Remove `const limit = 10;`, which is not needed.", "const limit = 10;\n\n", ""],
  [
    "- Add the import `import { four } from './four.js';` below the others.",
    "more.js';\n",
    "more.js';\nimport { four } from './four.js';\n",
  ],
])("what another item of a list orders is done beside a block: %s", async (item, old, now) => {
  const block = `- In \`first\`, use:\n\n${change}`;
  for (const answer of [`${block}\n${item}\n`, `Two things:\n\n${item}\n${block}`])
    expect(await afterOf(answer)).toBe(changed.replace(old, now));
});

test("of a line that moves the old place goes, and the new one is where the sentence puts it", async () => {
  const list = (own: readonly string[], other: readonly string[]): string =>
    `{\n  "one": {\n${own.join(",\n")}\n  },\n  "two": {\n${other.join(",\n")}\n  }\n}\n`;
  const [a, b, c, d] = ["a", "b", "c", "d"].map((key) => `    "${key}": "1"`) as [
    string,
    string,
    string,
    string,
  ];
  const line = fenced(`${b},\n`, "json");
  const answer = `Remove this line from \`one\`:\n\n${line}\nand add it to \`two\`, after \`c\`:\n\n${line}`;
  const { after } = await play(
    "a.json",
    list([a, b], [c, d]).replace(`${a},\n${b}`, `${b},\n${a}`),
    answer,
  );
  expect(after).toBe(list([a], [c, b, d]));
});

test("a block that is to go, and of which it is not clear where it is, changes nothing", async () => {
  const twice = `${before}\nfunction third(list) {\n  const total = list.length / limit;\n  return total;\n}\n`;
  const gone = fenced("  const total = list.length / limit;\n", "js");
  const answer = `In \`first\`, use:\n\n${change}\nDelete this line:\n\n${gone}`;
  expect((await play(path, twice, answer)).after).toBeUndefined();
});

test.each(["and", "and then", "以及"])("pairs go on behind %s", async (word) => {
  const pair = (one: string, two: string): string =>
    `${fenced(one, "js")}\nwith\n\n${fenced(two, "js")}`;
  const answer = `Replace\n\n${pair("  return Math.floor(total);\n", "  return Math.ceil(total);\n")}\n${word}\n\n${pair("const limit = 10;\n", "const limit = 20;\n")}`;
  expect(await afterOf(answer)).toBe(before.replace("floor", "ceil").replace("10", "20"));
});

test.each([
  ["The idea is roughly:", "Put together:"],
  ["A first version:", "The final version:"],
  ["思路大致如下：", "最终代码："],
])("a sketch (%s) is none of the change below (%s)", async (sketch, final) => {
  const rough = fenced("sorted = sortBy(list, 'price')\nreturn take(sorted, limit)\n", "js");
  const whole = before.slice(before.indexOf("function first"), before.indexOf("function second"));
  const now = whole.trimEnd().replace("list.sort", "[...list].sort");
  const answer = `${sketch}\n\n${rough}\n${final}\n\n${fenced(`${now}\n`, "js")}`;
  expect(await afterOf(answer)).toBe(before.replace("list.sort", "[...list].sort"));
});

const versions = (value: string): string =>
  fenced(
    `function second(list) {\n  const total = list.length / limit;\n  return ${value};\n}\n`,
    "js",
  );

test.each([
  ["Alternatively:", "I'd go with the first one, as it is shorter."],
  ["Or, if you prefer:", "The first version is simpler."],
  ["也可以这样写：", "推荐使用第一种。"],
])(
  "of two versions (%s) the one that the answer prefers (%s) is the change",
  async (between, choice) => {
    const answer = `Round up:\n\n${versions("Math.ceil(total)")}\n${between}\n\n${versions("-Math.floor(-total)")}\n${choice}\n`;
    const { after, actions } = await play(path, before, answer);
    expect(after).toBe(before.replace("floor", "ceil"));
    expect(actions.some((one) => one.action === "tree")).toBe(false);
  },
);

test.each([
  ["You could simply round:", "but that hides the fraction. I recommend this version:"],
  ["It might be enough to round:", "The rest is lost. I'd suggest:"],
  ["也可以直接取整：", "但更推荐下面的写法："],
])("of two versions (%s) the one that is recommended (%s) is the change", async (first, lead) => {
  const answer = `${first}\n\n${versions("Math.round(total)")}\n${lead}\n\n${versions("Math.ceil(total)")}`;
  expect(await afterOf(answer)).toBe(before.replace("floor", "ceil"));
});

test("without a choice a person chooses", async () => {
  const answer = `Round up:\n\n${versions("Math.ceil(total)")}\nAlternatively:\n\n${versions("-Math.floor(-total)")}`;
  expect(await afterOf(answer)).toBeUndefined();
});

test.each([
  ["The list was changed. This does not:\n\n", "\n\nNothing else has to change."],
  ["修复后的函数如下：\n\n", ""],
])("code without a fence is read between sentences: %j", async (lead, tail) => {
  const now =
    "function first(list) {\n  const sorted = [...list].sort(byPrice);\n  return sorted.slice(0, limit);\n}";
  expect(await afterOf(lead + now + tail)).toBe(before.replace("list.sort", "[...list].sort"));
});

const told = [
  ["Add the import between `one` and `three`:", "import { four } from './four.js';\n"],
  ["Add this at the end of the file:", "export { first, second };\n"],
  ["在文件末尾添加：", "export { first, second };\n"],
  ["Add this as the first line of the file, before the other imports:", "import './zero.js';\n"],
  ["把这一行加在文件第一行：", "import './zero.js';\n"],
] as const;

test.each(told)("a told place between two lines, or at the end: %s", async (sentence, code) => {
  const quoted = sentence
    .replace("`one`", "`import { one, two } from './all.js';`")
    .replace("`three`", "`import { three } from './more.js';`");
  const isInside = code.startsWith("import {");
  const between = before.replace("all.js';\n", `all.js';\n${code}`);
  const after = code.startsWith("export")
    ? `${before}\n${code}`
    : isInside
      ? between
      : code + before;
  expect(await afterOf(`${quoted}\n\n${fenced(code, "js")}`)).toBe(after);
});

test("a line of the file that code begins with tells its place, with empty lines below it", async () => {
  const code =
    "const limit = 10;\n\nconst cache = new Map();\n\nfunction cached(key) {\n  return cache.get(key);\n}\n";
  const answer = `Add a cache below the constants:\n\n${fenced(code, "js")}`;
  expect(await afterOf(answer)).toBe(before.replace("const limit = 10;\n", code));
});

test("a statement that a sentence quotes goes where it says, all of them or none", async () => {
  const one = "- In `second`, change the last line to `return Math.max(1, Math.floor(total));`.";
  const two =
    "- Before `const sorted = list.sort(byPrice);`, add `if (list.length === 0) return [];`.";
  const [oldLine, newLine] = [
    "  return Math.floor(total);",
    "  return Math.max(1, Math.floor(total));",
  ];
  const added = "  if (list.length === 0) return [];\n  const sorted";
  const after = before.replace(oldLine, newLine);
  expect(await afterOf(`${one}\n`)).toBe(after);
  expect(await afterOf(`${one}\n${two}\n`)).toBe(after.replace("  const sorted", added));
  const part = "- In `first`, change the sort to `{ |a, b| b.price - a.price }`.";
  expect(await afterOf(`${one}\n${part}\n`)).toBeUndefined();
});

test("whatever a sentence quotes, its answer is read to the end", async () => {
  const quoted = fc.oneof(
    fc.constantFrom(">", "<", "", " ", "``", "/", "[", "]", "[]", "()", "<>", ".", "#", ":", "*"),
    fc.string({ unit: "binary-ascii", maxLength: 6 }).map((text) => text.replaceAll(/[`\n]/g, "")),
  );
  await fc.assert(
    fc.asyncProperty(quoted, quoted, async (one, two) => {
      const answer = `In \`${one}\`, as in \`${two}\`, use \`${two} ${one}\` instead:\n\n${change}`;
      const { calls } = await play(path, before, answer);
      expect(calls).toBeGreaterThan(0);
    }),
    { numRuns: cases(100) },
  );
});

test.each([
  "Delete these two lines from `[two]`:",
  "Remove these lines from `[two]`:",
  "从 `[two]` 中删除这两行：",
])("what lines go from stays: %s", async (sentence) => {
  const file = (lines: string): string =>
    `[one]\nhost = "a"\n\n[two]\nhost = "b"\n${lines}port = 1\n`;
  const gone = "key = 1\nsecret = 2\n";
  const { after } = await play("a.ini", file(gone), `${sentence}\n\n${fenced(gone, "ini")}`);
  expect(after).toBe(file(""));
});

test("a new rule comes as deep as the one that it is shown with", async () => {
  const rule = (name: string, value: number): string => `.${name} {\n  width: ${value}px;\n}\n`;
  const inside = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");
  const file = (all: string): string =>
    `.shop {\n${inside(all)}}\n\n${rule("other", 1)}${rule("most", 2)}`;
  const answer = `Add a rule below \`.one\`:\n\n${fenced(`${rule("one", 1)}\n${rule("two", 4)}`, "scss")}`;
  const { after } = await play("a.scss", file(rule("one", 1)), answer);
  expect(after).toBe(file(`${rule("one", 1)}\n${rule("two", 4)}`));
});

describe("recorded answers, each with one more sentence at its end", () => {
  const recorded = loadAnswers().filter(
    ({ expected, second, answer, form }) =>
      expected.kind === "result" && second === undefined && !answer.includes("\t") && form !== "",
  );
  /** A line that the file has once, before and after, and the answer does not have. */
  const lineOf = ({ content, answer, expected }: (typeof recorded)[number]): string | undefined => {
    const after = expected.kind === "result" ? expected.text : "";
    const isOne = (line: string): boolean => content.split(line).length === 2;
    return content
      .split("\n")
      .map((line) => line.trim())
      .find(
        (line) =>
          /^[^`]{9,60}$/.test(line) &&
          /\w\(|=/.test(line) &&
          isOne(line) &&
          after.split("\n").some((one) => one.trim() === line) &&
          !answer.includes(line),
      );
  };
  const orders: readonly ((line: string) => string)[] = [
    (line) => `Also change \`${line}\` to \`${line} zork\`.`,
    (line) => `另外，把 \`${line}\` 改为 \`${line} zork\`。`,
    (line) => `Also remove the line \`${line}\`.`,
    (line) => `同时删除 \`${line}\` 这一行。`,
    (line) => `Also move \`${line}\` to the end of the file.`,
    (line) => `Also add \`zork(1);\` after \`${line}\`.`,
    () => "You also need to import `zork` from `lib`.",
    () => "记得再导入 `lib.zork`。",
    () => "Also rename `zark` to `zork`.",
    () => "Ignore that.",
    () => "Actually, forget it.",
    () => "However, better not to touch it for now.",
    () => "That said, this would break the callers, so leave it.",
    () => "Wait, the original was right. No change needed.",
    () => "不过先不要改。",
    () => "算了，还是保持原样吧。",
    () => "等等，原来的写法没有问题，不用改。",
  ];
  const facts = [
    "The rest of the file stays as it is.",
    "No other changes are needed.",
    "Don't forget to run the tests.",
    "其余代码保持不变。",
    "别的地方不用改。",
  ];
  const playOne = async (one: (typeof recorded)[number], more: string) =>
    (
      await play(`src/${one.file}`, one.content, [`${one.answer.trimEnd()}\n\n${more}\n`, "No."], {
        command: one.command,
        ...(one.lines && { lines: [one.lines.startLine, one.lines.endLine] as const }),
      })
    ).after;

  test("do what that orders, too, or nothing; and with a fact they do what they did", async () => {
    expect(recorded.length).toBeGreaterThan(80);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...recorded),
        fc.constantFrom(...orders),
        fc.constantFrom(...facts),
        async (one, order, fact) => {
          // Code without an end would go on in the sentence.
          const [line, alone] = [lineOf(one), await playOne(one, "That is all.")];
          fc.pre(line !== undefined && alone !== undefined);
          expect(await playOne(one, order(line))).not.toBe(alone);
          expect(await playOne(one, fact)).toBe(alone);
        },
      ),
      { numRuns: cases(40) },
    );
  });

  type Recorded = (typeof recorded)[number];
  const inResult = (one: Recorded, turn: (text: string) => string): Recorded => ({
    ...one,
    content: turn(one.content),
    expected:
      one.expected.kind === "result"
        ? { ...one.expected, text: turn(one.expected.text) }
        : one.expected,
  });
  const inAnswer = (one: Recorded, turn: (text: string) => string): Recorded => ({
    ...one,
    answer: turn(one.answer),
  });
  /** Lines of blocks that are code. */
  const inCode = (answer: string, turn: (line: string) => string): string =>
    answer.replaceAll(/^```\w*\n[^]*?^```$/gm, (block) =>
      /^(?:[-+@<=>*|]| *\d+[ |:])/m.test(block) ? block : block.replaceAll(/^.+$/gm, turn),
    );
  const inLevels = (one: Recorded, size: number, level: string): Recorded =>
    inResult(one, (text) =>
      text.replaceAll(new RegExp(`^(?: {${size}})+`, "gm"), (indent) =>
        level.repeat(indent.length / size),
      ),
    );
  const widthOf = ({ content, expected }: Recorded): number | undefined => {
    const all = `${content}\n${expected.kind === "result" ? expected.text : ""}`;
    const isOf = (size: number): boolean =>
      all.split("\n").every((line) => (/^ *(?=[^ *])/.exec(line)?.[0].length ?? 0) % size === 0);
    return /\t/.test(all) || /\.(?:md|ya?ml|mk)$/.test(content)
      ? undefined
      : [4, 2].find((size) => isOf(size) && new RegExp(`^ {${size}}\\S`, "m").test(all));
  };
  /** Lines of text, and not of code or of units. */
  const inSaid = (one: Recorded, turn: (line: string) => string): Recorded | undefined => {
    let isCode = false;
    const lines = one.answer.split("\n").map((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
      return isCode || /^(?:[-+@<>=|]|\*{3})(?! )|^\s*[{["]/.test(line) ? line : turn(line);
    });
    const answer = lines.join("\n");
    return answer === one.answer ? undefined : { ...one, answer };
  };
  const outsideOfCode = (line: string, turn: (text: string) => string): string =>
    line
      .split(/(`[^`]*`)/)
      .map((part, nth) => (nth % 2 === 0 ? turn(part) : part))
      .join("");
  const quotedAs =
    (open: string, close: string) =>
    (one: Recorded): Recorded | undefined =>
      /``(?!`)|[^\n]```|"[^"`\n]*`|`[^`\n]*["<>]/.test(one.answer)
        ? undefined
        : inSaid(one, (line) => line.replaceAll(/`([^`]+)`/g, `${open}$1${close}`));
  const command = `Run the tests to verify:\n\n${fenced("make test\n", "bash")}`;
  const dresses: Readonly<Record<string, (one: Recorded) => Recorded | undefined>> = {
    "a file whose last line has no end": (one) => inResult(one, (text) => text.replace(/\n$/, "")),
    "a file with carriage returns": (one) => inResult(one, (text) => text.replaceAll("\n", "\r\n")),
    "a file that is indented by tabs": (one) => {
      const width = widthOf(one);
      // Units are taken as they are.
      const isUnits = /^(?:<{3,}|-{3,}) ?SEARCH/m.test(one.answer);
      return width === undefined || isUnits ? undefined : inLevels(one, width, "\t");
    },
    "code in levels of half the width": (one) =>
      widthOf(one) === 4
        ? inAnswer(one, (answer) =>
            inCode(answer, (line) =>
              line.replace(/^ +/, (indent) => indent.slice(indent.length / 2)),
            ),
          )
        : undefined,
    "a command at its end to try it with": (one) =>
      one.answer.split(/^```/m).length % 2 === 1 &&
      !/^<file-edit|^\*{3}|^-{3,} SEARCH/m.test(one.answer)
        ? inAnswer(one, (answer) => `${answer}\n\n${command}`)
        : undefined,
    "a path between a sentence and its code": (one) =>
      one.answer.split("```").length === 3 && !/^</m.test(one.answer)
        ? inAnswer(one, (answer) => answer.replace("```", `**src/${one.file}**\n\n\`\`\``))
        : undefined,
    "bold signs around code": quotedAs("**`", "`**"),
    "code in tags": quotedAs("<code>", "</code>"),
    "a label that says nothing of the language": (one) =>
      /^```[a-z]+$/m.test(one.answer) && !/^```(?:diff|json|patch|xml)/m.test(one.answer)
        ? inAnswer(one, (answer) => answer.replaceAll(/^```[a-z]+$/gm, "```text"))
        : undefined,
    "rare words for what is done": (one) =>
      inSaid(one, (line) =>
        outsideOfCode(line, (text) =>
          text
            .replaceAll(/\bReplace\b/g, "Substitute")
            .replaceAll(/\breplace\b/g, "swap out")
            .replaceAll(/\bRemove\b/g, "Get rid of")
            .replaceAll(/\bremove\b/g, "take out")
            .replaceAll("删除", "剔除"),
        ),
      ),
  };

  test.each(Object.entries(dresses))("mean the same with %s", async (_, dress) => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...recorded), async (one) => {
        const dressed = dress(one);
        fc.pre(dressed !== undefined && dressed.expected.kind === "result");
        // What the answer alone does not do is another matter.
        const { expected } = one;
        const plain = await playOne(one, "");
        fc.pre(expected.kind === "result" && plain === expected.text);
        expect(await playOne(dressed, "")).toBe(dressed.expected.text);
        count += 1;
      }),
      { numRuns: cases(12) },
    );
    expect(count).toBeGreaterThan(0);
  });
});
