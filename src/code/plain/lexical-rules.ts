// What is a comment and what a string where no grammar tells: the rules of languages, and the reader that follows them.
import type { Directive, Stretch } from "../directives.ts";
import { c, cpp, go, java, javascript, typescript } from "../languages.ts";

/** All patterns are sticky: they say what begins at a place, and look behind it where they need to. */
export interface LexicalRules {
  /** Language ids of editors, in lower case. */
  ids: readonly string[];
  /** File endings, in lower case, without the dot. */
  endings: readonly string[];
  /** Comments up to the end of the line. */
  lineComment?: RegExp;
  blockComments?: readonly BlockComment[];
  strings: readonly StringRule[];
  /** Where this fits in code, we cannot say what is a comment or a string. */
  doubtful?: RegExp;
  directives?: readonly Directive[];
}

interface BlockComment {
  open: RegExp;
  /** What ends it, by the text that has opened it. */
  close: (opened: string) => string;
  /** Where comments hold others: finds what opens and what closes one. */
  nested?: RegExp;
}

interface StringRule {
  open: RegExp;
  /** What ends it, by the text that has opened it; undefined if that is the whole string already. */
  close?: (opened: string) => RegExp | string;
  /** What is part of the string and does not end it, such as a quote behind a backslash. */
  escape?: RegExp;
  isOneLine?: boolean;
  /** Code inside of it, from one bracket to the other. */
  insertion?: Insertion;
  /** As that of the language, but inside of the string. */
  doubtful?: RegExp;
}

interface Insertion {
  open: RegExp;
  brackets: "{}" | "()";
}

const slashes = /\/\//y;
const block: BlockComment = { open: /\/\*/y, close: () => "*/" };
const nested: BlockComment = { ...block, nested: /\/\*|\*\//g };
const backslash = /\\[^]/y;
const dollarBrace: Insertion = { open: /\$\{/y, brackets: "{}" };
const hashBrace: Insertion = { open: /#\{/y, brackets: "{}" };
const backslashParen: Insertion = { open: /\\\(/y, brackets: "()" };
const dollarParen: Insertion = { open: /\$\(/y, brackets: "()" };
/** `'a'`, while other single quotes are none of a string's. */
const character: StringRule = { open: /'(?:\\u[\da-f]{4}|\\[^\n]|[^\\'\n])'/iuy };
const backticks: StringRule = { open: /`[^`\n]*`/y };
const markup: BlockComment = { open: /<!--/y, close: () => "-->" };
/** An address in CSS that is in no quotes. */
const url: StringRule = { open: /url\([ \t]*(?!["'\s])[^)\n]*\)/iy };
const hereDocument: StringRule = {
  open: /<<[-~]?["']?\w[^\n]*\n/y,
  // oxlint-disable-next-line patterns/no-built-pattern -- a word, which has no signs
  close: (opened) => new RegExp(`^[ \\t]*${/\w+/.exec(opened)?.[0] ?? ""}(?!\\w)`, "my"),
};

/** Here documents, quotes in `${...}`, old substitutions; and a `case` in one, whose `)` has no `(`, or one so long that it may hold it. */
const hardShell =
  /<<(?!<)|`|\$\{[^}\n]*["'`{$\\]|\$\((?=(?:[^)$]|\$(?!\()){500}|(?:[^)$]|\$(?!\()){0,500}\bcase\b)/y;

/** What begins a pattern unless a value is before it, and what looks like JSX. */
const patternOrTag =
  /\/(?![/*])(?:(?<![\w$\]][ \t]*\/)|(?<=\b(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)[ \t]*\/))|<(?<=(?:^|[(=>?:&|,{;!]|\breturn)\s*<)[\p{L}>]/muy;

const likeC = { lineComment: slashes, blockComments: [block] };
const likeCNested = { lineComment: slashes, blockComments: [nested] };

function quoted(open: RegExp, close: RegExp, more: Partial<StringRule> = {}): StringRule {
  return { open, close: () => close, escape: backslash, ...more };
}
const oneLine = quoted(/"/y, /"/y, { isOneLine: true });
const oneLineSingle = quoted(/'/y, /'/y, { isOneLine: true });
const both = [oneLine, oneLineSingle];
const ofLua: Partial<StringRule> = { isOneLine: true, escape: /\\z\s*|\\\r\n|\\[^]/y };

function closeLikeOpen(opened: string): string {
  return opened;
}

/** `[==[` ends with `]==]`. */
function closeBrackets(opened: string): string {
  return opened.replaceAll("[", "]");
}

/** `"--(` ends with `)--"`. */
function closeRaw(opened: string): string {
  const bracket = { "(": ")", "[": "]", "{": "}" }[opened.slice(-1)] ?? "";
  return bracket + opened.slice(1, -1) + opened.charAt(0);
}

/** `~w(` ends with `)`. */
function closeSigil(opened: string): string {
  const sign = opened.replace(/^~[a-zA-Z]+/, "");
  return { "(": ")", "[": "]", "{": "}", "<": ">" }[sign] ?? sign;
}

/**
 * Only languages whose strings and comments can be told apart without their grammar, and exactly. A new
 * one is one more entry. Those that have a grammar are here for texts that are too long for it.
 */
export const lexicalRules: readonly LexicalRules[] = [
  {
    ids: ["kotlin", "kotlinscript"],
    endings: ["kt", "kts"],
    ...likeCNested,
    strings: [
      { open: /"""/y, close: () => /"{3,}/y, insertion: dollarBrace },
      { ...oneLine, insertion: dollarBrace },
      character,
      backticks,
    ],
    doubtful: /\$\$"/y,
  },
  {
    ids: ["swift"],
    endings: ["swift"],
    ...likeCNested,
    strings: [
      quoted(/"""/y, /"""/y, { insertion: backslashParen }),
      { ...oneLine, insertion: backslashParen },
      backticks,
    ],
    // Strings and patterns with signs of their own, and patterns that look like divisions.
    doubtful: /#["/]|\/(?<=[(,=:]\s*\/)(?![/*])/y,
    directives: [{ pattern: /swift-tools-version/, lastLine: 1 }],
  },
  {
    ids: ["scala"],
    endings: ["scala", "sc", "sbt"],
    ...likeCNested,
    strings: [
      { open: /(?<=\w)"""/y, close: () => /"{3,}/y, insertion: dollarBrace },
      { open: /"""/y, close: () => /"{3,}/y },
      { ...oneLine, open: /(?<=\w)"/y, insertion: dollarBrace },
      oneLine,
      character,
      backticks,
    ],
    // XML may hold anything.
    doubtful: /<(?<=(?:^|[\s({=,])<)[\p{L}_!?]/uy,
    directives: [{ pattern: /^\/\/>/ }],
  },
  {
    ids: ["dart"],
    endings: ["dart"],
    ...likeCNested,
    strings: [
      { open: /(?<=(?<![\w$])r)("""|''')/y, close: closeLikeOpen },
      { open: /(?<=(?<![\w$])r)["']/y, close: closeLikeOpen, isOneLine: true },
      quoted(/"""/y, /"""/y, { insertion: dollarBrace }),
      quoted(/'''/y, /'''/y, { insertion: dollarBrace }),
      { ...oneLine, insertion: dollarBrace },
      quoted(/'/y, /'/y, { isOneLine: true, insertion: dollarBrace }),
    ],
    directives: [{ pattern: /^\/\/\s*@dart\b/ }],
  },
  {
    ids: ["objective-c", "objective-cpp", ...c.ids, ...cpp.ids],
    endings: ["mm", ...c.endings, ...cpp.endings],
    ...likeC,
    strings: [
      oneLine,
      oneLineSingle,
      { open: /<(?<=^[ \t]*#[ \t]*(?:import|include)[ \t]*<)[^>\n]*>/my },
    ],
    // Raw strings, digits in groups, and comments that swallow the next line.
    doubtful: /"(?<=\bR")|'(?<=[\da-fA-F]')|\/\/[^\n]*\\\r?$/my,
  },
  {
    ids: ["lua", "luau"],
    endings: ["lua", "luau"],
    lineComment: /--(?!\[=*\[)/y,
    blockComments: [{ open: /--\[=*\[/y, close: (opened) => closeBrackets(opened.slice(2)) }],
    strings: [
      quoted(/"/y, /"/y, ofLua),
      quoted(/'/y, /'/y, ofLua),
      { open: /\[=*\[/y, close: closeBrackets },
    ],
    // Templates of Luau.
    doubtful: /`/y,
    directives: [{ pattern: /^--!/ }],
  },
  {
    ids: ["shellscript", "shell script", "shell", "bash", "sh", "zsh"],
    endings: ["sh", "bash", "zsh"],
    lineComment: /#(?<=(?:^|[\s;&|()<>])#)/my,
    strings: [
      { open: /\\(?:\r\n|[^])/y },
      quoted(/\$'/y, /'/y),
      { open: /'/y, close: () => /'/y },
      { open: /\$\{/y, close: () => /\}/y },
      quoted(/"/y, /"/y, { insertion: dollarParen, doubtful: hardShell }),
    ],
    doubtful: hardShell,
  },
  {
    ids: ["r"],
    endings: ["r"],
    lineComment: /#/y,
    strings: [
      { open: /(?<=(?<![\w.])[rR])["']-*[([{]/y, close: closeRaw },
      quoted(/"/y, /"/y),
      quoted(/'/y, /'/y),
      quoted(/`/y, /`/y),
      { open: /%[^%\n]*%/y },
    ],
  },
  {
    ids: ["zig"],
    endings: ["zig"],
    lineComment: slashes,
    strings: [oneLine, oneLineSingle, { open: /\\\\[^\n]*/y }],
  },
  {
    ids: ["clojure"],
    endings: ["clj", "cljs", "cljc", "edn"],
    lineComment: /;/y,
    strings: [{ open: /\\[^\n]/y }, quoted(/"/y, /"/y)],
  },
  {
    ids: ["sql", "mysql", "pgsql", "plsql", "tsql"],
    endings: ["sql", "psql", "pgsql"],
    lineComment: /--/y,
    blockComments: [nested],
    // A body in dollars is one string, a doubled quote a part of it, and a backslash may be.
    strings: [
      { open: /\$\w*\$/y, close: closeLikeOpen },
      { open: /'/y, close: closeLikeOpen, escape: /''/y, doubtful: /\\['\\]/y },
      { open: /"/y, close: closeLikeOpen, escape: /""/y, doubtful: /\\["\\]/y },
      backticks,
    ],
    // Comments of MySQL, and those that it runs; `a--1` is a difference there.
    doubtful: /#(?![>-])|\/\*!|--(?<=[\w)]--)[\w(]/y,
  },
  {
    ids: ["elixir"],
    endings: ["ex", "exs"],
    lineComment: /#/y,
    blockComments: [
      { open: /@(?:module|type)?doc\s+(?:~S)?"""/y, close: () => '"""' },
      { open: /@(?:module|type)?doc\s+"(?!"")(?:[^"\\\n]|\\.)*(?=")/y, close: () => '"' },
    ],
    strings: [
      { open: /\?(?<=(?<![\w?])\?)(?:\\.|[^\s\\])/uy },
      { open: /~[a-zA-Z]+(?:"""|'''|[[({<|/"'])/y, close: closeSigil, escape: backslash },
      { open: /"""|'''|["']/y, close: closeLikeOpen, escape: backslash, insertion: hashBrace },
    ],
  },
  {
    ids: ["julia"],
    endings: ["jl"],
    lineComment: /#(?!=)/y,
    blockComments: [
      { open: /#=/y, close: () => "=#", nested: /#=|=#/g },
      // A string on lines of its own, with what it documents right below.
      {
        open: /"""(?<=^[ \t]*""")(?=(?:(?!""")[^])*"""\r?\n[ \t]*(?!end\b)[\w@(])/my,
        close: () => '"""',
      },
    ],
    strings: [
      { open: /(?<=(?<!\w)(?:r|raw|b))"(?!"")/y, close: closeLikeOpen, escape: backslash },
      { open: /"""|"/y, close: closeLikeOpen, escape: backslash, insertion: dollarParen },
      // Behind a value it turns a matrix.
      { open: /'(?<![\w)\]}'.]')(?:\\[^'\n]+|\\'|[^'\\\n])'/uy },
      backticks,
    ],
  },
  {
    ids: ["terraform", "hcl"],
    endings: ["tf", "tfvars", "hcl"],
    lineComment: /#|\/\//y,
    blockComments: [block],
    strings: [{ ...oneLine, insertion: dollarBrace }, hereDocument],
    doubtful: /%\{/y,
  },
  { ids: ["css"], endings: ["css"], blockComments: [block], strings: [url, ...both] },
  {
    ids: ["scss", "less"],
    endings: ["scss", "less"],
    ...likeC,
    strings: [url, ...both.map((rule) => ({ ...rule, insertion: hashBrace }))],
  },
  {
    ids: ["glsl", "hlsl", "wgsl", "verilog", "systemverilog"],
    endings: ["glsl", "vert", "frag", "comp", "hlsl", "wgsl", "v", "vh", "sv", "svh"],
    ...likeC,
    strings: [oneLine],
    // Comments that swallow the next line, and quotes that begin no number.
    doubtful: /\/\/[^\n]*\\\r?$|'(?<=[\s(=,]')(?!\d|\{|s?[bodh][\da-f_xz?])/imy,
  },
  {
    ids: ["proto", "proto3", "protobuf", "solidity", "thrift", "jsonc", "json5"],
    endings: ["proto", "sol", "thrift", "jsonc", "json5"],
    ...likeC,
    strings: both,
  },
  {
    ids: ["yaml"],
    endings: ["yaml", "yml"],
    lineComment: /#(?<=(?:^|\s)#)/my,
    strings: [
      // A text of several lines goes as far as lines are as deep as its first one.
      {
        open: /[|>](?<=[:?-][ \t]{1,9}[|>])[-+\d]*[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*\r?\n)*([ \t]+)(?=\S)[^\n]*(?:\n(?:\1[^\n]*|[ \t]*\r?(?=\n|$)))*/y,
      },
      quoted(/"(?<=(?:^|[\s,[{(])")/my, /"/y),
      { open: /'(?<=(?:^|[\s,[{(])')/my, close: closeLikeOpen, escape: /''/y },
    ],
  },
  {
    ids: ["toml"],
    endings: ["toml"],
    lineComment: /#/y,
    strings: [
      { open: /'''|'/y, close: closeLikeOpen },
      { open: /"""|"/y, close: closeLikeOpen, escape: backslash },
    ],
  },
  {
    ids: ["ini", "properties", "dotenv"],
    endings: ["ini", "cfg", "properties", "env"],
    lineComment: /[#;](?<=^[ \t]*[#;])/my,
    strings: [],
  },
  {
    ids: ["dockerfile"],
    endings: ["dockerfile"],
    lineComment: /#(?<=^[ \t]*#)/my,
    strings: [hereDocument],
    directives: [{ pattern: /^#\s*(?:syntax|escape|check)\s*=/ }],
  },
  {
    ids: ["makefile"],
    endings: ["makefile", "mk"],
    lineComment: /#(?<=^ *#)/my,
    strings: [{ open: /define\b(?<=^ *define)/my, close: () => /^ *endef\b/my }],
  },
  {
    ids: ["gdscript"],
    endings: ["gd"],
    lineComment: /#/y,
    strings: [quoted(/"""/y, /"""/y), quoted(/'''/y, /'''/y), ...both],
  },
  {
    ids: ["powershell"],
    endings: ["ps1", "psm1", "psd1"],
    lineComment: /#(?<=(?:^|[\s;(){}|,])#)/my,
    blockComments: [{ open: /<#/y, close: () => "#>" }],
    strings: [
      { open: /@"[ \t]*\r?\n/y, close: () => /^"@/my, insertion: dollarParen },
      { open: /@'[ \t]*\r?\n/y, close: () => /^'@/my },
      { open: /"/y, close: closeLikeOpen, escape: /`[^]|""/y, insertion: dollarParen },
      { open: /'/y, close: closeLikeOpen, escape: /''/y },
    ],
    doubtful: /`#/y,
  },
  {
    ids: ["html", "xml"],
    endings: ["html", "htm", "xml"],
    blockComments: [markup],
    strings: [
      {
        open: /<(?:script|style|pre|textarea)\b/iy,
        // oxlint-disable-next-line patterns/no-built-pattern -- one of these names
        close: (opened) => new RegExp(`</${opened.slice(1)}\\b`, "iy"),
      },
    ],
    directives: [{ pattern: /^<!--(?:\[|#|<!\[)/ }],
  },
  {
    ids: ["vue", "svelte"],
    endings: ["vue", "svelte"],
    // Elsewhere the signs may be text of the page.
    lineComment: /\/\/(?<=^[ \t]*\/\/)/my,
    blockComments: [block, markup],
    strings: [quoted(/"/y, /"/y), oneLineSingle, quoted(/`/y, /`/y, { insertion: dollarBrace })],
  },
  {
    ...java,
    ...likeC,
    strings: [quoted(/"""/y, /"""/y), oneLine, oneLineSingle],
    // Escapes may mean quotes.
    doubtful: /\\u/y,
  },
  {
    ...go,
    ...likeC,
    strings: [oneLine, oneLineSingle, { open: /`/y, close: () => /`/y }],
  },
  {
    ...javascript,
    ids: [...javascript.ids, ...typescript.ids],
    endings: [...javascript.endings, ...typescript.endings],
    ...likeC,
    strings: [oneLine, oneLineSingle, quoted(/`/y, /`/y, { insertion: dollarBrace })],
    doubtful: patternOrTag,
  },
];

/** What a lexer finds; in the order of the text. */
interface Lexemes {
  /** Also those inside of code that a string holds. */
  comments: Stretch[];
  /** The outermost ones. */
  strings: Stretch[];
}

/**
 * Finds comments and strings without a grammar.
 *
 * @returns undefined if the text cannot be read for certain: doubtful signs, strings that never end
 */
export function findLexemes(text: string, rules: LexicalRules): Lexemes | undefined {
  const lexer = new Lexer(text, rules);
  return lexer.run() ? lexer : undefined;
}

interface Frame {
  rule: StringRule;
  start: number;
  end: RegExp | string;
  /** Brackets that are open in the code inside of the string; undefined while the string itself is read. */
  depth: number | undefined;
}

class Lexer implements Lexemes {
  readonly comments: Stretch[] = [];
  readonly strings: Stretch[] = [];
  readonly #text: string;
  readonly #rules: LexicalRules;
  /** Strings around the place, the outermost first. */
  readonly #frames: Frame[] = [];
  #at = 0;

  constructor(text: string, rules: LexicalRules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Whether all could be read. */
  run(): boolean {
    while (this.#at < this.#text.length) {
      const frame = this.#frames.at(-1);
      const isRead =
        frame !== undefined && frame.depth === undefined
          ? this.#readString(frame)
          : this.#readCode(frame);
      if (!isRead) return false;
    }
    return this.#frames.length === 0;
  }

  #readString(frame: Frame): boolean {
    const { rule, end } = frame;
    if (this.#take(rule.doubtful) !== undefined) return false;
    if (this.#take(rule.insertion?.open) !== undefined) frame.depth = 0;
    else if (this.#take(rule.escape) === undefined) {
      if (this.#take(end) !== undefined) this.#close(frame);
      else if (rule.isOneLine === true && this.#text[this.#at] === "\n") return false;
      else this.#skip();
    }
    return true;
  }

  #close({ start }: Frame): void {
    this.#frames.pop();
    if (this.#frames.length === 0) this.strings.push([start, this.#at]);
  }

  #readCode(frame: Frame | undefined): boolean {
    const { doubtful, lineComment } = this.#rules;
    const start = this.#at;
    if (this.#take(doubtful) !== undefined) return false;
    if (this.#take(lineComment) !== undefined) {
      this.#take(/[^\n]*/y);
      if (this.#text[this.#at - 1] === "\r") this.#at--;
      this.comments.push([start, this.#at]);
      return true;
    }
    const isBlock = this.#readBlock(start);
    if (isBlock !== undefined) return isBlock;
    if (this.#openString(start)) return true;
    if (frame !== undefined) this.#countBracket(frame);
    this.#skip();
    return true;
  }

  #openString(start: number): boolean {
    for (const rule of this.#rules.strings) {
      const opened = this.#take(rule.open);
      if (opened === undefined) continue;
      if (rule.close !== undefined)
        this.#frames.push({ rule, start, end: rule.close(opened), depth: undefined });
      else if (this.#frames.length === 0) this.strings.push([start, this.#at]);
      return true;
    }
    return false;
  }

  /** False if it does not end, undefined if there is none. */
  #readBlock(start: number): boolean | undefined {
    for (const { open, close, nested: pair } of this.#rules.blockComments ?? []) {
      const opened = this.#take(open);
      if (opened === undefined) continue;
      const end = pair === undefined ? this.#find(close(opened)) : this.#findPair(pair, opened);
      if (end === undefined) return false;
      this.#at = end;
      this.comments.push([start, end]);
      return true;
    }
    return undefined;
  }

  /** Where the text goes on behind some words. */
  #find(words: string): number | undefined {
    const at = this.#text.indexOf(words, this.#at);
    return at === -1 ? undefined : at + words.length;
  }

  #findPair(signs: RegExp, open: string): number | undefined {
    let depth = 1;
    signs.lastIndex = this.#at;
    for (let sign = signs.exec(this.#text); sign !== null; sign = signs.exec(this.#text)) {
      depth += sign[0] === open ? 1 : -1;
      if (depth === 0) return signs.lastIndex;
    }
    return undefined;
  }

  #countBracket(frame: Frame): void {
    const [open, close] = frame.rule.insertion?.brackets ?? "";
    const sign = this.#text[this.#at];
    if (sign === open) frame.depth = (frame.depth ?? 0) + 1;
    // The bracket that belongs to the string leads back into it.
    else if (sign === close) frame.depth = frame.depth === 0 ? undefined : (frame.depth ?? 0) - 1;
  }

  /** Goes on behind a pattern, or behind words, if they fit here. */
  #take(pattern: RegExp | string | undefined): string | undefined {
    if (pattern === undefined) return undefined;
    if (typeof pattern === "string") {
      if (!this.#text.startsWith(pattern, this.#at)) return undefined;
      this.#at += pattern.length;
      return pattern;
    }
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** A word, or one character. */
  #skip(): void {
    this.#take(/[\p{L}\p{N}_]+|[^]/uy);
  }
}
