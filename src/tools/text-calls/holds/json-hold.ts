import { JsonDepth } from "../../../edit/read/forms/json-depth.ts";
import { parseMended } from "../../../edit/read/forms/mended-json.ts";
import type { Toolbox } from "../../toolbox.ts";
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
    const value = parseMended(this.#lines.join("\n").trim());
    if (isResult(value)) return { kind: "quote", lines: this.#lines.length };
    const calls = callsOf(value, this.#toolbox, false);
    return calls === undefined
      ? this.#asText()
      : { kind: "calls", calls, lines: this.#lines.length };
  }

  #asText(): Held {
    return { kind: "text", lines: this.#lines.length };
  }
}
