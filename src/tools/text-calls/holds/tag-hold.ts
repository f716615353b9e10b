import { JsonScan } from "../../../base/text/mended-json.ts";
import type { Toolbox } from "../../tool.ts";
import { callsOf, type NamedCall } from "../named-calls.ts";
import { readBody } from "../read-body.ts";
import { ReadBudget } from "../read-budget.ts";
import type { Held, Hold } from "./hold.ts";
import { maxHeld } from "./json-hold.ts";
import { beginMarkup } from "./markup-hold.ts";

const opening = /^ {0,3}<(tool_call|function_call|tool_use|tool_code_call|tool_code|tool)>/i;
/** Closing tags that may be text; each makes the call read once more. */
const maxEnds = 24;

/** Takes a call in tags, if one begins with the line. */
export function beginTag(line: string, toolbox: Toolbox): Hold | undefined {
  return opening.test(line) ? new TagHold(toolbox) : beginMarkup(line, toolbox);
}

/**
 * `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`, or with anything else that is a call. Where the JSON ends
 * decides, since texts hold tags, too.
 */
class TagHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #json = new JsonScan();
  readonly #budget = new ReadBudget();
  #closing = "";
  #hasJson = false;
  /** Lines of a call that is no JSON. */
  readonly #body: string[] = [];
  #ends = 0;
  /** Lines to the first that is its closing tag, and stands in what was not over. */
  #firstEnd: number | undefined;
  #length = 0;
  #count = 0;
  #isOpen = true;
  /** Nothing has come since the line where the JSON ended. */
  #isSameLine = true;
  /** Since the JSON ended. */
  #after = "";

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    this.#count += 1;
    if (this.#count > 1) return this.#takeInside(line);
    const [whole = "", name = ""] = opening.exec(line) ?? [];
    this.#closing = `</${name}>`;
    const rest = line.slice(whole.length);
    return rest.trim() === "" ? undefined : this.#takeInside(rest);
  }

  end(isStopped: boolean): Held {
    if (!isStopped) return this.#asText();
    if (!this.#isOpen) return this.#read();
    const calls = this.#body.length > 0 ? this.#readBody(this.#body.join("\n")) : undefined;
    if (calls !== undefined) return this.#toCalls(calls, "");
    return { kind: "fault", lines: this.#firstEnd ?? this.#count };
  }

  #takeInside(line: string): Held | undefined {
    if (!this.#isOpen) {
      this.#isSameLine = false;
      return this.#takeAfter(line);
    }
    if (line.trim() === this.#closing) this.#firstEnd ??= this.#count;
    if (this.#body.length > 0) return this.#takeBody(line);
    if (!this.#hasJson && line.trim() === "") return undefined;
    if (!this.#hasJson && !/^[ \t]*[{[]/.test(line)) return this.#takeBody(line);
    this.#hasJson = true;
    this.#length += line.length;
    const end = this.#json.take(`${line}\n`);
    if (end === -1) return this.#length > maxHeld ? this.#asText() : undefined;
    this.#isOpen = false;
    return this.#takeAfter(line.slice(end));
  }

  #takeBody(line: string): Held | undefined {
    this.#body.push(line);
    this.#length += line.length;
    if (this.#length > maxHeld) return this.#asText();
    const end = line.indexOf(this.#closing);
    if (end === -1) return undefined;
    const body = [...this.#body.slice(0, -1), line.slice(0, end)].join("\n");
    const calls = this.#readBody(body);
    this.#ends += 1;
    if (calls === undefined) return this.#ends > maxEnds ? this.#fault() : undefined;
    return this.#toCalls(calls, line.slice(end + this.#closing.length));
  }

  #readBody(body: string): readonly NamedCall[] | undefined {
    return readBody(body, this.#toolbox, this.#budget);
  }

  #toCalls(calls: readonly NamedCall[], rest: string): Held {
    const held = { kind: "calls" as const, calls, lines: this.#count };
    return rest.trim() === "" ? held : { ...held, rest };
  }

  #takeAfter(line: string): Held | undefined {
    this.#after += line.trim();
    if (this.#after === "") return undefined;
    // Without its end the tag is closed by whatever comes.
    const held = this.#read();
    if (!this.#after.startsWith(this.#closing)) return this.#untilHere(held, line);
    const rest = this.#after.slice(this.#closing.length);
    return held.kind === "calls" && rest !== "" ? { ...held, rest } : held;
  }

  /** What comes on the line where the JSON ends is read anew, as are lines below it. */
  #untilHere(held: Held, line: string): Held {
    if (!this.#isSameLine) return { ...held, lines: this.#count - 1 };
    return held.kind === "calls" ? { ...held, rest: line } : held;
  }

  #read(): Held {
    const calls = callsOf(this.#json.value(), this.#toolbox, true);
    return calls === undefined ? this.#fault() : { kind: "calls", calls, lines: this.#count };
  }

  #fault(): Held {
    return { kind: "fault", lines: this.#count };
  }

  /** Not for the reader of edits either: it was cut off, and is not an edit. */
  #asText(): Held {
    return { kind: "quote", lines: this.#count };
  }
}
