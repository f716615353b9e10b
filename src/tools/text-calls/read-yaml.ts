// YAML as models write it for calls and plans: mappings, lists, block scalars, quoted and plain texts. Every scalar is a
// text, since the schema of its field says what it means. Tags, anchors and several documents are not read.
import { JsonScan, parseMended } from "../../base/text/mended-json.ts";
import { advance } from "../../base/text/progress.ts";
import { decodeEscapes } from "./decode-escapes.ts";

/** Levels of mappings and lists. */
const maxDepth = 16;
/** Texts and brackets that are never closed; each is looked for to the end. */
const maxOpen = 8;

export type YamlValue = string | YamlValue[] | { [key: string]: YamlValue };

/**
 * Reads the lines of one mapping or list. Undefined if anything is left open or does not fit.
 *
 * A plain text may hold colons and quotes; a quoted one may go on over lines, which stay as they are; the lines of a
 * block scalar may be indented by less than its first.
 *
 * @param isLoose a block scalar that is the last value may lack its indentation: it goes on to the end
 */
export function readYaml(lines: readonly string[], isLoose = false): YamlValue | undefined {
  const reader = new YamlReader(lines, isLoose);
  const value = reader.node(0);
  return reader.isAtEnd ? value : undefined;
}

const key = /^(?:([A-Za-z_][\w-]*)|"([A-Za-z_][\w-]*)"|'([A-Za-z_][\w-]*)')[ \t]*:(?=[ \t]|$)/;
const blockHeader = /^([|>])(?:([1-9])?([+-])?|([+-])([1-9]))[ \t]*(?:#.*)?$/;

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

  /** Only empty lines and comments are left. */
  get isAtEnd(): boolean {
    return this.#next() === undefined;
  }

  /** The value whose first line is the next, if that is indented so far. */
  node(least: number): YamlValue | undefined {
    const line = this.#next();
    if (line === undefined || indentOf(line) < least || this.#depth === maxDepth) return undefined;
    this.#depth += 1;
    const indent = indentOf(line);
    const text = line.slice(indent);
    const value = isItem(text)
      ? this.#list(indent)
      : key.test(text)
        ? this.#mapping(indent)
        : this.#scalarLine(indent);
    this.#depth -= 1;
    return value;
  }

  /** The next line that says something; comments are passed over. */
  #next(): string | undefined {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = (this.#lines[this.#at] ?? "").trim();
      if (line !== "" && !line.startsWith("#") && line !== "---") return this.#lines[this.#at];
    }
    return undefined;
  }

  #mapping(indent: number): YamlValue | undefined {
    const fields = new Map<string, YamlValue>();
    const isRead = this.#each(indent, (line) => {
      const [whole, plain, double, single] = key.exec(line.slice(indent)) ?? [];
      if (whole === undefined) return "end";
      const name = plain ?? double ?? single ?? "";
      if (fields.has(name)) return "bad";
      this.#at += 1;
      const value = this.#value(line.slice(indent + whole.length).trim(), indent);
      if (value === undefined) return "bad";
      fields.set(name, value);
      return "read";
    });
    return isRead ? Object.fromEntries(fields) : undefined;
  }

  #list(indent: number): YamlValue | undefined {
    const items: YamlValue[] = [];
    const isRead = this.#each(indent, (line) => {
      if (!isItem(line.slice(indent))) return "end";
      const rest = line.slice(indent + 1);
      const isMapping = key.test(rest.trimStart()) || isItem(rest.trimStart());
      if (isMapping) this.#lines[this.#at] = `${" ".repeat(indent + 1)}${rest}`;
      else this.#at += 1;
      const value = isMapping ? this.node(indent + 1) : this.#value(rest.trim(), indent);
      if (value === undefined) return "bad";
      items.push(value);
      return "read";
    });
    return isRead ? items : undefined;
  }

  /** Takes what begins with each line of this indentation. @returns false where something cannot be read */
  #each(indent: number, take: (line: string) => "read" | "bad" | "end"): boolean {
    let taken: "read" | "bad" | "end" = "end";
    const step = (): boolean => {
      const line = this.#next();
      taken = line === undefined || indentOf(line) !== indent ? "end" : take(line);
      return taken === "read";
    };
    advance(() => this.#at, step);
    return taken === "end";
  }

  #scalarLine(indent: number): YamlValue | undefined {
    const text = (this.#lines[this.#at] ?? "").trim();
    this.#at += 1;
    return this.#value(text, indent - 1);
  }

  /**
   * What follows a key or a list mark, and the lines below.
   *
   * @param indent of the key
   */
  #value(text: string, indent: number): YamlValue | undefined {
    if (text === "" || text.startsWith("#")) return this.#below(indent);
    const header = blockHeader.exec(text);
    if (header !== null) {
      const [, style, , chompLast, chompFirst] = header;
      const width = Number(header[2] ?? header[5] ?? 0);
      return this.#block(style === ">", chompLast ?? chompFirst ?? "", width, indent);
    }
    if (text.startsWith('"') || text.startsWith("'"))
      return this.#quoted(text) ?? this.#plain(text, indent);
    if (text.startsWith("[") || text.startsWith("{"))
      return this.#flow(text) ?? this.#plain(text, indent);
    return this.#plain(text, indent);
  }

  #below(indent: number): YamlValue | undefined {
    const line = this.#next();
    if (line === undefined) return "";
    const isList = indentOf(line) === indent && isItem(line.slice(indent));
    return indentOf(line) > indent || isList ? this.node(indentOf(line)) : "";
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
   * Lines of a quoted text stay as they are. Undefined if it is not closed at the end of a line, or holds a quote of its
   * own in the first: then it is a plain text that begins with a quote.
   */
  #quoted(first: string): string | undefined {
    const sign = first.charAt(0);
    const inside: string[] = [];
    if (this.#open === maxOpen) return undefined;
    for (let [at, line] = [this.#at, first.slice(1)]; ; at += 1) {
      const end = closingQuote(line, sign);
      if (end !== undefined && end !== "inside") {
        this.#at = at;
        const raw = [...inside, line.slice(0, end)].join("\n");
        return sign === "'" ? raw.replaceAll("''", "'") : decodeEscapes(raw);
      }
      if (end === "inside" && inside.length === 0) return undefined;
      if (at >= this.#lines.length) return this.#giveUp();
      inside.push(line);
      line = this.#lines[at] ?? "";
    }
  }

  /** Lists and mappings in brackets, as in JSON. */
  #flow(first: string): YamlValue | undefined {
    const json = new JsonScan();
    if (this.#open === maxOpen) return undefined;
    let text = first;
    for (let [at, line] = [this.#at, first]; ; at += 1) {
      if (!json.opens(line)) {
        const bare = withoutComment(text);
        const value = /[}\]]$/.test(bare) ? toTexts(parseMended(bare), 0) : undefined;
        if (value !== undefined) this.#at = at;
        return value;
      }
      if (at >= this.#lines.length) return this.#giveUp();
      line = this.#lines[at] ?? "";
      text += `\n${line}`;
    }
  }

  #giveUp(): undefined {
    this.#open += 1;
    return undefined;
  }

  #block(isFolded: boolean, chomp: string, width: number, indent: number): string {
    const start = this.#at;
    const first = this.#lines.slice(start).find((line) => line.trim() !== "");
    const isBare = first !== undefined && indentOf(first) <= indent && this.#isLoose;
    if (isBare) this.#at = this.#lines.length;
    while (this.#at < this.#lines.length && this.#isInBlock(indent)) this.#at += 1;
    const lines = this.#lines.slice(start, this.#at);
    const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
    const own = Math.max(0, indent) + width;
    const cut = width > 0 ? own : isBare ? 0 : indents.reduce((a, b) => Math.min(a, b), Infinity);
    const texts = lines.map((line) =>
      line.trim() === "" ? line.slice(cut) : line.slice(Math.min(cut, indentOf(line))),
    );
    return chompLines(isFolded ? fold(texts) : texts, chomp);
  }

  #isInBlock(indent: number): boolean {
    const line = this.#lines[this.#at] ?? "";
    return line.trim() === "" || indentOf(line) > indent;
  }
}

function chompLines(lines: readonly string[], chomp: string): string {
  if (chomp === "+") return lines.map((line) => `${line}\n`).join("");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (last === -1) return "";
  return lines.slice(0, last + 1).join("\n") + (chomp === "-" ? "" : "\n");
}

/** Lines of prose become one; blank and indented ones keep their ends. */
function fold(lines: readonly string[]): string[] {
  const folded: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isText = line !== "" && !line.startsWith(" ");
    if (isText && isOpen) folded.push(`${folded.pop() ?? ""} ${line}`);
    else folded.push(line);
    isOpen = isText;
  }
  return folded;
}

function isItem(text: string): boolean {
  return text === "-" || text.startsWith("- ");
}

function indentOf(line: string): number {
  let at = 0;
  while (line[at] === " ") at += 1;
  return at;
}

/** Where a quoted text ends in a line, if nothing but a comment follows; `inside` if a quote comes before. */
function closingQuote(line: string, sign: string): number | "inside" | undefined {
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\" && sign === '"') at += 1;
    else if (sign === "'" && line.startsWith("''", at)) at += 1;
    else if (line[at] === sign)
      return /^[ \t]*(?:$|[ \t]#)/.test(line.slice(at + 1, at + 200)) ? at : "inside";
  }
  return undefined;
}

/** A comment follows a space. */
function withoutComment(text: string): string {
  const at = text.search(/[ \t]#/);
  return (at === -1 ? text : text.slice(0, at)).trim();
}

function toTexts(value: unknown, depth: number): YamlValue | undefined {
  if (depth > maxDepth) return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "";
  if (typeof value !== "object") return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => toTexts(item, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, toTexts(inner, depth + 1)] as const,
  );
  if (fields.some(([, inner]) => inner === undefined)) return undefined;
  return Object.fromEntries(fields.map(([name, inner]) => [name, inner ?? ""]));
}
