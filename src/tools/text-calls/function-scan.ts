// The brackets of a function call, as Python and JavaScript write them, read line by line.
import { advance } from "../../base/text/progress.ts";
import { decodeEscapes } from "./decode-escapes.ts";

export type ArgumentValue = string | number | boolean | null | ArgumentValue[] | ArgumentFields;
interface ArgumentFields {
  [name: string]: ArgumentValue;
}

/** The arguments by name, or by their place. */
export interface FunctionArguments {
  named: ArgumentFields;
  placed: ArgumentValue[];
}

type Token =
  | { kind: "text"; value: string }
  | { kind: "word"; value: string }
  | { kind: "sign"; value: string };

interface OpenText {
  quote: string;
  isRaw: boolean;
  raw: string;
}

const quotes = ['"""', "'''", '"', "'", "`"];
const word = /[\w.+-]/;
const prefix = /^[rRbBuUfF]{1,2}$/;

/**
 * Takes what follows the opening bracket of a call. What it takes grows with the text only: a text in quotes may be
 * long, and is looked at once.
 */
export class FunctionScan {
  readonly #tokens: Token[] = [];
  #open: OpenText | undefined;
  #depth = 1;
  #isBad = false;
  #rest: string | undefined;

  /** `open`: more lines are needed; `bad`: these arguments cannot be read. */
  get state(): "open" | "closed" | "bad" {
    if (this.#isBad) return "bad";
    return this.#rest === undefined ? "open" : "closed";
  }

  /** What comes after the closing bracket on its line. */
  get rest(): string {
    return this.#rest ?? "";
  }

  /** The arguments once it is closed; undefined if they do not fit together. */
  read(): FunctionArguments | undefined {
    return this.state === "closed" ? readArguments(this.#tokens) : undefined;
  }

  /** @param line with its line end, or the rest of the first one */
  push(line: string): void {
    let at = 0;
    const step = (): boolean => {
      if (at >= line.length || this.state !== "open") return false;
      at = this.#open === undefined ? this.#between(line, at) : this.#inside(this.#open, line, at);
      return true;
    };
    advance(() => at, step);
  }

  #inside(open: OpenText, line: string, from: number): number {
    const { quote } = open;
    for (let at = from; at < line.length; at += 1) {
      if (line[at] === "\\" && !open.isRaw) at += 1;
      else if (line.startsWith(quote, at)) {
        open.raw += line.slice(from, at);
        this.#open = undefined;
        this.#tokens.push({ kind: "text", value: textOf(open) });
        return at + quote.length;
      }
    }
    open.raw += line.slice(from);
    return line.length;
  }

  #between(line: string, at: number): number {
    const sign = line.charAt(at);
    if (/\s/.test(sign)) return at + 1;
    const last = this.#tokens.at(-1);
    const quote = quotes.find((each) => line.startsWith(each, at));
    if (quote !== undefined) {
      const isPrefixed = last?.kind === "word" && prefix.test(last.value);
      if (isPrefixed) this.#tokens.pop();
      this.#open = { quote, isRaw: isPrefixed && /r/i.test(last.value), raw: "" };
      return at + quote.length;
    }
    if (sign === "#" || line.startsWith("//", at)) return line.length;
    if (word.test(sign)) {
      let end = at + 1;
      while (end < line.length && word.test(line.charAt(end))) end += 1;
      // A text was closed by a quote of its own.
      if (last?.kind === "text" && sign !== "+") this.#isBad = true;
      this.#tokens.push({ kind: "word", value: line.slice(at, end) });
      return end;
    }
    this.#takeSign(sign, line, at);
    return at + 1;
  }

  #takeSign(sign: string, line: string, at: number): void {
    if ("([{".includes(sign)) this.#depth += 1;
    else if (")]}".includes(sign)) this.#depth -= 1;
    else if (!",=:".includes(sign)) this.#isBad = true;
    if (this.#depth === 0) this.#rest = line.slice(at + 1);
    else this.#tokens.push({ kind: "sign", value: sign });
  }
}

/** A text over lines is code as it is: in it only quotes are escaped. */
function textOf({ quote, isRaw, raw }: OpenText): string {
  if (isRaw) return raw;
  const text = raw.replaceAll("\r\n", "\n");
  const [sign = ""] = quote;
  if (!text.includes("\n")) return decodeEscapes(raw);
  const plain = text.replaceAll(`\\${sign}`, sign);
  return quote === "`" ? plain.replaceAll("\\${", "${") : plain;
}

function readArguments(tokens: readonly Token[]): FunctionArguments | undefined {
  const reader = new TokenReader(tokens);
  const found: FunctionArguments = { named: {}, placed: [] };
  const named = new Map<string, ArgumentValue>();
  const isWhole = reader.takeItems(undefined, () => {
    const name = reader.takeName();
    const value = reader.value(0);
    if (value === undefined) return false;
    if (name !== undefined) named.set(name, value);
    else found.placed.push(value);
    return true;
  });
  if (!isWhole) return undefined;
  const [only, ...others] = found.placed;
  const isObject = typeof only === "object" && only !== null && !Array.isArray(only);
  if (isObject && others.length === 0 && named.size === 0) return { named: only, placed: [] };
  return { ...found, named: Object.fromEntries(named) };
}

/** Levels of lists and objects. */
const maxDepth = 8;

class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /**
   * Takes items with commas between them, and the sign that ends them; undefined for the end of all.
   *
   * @param take takes one; false where it cannot be read
   * @returns false where anything cannot be read
   */
  takeItems(end: string | undefined, take: () => boolean): boolean {
    let isRead = true;
    const step = (): boolean => {
      if (this.#isAt(end)) return false;
      isRead = take() && (this.#isAt(end) || this.#takeSign(","));
      return isRead;
    };
    advance(() => this.#at, step);
    this.#at += 1;
    return isRead;
  }

  #isAt(sign: string | undefined): boolean {
    const token = this.#tokens[this.#at];
    return sign === undefined
      ? token === undefined
      : token?.kind === "sign" && token.value === sign;
  }

  #takeSign(sign: string): boolean {
    const isThere = this.#isAt(sign);
    if (isThere) this.#at += 1;
    return isThere;
  }

  /** A name and the sign between it and its value. */
  takeName(): string | undefined {
    const [token, next] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
    const isName = token?.kind !== "sign" && next?.kind === "sign" && /[=:]/.test(next.value);
    if (token === undefined || !isName) return undefined;
    this.#at += 2;
    return token.value;
  }

  value(depth: number): ArgumentValue | undefined {
    if (depth > maxDepth) return undefined;
    if (this.#takeSign("[")) return this.#list(depth);
    if (this.#takeSign("{")) return this.#object(depth);
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === "sign") return undefined;
    this.#at += 1;
    return token.kind === "word" ? constantOf(token.value) : token.value + this.#moreText();
  }

  /** Texts side by side, or with a plus between them, are one. */
  #moreText(): string {
    let text = "";
    const step = (): boolean => {
      const [token, next] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
      const isPlus = token?.kind === "word" && token.value === "+" && next?.kind === "text";
      const more = isPlus ? next : token;
      if (more?.kind !== "text") return false;
      text += more.value;
      this.#at += isPlus ? 2 : 1;
      return true;
    };
    advance(() => this.#at, step);
    return text;
  }

  #list(depth: number): ArgumentValue[] | undefined {
    const items: ArgumentValue[] = [];
    const isRead = this.takeItems("]", () => {
      const item = this.value(depth + 1);
      if (item !== undefined) items.push(item);
      return item !== undefined;
    });
    return isRead ? items : undefined;
  }

  #object(depth: number): ArgumentFields | undefined {
    const fields = new Map<string, ArgumentValue>();
    const isRead = this.takeItems("}", () => {
      const name = this.takeName();
      const value = name === undefined ? undefined : this.value(depth + 1);
      if (name === undefined || value === undefined) return false;
      fields.set(name, value);
      return true;
    });
    return isRead ? Object.fromEntries(fields) : undefined;
  }
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
]);

function constantOf(text: string): ArgumentValue | undefined {
  const known = constants.get(text);
  if (known !== undefined) return known;
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}
