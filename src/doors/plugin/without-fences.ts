// Old plugins apply the first fenced block of a message, so a message that is nothing to apply has none.

/** A line that opens or closes a block, in a list or a quotation, too. */
const rule = /^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*)(`{3,}|~{3,})/;
/** Characters of a line that are looked at while it comes: of a longer start its end decides. */
const maxStart = 500;
const runs = /`{3,}|~{3,}/g;

/**
 * Markdown that comes in pieces, with its fenced blocks as indented ones, which say the same to a reader. What is left of
 * backticks and tildes in runs of three or more is cut to one. It gives whole lines only, if nothing else is asked for.
 */
export class FenceRemover {
  readonly #givesParts: boolean;
  /** The start of the current line has gone out. */
  #isInLine = false;
  /** What has come of the current line. */
  #rest = "";
  /** The marks that have opened the current block. */
  #open: string | undefined;
  #hasBegun = false;
  #isGap = false;

  /** @param givesParts of lines that are no code, as they come */
  constructor(givesParts = false) {
    this.#givesParts = givesParts;
  }

  push(text: string): string {
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      this.#rest += text;
      return this.#takePart();
    }
    const whole = this.#rest + text.slice(0, end);
    this.#rest = text.slice(end + 1);
    const lines = whole.split("\n").map((line) => this.#take(line));
    return lines.join("") + this.#takePart();
  }

  /** What is left of a last line without an end. */
  end(): string {
    const line = this.#rest;
    this.#rest = "";
    return line === "" && !this.#isInLine ? "" : this.#take(line);
  }

  /** What of the current line is sure, whatever follows. */
  #takePart(): string {
    if (!this.#givesParts || this.#open !== undefined) return "";
    if (!this.#isInLine && !isSurelyText(this.#rest)) return "";
    // More marks may follow, and space may be all that is left of the text.
    const last = this.#rest.at(-1);
    let end = this.#rest.length;
    if (last === "`" || last === "~") while (this.#rest[end - 1] === last) end -= 1;
    const part = this.#rest.slice(0, end);
    if (part.trim() === "") return "";
    this.#rest = this.#rest.slice(end);
    const gap = this.#isInLine ? "" : this.#putGap();
    this.#isInLine = true;
    return gap + cutRuns(part);
  }

  #take(line: string): string {
    if (this.#isInLine) {
      this.#isInLine = false;
      return `${cutRuns(line)}\n`;
    }
    const [head = "", lead = "", marks = ""] = rule.exec(line) ?? [];
    const rest = line.slice(head.length);
    if (this.#open === undefined && marks !== "" && !(marks[0] === "`" && rest.includes("`"))) {
      this.#open = marks;
      // An indented block needs an empty line before it.
      return (lead.trim() === "" ? "" : this.#put(lead.trimEnd())) + this.#put("");
    }
    if (this.#open !== undefined && marks.startsWith(this.#open) && rest.trim() === "") {
      this.#open = undefined;
      return this.#put("");
    }
    const text = cutRuns(line);
    return this.#put(this.#open === undefined || text.trim() === "" ? text : `    ${text}`);
  }

  /** Of several empty lines one is left, and none at the start: the first line may be indented code. */
  #put(line: string): string {
    if (line === "") {
      this.#isGap = this.#hasBegun;
      return "";
    }
    return `${this.#putGap()}${line}\n`;
  }

  #putGap(): string {
    const gap = this.#isGap ? "\n" : "";
    this.#isGap = false;
    this.#hasBegun = true;
    return gap;
  }
}

/** Whether a line that begins so opens no block. */
function isSurelyText(start: string): boolean {
  if (start.length > maxStart) return false;
  const [lead = ""] = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*/.exec(start) ?? [];
  return !/^(?:\d{0,9}|[`~]{1,2}|`{3}.*|~{3}.*)$/s.test(start.slice(lead.length));
}

function cutRuns(text: string): string {
  return text.replaceAll(runs, (run) => run.charAt(0));
}

/** Code as an indented block. */
export function indentCode(code: string): string {
  const lines = code.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines.map((line) => (line.trim() === "" ? "" : `    ${cutRuns(line)}`)).join("\n");
}

// The answer of fix, optimize and docstring: a block that replaces the selection, then words.
