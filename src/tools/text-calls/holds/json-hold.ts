import { JsonScan } from "../../../base/text/mended-json.ts";
import type { Toolbox } from "../../tool.ts";
import { callsOf, isResult } from "../named-calls.ts";
import type { Held, Hold } from "./hold.ts";

/** Characters that are held at most. */
export const maxHeld = 1_048_576;

/** JSON outside of tags and fences: a call, a result that is repeated, or an edit, which is for others to read. */
export class JsonHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #json = new JsonScan();
  #lines = 0;
  #length = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  take(line: string): Held | undefined {
    this.#lines += 1;
    this.#length += line.length;
    const end = this.#json.take(`${line}\n`);
    if (end !== -1) return this.#read(line.slice(end));
    return this.#length > maxHeld ? this.#asText() : undefined;
  }

  end(): Held {
    return this.#asText();
  }

  /** @param behind on its last line: nothing, a tag, or another one with a semicolon or a comma between them */
  #read(behind: string): Held {
    const value = this.#json.value();
    if (isResult(value)) return { kind: "quote", lines: this.#lines };
    const calls = callsOf(value, this.#toolbox, false);
    const rest = behind.replace(/^[ \t]*[;,]?[ \t]*/, "");
    if (calls === undefined || !/^(?:$|[<{[])/.test(rest)) return this.#asText();
    const held = { kind: "calls" as const, calls, lines: this.#lines };
    return rest === "" ? held : { ...held, rest };
  }

  #asText(): Held {
    return { kind: "text", lines: this.#lines };
  }
}
