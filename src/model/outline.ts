import { linesOf } from "../context/active-editor.ts";

/** A declaration, recognised by its first line. Lines are 1-based lines of the file. */
export interface OutlineEntry {
  /** `function`, `method`, or the keyword of the declaration: `class`, `struct`, `trait`, ... */
  kind: string;
  name: string;
  line: number;
  /** The last line, judging by indentation. */
  endLine: number;
  /** How many entries stand around it. */
  depth: number;
}

export interface Outline {
  lines: number;
  blank: number;
  /** Lines that hold a comment only; undefined where the language's comments are not known. */
  comments: number | undefined;
  entries: OutlineEntry[];
  /** What is imported, each once, in the order of the text. */
  imports: string[];
  /** TODO, FIXME, XXX and HACK comments, from that word to the end of the line. */
  todos: { line: number; text: string }[];
  /** Lines that were looked at: all, unless the text is very long. */
  read: number;
}

/** What languages of one kind look like. Patterns see one line at a time, trimmed, with single blanks. */
interface Family {
  comment?: RegExp;
  block?: readonly [open: string, close: string];
  /** Quotes of strings that may go over several lines. */
  quotes?: readonly string[];
  imports: readonly RegExp[];
  /** The line that opens a list of imports, which ends with a `)`. */
  importList?: RegExp;
  /** The first that fits tells `name`, `kind` (else it is a function) and, for methods, `owner`. */
  symbols: readonly RegExp[];
  /** Finds the name of a function or method that is declared without a keyword. */
  nameOf?(code: string, place: Place): string | undefined;
}

interface Place {
  /** The class or the like in which the line stands as a member. */
  holder: string | undefined;
  indent: number;
  isFirst: boolean;
}

/** An entry that the lines below may still belong to. The text itself is the outermost one. */
interface Open {
  entry: OutlineEntry;
  parent: Open | undefined;
  indent: number;
  /** The smallest indentation inside; members stand there. */
  inner: number;
}

const longestLine = 500;
const mostLines = 20_000;

const slashes = { comment: /^\/\//, block: ["/*", "*/"] } as const;

const script: Family = {
  ...slashes,
  imports: [
    /^import (?:type )?["']([^"']+)["']/,
    /^(?:import|export|\})[^"';]* from ["']([^"']+)["']/,
    /^(?:const|let|var) [^=]*= require\(["']([^"']+)["']\)/,
  ],
  symbols: [
    /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?<kind>class|interface) (?<name>[\p{L}\w$]+)/u,
    /^(?:export )?(?:declare )?(?:const )?(?<kind>enum|namespace) (?<name>[\p{L}\w$.]+) ?\{/u,
    /^(?:export )?(?:declare )?(?<kind>type) (?<name>[\p{L}\w$]+) ?[<=]/u,
    /^(?:export )?(?:default )?(?:declare )?(?:async )?function ?\*? ?(?<name>[\p{L}\w$]+) ?[<(]/u,
    /^(?:export )?(?:const|let|var) (?<name>[\p{L}\w$]+) ?(?::[^=]*)?= ?(?:async )?(?:function\b|\((?:[^()]|\([^()]*\))*\)(?: ?:[^=()]*)? ?=>|[\p{L}\w$]+ ?=>)/u,
  ],
  nameOf: nameInScript,
};
const arrowField =
  /^(?<name>#?[\p{L}\w$]+)(?: ?:[^=]*)? ?= ?(?:async )?\((?:[^()]|\([^()]*\))*\)(?: ?:[^=()]*)? ?=>/u;

const python: Family = {
  comment: /^#/,
  quotes: ['"""', "'''"],
  imports: [/^import ([\p{L}\w., ]+)/u, /^from ([\p{L}\w.]+) import\b/u],
  symbols: [/^(?<kind>class) (?<name>[\p{L}\w]+)/u, /^(?:async )?def (?<name>[\p{L}\w]+)/u],
};

const go: Family = {
  ...slashes,
  imports: [/^import (?:[\w.]+ )?"([^"]+)"/],
  importList: /^import ?\($/,
  symbols: [
    /^(?:type )?(?<name>[\p{L}\w]+)(?:\[[^\]]*\])? (?<kind>struct|interface) ?\{/u,
    /^(?<kind>type) (?<name>[\p{L}\w]+)/u,
    /^func \((?:[\p{L}\w]+ )?\*?(?<owner>[\p{L}\w]+)(?:\[[^\]]*\])?\) (?<name>[\p{L}\w]+)/u,
    /^func (?<name>[\p{L}\w]+)/u,
  ],
};

const kotlin: Family = {
  ...slashes,
  quotes: ['"""'],
  imports: [
    /^import (?:static )?([\w.*]+)/,
    /^(?:global )?using (?:static )?(?:\w+ = )?([\w.]+) ?;/,
  ],
  symbols: [
    /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z][a-z-]* )*(?<kind>enum) class (?<name>[\p{L}\w]+)/u,
    /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z][a-z-]* )*(?<kind>class|@?interface|enum|record|struct|object) (?<name>[\p{L}\w]+) ?(?:$|[{(<:;]|extends |implements |permits |where )/u,
    /^(?<kind>namespace) (?<name>[\w.]+)/,
    /^(?:@[\w.]+(?:\([^()]*\))? )*(?:[a-z]+ )*fun (?:<[^(]*> )?(?<name>[\p{L}\w.<>?]+) ?\(/u,
  ],
};

const c: Family = {
  ...slashes,
  imports: [/^# ?include ?([<"][^>"]+[>"])/],
  symbols: [
    /^(?:typedef |export |template ?<[^<>]*> )*(?<kind>class|struct|union|enum|namespace)(?: class| struct)? (?<name>[\p{L}\w]+(?:::\w+)*)(?: final)?(?: ?:[^:;(][^;(]*)?(?: ?\{.*)?$/u,
  ],
  nameOf: nameInTyped,
};

const rust: Family = {
  ...slashes,
  imports: [/^(?:pub(?:\([^()]*\))? )?use ([^;]+)/, /^extern crate (\w+)/],
  symbols: [
    /^(?:pub(?:\([^()]*\))? )?(?:unsafe )?(?<kind>struct|enum|trait|union|type|mod) (?<name>[\p{L}\w]+)/u,
    /^(?:unsafe )?(?<kind>impl)\b ?(?<name>[^{]*[^{ ])/,
    /^(?<kind>macro_rules)! ?(?<name>\w+)/,
    /^(?:pub(?:\([^()]*\))? )?(?:(?:default|const|async|unsafe|extern(?: "[^"]*")?) )*fn (?<name>[\p{L}\w]+)/u,
  ],
};

const ruby: Family = {
  comment: /^#/,
  block: ["=begin", "=end"],
  imports: [/^require(?:_relative)?[ (]+["']([^"']+)["']/],
  symbols: [
    /^(?<kind>class|module) (?<name>[\p{L}\w]+(?:::\w+)*)/u,
    /^(?:private |protected |private_class_method )?def (?<name>(?:self\.)?[\p{L}\w]+[?!=]?)/u,
  ],
};

const php: Family = {
  comment: /^(?:\/\/|#(?!\[))/,
  block: slashes.block,
  // A trait that a class uses is mostly named without its namespace.
  imports: [
    /^use (?:function |const )?(\w*\\[\w\\]+)/,
    /^(?:require|include)(?:_once)?[ (]+["']([^"']+)["']/,
  ],
  symbols: [
    /^(?:(?:abstract|final|readonly) )*(?<kind>class|interface|trait|enum) (?<name>[\p{L}\w]+)/u,
    /^(?<kind>namespace) (?<name>[\w\\]+)/,
    /^(?:(?:public|protected|private|static|final|abstract) )*function &?(?<name>[\p{L}\w]+)/u,
  ],
};

/** Strict, because the text may as well be prose. */
const plain: Family = {
  imports: [],
  symbols: [
    /^(?:[a-z]+ ){0,4}(?<kind>class|struct|protocol|trait|extension|object|interface|enum|actor) (?<name>\p{Lu}[\p{L}\w]*)[^.;]*\{\}?$/u,
    /^(?:[a-z]+ ){0,4}(?:function|func|fun|fn|def|sub|proc) (?<name>[\p{L}_][\p{L}\w.:]*[?!]?) ?(?:\(.*|\{)$/u,
    /^(?<name>[\w-]+) ?\(\) ?\{/,
  ],
};

const prose: Family = { imports: [], symbols: [] };
const hashed: Family = { ...plain, comment: /^#/ };
const slashed: Family = { ...plain, ...slashes };
const dashed: Family = { ...plain, comment: /^--/ };
const typed: Family = { ...kotlin, nameOf: nameInTyped };

const families: Record<string, Family> = {
  typescript: script,
  typescriptreact: script,
  javascript: script,
  javascriptreact: script,
  vue: script,
  python,
  go,
  kotlin,
  java: typed,
  csharp: typed,
  "c#": typed,
  rust,
  c,
  cpp: c,
  "c++": c,
  ruby,
  php,
  markdown: prose,
  plaintext: prose,
  shellscript: hashed,
  yaml: hashed,
  toml: hashed,
  dockerfile: hashed,
  makefile: hashed,
  perl: hashed,
  r: hashed,
  swift: slashed,
  scala: slashed,
  dart: slashed,
  groovy: slashed,
  zig: slashed,
  lua: dashed,
  sql: dashed,
};

/**
 * Reads off a text what can be seen without understanding it, in time linear in its length: the
 * patterns see the first 20,000 lines, and of each the first 500 characters.
 *
 * @param language the editor's language id; in an unknown one only the unmistakable is found
 * @param startLine the 1-based line of the file on which the text starts
 */
export function outlineOf(text: string, language: string, startLine = 1): Outline {
  const id = language.toLowerCase();
  const scan = new Scan((Object.hasOwn(families, id) ? families[id] : undefined) ?? plain);
  const lines = text === "" ? [] : linesOf(text);
  for (const [index, line] of lines.slice(0, mostLines).entries())
    scan.read(line, startLine + index);
  return scan.finish(lines.length);
}

class Scan {
  readonly #family: Family;
  readonly #entries: OutlineEntry[] = [];
  readonly #imports = new Set<string>();
  readonly #todos: Outline["todos"] = [];
  #around: Open = {
    entry: { kind: "namespace", name: "", line: 0, endLine: 0, depth: -1 },
    parent: undefined,
    indent: -1,
    inner: Number.POSITIVE_INFINITY,
  };
  /** What ends the comment, string or list of imports that goes on below. */
  #until: { end: string; kind: "comment" | "string" | "imports" } | undefined;
  #blank = 0;
  #comments = 0;
  #lastCode = 0;

  constructor(family: Family) {
    this.#family = family;
  }

  read(line: string, number: number): void {
    const start = line.slice(0, longestLine);
    const code = start.trim().replace(/\s+/g, " ");
    if (code === "" && line.trim() === "") {
      this.#blank++;
      return;
    }
    const wasString = this.#until?.kind === "string";
    const isComment = this.#skipComment(line, code);
    if (!wasString) this.#findTodo(code, number, isComment);
    if (isComment) this.#comments++;
    else this.#readCode(line, code, indentOf(start), number);
  }

  finish(lines: number): Outline {
    this.#close(0, "", this.#lastCode);
    return {
      lines,
      blank: this.#blank,
      comments: this.#family.comment === undefined ? undefined : this.#comments,
      entries: this.#entries,
      imports: [...this.#imports],
      todos: this.#todos,
      read: Math.min(lines, mostLines),
    };
  }

  #skipComment(line: string, code: string): boolean {
    const { comment, block: [opening = "", closing = ""] = [] } = this.#family;
    if (this.#until?.kind === "comment") {
      if (line.includes(this.#until.end)) this.#until = undefined;
      return true;
    }
    if (this.#until !== undefined || comment === undefined) return false;
    if (comment.test(code)) return true;
    if (opening === "" || !code.startsWith(opening)) return false;
    const end = line.indexOf(closing, line.indexOf(opening) + opening.length);
    if (end === -1) this.#until = { end: closing, kind: "comment" };
    return end === -1 || line.slice(end + closing.length).trim() === "";
  }

  #findTodo(code: string, line: number, isComment: boolean): void {
    const start = isComment ? 0 : code.search(/(?:^|[ ;,{})])(?:\/\/|\/\*|#|--|<!--)/);
    const text =
      start === -1 ? undefined : /\b(?:TODO|FIXME|XXX|HACK)\b.*/.exec(code.slice(start))?.[0];
    if (text !== undefined) this.#todos.push({ line, text: text.replace(/ ?(?:\*\/|-->).*$/, "") });
  }

  #readCode(line: string, code: string, indent: number, number: number): void {
    if (this.#until?.kind === "imports") {
      if (code.startsWith(")")) this.#until = undefined;
      else this.#imports.add(/"([^"]+)"/.exec(code)?.[1] ?? code);
    } else {
      if (this.#until === undefined) this.#readStatement(code, indent, number);
      if (this.#family.quotes !== undefined) this.#followQuotes(line, this.#family.quotes);
    }
    // A label belongs to what comes below it.
    if (!/^\w+:$/.test(code)) this.#lastCode = number;
  }

  #readStatement(code: string, indent: number, number: number): void {
    const { imports, importList } = this.#family;
    if (!continues.test(code)) {
      this.#close(indent, code, number);
      this.#around.inner = Math.min(this.#around.inner, indent);
    }
    const found = firstMatch(imports, code)?.[1];
    if (found !== undefined) this.#imports.add(found.trim());
    else if (importList?.test(code)) this.#until = { end: ")", kind: "imports" };
    else this.#addSymbol(code, indent, number);
  }

  #addSymbol(code: string, indent: number, line: number): void {
    const { entry: outer, inner } = this.#around;
    const holder = holders.has(outer.kind) ? outer.name : undefined;
    const isMember = indent === inner && (holder !== undefined || outer.kind === "namespace");
    const place = { holder, indent, isFirst: this.#lastCode === 0 };
    const groups = firstMatch(this.#family.symbols, code)?.groups;
    const {
      kind,
      owner,
      name = isMember ? this.#family.nameOf?.(code, place) : undefined,
    } = groups ?? {};
    if (name === undefined) return;
    const entry: OutlineEntry = {
      kind: kind ?? (owner === undefined && holder === undefined ? "function" : "method"),
      name: owner === undefined ? name : `${owner}.${name}`,
      line,
      endLine: line,
      depth: outer.depth + 1,
    };
    this.#entries.push(entry);
    this.#around = { entry, parent: this.#around, indent, inner: Number.POSITIVE_INFINITY };
  }

  /** Ends the entries that a line at this indentation stands outside of. */
  #close(indent: number, code: string, line: number): void {
    for (
      let { parent } = this.#around;
      parent !== undefined && this.#around.indent >= indent;
      { parent } = parent
    ) {
      const isLast = this.#around.indent === indent && /^(?:\}|end\b)/.test(code);
      this.#around.entry.endLine = isLast ? line : this.#lastCode;
      this.#around = parent;
    }
  }

  #followQuotes(line: string, quotes: readonly string[]): void {
    let end = this.#until?.kind === "string" ? this.#until.end : undefined;
    for (const [quote] of line.matchAll(/"""|'''/g)) {
      if (quote === end) end = undefined;
      else if (end === undefined && quotes.includes(quote)) end = quote;
    }
    this.#until = end === undefined ? undefined : { end, kind: "string" };
  }
}

/** Lines that belong to the declaration above them although they stand as far left as it does. */
const continues =
  /^(?:[{)>\]]|\}.*\{$|where\b|(?!else|try|finally)\w+:$|# ?(?:if|ifdef|ifndef|elif|else|endif|define|undef|include|pragma)\b)/;

const holders: ReadonlySet<string> = new Set([
  "class",
  "interface",
  "struct",
  "trait",
  "impl",
  "enum",
  "record",
  "object",
  "protocol",
  "extension",
  "union",
  "module",
  "actor",
  "@interface",
]);

/** Words that begin a statement, so that what follows is a call. */
const statements: ReadonlySet<string> = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "with",
  "return",
  "function",
  "super",
  "else",
  "do",
  "throw",
  "new",
  "await",
  "yield",
  "typeof",
  "delete",
  "case",
  "assert",
  "using",
  "lock",
  "synchronized",
  "sizeof",
  "typedef",
  "goto",
]);
/** Words that begin a declaration and name nothing. */
const modifiers: ReadonlySet<string> = new Set([
  "public",
  "private",
  "protected",
  "static",
  "const",
  "void",
  "int",
  "char",
  "bool",
  "float",
  "double",
  "long",
]);

function firstMatch(patterns: readonly RegExp[], code: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(code);
    if (match !== null) return match;
  }
  return undefined;
}

function indentOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

/** A method, or a field that holds an arrow function. Outside of classes a body must follow. */
function nameInScript(text: string, { holder }: Place): string | undefined {
  const code = text.replace(
    /^(?:(?:public|private|protected|static|abstract|override|readonly|async|get|set|declare) )*\*? ?/,
    "",
  );
  const at = code.indexOf("(");
  const name = /^(#?[\p{L}\w$]+)\??(?:<[^(]*>)? ?$/u.exec(code.slice(0, Math.max(at, 0)))?.[1];
  if (name === undefined)
    return holder === undefined ? undefined : arrowField.exec(code)?.groups?.["name"];
  const hasBody =
    /^\((?!["'`])[^"'`]*\)(?: ?:[^=]+)? ?\{/.test(code.slice(at)) && !/=>|\bfunction\b/.test(code);
  return holder !== undefined || (hasBody && !statements.has(name)) ? name : undefined;
}

/** `type name(`, or a constructor. Outside of classes it must look like the start of a body or a prototype. */
function nameInTyped(text: string, { holder, indent, isFirst }: Place): string | undefined {
  const code = text.replace(/^(?:@[\w.]+(?:\([^()]*\))? )+/, "");
  const at = code.indexOf("(");
  const head = code
    .slice(0, Math.max(at, 0))
    .trim()
    .replace(/<[^<>]*>$/, "");
  const name = /(?:^|[ *&])(~?[\p{L}_][\p{L}\w]*(?:::~?\w+)*)$/u.exec(head)?.[1];
  if (name === undefined || code[at + 1] === "*" || /^[^\p{L}_~]|=|<</u.test(head))
    return undefined;
  const before = head.slice(0, -name.length).trim();
  const first = before.split(" ", 1)[0] ?? "";
  if (statements.has(name) || modifiers.has(name) || statements.has(first)) return undefined;
  const isConstructor = name.replace("~", "") === holder || name.includes("::");
  if (before === "" && !isConstructor) return undefined;
  return holder !== undefined || /[{},()]$/.test(code) || (indent === 0 && !isFirst)
    ? name
    : undefined;
}
