// YAML as models write it for calls and plans: mappings, lists, block scalars, quoted and plain texts. Scalars outside of
// brackets are texts, since the schema of a field says what it means. Tags and anchors are not read.
import { JsonScan } from "../../base/text/mended-json.ts";
import { advance } from "../../base/text/progress.ts";
import { decodeEscapes } from "./cursor.ts";

/** Levels of mappings and lists. */
const maxDepth = 16;
/** Texts and brackets that are never closed; each is looked for to the end. */
const maxOpen = 8;

/**
 * Reads the lines of one mapping or list; several documents are a list. Undefined if anything is left open or does not
 * fit. Tabs that indent count as two spaces, where it does not read otherwise.
 *
 * A plain text may hold colons and quotes; a quoted one may go on over lines, which stay as they are; the lines of a
 * block scalar may be indented by less than its first.
 *
 * @param isLoose a block scalar that is the last value may lack its indentation: it goes on to the end
 */
export function readYaml(lines: readonly string[], isLoose = false): unknown {
  const whole = new YamlReader(lines, isLoose).read();
  if (whole !== undefined) return whole;
  if (lines.some((line) => line.startsWith("\t"))) return readYaml(lines.map(withoutTabs), isLoose);
  const borders = lines.flatMap((line, at) => (line.trimEnd() === "---" ? [at + 1] : []));
  const values = [0, ...borders]
    .map((from, nth) => lines.slice(from, borders[nth] ?? lines.length))
    .filter((each) => each.some((line) => !/^(?:---)?\s*$/.test(line)))
    .map((each) => new YamlReader(each, false).read());
  return values.length < 2 || values.includes(undefined) ? undefined : values;
}

function withoutTabs(line: string): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length).replaceAll("\t", "  ") + text;
}

const key = /^(["']?)([A-Za-z_][\w-]*)\1[ \t]*:(?=[ \t]|$)/;
const item = /^-(?= |$)/;
const block = /^([|>])(?=[1-9+-]{0,2}[ \t]*(?:#.*)?$)[+-]?([1-9])?([+-])?/;
const quoted: Readonly<Record<string, RegExp>> = {
  '"': /^"[^"\\]*(?:\\.[^"\\]*)*"/,
  "'": /^'[^']*(?:''[^']*)*'/,
};

class YamlReader {
  readonly #lines: string[];
  readonly #isLoose: boolean;
  #at = 0;
  #depth = 0;
  #open = 0;

  constructor(lines: readonly string[], isLoose: boolean) {
    this.#lines = [...lines];
    this.#isLoose = isLoose;
  }

  read(): unknown {
    const value = this.#node(0);
    return this.#next() === undefined ? value : undefined;
  }

  /** The next line that says something; comments are passed over. */
  #next(): string | undefined {
    for (; this.#at < this.#lines.length; this.#at += 1)
      if (!/^\s*(?:$|#|---$)/.test((this.#lines[this.#at] ?? "").trimEnd()))
        return this.#lines[this.#at];
    return undefined;
  }

  /** The value whose first line is the next, if that is indented so far. */
  #node(least: number): unknown {
    const line = this.#next();
    const indent = line === undefined ? -1 : indentOf(line);
    if (line === undefined || indent < least || this.#depth === maxDepth) return undefined;
    const pattern = [item, key].find((each) => each.test(line.slice(indent)));
    this.#depth += 1;
    if (pattern === undefined) this.#at += 1;
    const value = pattern ? this.#entries(indent, pattern) : this.#value(line.trim(), indent - 1);
    this.#depth -= 1;
    return value;
  }

  /** What begins with each line of this indentation. */
  #entries(indent: number, pattern: RegExp): unknown {
    const entries = new Map<string, unknown>();
    let isRead = true;
    const step = (): boolean => {
      const line = this.#next();
      const text = line !== undefined && indentOf(line) === indent ? line.slice(indent) : "";
      const [mark, , name = String(entries.size)] = pattern.exec(text) ?? [];
      if (mark === undefined) return false;
      const rest = text.slice(mark.length);
      const isNode = pattern === item && [key, item].some((each) => each.test(rest.trimStart()));
      if (isNode) this.#lines[this.#at] = " ".repeat(indent + 1) + rest;
      else this.#at += 1;
      const value = isNode ? this.#node(indent + 1) : this.#value(rest.trim(), indent);
      isRead = value !== undefined && !entries.has(name);
      entries.set(name, value);
      return isRead;
    };
    advance(() => this.#at, step);
    if (!isRead) return undefined;
    return pattern === item ? [...entries.values()] : Object.fromEntries(entries);
  }

  /**
   * What follows a key or a list mark, and the lines below.
   *
   * @param indent of the key
   */
  #value(text: string, indent: number): unknown {
    if (text === "" || text.startsWith("#")) {
      const below = this.#next() ?? "";
      const isList = indentOf(below) === indent && item.test(below.slice(indent));
      return indentOf(below) > indent || isList ? this.#node(indentOf(below)) : "";
    }
    const [header, style, width = "0", chomp] = block.exec(text) ?? [];
    if (header !== undefined)
      return this.#block(style === ">", chomp ?? header.charAt(1), Number(width), indent);
    return (/^["'[{]/.test(text) ? this.#closed(text) : undefined) ?? this.#plain(text, indent);
  }

  /** A text that goes on over lines is joined by spaces. */
  #plain(text: string, indent: number): string {
    let value = withoutComment(text);
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? "";
      if (line.trim() === "" || indentOf(line) <= indent) break;
      value += ` ${withoutComment(line.trim())}`;
    }
    return value === "~" || value === "null" ? "" : value;
  }

  /**
   * A text in quotes, the lines of which stay as they are, or brackets as in JSON. Undefined if it is not closed at the
   * end of a line: then it is a plain text that begins so.
   */
  #closed(first: string): unknown {
    const json = new JsonScan();
    const quote = first.charAt(0);
    const pattern = quoted[quote];
    const inside: string[] = [];
    let line = first.slice(pattern === undefined ? 0 : 1);
    for (let at = this.#at; this.#open < maxOpen; at += 1) {
      const closed = pattern?.exec(quote + line)?.[0].length;
      const end = pattern === undefined ? json.take(`${line}\n`) : (closed ?? 0) - 1;
      const isAlone = end >= 0 && withoutComment(` ${line.slice(end)}`) === "";
      if (isAlone) {
        this.#at = at;
        if (pattern === undefined) return json.value();
        const raw = [...inside, line.slice(0, end - 1)].join("\n");
        return quote === "'" ? raw.replaceAll("''", "'") : decodeEscapes(raw);
      }
      if (end >= 0 && (pattern === undefined || inside.length === 0)) return undefined;
      inside.push(line);
      if (at >= this.#lines.length) this.#open += 1;
      if (at >= this.#lines.length) break;
      line = this.#lines[at] ?? "";
    }
    return undefined;
  }

  #block(isFolded: boolean, chomp: string, width: number, indent: number): string {
    const below = this.#lines.slice(this.#at);
    const isInside = (line: string): boolean => line.trim() === "" || indentOf(line) > indent;
    const first = below.find((line) => line.trim() !== "");
    const isBare = this.#isLoose && first !== undefined && !isInside(first);
    const end = isBare ? -1 : below.findIndex((line) => !isInside(line));
    const lines = end === -1 ? below : below.slice(0, end);
    this.#at += lines.length;
    const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
    const least = isBare ? 0 : indents.reduce((a, b) => Math.min(a, b), Infinity);
    const cut = width > 0 ? Math.max(0, indent) + width : least;
    const texts = lines.map((line) =>
      line.slice(line.trim() === "" ? cut : Math.min(cut, indentOf(line))),
    );
    const folded = isFolded ? fold(texts) : texts;
    if (chomp === "+") return folded.map((line) => `${line}\n`).join("");
    const last = folded.findLastIndex((line) => line.trim() !== "");
    if (last === -1) return "";
    return folded.slice(0, last + 1).join("\n") + (chomp === "-" ? "" : "\n");
  }
}

/** Lines of prose become one; empty and indented ones keep their ends. */
function fold(lines: readonly string[]): string[] {
  const folded: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isText = line !== "" && !line.startsWith(" ");
    folded.push(isText && isOpen ? `${folded.pop() ?? ""} ${line}` : line);
    isOpen = isText;
  }
  return folded;
}

function indentOf(line: string): number {
  return line.length - line.replace(/^ +/, "").length;
}

/** A comment follows a space. */
function withoutComment(text: string): string {
  const at = text.search(/[ \t]#/);
  return (at === -1 ? text : text.slice(0, at)).trim();
}
