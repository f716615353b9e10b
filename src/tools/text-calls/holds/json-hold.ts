import { JsonDepth } from "../../../edit/read/forms/json-depth.ts";
import { beginsJson } from "../../../edit/read/forms/json-edits.ts";
import { parseMended } from "../../../edit/read/forms/mended-json.ts";
import type { Toolbox } from "../../toolbox.ts";
import { JsonEnd } from "../json-end.ts";
import { callsOf, isResult } from "../named-calls.ts";
import type { Held, Hold } from "./hold.ts";

/** Characters that are held at most. */
export const maxHeld = 1_048_576;

/** JSON outside of tags and fences: a call, a result that is repeated, or an edit, which is for others to read. */
export class JsonHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #depth = new JsonDepth();
  readonly #lines: string[] = [];
  #length = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#depth.takes(line) === 0) return this.#read();
    return this.#length > maxHeld ? this.#asText() : undefined;
  }

  end(): Held {
    return this.#asText();
  }

  #read(): Held {
    const text = this.#lines.join("\n").trim();
    const value = parseMended(text);
    if (isResult(value)) return { kind: "quote", lines: this.#lines.length };
    const calls = callsOf(value, this.#toolbox, false);
    if (calls !== undefined) return { kind: "calls", calls, lines: this.#lines.length };
    return this.#readFirst(text) ?? this.#asText();
  }

  /** Several on one line, with a semicolon or a comma between them. */
  #readFirst(text: string): Held | undefined {
    const end = new JsonEnd();
    let [at, found] = [0, -1];
    for (const line of text.split("\n")) {
      found = end.take(line);
      if (found !== -1) break;
      at += line.length + 1;
    }
    const rest = text.slice(at + found).replace(/^[ \t]*[;,]?[ \t]*/, "");
    if (found === -1 || !beginsJson(rest) || rest.includes("\n")) return undefined;
    const calls = callsOf(parseMended(text.slice(0, at + found)), this.#toolbox, false);
    return calls && { kind: "calls", calls, lines: this.#lines.length, rest };
  }

  #asText(): Held {
    return { kind: "text", lines: this.#lines.length };
  }
}
