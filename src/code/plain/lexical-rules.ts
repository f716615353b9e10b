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
  blockComments?: readonly StretchRule[];
  strings: readonly StretchRule[];
  /** Where this fits in code, we cannot say what is a comment or a string. */
  doubtful?: RegExp;
  directives?: readonly Directive[];
}

/** A string or a comment. */
interface StretchRule {
  open: RegExp;
  /** What ends it, by the text that has opened it; undefined if that is the whole string already. */
  close?: (opened: string) => RegExp | string;
  /** What is part of it and does not end it, such as a quote behind a backslash. */
  escape?: RegExp;
  isOneLine?: boolean;
  /** It may hold others of its kind. */
  isNested?: boolean;
  /** Code inside of it, from one bracket to the other. */
  insertion?: Insertion;
  /** As that of the language, but inside of it. */
  doubtful?: RegExp;
}

interface Insertion {
  open: RegExp;
  brackets: "{}" | "()";
}

const slashes = /\/\//y;
const block: StretchRule = { open: /\/\*/y, close: () => "*/" };
const nested: StretchRule = { ...block, isNested: true };
const backslash = /\\[^]/y;
const dollarBrace: Insertion = { open: /\$\{/y, brackets: "{}" };
const hashBrace: Insertion = { open: /#\{/y, brackets: "{}" };
const backslashParen: Insertion = { open: /\\\(/y, brackets: "()" };
const dollarParen: Insertion = { open: /\$\(/y, brackets: "()" };
/** `'a'`, while other single quotes are none of a string's. */
const character: StretchRule = { open: /'(?:\\u[\da-f]{4}|\\[^\n]|[^\\'\n])'/iuy };
const backticks: StretchRule = { open: /`[^`\n]*`/y };
const markup: StretchRule = { open: /<!--/y, close: () => "-->" };
/** An address in CSS that is in no quotes. */
const url: StretchRule = { open: /url\([ \t]*(?!["'\s])[^)\n]*\)/iy };
const hereDocument: StretchRule = {
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

function quoted(open: RegExp, more: Partial<StretchRule> = {}): StretchRule {
  return { open, close: closeLikeOpen, escape: backslash, ...more };
}
const oneLine = quoted(/"/y, { isOneLine: true });
const eitherLine = quoted(/["']/y, { isOneLine: true });

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
      quoted(/"""/y, { insertion: backslashParen }),
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
      quoted(/"""|'''/y, { insertion: dollarBrace }),
      { ...eitherLine, insertion: dollarBrace },
    ],
    directives: [{ pattern: /^\/\/\s*@dart\b/ }],
  },
  {
    ids: ["objective-c", "objective-cpp", ...c.ids, ...cpp.ids],
    endings: ["mm", ...c.endings, ...cpp.endings],
    ...likeC,
    strings: [eitherLine, { open: /<(?<=^[ \t]*#[ \t]*(?:import|include)[ \t]*<)[^>\n]*>/my }],
    // Raw strings, digits in groups, and comments that swallow the next line.
    doubtful: /"(?<=\bR")|'(?<=[\da-fA-F]')|\/\/[^\n]*\\\r?$/my,
  },
  {
    ids: ["lua", "luau"],
    endings: ["lua", "luau"],
    lineComment: /--(?!\[=*\[)/y,
    blockComments: [{ open: /--\[=*\[/y, close: (opened) => closeBrackets(opened.slice(2)) }],
    strings: [
      { ...eitherLine, escape: /\\z\s*|\\\r\n|\\[^]/y },
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
      quoted(/\$'/y, { close: () => "'" }),
      { open: /'/y, close: closeLikeOpen },
      { open: /\$\{/y, close: () => /\}/y },
      quoted(/"/y, { insertion: dollarParen, doubtful: hardShell }),
    ],
    doubtful: hardShell,
  },
  {
    ids: ["r"],
    endings: ["r"],
    lineComment: /#/y,
    strings: [
      { open: /(?<=(?<![\w.])[rR])["']-*[([{]/y, close: closeRaw },
      quoted(/["'`]/y),
      { open: /%[^%\n]*%/y },
    ],
  },
  {
    ids: ["zig"],
    endings: ["zig"],
    lineComment: slashes,
    strings: [eitherLine, { open: /\\\\[^\n]*/y }],
  },
  {
    ids: ["clojure"],
    endings: ["clj", "cljs", "cljc", "edn"],
    lineComment: /;/y,
    strings: [{ open: /\\[^\n]/y }, quoted(/"/y)],
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
      quoted(/"""|'''|["']/y, { insertion: hashBrace }),
    ],
  },
  {
    ids: ["julia"],
    endings: ["jl"],
    lineComment: /#(?!=)/y,
    blockComments: [
      { open: /#=/y, close: () => "=#", isNested: true },
      // A string on lines of its own, with what it documents right below.
      {
        open: /"""(?<=^[ \t]*""")(?=(?:(?!""")[^])*"""\r?\n[ \t]*(?!end\b)[\w@(])/my,
        close: () => '"""',
      },
    ],
    strings: [
      quoted(/(?<=(?<!\w)(?:r|raw|b))"(?!"")/y),
      quoted(/"""|"/y, { insertion: dollarParen }),
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
  { ids: ["css"], endings: ["css"], blockComments: [block], strings: [url, eitherLine] },
  {
    ids: ["scss", "less"],
    endings: ["scss", "less"],
    ...likeC,
    strings: [url, { ...eitherLine, insertion: hashBrace }],
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
    strings: [eitherLine],
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
      quoted(/"(?<=(?:^|[\s,[{(])")/my),
      { open: /'(?<=(?:^|[\s,[{(])')/my, close: closeLikeOpen, escape: /''/y },
    ],
  },
  {
    ids: ["toml"],
    endings: ["toml"],
    lineComment: /#/y,
    strings: [{ open: /'''|'/y, close: closeLikeOpen }, quoted(/"""|"/y)],
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
    strings: [quoted(/"""|'''/y), eitherLine],
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
    strings: [
      quoted(/"/y),
      quoted(/'/y, { isOneLine: true }),
      quoted(/`/y, { insertion: dollarBrace }),
    ],
  },
  {
    ...java,
    ...likeC,
    strings: [quoted(/"""/y), eitherLine],
    // Escapes may mean quotes.
    doubtful: /\\u/y,
  },
  {
    ...go,
    ...likeC,
    strings: [eitherLine, { open: /`/y, close: closeLikeOpen }],
  },
  {
    ...javascript,
    ids: [...javascript.ids, ...typescript.ids],
    endings: [...javascript.endings, ...typescript.endings],
    ...likeC,
    strings: [eitherLine, quoted(/`/y, { insertion: dollarBrace })],
    doubtful: patternOrTag,
  },
];

/** In the order of the text. */
interface Lexemes {
  /** Also those inside of code that a string holds. */
  comments: Stretch[];
  /** The outermost ones. */
  strings: Stretch[];
}

/** A stretch that is open. */
interface Frame {
  rule: StretchRule;
  isComment: boolean;
  start: number;
  end: RegExp | string | undefined;
  /** Brackets that are open in the code inside of it; undefined while it is read itself. */
  depth: number | undefined;
}

const restOfLine = /[^\n]*?(?=\r?(?:\n|$))/y;
const wordOrCharacter = /[\p{L}\p{N}_]+|[^]/uy;

/**
 * Finds comments and strings without a grammar.
 *
 * @returns undefined if the text cannot be read for certain: doubtful signs, strings that never end
 */
export function findLexemes(text: string, rules: LexicalRules): Lexemes | undefined {
  const found: Lexemes = { comments: [], strings: [] };
  /** The outermost first. */
  const frames: Frame[] = [];
  let at = 0;
  /** Goes on behind a pattern, or behind words, if they fit here. */
  const take = (pattern: RegExp | string | undefined): string | undefined => {
    let taken: string | undefined;
    if (typeof pattern === "string") taken = text.startsWith(pattern, at) ? pattern : undefined;
    else if (pattern !== undefined) {
      pattern.lastIndex = at;
      taken = pattern.exec(text)?.[0];
    }
    at += taken?.length ?? 0;
    return taken;
  };
  const open = (all: readonly StretchRule[], isComment: boolean): boolean => {
    const start = at;
    for (const rule of all) {
      const opened = take(rule.open);
      if (opened === undefined) continue;
      frames.push({ rule, isComment, start, end: rule.close?.(opened), depth: undefined });
      if (rule.close === undefined) close();
      return true;
    }
    return false;
  };
  const close = (): void => {
    const { isComment = false, start = 0 } = frames.pop() ?? {};
    if (isComment && frames.at(-1)?.isComment !== true) found.comments.push([start, at]);
    if (!isComment && frames.length === 0) found.strings.push([start, at]);
  };
  /** @returns false where it cannot be read */
  const readInside = (frame: Frame): boolean => {
    const { rule, isComment, end } = frame;
    if (take(rule.insertion?.open) !== undefined) frame.depth = 0;
    else if (take(rule.escape) !== undefined) return true;
    else if (take(end) !== undefined) close();
    else if (rule.isOneLine === true && text[at] === "\n") return false;
    else if (rule.isNested !== true || !open([rule], isComment)) take(wordOrCharacter);
    return true;
  };
  const readCode = (frame: Frame | undefined): void => {
    const start = at;
    if (take(rules.lineComment) !== undefined) {
      take(restOfLine);
      found.comments.push([start, at]);
    } else if (!open(rules.blockComments ?? [], true) && !open(rules.strings, false)) {
      if (frame !== undefined) frame.depth = depthBehind(frame, text.charAt(at));
      take(wordOrCharacter);
    }
  };
  while (at < text.length) {
    const frame = frames.at(-1);
    const isInside = frame !== undefined && frame.depth === undefined;
    if (take((isInside ? frame.rule : rules).doubtful) !== undefined) return undefined;
    if (!isInside) readCode(frame);
    else if (!readInside(frame)) return undefined;
  }
  return frames.length === 0 ? found : undefined;
}

/** Counts a bracket; the one that belongs to the string leads back into it. */
function depthBehind({ rule, depth = 0 }: Frame, sign: string): number | undefined {
  const [open, close] = rule.insertion?.brackets ?? "";
  if (sign === open) return depth + 1;
  if (sign !== close) return depth;
  return depth === 0 ? undefined : depth - 1;
}
