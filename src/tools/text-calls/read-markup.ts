// Calls whose parts are tags: `<invoke name="...">`, `<function=...>`, `<read_file>` with a tag for each field.
import { parseFirst } from "../../base/text/mended-json.ts";
import type { Toolbox } from "../tool.ts";
import { isRecord } from "../../base/text/json.ts";
import { advance } from "../../base/text/progress.ts";
import type { NamedCall } from "./named-calls.ts";
import type { ReadBudget } from "./read-budget.ts";

/** Tags that hold one call or several, and nothing else. */
const wrappers = new Set(["function_calls", "tool_calls"]);
const namedTags = new Set(["invoke", "function", "tool", "tool_call", "function_call", "tool_use"]);
const parameterTags = new Set(["parameter", "param", "argument", "arg"]);
/** `<arg_key>NAME</arg_key><arg_value>...</arg_value>` */
const pairTags = new Set(["arg_key", "arg_value"]);
const objectTags = new Set(["params", "parameters", "arguments", "args", "input"]);
/** In characters: so much of an opening tag is looked at. */
const maxTag = 600;
/** Closing tags of one name that may be text; each makes what is before it read once more. */
const maxEnds = 24;

const tagStart =
  /^<(?:antml:)?(?<name>[A-Za-z_][\w.-]{0,63})(?:=["']?(?<callee>[\w.:-]{1,64})["']?|(?<attributes>\s(?:[^<>"']|"[^"]*"|'[^']*'){0,400}))?>/;
const nameAttribute = /\s(?:tool_?)?name\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/;

/** Some models put their tags into a namespace. */
const space = "antml:";

interface Tag {
  /** In lower case. */
  name: string;
  /** What the tag says besides: `NAME` of `<function=NAME>` and `<invoke name="NAME">`. */
  says: string | undefined;
  length: number;
  closing: string;
}

/** The tag that begins a text. */
export function readTag(text: string): Tag | undefined {
  if (!text.startsWith("<")) return undefined;
  const match = tagStart.exec(text.slice(0, maxTag));
  const { name, callee, attributes } = match?.groups ?? {};
  if (match === null || name === undefined) return undefined;
  const [, double, single, bare] = nameAttribute.exec(attributes ?? "") ?? [];
  const prefix = match[0].startsWith(`<${space}`) ? space : "";
  return {
    name: name.toLowerCase(),
    says: callee ?? double ?? single ?? bare,
    length: match[0].length,
    closing: `</${prefix}${name}>`,
  };
}

/** Whether a call may go on so behind its tag: a sentence may begin with the name of a tag, too. */
export function mayFollow(rest: string): boolean {
  return /^\s*(?:$|[<{[])/.test(rest);
}

/** Whether the tag is one around a call, or around several. */
export function beginsMarkup(tag: Tag, toolbox: Toolbox): boolean {
  if (wrappers.has(tag.name)) return true;
  if (namedTags.has(tag.name)) return tag.says !== undefined;
  return isToolTag(tag, toolbox);
}

/** Words such as `edit` or `done` are tags of other languages as well. */
function isToolTag({ name, says }: Tag, toolbox: Toolbox): boolean {
  const tool = toolbox.find(name);
  if (tool === undefined || says !== undefined) return false;
  return name === tool.name || name.includes("_") || name.endsWith("tool");
}

/** What the content of a tag means as calls; undefined if it cannot be read. */
export type ReadBody = (body: string) => readonly NamedCall[] | undefined;

/**
 * Reads the element that a text begins with, and where it ends. A text inside may hold tags, also its own closing one:
 * it ends where another field or the end of the call follows. Undefined if anything is left open.
 *
 * @param readBody reads what is in other tags around calls
 */
export function readElement(
  text: string,
  toolbox: Toolbox,
  budget: ReadBudget,
  readBody: ReadBody,
): { calls: readonly NamedCall[]; end: number } | undefined {
  const reader = new MarkupReader(text, toolbox, budget, readBody);
  const calls = reader.element();
  return calls && { calls, end: reader.at };
}

/** Reads elements to the end of a text. */
export function readElements(
  text: string,
  toolbox: Toolbox,
  budget: ReadBudget,
  readBody: ReadBody,
): NamedCall[] | undefined {
  const reader = new MarkupReader(text, toolbox, budget, readBody);
  return reader.elements("");
}

/** Reads a text that is nothing but fields, each in a tag of its name. */
export function readFields(
  text: string,
  toolbox: Toolbox,
  budget: ReadBudget,
): Record<string, string> | undefined {
  return new MarkupReader(text, toolbox, budget, () => undefined).fields("", () => true);
}

class MarkupReader {
  at = 0;
  readonly #text: string;
  readonly #toolbox: Toolbox;
  readonly #budget: ReadBudget;
  readonly #readBody: ReadBody;

  constructor(text: string, toolbox: Toolbox, budget: ReadBudget, readBody: ReadBody) {
    this.#text = text;
    this.#toolbox = toolbox;
    this.#budget = budget;
    this.#readBody = readBody;
  }

  elements(closing: string): NamedCall[] | undefined {
    const calls: NamedCall[] = [];
    const isWhole = this.#untilEnd(closing, () => {
      const inner = this.element();
      for (const call of inner ?? []) calls.push(call);
      return inner !== undefined;
    });
    return isWhole && calls.length > 0 ? calls : undefined;
  }

  /** Takes parts to the closing tag. @returns false where one cannot be read */
  #untilEnd(closing: string, take: () => boolean): boolean {
    let isRead = true;
    const step = (): boolean => {
      if (this.#takeEnd(closing)) return false;
      isRead = take();
      return isRead;
    };
    advance(() => this.at, step);
    return isRead;
  }

  element(): readonly NamedCall[] | undefined {
    return this.#budget.run(0, () => this.#element());
  }

  #element(): readonly NamedCall[] | undefined {
    this.#skip();
    const tag = readTag(this.#text.slice(this.at, this.at + maxTag));
    if (tag === undefined) return undefined;
    this.at += tag.length;
    if (wrappers.has(tag.name))
      return this.#begins("{[") ? this.#body(tag.closing) : this.elements(tag.closing);
    const isNamed = namedTags.has(tag.name) && tag.says !== undefined;
    if (!isNamed && !isToolTag(tag, this.#toolbox)) return this.#body(tag.closing);
    const name = isNamed ? (tag.says ?? "") : tag.name;
    const args = this.#object(tag.closing) ?? this.fields(tag.closing, this.#fieldsOf(name));
    return args && [{ name, args: unwrap(args) }];
  }

  /** Other tags are part of a text. */
  #fieldsOf(name: string): (field: string) => boolean {
    const tool = this.#toolbox.find(name);
    if (tool === undefined) return () => true;
    const { fields, otherFields = {} } = tool;
    return (field) =>
      Object.hasOwn(fields, field) || Object.hasOwn(otherFields, field) || objectTags.has(field);
  }

  /** JSON in place of fields. */
  #object(closing: string): Record<string, unknown> | undefined {
    const start = this.at;
    const found = this.#begins("{")
      ? this.#untilRead(closing, (body) =>
          this.#budget.run(body.length, () => {
            const value = parseFirst(body.trim());
            return isRecord(value) ? value : undefined;
          }),
        )
      : undefined;
    if (found === undefined) this.at = start;
    return found;
  }

  #body(closing: string): readonly NamedCall[] | undefined {
    return this.#untilRead(closing, this.#readBody);
  }

  #untilRead<Value>(closing: string, read: (body: string) => Value | undefined): Value | undefined {
    let end = this.#text.indexOf(closing, this.at);
    for (let nth = 0; end !== -1 && nth < maxEnds; nth += 1) {
      const value = read(this.#text.slice(this.at, end));
      if (value !== undefined) {
        this.at = end + closing.length;
        return value;
      }
      end = this.#text.indexOf(closing, end + 1);
    }
    return undefined;
  }

  /** @param isField of tags that are named like fields */
  fields(closing: string, isField: (name: string) => boolean): Record<string, string> | undefined {
    const fields = new Map<string, string>();
    let key: string | undefined;
    const isWhole = this.#untilEnd(closing, () => {
      const tag = this.#fieldTag(this.at, isField);
      if (tag === undefined) return false;
      this.at += tag.length;
      const value = this.#value(tag, closing, isField);
      if (value === undefined || (tag.name === "arg_value") !== (key !== undefined)) return false;
      const name = parameterTags.has(tag.name) ? (tag.says ?? "") : (key ?? tag.name);
      key = tag.name === "arg_key" ? value : undefined;
      if (key === undefined) fields.set(name, value);
      return true;
    });
    return isWhole && key === undefined ? Object.fromEntries(fields) : undefined;
  }

  #fieldTag(at: number, isField: (name: string) => boolean): Tag | undefined {
    const tag = readTag(this.#text.slice(at, at + maxTag));
    if (tag === undefined) return undefined;
    if (parameterTags.has(tag.name)) return tag.says === undefined ? undefined : tag;
    return pairTags.has(tag.name) || isField(tag.name) ? tag : undefined;
  }

  #value(tag: Tag, outer: string, isField: (name: string) => boolean): string | undefined {
    const text = this.#text;
    let end = text.indexOf(tag.closing, this.at);
    for (; end !== -1; end = text.indexOf(tag.closing, end + 1)) {
      const next = this.#skipFrom(end + tag.closing.length);
      const isEnd = outer === "" ? next >= text.length : text.startsWith(outer, next);
      if (!isEnd && this.#fieldTag(next, isField) === undefined) continue;
      const value = plainValue(text.slice(this.at, end));
      this.at = end + tag.closing.length;
      return value;
    }
    return undefined;
  }

  /** @param closing "" for the end of the text */
  #takeEnd(closing: string): boolean {
    this.#skip();
    const isEnd =
      closing === "" ? this.at >= this.#text.length : this.#text.startsWith(closing, this.at);
    if (isEnd) this.at += closing.length;
    return isEnd;
  }

  /** Whether what comes next is one of the signs. */
  #begins(signs: string): boolean {
    return signs.includes(this.#text[this.#skipFrom(this.at)] ?? "x");
  }

  #skip(): void {
    this.at = this.#skipFrom(this.at);
  }

  #skipFrom(from: number): number {
    let at = from;
    while (" \t\r\n".includes(this.#text[at] ?? "x")) at += 1;
    return at;
  }
}

/** Fields that stand in one field around all of them. */
function unwrap(args: Record<string, unknown>): Record<string, unknown> {
  const [name, ...others] = Object.keys(args);
  if (name === undefined || others.length > 0 || !objectTags.has(name)) return args;
  const value = args[name];
  const inner = typeof value === "string" ? parseFirst(value.trim()) : value;
  return isRecord(inner) ? inner : args;
}

/** Without the line ends next to the tags; a text on one line is trimmed. */
function plainValue(raw: string): string {
  const bare = raw.trim();
  if (bare.startsWith("<![CDATA[") && bare.endsWith("]]>")) return plainLines(bare.slice(9, -3));
  return plainLines(raw);
}

function plainLines(raw: string): string {
  const text = raw.replaceAll("\r\n", "\n");
  const inside = text.startsWith("\n") ? text.slice(1) : text;
  const last = inside.lastIndexOf("\n");
  const cut = last !== -1 && inside.slice(last).trim() === "" ? inside.slice(0, last) : inside;
  return cut.includes("\n") || last !== -1 ? cut : cut.trim();
}
