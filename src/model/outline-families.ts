/** What languages of one kind look like. Patterns see one line at a time, trimmed, with single blanks. */
export interface Family {
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

/** @param language the editor's language id; in an unknown one only the unmistakable is found */
export function familyOf(language: string): Family {
  const id = language.toLowerCase();
  return (Object.hasOwn(families, id) ? families[id] : undefined) ?? plain;
}

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
