// A place in a text that is read forward, and the values that are written there: of Python, JavaScript and JSON, on the
// lines of YAML, and in tags.
import { advance } from "./progress.ts";
import { isEscaped } from "./json.ts";
import { indentOf } from "./lines.ts";
import { JsonScan } from "./mended-json.ts";

/** Arguments by name, or by their place. */
export interface Arguments {
  named: Record<string, unknown>;
  placed: unknown[];
}

/** As XML has it, and models. */
export interface OpeningTag {
  name: string;
  /** `VALUE` of `<name=VALUE>`. */
  value: string | undefined;
  attributes: readonly (readonly [name: string, value: string])[];
  /** It closes itself. */
  isEmpty: boolean;
  closing: string;
  end: number;
}

const tag =
  /<(?<space>[\w.-]{1,24}:|[|｜]\w{1,24}[|｜])?(?<name>[A-Za-z_][\w.-]{0,63})(?:=["']?(?<value>[\w.:-]{1,64})["']?|(?<said>\s(?:[^<>"']|"[^"]*"|'[^']*'){0,400}))?>/y;
const attribute = /\s([\w-]{1,60})\s{0,4}=\s{0,4}\{?(?:"([^"]*)"|'([^']*)'|([^\s"'>={}]+))/g;
const quotes = ['"""', "'''", '"', "'", "`", "<escape>", '<|"|>'];
const brackets: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };
/** Levels of lists and objects. */
const maxDepth = 8;
/** In characters: in longer lines no quotes are counted. */
const maxLine = 2_000;
/** The next argument, or the end of a call at the end of a line. */
const behindText =
  /\s*(?:,\s*["']?[A-Za-z_]\w{0,60}["']?\s*[=:]\s*[rRbBuUfF]?["'`[{\d]|(?:,\s*)?[)}\]][)}\]; \t]*(?:\r?\n|$))/y;

export class Cursor {
  at = 0;
  /** What was read may depend on what comes behind the end of the text. */
  isShort = false;
  readonly text: string;
  /** Quotes inside of a text may be without a backslash. */
  #isLoose = false;

  constructor(text: string) {
    this.text = text;
  }

  /** What the sticky pattern finds here, which is taken. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = this.see(pattern);
    this.at += found?.[0].length ?? 0;
    return found;
  }

  /** Takes what the sticky pattern finds, as often as it does. */
  takeAll(pattern: RegExp): void {
    this.repeat(() => this.take(pattern) !== undefined);
  }

  /** Repeats a step until it says that it was the last; each of the others goes on by a sign. */
  repeat(step: () => boolean): void {
    advance(() => this.at, step);
  }

  /** What the sticky pattern finds at a place. */
  see(pattern: RegExp, at = this.at): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.text) ?? undefined;
  }

  /** Passes over space and comments. */
  skip(): void {
    this.takeAll(/\s+|#[^\n]*|\/\/[^\n]*/y);
  }

  /** The next sign; "" at the end. */
  get next(): string {
    if (this.at >= this.text.length) this.isShort = true;
    return this.text.charAt(this.at);
  }

  /** Where a text is next; -1 if it does not come. */
  find(text: string, from: number): number {
    const at = this.text.indexOf(text, from);
    if (at === -1) this.isShort = true;
    return at;
  }

  /** One object or list of JSON as models write it. Undefined where it is open or beyond mending. */
  json(): unknown {
    const scan = new JsonScan();
    const end = scan.take(this.text, this.at);
    if (end === -1) this.isShort = true;
    else this.at = end;
    return end === -1 ? undefined : scan.value();
  }

  /**
   * What comes behind the opening bracket of a call. Where that cannot be read, a text ends where another argument or the
   * end of the call follows: models leave the quotes of code as they are. On a line of code they come in pairs.
   */
  callArguments(): Arguments | undefined {
    const start = this.at;
    const found = this.arguments(")");
    if (found !== undefined || this.isShort) return found;
    this.at = start;
    this.#isLoose = true;
    const read = this.arguments(")");
    this.#isLoose = false;
    return read;
  }

  /** What comes behind an opening bracket, to the one that closes it. Undefined where it cannot be read. */
  arguments(closing: string, depth = 0): Arguments | undefined {
    const named = new Map<string, unknown>();
    const placed: unknown[] = [];
    let isRead = depth <= maxDepth;
    this.repeat(() => {
      this.skip();
      if (!isRead || this.next === closing) return false;
      const name = this.take(/(["']?)([A-Za-z_][\w.-]*)\1\s*(?:=(?!=)|:)\s*/y)?.[2];
      const value = this.#value(depth);
      if (value !== undefined && name !== undefined) named.set(name, value);
      else if (value !== undefined) placed.push(value);
      this.skip();
      isRead = value !== undefined && (this.next === closing || this.take(/,/y) !== undefined);
      return isRead;
    });
    this.at += 1;
    return isRead ? { named: Object.fromEntries(named), placed } : undefined;
  }

  openingTag(at: number): OpeningTag | undefined {
    const match = this.see(tag, at);
    if (match === undefined) return undefined;
    const { space = "", name = "", value, said = "" } = match.groups ?? {};
    const [isEmpty, closing] = [said.endsWith("/"), `</${space}${name}>`];
    const attributes = [...said.replace(/\/$/, "").matchAll(attribute)].map(
      ([, key = "", one, two, three = ""]) => [key, one ?? two ?? three] as const,
    );
    return { name, value, attributes, isEmpty, closing, end: at + match[0].length };
  }

  /**
   * What a line of YAML has behind its colon: a text, an object or a list, or the block of lines below that are indented by
   * more than `column`; a tab is text. Undefined for such a block without lines.
   */
  lineValue(column: number): unknown {
    const [mark] = this.take(/[|>][+-]?[ \t]*(?=\r?\n|$)/y) ?? [];
    if (mark !== undefined) return this.#block(column, mark.includes("-") ? "" : "\n");
    const start = this.at;
    const value = /[{[]/.test(this.next) ? this.json() : this.quoted();
    if (value !== undefined && this.see(/[ \t]*(?:\r?\n|$|[^\w\s])/y) !== undefined) return value;
    this.at = start;
    const [line = ""] = this.take(/[^\n]*/y) ?? [];
    return line.replace(/(?:^|\s)#.*/, "").trim();
  }

  #block(column: number, end: string): string | undefined {
    const lines: string[] = [];
    this.repeat(() => {
      const [whole = "", line = ""] = this.see(/\r?\n([^\n]*)/y) ?? [];
      const isInside = whole !== "" && (line.trim() === "" || indentOf(line).length > column);
      if (isInside) lines.push(line);
      this.at += isInside ? whole.length : 0;
      return isInside;
    });
    const widths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/[^ ]/));
    const least = widths.reduce((one, two) => Math.min(one, two), Infinity);
    const text = lines.map((line) => line.slice(least)).join("\n");
    return text.trim() === "" ? undefined : text.trimEnd() + end;
  }

  #isClosing(quote: string, start: number, at: number): boolean {
    if (this.see(behindText, at + 1) === undefined) return false;
    const before = this.text.slice(Math.max(start, at - maxLine), at);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    return line.length === maxLine || line.split(quote).length % 2 === 1;
  }

  #value(depth: number): unknown {
    const bracket = this.take(/[[{(]/y)?.[0];
    if (bracket !== undefined) {
      const inside = this.arguments(brackets[bracket] ?? "", depth + 1);
      return bracket === "{" ? inside?.named : inside?.placed;
    }
    const first = this.quoted();
    if (first === undefined) return constantOf(this.take(/[\w.+-]+/y)?.[0] ?? "");
    // Texts side by side, or with a plus between them, are one.
    const texts = [first];
    this.repeat(() => {
      const start = this.at;
      this.take(/\s*(?:\+\s*)?/y);
      const more = this.quoted();
      if (more === undefined) this.at = start;
      else texts.push(more);
      return more !== undefined;
    });
    return texts.join("");
  }

  quoted(): string | undefined {
    const [prefix = ""] = this.see(/[rRbBuUfF]{1,2}(?=["'])/y) ?? [];
    const from = this.at + prefix.length;
    const quote = quotes.find((each) => this.text.startsWith(each, from));
    if (quote === undefined) return undefined;
    const isRaw = /r/i.test(prefix) || quote.length > 3;
    const start = from + quote.length;
    let end = this.find(quote, start);
    const isText = (at: number): boolean =>
      (!isRaw && isEscaped(this.text, at)) ||
      (this.#isLoose && quote.length === 1 && !this.#isClosing(quote, start, at));
    while (end !== -1 && isText(end)) end = this.find(quote, end + 1);
    if (end === -1) return undefined;
    this.at = end + quote.length;
    const raw = this.text.slice(start, end);
    if (isRaw || !raw.includes("\n")) return isRaw ? raw : decodeEscapes(raw);
    // A text over lines is code as it is: in it only quotes are escaped.
    const plain = raw.replaceAll("\r\n", "\n").replaceAll(`\\${quote.charAt(0)}`, quote.charAt(0));
    return quote === "`" ? plain.replaceAll("\\${", "${") : plain;
  }
}

function constantOf(text: string): unknown {
  if (/^(?:true|false)$/i.test(text)) return /^t/i.test(text);
  if (/^(?:null|none|undefined)$/i.test(text)) return null;
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
  e: "\u001B",
  "\n": "",
};

/** The text between quotes. A backslash before a sign that needs none is itself meant, as in `\d`. */
export function decodeEscapes(raw: string): string {
  const escape = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|\r?([^]))/g;
  return raw.replaceAll(escape, (whole, ...[braced, four, two, sign = ""]: string[]) => {
    const code = Number.parseInt(braced ?? four ?? two ?? "", 16);
    if (code <= 0x10_ff_ff) return String.fromCodePoint(code);
    return escapes[sign] ?? (/[\\'"`/$ ]/.test(sign) ? sign : whole);
  });
}

/** The text between two tags, without the line ends next to the tags; a text on one line is trimmed. */
export function elementText(raw: string): string {
  const data = /^<!\[CDATA\[([^]*)\]\]>$/.exec(raw.trim())?.[1] ?? raw;
  const text = data.replaceAll("\r\n", "\n").replace(/^\n/, "");
  const last = text.lastIndexOf("\n");
  const cut = last !== -1 && text.slice(last).trim() === "" ? text.slice(0, last) : text;
  return cut.includes("\n") || last !== -1 ? cut : cut.trim();
}
