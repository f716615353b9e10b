// Source files that nobody writes: what makes parsers and those who read their trees slow. Nothing here
// comes from node:, so that it runs anywhere.

export interface HostileFile {
  path: string;
  language: string;
  text: string;
}

interface Dialect {
  language: string;
  ending: string;
  lineComment: string;
  /** What opens a comment, a string, a text of several lines. */
  openers: readonly string[];
  /** `NAME` is replaced. */
  symbol: string;
  nesting: readonly (readonly [open: string, close: string])[];
  chain: string;
  head: string;
}

const braces: readonly (readonly [string, string])[] = [
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
];
const ofC = { lineComment: "//", openers: ["/*", '"', "'"], chain: "if (a) { b(); } else " };

const dialects: readonly Dialect[] = [
  script("javascript", "js", []),
  script("typescript", "ts", [
    ["a<", ">"],
    ["type A = {a: ", "}"],
  ]),
  script("typescriptreact", "tsx", [
    ["<a>", "</a>"],
    ["<A b={", "}/>"],
  ]),
  {
    language: "python",
    ending: "py",
    lineComment: "#",
    openers: ['"""', "'''", '"', "f'{", "\\"],
    symbol: "def NAME(a, b=1): return a if b else NAME\n",
    nesting: [...braces, ["lambda a: ", ""], ["if a:\n ", ""], ["[a for a in ", "]"]],
    chain: "if a:\n  b()\nelse:\n ",
    head: "",
  },
  {
    ...ofC,
    language: "go",
    ending: "go",
    openers: [...ofC.openers, "`"],
    symbol: "func NAME(a int) int { return a }\n",
    nesting: [...braces, ["func() { ", "}"], ["map[string]", ""], ["A[", "]"]],
    head: "package a\n",
  },
  {
    ...ofC,
    language: "java",
    ending: "java",
    openers: [...ofC.openers, '"""', "\\u0022"],
    symbol: "class NAME { int a(int b) { return b; } }\n",
    nesting: [...braces, ["class A { ", "}"], ["a<", ">"], ["(A) ", ""], ["a -> ", ""]],
    head: "",
  },
  {
    ...ofC,
    language: "rust",
    ending: "rs",
    openers: [...ofC.openers, 'r#"', "/*/*"],
    symbol: "fn NAME(a: u8) -> u8 { a }\n",
    nesting: [...braces, ["mod a { ", "}"], ["A<", ">"], ["&'a ", ""], ["|a| ", ""], ["m!{", "}"]],
    head: "",
  },
  {
    ...ofC,
    language: "c",
    ending: "c",
    symbol: "int NAME(int a) { return a; }\n",
    nesting: [...braces, ["(*", ")"], ["struct a { ", "}"], ["#if a\n", "\n#endif\n"]],
    head: "",
  },
  {
    ...ofC,
    language: "cpp",
    ending: "cpp",
    openers: [...ofC.openers, 'R"a('],
    symbol: "template <class T> int NAME(T a) { return a; }\n",
    nesting: [...braces, ["a<", ">"], ["namespace a { ", "}"], ["[&]{ ", "}"], ["(a)", ""]],
    head: "",
  },
  {
    ...ofC,
    language: "csharp",
    ending: "cs",
    openers: [...ofC.openers, '@"', '$"{', '"""'],
    symbol: "class NAME { int A(int b) => b; }\n",
    nesting: [...braces, ["class A { ", "}"], ["a<", ">"], ["() => ", ""], ["a ? b : ", ""]],
    head: "",
  },
  {
    language: "ruby",
    ending: "rb",
    lineComment: "#",
    openers: ["=begin\n", '"#{', "'", "%w(", "<<~A\n", "/", ":'"],
    symbol: "def NAME(a) = a\n",
    nesting: [...braces, ["module A\n", "end\n"], ["a do |b|\n", "end\n"], ["->{ ", "}"]],
    chain: "if a\n b\nelse\n ",
    head: "",
  },
  {
    ...ofC,
    language: "php",
    ending: "php",
    openers: [...ofC.openers, "<<<A\n", "?>", "#["],
    symbol: "function NAME($a) { return $a; }\n",
    nesting: [...braces, ["fn($a) => ", ""], ["function() { ", "}"], ["$$", ""], ["<?php {", "}"]],
    head: "<?php\n",
  },
];

function script(
  language: string,
  ending: string,
  nesting: readonly (readonly [string, string])[],
): Dialect {
  return {
    ...ofC,
    language,
    ending,
    openers: [...ofC.openers, "`${", "`", "/", "<!--"],
    symbol: "function NAME(a, b = 1) { return a && b; }\n",
    nesting: [
      ...braces,
      ...nesting,
      ["() => ", ""],
      ["a ? b : ", ""],
      ["async function a() { ", "}"],
    ],
    head: "",
  };
}

const soup =
  "{ } ( ) [ ] < > ; : , . # / * \" ' ` = + & | ? ! @ $ \\ \n \r \t 0 1e 0x a b _ 中 😀 => -> :: ... " +
  "/* */ // /** if else for while class def fn func end return case match let const type enum \u2028 \uFEFF";

type Random = () => number;
type Write = (dialect: Dialect, length: number, random: Random) => string;

const kinds: readonly Write[] = [
  function nestDeeply({ nesting }, length, random) {
    const [open, close] = pick(nesting, random);
    const levels = Math.ceil(length / (open.length + close.length));
    const isClosed = random() < 0.5;
    return open.repeat(levels) + (isClosed ? `a${close.repeat(levels)}` : "");
  },
  function nestMixed({ nesting }, length, random) {
    let text = "";
    while (text.length < length) text += pick(nesting, random)[random() < 0.8 ? 0 : 1];
    return text;
  },
  function repeatGeneric(_, length, random) {
    const words = ["a<", "a<b,", "(a)<", "a[", "a::<", "a < b > (", "new a<", "<a>(", "a?.<"];
    return repeat(pick(words, random), length);
  },
  function openNeverClose({ openers, symbol }, length, random) {
    const before = repeat(symbol.replaceAll("NAME", "a"), Math.floor(length * random()));
    return before + pick(openers, random) + repeat("a b\n", length - before.length);
  },
  function openOften({ openers }, length, random) {
    return repeat(pick(openers, random) + pick(["", " ", "a", "\n", "\\"], random), length);
  },
  function writeLongLine({ symbol }, length, random) {
    const line = symbol.replaceAll("\n", " ");
    return repeat(pick([line, "a ", "a,", "a+", " ", "a.", "!", "a;"], random), length);
  },
  function declareMany({ symbol }, length) {
    let text = "";
    for (let nth = 0; text.length < length; nth++) text += symbol.replaceAll("NAME", `n${nth}`);
    return text;
  },
  function commentMuch({ lineComment, symbol }, length, random) {
    const line = `${lineComment}${pick(["", " a", "!", "/", " @a"], random)}\n`;
    return repeat(line, length) + symbol.replaceAll("NAME", "a");
  },
  function chainBranches({ chain }, length) {
    return repeat(chain, length);
  },
  function mixTokens(_, length, random) {
    const words = soup.split(" ");
    let text = "";
    while (text.length < length) text += pick(words, random) + (random() < 0.3 ? " " : "");
    return text;
  },
  function breakLines(_, length, random) {
    return repeat(pick(["\n", "\r", "\r\n", " \n", "\t\n", "\\\n", "\n\n}"], random), length);
  },
  function breakFile({ symbol }, length, random) {
    let text = "";
    for (let nth = 0; text.length < length; nth++) {
      const line = symbol.replaceAll("NAME", `n${nth}`);
      const at = Math.floor(random() * line.length);
      text += line.slice(0, at) + pick(soup.split(" "), random) + line.slice(at);
    }
    return text;
  },
];

const longest = 300_000;

/**
 * A hostile file, up to 300,000 characters and mostly far shorter, in one of the twelve languages that have
 * a grammar. The same numbers make the same file.
 *
 * @param random gives numbers from 0, and below 1
 */
export function createHostileFile(random: Random): HostileFile {
  const dialect = pick(dialects, random);
  const write = pick(kinds, random);
  // As many of ten as of a hundred thousand.
  const length = Math.ceil(longest ** (0.3 + 0.7 * random()));
  const { language, ending, head } = dialect;
  const text = head + write(dialect, length, random).slice(0, length);
  return { path: `src/hostile.${ending}`, language, text };
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
}

function repeat(words: string, length: number): string {
  return words.repeat(Math.ceil(Math.max(0, length) / words.length));
}
