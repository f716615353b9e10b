import type { Toolbox } from "../../tool.ts";
import { readBody } from "../read-body.ts";
import { ReadBudget } from "../read-budget.ts";
import { beginsMarkup, mayFollow, readElement, readTag } from "../read-markup.ts";
import type { Held, Hold } from "./hold.ts";
import { maxHeld } from "./json-hold.ts";

/** Lines with its closing tag that may be text; each makes it read once more. */
const maxEnds = 24;

/** Takes a call whose fields are tags, from its opening tag on. */
export function beginMarkup(line: string, toolbox: Toolbox): Hold | undefined {
  const start = line.length - line.trimStart().length;
  if (start > 3 || line[start] !== "<") return undefined;
  const text = line.slice(start);
  const tag = readTag(text);
  if (tag === undefined || !beginsMarkup(tag, toolbox)) return undefined;
  const rest = text.slice(tag.length);
  return mayFollow(rest) ? new MarkupHold(toolbox, tag.closing, rest.trim() !== "") : undefined;
}

class MarkupHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #closing: string;
  readonly #lines: string[] = [];
  readonly #ends: number[] = [];
  readonly #budget = new ReadBudget();
  #length = 0;
  #hasContent: boolean;

  /** @param hasContent behind the tag on its line */
  constructor(toolbox: Toolbox, closing: string, hasContent: boolean) {
    this.#hasContent = hasContent;
    this.#toolbox = toolbox;
    this.#closing = closing;
  }

  take(line: string): Held | undefined {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length > maxHeld) return { kind: "quote", lines: this.#lines.length };
    if (!this.#hasContent && this.#lines.length > 1 && line.trim() !== "") {
      this.#hasContent = true;
      if (!mayFollow(line)) return { kind: "text", lines: this.#lines.length - 1 };
    }
    if (!line.includes(this.#closing)) return undefined;
    this.#ends.push(this.#lines.length);
    if (this.#ends.length > maxEnds) return this.#fault();
    return this.#read(this.#lines.join("\n"));
  }

  /** Its own closing tag may be missing, if the model ended by itself. */
  end(isStopped: boolean): Held {
    const whole = isStopped ? this.#read(`${this.#lines.join("\n")}${this.#closing}`) : undefined;
    if (whole !== undefined) return whole;
    return isStopped ? this.#fault() : { kind: "quote", lines: this.#lines.length };
  }

  #read(text: string): Held | undefined {
    const readInner = (body: string) => readBody(body, this.#toolbox, this.#budget);
    const found = this.#budget.run(text.length, () =>
      readElement(text, this.#toolbox, this.#budget, readInner),
    );
    if (found === undefined) return undefined;
    const rest = text.slice(found.end);
    const lines = this.#lines.length;
    return rest.trim() === ""
      ? { kind: "calls", calls: found.calls, lines }
      : { kind: "calls", calls: found.calls, lines, rest };
  }

  #fault(): Held {
    return { kind: "fault", lines: this.#ends[0] ?? this.#lines.length };
  }
}
