import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bareCode, isSameCode } from "../../src/code/same-code.ts";
import type { Stretch } from "../../src/code/directives.ts";
import {
  type LexicalRules,
  findLexemes,
  lexicalRules,
} from "../../src/code/plain/lexical-rules.ts";
import { lexicalRulesOf } from "../../src/code/language-of.ts";
import { analyzeFixture, parser, readText } from "./read-fixture.ts";

function rulesOf(id: string): LexicalRules {
  const found = lexicalRules.find(({ ids }) => ids.includes(id));
  if (found === undefined) throw new Error(`There is no language "${id}".`);
  return found;
}

/** The text with `~` for what is in comments, and `.` for what is in strings. */
function mark(id: string, text: string): string | undefined {
  const found = findLexemes(text, rulesOf(id));
  if (found === undefined) return undefined;
  const marks = [
    ...found.strings.map((at) => [at, "."] as const),
    ...found.comments.map((at) => [at, "~"] as const),
  ];
  return marks.reduce((marked, [[start, end], sign]) => {
    const words = marked.slice(start, end).replace(/[^\n]/g, sign);
    return marked.slice(0, start) + words + marked.slice(end);
  }, text);
}

test.each([
  ["kotlin", "/* retries */ val n = 3 // three", "~~~~~~~~~~~~~ val n = 3 ~~~~~~~~"],
  ["kotlin", "/* a /* b */ c */ d()", "~~~~~~~~~~~~~~~~~ d()"],
  ["kotlin", 'f("http://a", \'"\') // b', "f(.........., ...) ~~~~"],
  ["kotlin", '"${g("}//")}" /* a */', "............. ~~~~~~~"],
  ["kotlin", '"${a /* b */}//" - c', ".....~~~~~~~.... - c"],
  ["kotlin", '"""a "// b"""" // c', ".............. ~~~~"],
  ["kotlin", "`a // b`()", "........()"],
  ["kotlin", "--count\n#a", "--count\n#a"],
  ["swift", '"\\(f("//")) /*" // a', "............... ~~~~"],
  ["swift", '"""\na "// b\n""" // c', "...\n.......\n... ~~~~"],
  ["scala", "val a = 'b /* c */ + '\"' // d", "val a = 'b ~~~~~~~ + ... ~~~~"],
  ["scala", 's"${a("b")} //" + "${" // c', "s.............. + .... ~~~~"],
  ["dart", "r'\\' + 'a\\'//' // b", "r... + ....... ~~~~"],
  ["dart", "'''a ${b('''//''')}''' // c", "...................... ~~~~"],
  ["objective-c", '#import "a//b" // c', "#import ...... ~~~~"],
  ["objective-c", "#import <a//b.h>\n#pragma mark - a", "#import ........\n#pragma mark - a"],
  ["objective-c", '@"a /* b" /* c */;', "@........ ~~~~~~~;"],
  ["lua", "a = b -- c\n--[==[ d ]] --\n]==] e()", "a = b ~~~~\n~~~~~~~~~~~~~~\n~~~~ e()"],
  ["lua", "a = [[ -- b ]] .. '--' -- c", "a = .......... .. .... ~~~~"],
  ["lua", "a = 'b\\z\n  --' c()", "a = ....\n..... c()"],
  ["shellscript", "a#b # c\n# d\n'# e'", "a#b ~~~\n~~~\n....."],
  ["shellscript", 'a "$(b "#" # c\n)#" $# ${#a} \\# d', "a .........~~~\n... $# ..... .. d"],
  ["r", 'r"---(a ) # "b)---" %#% \'#\' # c', "r.................. ... ... ~~~"],
  ["zig", "a = \\\\ // b\n; // c", "a = .......\n; ~~~~"],
  ["clojure", '(a \\" \\; "; b") ; c', "(a .. .. .....) ~~~"],
  ["typescript", "a / b // c\n`${d /* e */}//` + '\\'//'", "a / b ~~~~\n.....~~~~~~~.... + ......"],
  ["sql", "a '--' || 'it''s' -- b\n/* c /* d */ */ e", "a .... || ....... ~~~~\n~~~~~~~~~~~~~~~ e"],
  ["sql", 'as $$ -- a\n\'b $$ language "--c" -- d', "as .......\n..... language ..... ~~~~"],
  [
    "elixir",
    '@doc """\n# a\n"""\ndef b(?", ?#), do: "#{c("#")}#" # d',
    "~~~~~~~~\n~~~\n~~~\ndef b(.., ..), do: ............ ~~~",
  ],
  [
    "elixir",
    '@moduledoc "a # \\"b"\n@x ~w(# b) ++ ~r/#\\// # c',
    "~~~~~~~~~~~~~~~~~~~~\n@x ....... ++ ....... ~~~",
  ],
  [
    "julia",
    '"""\n  a(b)\n"""\na(b) = "#$(c("#"))" # d',
    "~~~\n~~~~~~\n~~~\na(b) = ............ ~~~",
  ],
  ["julia", "a' * [1 2]' + '\"' #= b #= c =# =# d", "a' * [1 2]' + ... ~~~~~~~~~~~~~~~ d"],
  ["julia", 'f() = begin\n"""\n# a\n"""\nend # b', "f() = begin\n...\n...\n...\nend ~~~"],
  ["css", "a{b:'/* c */'} /* url(d) */", "a{b:.........} ~~~~~~~~~~~~"],
  ["scss", 'a { b: url(http://c/d) } // e "f', "a { b: ............... } ~~~~~~~"],
  ["glsl", "a /* b */ + c; // d's", "a ~~~~~~~ + c; ~~~~~~"],
  ["verilog", "a <= 2'd0; // b", "a <= 2'd0; ~~~~"],
  ["proto", "a = 'http://b'; // c", "a = ..........; ~~~~"],
  [
    "yaml",
    "a: b#c # d\ne: 'f # ''g' # h\ni: don't # j",
    "a: b#c ~~~\ne: ......... ~~~\ni: don't ~~~",
  ],
  [
    "yaml",
    "- a: | # b\n    c # d\n\n    # e\n  f: g # h",
    "- a: .....\n.........\n\n.......\n  f: g ~~~",
  ],
  ["toml", "a = \"b # c\" # d\ne = 'f\\' # g", "a = ....... ~~~\ne = .... ~~~"],
  ["ini", "a = b # c\n; d\n  # e", "a = b # c\n~~~\n  ~~~"],
  ["dockerfile", "RUN a # b\n# c\nRUN <<A\n# d\nA\n# e", "RUN a # b\n~~~\nRUN ...\n...\n.\n~~~"],
  [
    "makefile",
    "a: b # c\n# d\n\te # f\ndefine g\n# h\nendef",
    "a: b # c\n~~~\n\te # f\n........\n...\n.....",
  ],
  ["gdscript", "a = \"#b\" # c\nd = '''\n# e'''", "a = .... ~~~\nd = ...\n......"],
  ["powershell", '<# a #> b "$(c "#") # d" # e', "~~~~~~~ b .............. ~~~"],
  ["powershell", "@'\n# a\n'@ # b", "..\n...\n.. ~~~"],
  ["html", "<a> <!-- b --> <script>'<!--'</script>", "<a> ~~~~~~~~~~ ......................>"],
  [
    "vue",
    "<a :b=\"'//'\"/> <!-- c -->\n  // d\nf('//e') // g",
    "<a :b=....../> ~~~~~~~~~~\n  ~~~~\nf(.....) // g",
  ],
  ["terraform", "a = <<-EOT\n  # b\n  EOT\n# c", "a = ......\n.....\n.....\n~~~"],
  [
    "terraform",
    'a = "#${b["//"]}//" # c\nd = 1 // e /* f',
    "a = ............... ~~~\nd = 1 ~~~~~~~~~",
  ],
])("in %s, strings and comments are told from code: %s", (id, text, marked) => {
  expect(mark(id, text)).toBe(marked);
});

test.each(["cart.c", "cart.go", "Cart.java", "cart.ts"])(
  "in %s the same comments are found as by the grammar",
  async (name) => {
    const text = readText(name);
    const { offsets, source } = await analyzeFixture(name);
    const rules = lexicalRulesOf(undefined, name);
    expect(rules && findLexemes(text, rules)?.comments).toEqual(
      Array.from({ length: offsets.comments.count }, (_, nth) => [
        offsets.comments.start(nth),
        source.offsetsOf(source.rangeOf(offsets.comments.start(nth), offsets.comments.end(nth)))[1],
      ]),
    );
  },
);

test.each([
  ["typescript", "a = b / /c'/.d"],
  ["typescript", "if (a) /'/.b()"],
  ["javascript", "return /'/"],
  ["javascript", "a = <b>don't // c</b>"],
  ["c", "a = 1'000;"],
  ["java", 'a = "\\" + \\u0022'],
  ["kotlin", 'val a = "b'],
  ["kotlin", "/* a /* b */"],
  ["kotlin", '$$"a"'],
  ["swift", '#"a"#'],
  ["swift", "a = /[/*]/"],
  ["scala", "val a = <b>http://c</b>"],
  ["objective-c", "// a \\\nb();"],
  ["lua", "a = `{b}`"],
  ["shellscript", "cat <<A\n# b\nA"],
  ["shellscript", 'a "${b:-"c # d"}"'],
  ["shellscript", 'a "$(case b in c) d;; esac)"'],
  ["sql", "select 'a\\' -- b'"],
  ["sql", "select 1 # a"],
  ["sql", "select a--1"],
  ["terraform", "a = <<EOT\n# b"],
  ["terraform", "%{ if b }"],
  ["verilog", "a = 'b // c'"],
  ["yaml", 'a: "b # c'],
  ["vue", "<p>don't</p>"],
])("in %s, what cannot be read for certain is not read: %s", (id, text) => {
  expect(findLexemes(text, rulesOf(id))).toBeUndefined();
});

test("whatever the text, comments and strings come in order and inside of it", () => {
  const sign = fc.constantFrom(..."/*-#'\"`$\\{}()[]%;~<\n \r".split(""), '"""', "a", "r", "说😀");
  fc.assert(
    fc.property(fc.array(sign), fc.constantFrom(...lexicalRules), (signs, rules) => {
      const text = signs.join("");
      const { comments = [], strings = [] } = findLexemes(text, rules) ?? {};
      for (const found of [comments, strings]) {
        const offsets = found.flatMap((at: Stretch) => [...at]);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
        expect(offsets.at(-1) ?? 0).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 1000 },
  );
});

test("text that nests deeply or repeats a lot is no danger", () => {
  const kotlin = (text: string): unknown => findLexemes(text, rulesOf("kotlin"));
  const many = 100_000;
  const nested = "/*".repeat(many) + "*/".repeat(many);
  expect(kotlin(nested)).toMatchObject({ comments: [[0, nested.length]], strings: [] });
  const inserted = '"${'.repeat(many) + '}"'.repeat(many);
  expect(kotlin(inserted)).toMatchObject({ comments: [], strings: [[0, inserted.length]] });
  expect(kotlin("/*".repeat(many))).toBeUndefined();
  expect(kotlin('"${'.repeat(many))).toBeUndefined();
});

async function same(language: string, before: string, after: string): Promise<boolean> {
  const [was, is] = await Promise.all(
    [before, after].map((text) => parser.analyze(text, language)),
  );
  if (was?.areCommentsKnown !== true || is?.areCommentsKnown !== true)
    throw new Error(`Comments of ${language} are not known.`);
  return isSameCode(bareCode(was), bareCode(is));
}

test.each([
  ["kotlin", "fun a() = 1\n", "/**\n * One.\n */\nfun a() = 1 // a\n"],
  ["kotlin", "/* retries */ val n = 3\n", "/* how often */ val n = 3\n"],
  ["Kotlin", "f(1)\n", "f(/* one */ 1)\n"],
  ["swift", "// swift-tools-version:5.9\nf()\n", "// swift-tools-version:5.9\n// f\nf()\n"],
  ["lua", "f()\n", "--- Calls.\nf()\n"],
  ["shellscript", "#!/bin/sh\nf\n", "#!/bin/sh\n# Calls.\nf\n"],
  ["elixir", "def a, do: 1\n", '@doc """\nOne.\n\nTwo.\n"""\ndef a, do: 1\n'],
  ["julia", "a() = 1\n", '"""\n  a()\n\nOne.\n"""\na() = 1\n'],
  ["julia", "a() = 1\n", "#= One.\nTwo. =#\na() = 1\n"],
  [
    "sql",
    "create function a() as $$ b $$;\n",
    "-- One.\n/* Two.\n*/\ncreate function a() as $$ b $$;\n",
  ],
])("in %s a comment is no code", async (language, before, after) => {
  expect(await same(language, before, after)).toBe(true);
});

test.each([
  ["kotlin", "/* retries */ val n = 3\n", "/* retries */ val n = 3000; deleteAll()\n"],
  ["kotlin", "var a = b\n--count\n", "var a = b\n"],
  ["kotlin", 'val a = """\n\n// b"""\n', 'val a = """\n// b"""\n'],
  ["kotlin", "a + b\n", "a+/* b */b\n"],
  ["objective-c", '#import "Foo.h"\n', '#import "Evil.h"\n'],
  ["swift", "// swift-tools-version:5.9\nf()\n", "// swift-tools-version:6.0\nf()\n"],
  ["lua", "--!native\nf()\n", "f()\n"],
  ["shellscript", "#!/bin/sh\nf\n", "#!/bin/bash\nf\n"],
  ["shellscript", "f \\\n  g\n", "f \\\n  # h\n  g\n"],
  ["elixir", '@a """\nOne.\n"""\n', '@a """\nTwo.\n"""\n'],
  ["julia", 'f() = begin\n"""\none\n"""\nend\n', 'f() = begin\n"""\ntwo\n"""\nend\n'],
  ["sql", "select $$ -- a $$;\n", "select $$ -- b $$;\n"],
])("in %s code is no comment", async (language, before, after) => {
  expect(await same(language, before, after)).toBe(false);
});

test.each(["groovy", "haskell", "sql", "plaintext", ""])(
  "in %j nothing passes for a comment",
  async (language) => {
    const { areCommentsKnown, offsets, symbols } = await parser.analyze(
      "// A.\nclass Cart {\n}\n-- a\n# b\n",
      language,
    );
    expect([areCommentsKnown, offsets.comments.count]).toEqual([false, 0]);
    // The outline may guess.
    expect(symbols[0]?.docComment).toMatchObject({ startLine: 1, endLine: 1 });
  },
);
