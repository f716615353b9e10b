import { parseMended } from "../../../edit/read/forms/mended-json.ts";
import type { Toolbox } from "../../toolbox.ts";
import { JsonEnd } from "../json-end.ts";
import { callsOf } from "../named-calls.ts";
import { beginsXml, readXmlCalls } from "../read-xml-calls.ts";
import type { Held, Hold } from "./hold.ts";
import { maxHeld } from "./json-hold.ts";

const opening = /^ {0,3}<(tool_call|function_call|tool_use|tool_code_call)>/;

/** Whether a tag around a call begins with the line. */
export function beginsTag(line: string): boolean {
  return opening.test(line);
}

/**
 * `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`, or with tags for the fields. Where the JSON ends decides,
 * since texts hold tags, too.
 */
export class TagHold implements Hold {
  readonly #toolbox: Toolbox;
  readonly #end = new JsonEnd();
  #closing = "";
  #json = "";
  /** Lines of a call whose fields are tags. */
  readonly #xml: string[] = [];
  #length = 0;
  #count = 0;
  #isOpen = true;
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
    if (!this.#isOpen) return isStopped ? this.#read() : this.#asText();
    return isStopped ? this.#fault() : this.#asText();
  }

  #takeInside(line: string): Held | undefined {
    if (!this.#isOpen) return this.#takeAfter(line);
    if (this.#xml.length > 0 || (this.#json === "" && beginsXml(line))) return this.#takeXml(line);
    if (this.#json === "" && line.trim() === "") return undefined;
    if (this.#json === "" && !/^[ \t]*[{[]/.test(line)) return this.#fault();
    const end = this.#end.take(line);
    this.#json += end === -1 ? `${line}\n` : line.slice(0, end);
    if (end === -1) return this.#json.length > maxHeld ? this.#asText() : undefined;
    this.#isOpen = false;
    return this.#takeAfter(line.slice(end));
  }

  /** The tag closes behind the end of a function. */
  #takeXml(line: string): Held | undefined {
    if (line.trim() === this.#closing && this.#isFunctionOver()) {
      const calls = readXmlCalls(this.#xml);
      return calls === undefined ? this.#fault() : { kind: "calls", calls, lines: this.#count };
    }
    this.#xml.push(line);
    this.#length += line.length;
    return this.#length > maxHeld ? this.#asText() : undefined;
  }

  #isFunctionOver(): boolean {
    return this.#xml.findLast((line) => line.trim() !== "")?.trim() === "</function>";
  }

  #takeAfter(line: string): Held | undefined {
    this.#after += line.trim();
    if (this.#after === "") return undefined;
    // Without its end the tag is closed by whatever comes.
    const held = this.#read();
    return this.#after.startsWith(this.#closing) ? held : { ...held, lines: this.#count - 1 };
  }

  #read(): Held {
    const calls = callsOf(parseMended(this.#json.trim()), this.#toolbox, true);
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
