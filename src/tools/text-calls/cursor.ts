// A place in a text that is read forward, and the values of Python, JavaScript and JSON that are written there.
import { advance } from "../../base/text/progress.ts";
import { JsonScan } from "../../base/text/mended-json.ts";

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

/** Arguments by name, or by their place. */
export interface Arguments {
  named: Record<string, Value>;
  placed: Value[];
}

const quotes = ['"""', "'''", '"', "'", "`", "<escape>", '<|"|>'];
/** Levels of lists and objects. */
const maxDepth = 8;

export class Cursor {
  at = 0;
  /** What was read may depend on what comes behind the end of the text. */
  isShort = false;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What the sticky pattern finds here, which is taken. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = this.see(pattern);
    this.at += found?.[0].length ?? 0;
    return found;
  }

  /** What the sticky pattern finds at a place. */
  see(pattern: RegExp, at = this.at): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.text) ?? undefined;
  }

  /** Passes over space and comments. */
  skip(): void {
    advance(
      () => this.at,
      () => this.take(/\s+|#[^\n]*|\/\/[^\n]*/y) !== undefined,
    );
  }

  /** The next sign; "" at the end. */
  get next(): string {
    if (this.at >= this.text.length) this.isShort = true;
    return this.text.charAt(this.at);
  }

  /** One object or list of JSON as models write it. Undefined where it is open or beyond mending. */
  json(): unknown {
    const scan = new JsonScan();
    const end = scan.take(this.text, this.at);
    if (end === -1) this.isShort = true;
    else this.at = end;
    return end === -1 ? undefined : scan.value();
  }

  /** What comes behind an opening bracket, to the one that closes it. Undefined where it cannot be read. */
  arguments(closing: string, depth = 0): Arguments | undefined {
    const named = new Map<string, Value>();
    const placed: Value[] = [];
    let isRead = depth <= maxDepth;
    const step = (): boolean => {
      this.skip();
      if (!isRead || this.next === closing) return false;
      const name = this.take(/(["']?)([A-Za-z_][\w.-]*)\1\s*(?:=(?!=)|:)\s*/y)?.[2];
      const value = this.#value(depth);
      if (value !== undefined && name !== undefined) named.set(name, value);
      else if (value !== undefined) placed.push(value);
      this.skip();
      isRead = value !== undefined && (this.next === closing || this.take(/,/y) !== undefined);
      return isRead;
    };
    advance(() => this.at, step);
    this.at += 1;
    return isRead ? { named: Object.fromEntries(named), placed } : undefined;
  }

  #value(depth: number): Value | undefined {
    const bracket = this.take(/[[{(]/y)?.[0];
    if (bracket !== undefined) {
      const inside = this.arguments({ "[": "]", "{": "}" }[bracket] ?? ")", depth + 1);
      return bracket === "{" ? inside?.named : inside?.placed;
    }
    const first = this.#quoted();
    if (first === undefined) return constantOf(this.take(/[\w.+-]+/y)?.[0] ?? "");
    let text = first;
    // Texts side by side, or with a plus between them, are one.
    advance(
      () => this.at,
      () => {
        const start = this.at;
        this.skip();
        this.take(/\+/y);
        this.skip();
        const more = this.#quoted();
        if (more === undefined) this.at = start;
        text += more ?? "";
        return more !== undefined;
      },
    );
    return text;
  }

  #quoted(): string | undefined {
    const [prefix = ""] = this.see(/[rRbBuUfF]{1,2}(?=["'])/y) ?? [];
    const from = this.at + prefix.length;
    const quote = quotes.find((each) => this.text.startsWith(each, from));
    if (quote === undefined) return undefined;
    const isRaw = /r/i.test(prefix) || quote.length > 3;
    const start = from + quote.length;
    const isText = (at: number): boolean => at !== -1 && !isRaw && isEscaped(this.text, at);
    let end = this.text.indexOf(quote, start);
    while (isText(end)) end = this.text.indexOf(quote, end + 1);
    if (end === -1) this.isShort = true;
    if (end === -1) return undefined;
    this.at = end + quote.length;
    const raw = this.text.slice(start, end);
    return isRaw ? raw : plainText(raw, quote);
  }
}

/** A backslash before the quote counts where no other one comes before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charAt(from - 1) === "\\") from -= 1;
  return (at - from) % 2 === 1;
}

/** A text over lines is code as it is: in it only quotes are escaped. */
function plainText(raw: string, quote: string): string {
  const text = raw.replaceAll("\r\n", "\n");
  if (!text.includes("\n")) return decodeEscapes(raw);
  const plain = text.replaceAll(`\\${quote.charAt(0)}`, quote.charAt(0));
  return quote === "`" ? plain.replaceAll("\\${", "${") : plain;
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
  ["undefined", null],
]);

function constantOf(text: string): Value | undefined {
  const known = constants.get(text.toLowerCase());
  if (known !== undefined) return known;
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
  "\r\n": "",
};
const escape =
  /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(\r\n|[^]))/g;

/** The text between quotes. A backslash before a sign that needs none is itself meant, as in `\d`. */
export function decodeEscapes(raw: string): string {
  return raw.replaceAll(escape, (whole, ...[braced, four, eight, two, sign]: string[]) => {
    const digits = braced ?? four ?? eight ?? two;
    const code = Number.parseInt(digits ?? "", 16);
    if (digits !== undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    return escapes[sign ?? ""] ?? (/[\\'"`/$ ]/.test(sign ?? "") ? (sign ?? "") : whole);
  });
}
