import { isRecord } from "../../../base/text/json.ts";
import { beginsJson } from "../../../edit/read/forms/json-edits.ts";
import { JsonScan, parseMended } from "../../../base/text/mended-json.ts";
import type { Toolbox } from "../../tool.ts";
import { callsOf, isResult } from "../named-calls.ts";
import { readDocuments } from "../read-documents.ts";
import { FunctionHold, readHead } from "./function-hold.ts";
import type { Held, Hold } from "./hold.ts";
import { maxHeld } from "./json-hold.ts";
import { readAll } from "./read-all.ts";
import { beginTag } from "./tag-hold.ts";
import { type FenceLine, closesFence, readFence } from "../../../base/text/fence.ts";

/** Fences that may end it; each makes it read once more. */
const maxEnds = 24;
const toolName = /["']?\b(?:tool|name|function|action)["']?[ \t]*:[ \t]*["']?([\w.]+)/;
const yamlStart =
  /^(?:- )?["']?(?:tool|tool_name|reason|name|action|function|thinking|thought|params|parameters|arguments)["']?[ \t]*:/;

/** Whether a code block begins with the line that may hold a call. */
export function beginsFence(line: string): boolean {
  return line.length < 1_000 && /^ {0,3}$/.test(readFence(line)?.indent ?? "none");
}

/** What ends the code block that this line opens. */
export function endOfFence(first: string): (line: string) => boolean {
  const fence = readFence(first) ?? noFence;
  return (line) => closesFence(line, fence);
}

/**
 * A code block that holds a call and nothing else, in YAML, JSON, tags or as a function call. Its texts may hold
 * fences: it ends at the first fence with which it reads, none that is indented, and else at the last.
 */
export class FenceHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #first: FenceLine;
  /** Of JSON. */
  readonly #json = new JsonScan();
  #isJsonOpen = true;
  readonly #lines: string[] = [];
  readonly #ends: number[] = [];
  #kind: "yaml" | "json" | "function" | "tag" | undefined;
  #length = 0;

  /** @param first the opening fence */
  constructor(first: string, toolbox: Toolbox) {
    this.#toolbox = toolbox;
    this.#first = readFence(first) ?? noFence;
  }

  take(line: string): Held | undefined {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#lines.length === 1) return undefined;
    const isEnd = closesFence(line, this.#first);
    if (this.#kind === undefined) {
      if (isEnd) return this.#asText(true);
      if (line.trim() === "") return undefined;
      this.#kind = kindOf(line, this.#toolbox);
      if (this.#kind === undefined) return this.#asText(false);
      if (this.#kind === "json") this.#isJsonOpen = this.#json.take(`${line}\n`) === -1;
      return undefined;
    }
    if (this.#length > maxHeld) return this.#asText(false);
    if (this.#kind === "json" && this.#json.take(`${line}\n`) !== -1) this.#isJsonOpen = false;
    if (!isEnd) return undefined;
    const end = this.#lines.length - 1;
    this.#ends.push(end);
    return this.#ends.length > maxEnds ? this.#asText(true) : this.#read(end, false);
  }

  end(isStopped: boolean): Held {
    for (const end of this.#ends.toReversed()) {
      const held = this.#kind === "yaml" ? this.#read(end, true) : undefined;
      if (held !== undefined) return held;
    }
    // A block that is open lacks only its fence, if the model ended by itself.
    const whole =
      isStopped && this.#ends.length === 0 ? this.#read(this.#lines.length, false) : undefined;
    if (whole !== undefined) return { ...whole, lines: this.#lines.length };
    const [first] = this.#ends;
    if (first === undefined) return this.#asText(false);
    const isCall = isStopped && this.#kind !== "function" && this.#namesTool();
    return { kind: isCall ? "fault" : "text", lines: first + 1 };
  }

  /** @param end the line of the closing fence */
  #read(end: number, isLoose: boolean): Held | undefined {
    const inside = this.#lines.slice(1, end);
    const lines = end + 1;
    switch (this.#kind) {
      case "yaml":
        return this.#toHeld(readDocuments(inside, isLoose), lines);
      case "json":
        // Whoever quotes in another way has closed it at the first fence.
        if (this.#isJsonOpen && this.#ends.length > 1) return undefined;
        return this.#toHeld(parseMended(inside.join("\n").trim()), lines);
      case "tag":
        return this.#readAll(inside, (line) => beginTag(line, this.#toolbox));
      case "function":
        return this.#readAll(inside, (line) => {
          const head = readHead(line, this.#toolbox, true);
          return head && new FunctionHold(head, this.#toolbox);
        });
      default:
        return undefined;
    }
  }

  /** What can be read and is not a call is for others: the fence has no other end. */
  #toHeld(value: unknown, lines: number): Held | undefined {
    if (value === undefined) return undefined;
    if (isResult(withSuccess(value))) return { kind: "quote", lines };
    const calls = callsOf(value, this.#toolbox, false);
    return calls === undefined ? { kind: "text", lines } : { kind: "calls", calls, lines };
  }

  #readAll(inside: readonly string[], begin: (line: string) => Hold | undefined): Held | undefined {
    const calls = readAll(inside, begin);
    return calls && { kind: "calls", calls, lines: inside.length + 2 };
  }

  /** One of its first lines names a tool that there is. */
  #namesTool(): boolean {
    return this.#lines.slice(1, 12).some((line) => {
      const [, name] = toolName.exec(line) ?? [];
      return name !== undefined && this.#toolbox.find(name) !== undefined;
    });
  }

  /** @param isClosed the block has ended with the lines that were taken */
  #asText(isClosed: boolean): Held {
    const lines = this.#lines.length;
    if (isClosed) return { kind: "text", lines: (this.#ends[0] ?? lines - 1) + 1 };
    const fence = this.#first;
    return { kind: "text", lines, until: (line) => closesFence(line, fence) };
  }
}

const noFence: FenceLine = { indent: "", run: "", info: "" };

/** By the first line that has text. */
function kindOf(line: string, toolbox: Toolbox): "yaml" | "json" | "function" | "tag" | undefined {
  if (beginTag(line, toolbox) !== undefined) return "tag";
  if (beginsJson(line)) return "json";
  if (readHead(line, toolbox, true) !== undefined) return "function";
  return yamlStart.test(line.trimStart()) ? "yaml" : undefined;
}

/** In YAML all values are texts. */
function withSuccess(value: unknown): unknown {
  const isSaid = isRecord(value) && (value["success"] === "true" || value["success"] === "false");
  return isSaid ? { success: true } : value;
}
