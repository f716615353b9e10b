// Units in all the ways that models write them.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EditReader } from "../../../../src/edit/read/edit-reader.ts";
import type { EditReaderEvent } from "../../../../src/edit/read/file-edit.ts";
import { parseAnswer, parseDiff } from "../../../../src/edit/read/parse-diff.ts";

const plain = "------- SEARCH\na\n  b\n=======\nc\n\n  d\n+++++++ REPLACE\n";
const search = "a\n  b\n";
const replace = "c\n\n  d\n";
const git = "<<<<<<< SEARCH\na\n  b\n=======\nc\n\n  d\n>>>>>>> REPLACE\n";

/** The units of an answer by file. */
function read(answer: string) {
  return parseAnswer(answer).files.map(({ filePath, units, error }) => ({
    path: filePath,
    units: units.map((unit) => [unit.search, unit.replace]),
    ...(error === undefined ? {} : { error: error.code }),
  }));
}

const one = (path?: string) => [{ path, units: [[search, replace]] }];
const prefixed = (text: string, prefix: string) => text.replaceAll(/^(?=.)/gm, prefix);

describe("a unit is read", () => {
  test.each([
    ["bare", plain],
    ["in angle brackets", git],
    ["in a block quote", prefixed(plain, "> ").replace("\n\n", "\n>\n")],
    ["in a block quote without blanks", prefixed(git, ">").replace("\n\n", "\n>\n")],
    ["in two block quotes", prefixed(plain, "> > ").replace("\n\n", "\n> >\n")],
    ["indented", prefixed(plain, "    ")],
    ["indented by a tab", prefixed(git, "\t")],
    ["in a list", `- ${prefixed(plain, "  ").slice(2)}`],
    ["in a numbered list", `1. ${prefixed(plain, "   ").slice(3)}`],
    [
      "in a list, in a fence",
      `1. Change it:\n\n   \`\`\`diff\n${prefixed(plain, "   ")}   \`\`\`\n`,
    ],
    ["in a quoted fence", `> \`\`\`\n${prefixed(plain, "> ").replace("\n\n", "\n>\n")}> \`\`\`\n`],
    ["with rules in bold", plain.replaceAll(/^([-+]{7} \w+|={7})$/gm, "**$1**")],
    ["with rules in backticks", git.replaceAll(/^([<>]{7} \w+|={7})$/gm, "`$1`")],
    ["with rules as headings", git.replaceAll(/^([<>]{7} \w+)$/gm, "### $1")],
    ["in lower case", git.toLowerCase()],
    [
      "with the first letter as a capital",
      git.replace("SEARCH", "Search").replace("REPLACE", "Replace"),
    ],
    ["with two blanks", plain.replaceAll("- S", "-  S").replaceAll("+ R", "+  R")],
    ["with a no-break space", plain.replaceAll("- S", "-\u00A0S").replaceAll("+ R", "+\u00A0R")],
    ["without a blank", git.replace("< S", "<S").replace("> R", ">R")],
    ["with colons", git.replace("SEARCH", "SEARCH:").replace("REPLACE", "REPLACE:")],
    [
      "with the signs again at the ends",
      git.replace("SEARCH", "SEARCH <<<<<<<").replace("REPLACE", "REPLACE >>>>>>>"),
    ],
    ["as ORIGINAL and UPDATED", git.replace("SEARCH", "ORIGINAL").replace("REPLACE", "UPDATED")],
    ["as HEAD and UPDATED", git.replace("SEARCH", "HEAD").replace("REPLACE", "UPDATED")],
    [
      "as HEAD and the name of a branch",
      git.replace("SEARCH", "HEAD").replace("REPLACE", "fix/sum"),
    ],
    ["as original and updated", git.replace("SEARCH", "original").replace("REPLACE", "updated")],
    ["in Chinese", git.replace("SEARCH", "搜索").replace("REPLACE", "替换")],
    ["with a divider of five characters", git.replace("=======", "=====")],
    [
      "with rules of five characters",
      git.replaceAll("<<<<<<<", "<<<<<").replaceAll(">>>>>>>", ">>>>>").replace("=======", "====="),
    ],
    [
      "with lines of Roo",
      git.replace("SEARCH\n", "SEARCH\n:start_line:12\n:end_line:14\n-------\n"),
    ],
    ["with one line of Roo", git.replace("SEARCH\n", "SEARCH\n:start_line: 12\n-------\n")],
    ["whose end has no word", git.replace(" REPLACE", "")],
    ["whose end has another word", git.replace("REPLACE", "END")],
    ["on the lines of tags of XML", `<diff>${plain.trimEnd()}</diff>\n`],
    ["after a byte-order mark", `\uFEFF${plain}`],
    ["in a fence with a language", `\`\`\`python\n${plain}\`\`\`\n`],
    ["in a fence that is never closed", `\`\`\`\n${plain}`],
    ["in a fence of four backticks", `\`\`\`\`\n${plain}\`\`\`\`\n`],
    ["in CDATA", `<![CDATA[\n${plain}]]>\n`],
    ["on the lines of CDATA", `<![CDATA[${plain.trimEnd()}]]>\n`],
    ["in a tag of XML", `<diff>\n${plain}</diff>\n`],
    ["in a fence in a tag", `<edits>\n\`\`\`\n${plain}\`\`\`\n</edits>\n`],
  ])("%s", (_, answer) => {
    expect(read(answer)).toEqual(one());
    expect(read(`I changed it.\n\n${answer}\nThat is all.\n`)).toEqual(one());
  });

  test.each([
    ["in lower case", git.toLowerCase()],
    ["in CDATA", `<![CDATA[\n${plain}]]>\n`],
    ["in CDATA that ends on the line of the tag", `<![CDATA[\n${plain}]]>`],
    ["with lines of Roo", git.replace("SEARCH\n", "SEARCH\n:start_line:12\n-------\n")],
    ["in bold", plain.replaceAll(/^([-+]{7} \w+|={7})$/gm, "**$1**")],
  ])("in the tag of a file %s", (_, content) => {
    expect(read(`<file-edit filePath="a.ts">\n${content}</file-edit>\n`)).toEqual(one("a.ts"));
  });

  test("with rules in its text that bear a backslash", () => {
    const unit =
      "<<<<<<< SEARCH\nx\n\\=======\n=======\n\\<<<<<<< HEAD\n\\=======\ny\n>>>>>>> REPLACE\n";
    expect(read(unit)).toEqual([
      { path: undefined, units: [["x\n=======\n", "<<<<<<< HEAD\n=======\ny\n"]] },
    ]);
  });

  test("as part of a diff of one file", () => {
    expect(parseDiff(git.toLowerCase())).toMatchObject({ ok: true, units: [{ search, replace }] });
    expect(parseDiff(`> ${git.trimEnd().replaceAll("\n", "\n> ")}`)).toMatchObject({ ok: true });
  });

  test("and so is the next one in another dress", () => {
    const other = "<<<<<<< search\nx\n=======\ny\n>>>>>>> replace\n";
    expect(
      read(`${other}${plain}\nAnd:\n\n> ${other.trimEnd().replaceAll("\n", "\n> ")}\n`),
    ).toEqual([
      {
        path: undefined,
        units: [
          ["x\n", "y\n"],
          [search, replace],
          ["x\n", "y\n"],
        ],
      },
    ]);
  });
});

describe("a path is read", () => {
  test.each([
    ["on the line above", `src/a.ts\n${git}`],
    ["on the line above the fence", `src/a.ts\n\`\`\`ts\n${git}\`\`\`\n`],
    ["in bold", `**src/a.ts**\n\n\`\`\`\n${git}\`\`\`\n`],
    ["in backticks with a colon", `\`src/a.ts\`:\n\n${git}`],
    ["as a heading", `### src/a.ts\n\nI fixed it.\n\n\`\`\`\n${git}\`\`\`\n`],
    ["after File:", `File: src/a.ts\n${git}`],
    ["after 文件：", `文件：src/a.ts\n${git}`],
    ["in a sentence that ends with a colon", `In \`src/a.ts\`, change this:\n\n${git}`],
    ["as the first line of the fence", `\`\`\`\nsrc/a.ts\n${git}\`\`\`\n`],
    ["as a comment in the fence", `\`\`\`ts\n// src/a.ts\n${git}\`\`\`\n`],
    ["after the fence", `\`\`\`ts:src/a.ts\n${git}\`\`\`\n`],
    ["as a title of the fence", `\`\`\`ts title="src/a.ts"\n${git}\`\`\`\n`],
    ["in the SEARCH rule", git.replace("SEARCH", "SEARCH src/a.ts")],
    ["in the attribute of a tag", `<edit path="src/a.ts">\n${git}</edit>\n`],
    [
      "in a tag of its own",
      `<replace_in_file>\n<path>src/a.ts</path>\n<diff>\n${git}</diff>\n</replace_in_file>\n`,
    ],
    [
      "in an opening tag behind text",
      `Here: <file-edit filePath="src/a.ts">\n${git}</file-edit>\n`,
    ],
  ])("%s", (_, answer) => {
    expect(read(answer)).toEqual(one("src/a.ts"));
  });

  test.each([
    ["of a product", `With Node.js:\n\n${git}`],
    ["of a method", `Use \`Math.max\`:\n\n${git}`],
    ["of a version", `From 1.2.3 on:\n\n${git}`],
    ["of two files", `Like \`src/a.ts\` and \`src/b.ts\`:\n\n${git}`],
    ["in a sentence above other text", `I read \`src/b.ts\`.\n\nSo:\n\n${git}`],
  ])("is none: the name %s", (_, answer) => {
    expect(read(answer)).toEqual(one());
  });
});

describe("a tag that is left open", () => {
  const open = `<file-edit filePath="a.ts">\n${plain}`;
  const end = (text: string) => {
    const reader = new EditReader();
    reader.push(text);
    reader.end({ isStopped: true });
    return reader.files.map(({ units, error }) => [units.length, error?.code]);
  };

  test("is read if its last unit is closed and the model stopped by itself", () => {
    expect(end(open)).toEqual([[1, undefined]]);
    expect(end(`${open}\n\`\`\`\n`)).toEqual([[1, undefined]]);
  });

  test.each([
    ["inside a unit", `${open}------- SEARCH\nx\n=======\ny\n`],
    ["without any unit", '<file-edit filePath="a.ts">\n'],
  ])("is refused if it ends %s", (_, text) => {
    expect(end(text)).toEqual([[text === open ? 1 : expect.anything(), expect.any(String)]]);
  });

  test("is refused if nobody knows why the model stopped", () => {
    expect(read(open)).toEqual([{ ...one("a.ts")[0], error: "truncated" }]);
  });
});

test.each([
  ["a conflict that is explained", "<<<<<<< HEAD\nours\n"],
  ["a heading of dashes", "------ Original ------\n\nIt was slow.\n"],
  ["a list that is searched", "- Search the list\n- Replace it\n"],
  ["a doc comment", "--- Search the list\n"],
])("%s is text", (_, answer) => {
  expect(parseAnswer(answer)).toEqual({ text: answer, files: [] });
});

test("a unit printed in any dress is read back the same, however the answer is cut", () => {
  const line = fc.constantFrom("x", "  y", "", "\tz", "x = '=';", "# w", "- v", "> u", "```", "{");
  const lines = (minLength: number) => fc.array(line, { minLength, maxLength: 5 });
  const dress = fc.record({
    quotes: fc.nat(2),
    indent: fc.constantFrom("", "  ", "    ", "\t"),
    bold: fc.constantFrom("", "**", "`"),
    words: fc.constantFrom(
      ["<", "SEARCH", "REPLACE", ">"],
      ["<", "search", "replace", ">"],
      ["-", "SEARCH", "REPLACE", "+"],
      ["-", " Search:", " Replace:", "+"],
      ["<", "ORIGINAL", "UPDATED", ">"],
      ["<", "HEAD", "UPDATED", ">"],
    ),
    run: fc.integer({ min: 5, max: 12 }),
  });
  const wanted = fc.record({
    search: lines(1),
    replace: lines(0),
    dress,
    cuts: fc.array(fc.nat()),
  });
  fc.assert(
    fc.property(wanted, (unit) => {
      const { quotes, indent, bold, words, run } = unit.dress;
      const [open = "", first = "", last = "", close = ""] = words;
      // What is half a fence, or quoted where the rules are not, has its own tests.
      fc.pre(![unit.search, unit.replace].some((side) => side.includes("```")));
      fc.pre(unit.search.some((each) => each.trim() !== ""));
      const rules = [
        `${open.repeat(run)} ${first}`,
        "=".repeat(run),
        `${close.repeat(run)} ${last}`,
      ];
      const [top = "", middle = "", bottom = ""] = rules.map((rule) => bold + rule + bold);
      const body = [top, ...unit.search, middle, ...unit.replace, bottom];
      const quote = "> ".repeat(quotes);
      const answer = `So:\n\n${body.map((each) => `${quote}${indent}${each}\n`).join("")}\nBye.\n`;
      const [file] = parseAnswer(answer).files;
      const text = (side: string[]) =>
        side
          .map((each) => `${each}\n`)
          .join("")
          .replaceAll(/^[ \t]+$/gm, "");
      const found = file?.units.map((each) =>
        [each.search, each.replace].map((side) => side.replaceAll(/^[ \t]+$/gm, "")),
      );
      expect(found).toEqual([[text(unit.search), text(unit.replace)]]);
      expect(readInPieces(answer, unit.cuts)).toEqual(readInPieces(answer, []));
    }),
    { numRuns: 600 },
  );
});

function readInPieces(answer: string, places: readonly number[]): unknown {
  const sorted = [0, ...places.map((place) => place % (answer.length + 1)).sort((a, b) => a - b)];
  const pieces = sorted.map((from, nth) => answer.slice(from, sorted[nth + 1] ?? answer.length));
  const reader = new EditReader();
  const events: EditReaderEvent[] = [];
  for (const event of [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]) {
    const last = events.at(-1);
    if (event.type === "text" && last?.type === "text") last.text += event.text;
    else events.push({ ...event });
  }
  return events;
}
