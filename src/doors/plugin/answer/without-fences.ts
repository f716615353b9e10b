// Old plugins apply the first fenced block of a message, so a message that is nothing to apply has none.

/** A line that opens or closes a block, in a list or a quotation, too. */
const rule = /^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*)(`{3,}|~{3,})/;
const runs = /`{3,}|~{3,}/g;

/**
 * The Markdown with its fenced blocks as indented ones, which say the same to a reader. What is left of
 * backticks and tildes in runs of three or more is cut to one.
 */
export function withoutFences(markdown: string): string {
  const lines = new FenceRemover();
  return (lines.push(markdown) + lines.end()).trimEnd();
}

/** Does the same with a text that comes in pieces; it gives whole lines only. */
export class FenceRemover {
  /** What has come of the current line. */
  #rest = "";
  /** The marks that have opened the current block. */
  #open: string | undefined;
  #hasBegun = false;
  #isGap = false;

  push(text: string): string {
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      this.#rest += text;
      return "";
    }
    const whole = this.#rest + text.slice(0, end);
    this.#rest = text.slice(end + 1);
    return whole
      .split("\n")
      .map((line) => this.#take(line))
      .join("");
  }

  /** What is left of a last line without an end. */
  end(): string {
    const line = this.#rest;
    this.#rest = "";
    return line === "" ? "" : this.#take(line);
  }

  #take(line: string): string {
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
    const text = line.replaceAll(runs, (run) => run.charAt(0));
    return this.#put(this.#open === undefined || text.trim() === "" ? text : `    ${text}`);
  }

  /** Of several empty lines one is left, and none at the start: the first line may be indented code. */
  #put(line: string): string {
    if (line === "") {
      this.#isGap = this.#hasBegun;
      return "";
    }
    const gap = this.#isGap ? "\n" : "";
    this.#isGap = false;
    this.#hasBegun = true;
    return `${gap}${line}\n`;
  }
}

/** Code as an indented block. */
export function indentCode(code: string): string {
  const lines = code.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines
    .map((line) =>
      line.trim() === "" ? "" : `    ${line.replaceAll(runs, (run) => run.charAt(0))}`,
    )
    .join("\n");
}
