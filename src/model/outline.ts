import { linesOf } from "../context/active-editor.ts";
import { type Family, familyOf } from "./outline-families.ts";

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

/**
 * Reads off a text what can be seen without understanding it, in time linear in its length: the
 * patterns see the first 20,000 lines, and of each the first 500 characters.
 *
 * @param language the editor's language id; in an unknown one only the unmistakable is found
 * @param startLine the 1-based line of the file on which the text starts
 */
export function outlineOf(text: string, language: string, startLine = 1): Outline {
  const scan = new Scan(familyOf(language));
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
