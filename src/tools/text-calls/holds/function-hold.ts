import type { AnyTool, Toolbox } from "../../tool.ts";
import { type ArgumentValue, FunctionScan } from "../function-scan.ts";
import type { NamedCall } from "../named-calls.ts";
import type { Held, Hold } from "./hold.ts";

const head =
  /^ {0,3}(?<tick>`)?(?<wrap>print\(|\[ {0,8})?(?:await {1,8})?(?<name>(?:[A-Za-z_]\w{0,40}\.){0,3}[A-Za-z_]\w{0,40})\(/;
/** What may stand before a call on its line: `AI工具调用:` and the like. */
const labels = [
  "tool call",
  "tool_call",
  "tool code",
  "tool_code",
  "function call",
  "action",
  "call",
].concat(["工具调用", "调用工具", "函数调用", "调用"]);
const labelMark = /^ {0,3}(?:[-*•] {1,3}|\d{1,2}[.)] {1,3})?\*{0,2}(?:ai ?)?/i;
const labelEnd = /^ ?\d{0,2}\*{0,2} ?[:：]\*{0,2} ?/;
/** In a block of code what a call returns may get a name. */
const assignment =
  /^ {0,3}(?:(?:const|let|var) {1,4})?[A-Za-z_]\w{0,60} {0,4}= {0,4}(?=[\w.]{1,100}\(|await )/;

interface Head {
  tool: AnyTool;
  name: string;
  /** What the call is inside of. */
  wrap: "print" | "list" | "tick" | undefined;
  rest: string;
}

/**
 * The beginning of a call of a tool that there is.
 *
 * @param isCode the line is one of a block of code
 */
export function readHead(line: string, toolbox: Toolbox, isCode = false): Head | undefined {
  const bare = isCode ? line.replace(assignment, "") : line.slice(labelLength(line));
  const match = head.exec(bare.slice(0, 400));
  const { name = "", wrap, tick } = match?.groups ?? {};
  const tool = match === null ? undefined : toolbox.find(name);
  if (match === null || tool === undefined || (tick !== undefined && wrap !== undefined))
    return undefined;
  const rest = bare.slice(match[0].length);
  if (tick !== undefined) return { tool, name, wrap: "tick", rest };
  const kind = wrap === undefined ? undefined : wrap.startsWith("[") ? "list" : "print";
  return { tool, name, wrap: kind, rest };
}

/** Of a label in front of a call; 0 if there is none. */
function labelLength(line: string): number {
  const mark = labelMark.exec(line.slice(0, 40))?.[0].length ?? 0;
  const text = line.slice(mark, mark + 20).toLowerCase();
  const label = labels.find((each) => text.startsWith(each));
  if (label === undefined) return 0;
  const end = labelEnd.exec(line.slice(mark + label.length, mark + label.length + 12));
  return end === null ? 0 : mark + label.length + end[0].length;
}

/** Without the label in front of a call. Undefined if the beginning of a line may yet become one. */
export function afterLabel(start: string): string | undefined {
  const length = labelLength(start);
  if (length > 0) return start.slice(length);
  const mark = labelMark.exec(start)?.[0].length ?? 0;
  const text = start.slice(mark, mark + 20).toLowerCase();
  const isOpen = labels.some(
    (each) =>
      each.startsWith(text) ||
      (text.startsWith(each) && /^ ?\d{0,2}\*{0,2} ?$/.test(text.slice(each.length))),
  );
  return isOpen || "ai".startsWith(text) ? undefined : start;
}

/** `tool_code.readTool(filePath='main.ts')`, over as many lines as its texts have. */
export class FunctionHold implements Hold {
  readonly #head: Head;
  readonly #toolbox: Toolbox;
  readonly #scan = new FunctionScan();
  #count = 0;

  constructor(begin: Head, toolbox: Toolbox) {
    this.#head = begin;
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    this.#count += 1;
    this.#scan.push(`${this.#count === 1 ? this.#head.rest : line}\n`);
    if (this.#scan.state === "open") return undefined;
    const held = this.#scan.state === "closed" ? this.#read() : undefined;
    if (held !== undefined) return held;
    return this.#scan.state === "closed" || !isEditHead(this.#head)
      ? { kind: "text", lines: this.#count }
      : { kind: "text", lines: this.#count, until: endsCall };
  }

  end(): Held {
    return { kind: "text", lines: this.#count };
  }

  #read(): Held | undefined {
    const rest = readAfter(this.#head, this.#scan.rest, this.#toolbox);
    const call = rest === undefined ? undefined : this.#readCall();
    if (rest === undefined || call === undefined) return undefined;
    const held = { kind: "calls" as const, calls: [call], lines: this.#count };
    return rest === "" ? held : { ...held, rest };
  }

  #readCall(): NamedCall | undefined {
    const { tool, name } = this.#head;
    const found = this.#scan.read();
    if (found === undefined) return undefined;
    const names = Object.keys(found.named);
    const isKnown = names.some((each) => isField(tool, each));
    const isPlain = name.includes(".") || name === tool.name || name.endsWith("Tool");
    if (!isKnown && !isPlain) return undefined;
    if (names.length > 0 && !isKnown) return undefined;
    return { name, args: { ...place(tool, found.placed), ...found.named } };
  }
}

const closers = { print: ")", list: "]", tick: "`" };

/** What comes after a call on its line: another call, or "" for nothing. Undefined if it is none of these. */
function readAfter({ wrap }: Head, rest: string, toolbox: Toolbox): string | undefined {
  const after = rest.trim().replace(/;$/, "");
  if (wrap !== undefined && after.startsWith(closers[wrap]))
    return nextCall(after.slice(1), toolbox);
  if (wrap !== "list") return wrap === undefined ? nextCall(after, toolbox) : undefined;
  return after.startsWith(",") ? nextCall(`[${after.slice(1)}`, toolbox) : undefined;
}

function nextCall(rest: string, toolbox: Toolbox): string | undefined {
  const text = rest.replace(/^[;,]? */, "");
  if (text === "" || text.startsWith("#") || text.startsWith("//")) return "";
  return readHead(text, toolbox) === undefined ? undefined : text;
}

/** An edit whose quotes do not fit may still be one for the reader of edits. */
function isEditHead({ tool }: Head): boolean {
  return tool.effect === "write";
}

/** The brackets of a call close after a text, or on a line of their own. */
function endsCall(line: string): boolean {
  const bare = line.replaceAll(/[ \t;]/g, "");
  return /["'`]\)$/.test(bare) || bare === ")";
}

function isField({ fields, otherFields = {} }: AnyTool, name: string): boolean {
  return Object.hasOwn(fields, name) || Object.hasOwn(otherFields, name);
}

/** Arguments without names are those that a call cannot be without, in their order. */
function place(tool: AnyTool, values: readonly ArgumentValue[]): Record<string, ArgumentValue> {
  const names = tool.placed ?? Object.keys(tool.fields).slice(0, 1);
  return Object.fromEntries(
    values.flatMap((value, nth): [string, ArgumentValue][] => {
      const name = names[nth];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}
