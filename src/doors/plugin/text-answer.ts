import type { Locale } from "../../base/errors/locale.ts";
import type { PlainEvent } from "../../turn/turn-event.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { TreeAction } from "../../turn/action.ts";
import { pluginTexts } from "./texts.ts";
import type { TextChange } from "../../edit/unified-diff.ts";
import { fence } from "../../base/text/fence.ts";
import { targetOf } from "../../flows/place/edit-target.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import type { Turn } from "../../turn/turn.ts";
import { type SelectedCode, cutToSelection } from "./selected-code.ts";

/** Passes text on as it comes, without what the model thinks; of actions only what a tree lists is left. */
export class TextAnswer implements Answer {
  readonly #locale: Locale;
  readonly #last: string;
  /** The lines of the tree that follows have gone out. */
  #knowsTree = false;
  /** What is missing for a new paragraph after what went out. */
  #gap = "";

  /** @param last a sentence that ends the answer; "" for none */
  constructor(locale: Locale, last: string) {
    this.#locale = locale;
    this.#last = last;
  }

  take(event: PlainEvent): string {
    switch (event.type) {
      case "text-delta":
        return this.#pass(event.brief ?? event.text);
      case "tree-lines": {
        const text = this.#knowsTree ? this.#pass(event.text) : this.#block(event.text);
        this.#knowsTree = true;
        return text;
      }
      case "action":
        return event.action.action === "tree" && !this.#knowsTree
          ? this.#block(listTree(event.action, this.#locale))
          : "";
      default:
        return "";
    }
  }

  end(): string {
    return this.#block(this.#last);
  }

  #pass(text: string): string {
    if (text !== "") this.#gap = text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return text;
  }

  #block(text: string): string {
    if (text === "") return "";
    const gap = this.#gap;
    return gap + this.#pass(text);
  }
}

/**
 * Passes on the steps and words of work on files, line by line. Diffs and code come as indented blocks: a plugin
 * applies the changes that the last frame lists, and no text of the answer. Actions are left out.
 */
export class CodeAnswer implements Answer {
  readonly #lines = new FenceRemover();

  take(event: PlainEvent): string {
    return event.type === "text-delta" ? this.#lines.push(event.text) : "";
  }

  end(): string {
    return this.#lines.end();
  }
}

/** Turns the events of a turn into the text of its answer. */
export interface Answer {
  /** What goes out now; often "". */
  take(event: PlainEvent): string;
  /**
   * What goes out last, when the turn has ended well.
   *
   * @param isCut a limit of the model has ended its answer
   */
  end(isCut: boolean): string;
}

/**
 * What a tree offers, as a numbered list: `1. happy path: adds two prices`. Nodes that only group others stand
 * before those.
 */
function listTree({ data }: TreeAction, locale: Locale): string {
  const { nodes, nodeActions } = data;
  const types = new Set(nodeActions.map(({ nodeType }) => nodeType));
  const names = new Map(nodes.map(({ id, type, name }) => [id, types.has(type) ? "" : name]));
  const items = nodes.filter(({ type }) => types.has(type));
  const lines = items.map(({ name, pId }, nth) => {
    const group = names.get(pId) ?? "";
    const head = group === "" ? "" : `${oneLine(group)}${pluginTexts(locale).colon}`;
    return `${nth + 1}. ${head}${oneLine(name)}\n`;
  });
  return lines.join("");
}

/**
 * Where the change is one of the selection, the answer holds one fenced block: its text, without the line break
 * before the closing fence, replaces exactly the selected text. In all other cases no fence is in the answer. In a
 * stream the model's words go out as they come and the block, which counts only when the change is whole, in one piece
 * after them; an answer of one message begins with the block.
 */
export class EditAnswer implements Answer {
  readonly #selection: SelectedCode["selection"];
  readonly #locale: Locale;
  readonly #target: { path: string; language: string; text: string };
  readonly #last: string;
  readonly #edits: ProposedEdit[] = [];
  readonly #lists: string[] = [];
  readonly #isStream: boolean;
  readonly #lines = new FenceRemover(true);
  /** What the model has said, and the space behind it, which may be its end. */
  #said = "";
  #space = "";

  constructor(
    { context, locale }: Pick<Turn, "context" | "locale">,
    { selection }: SelectedCode,
    { last, isStream }: { last: string; isStream: boolean },
  ) {
    this.#isStream = isStream;
    this.#selection = selection;
    this.#locale = locale;
    this.#last = last;
    this.#target = targetOf(context.activeEditor) ?? { path: "", language: "", text: "" };
  }

  take(event: PlainEvent): string {
    if (event.type === "text-delta")
      return this.#write(this.#lines.push(event.brief ?? event.text));
    if (event.type === "edit") this.#edits.push(event.edit);
    else if (event.type === "action" && event.action.action === "tree")
      this.#lists.push(listTree(event.action, this.#locale).trimEnd());
    return "";
  }

  end(isCut: boolean): string {
    const texts = pluginTexts(this.#locale);
    const applied = this.#edits.findLast(({ result }) => result.status === "applied");
    const { block, words } = this.#readApplied(applied);
    const others = this.#edits
      .filter(({ result }) => result.status === "unchecked")
      .map(({ filePath }) => texts.otherFile(filePath.replaceAll("`", "'")));
    const last = [...(isCut ? [texts.cut] : []), this.#last];
    const rest = this.#write(this.#lines.end());
    const [before, now] = this.#isStream ? [this.#said, ""] : ["", this.#said];
    const parts = [now, ...words, ...others, ...this.#lists, ...last].map(withoutRuns);
    const shown = [block ?? "", ...parts].filter((part) => part !== "").join("\n\n");
    return `${rest}${before !== "" && shown !== "" ? "\n\n" : ""}${shown}\n`;
  }

  /** @returns what goes out now */
  #write(text: string): string {
    const all = this.#space + text;
    const written = all.trimEnd();
    this.#space = all.slice(written.length);
    this.#said += written;
    return this.#isStream ? written : "";
  }

  #readApplied(edit: ProposedEdit | undefined): { block: string | undefined; words: string[] } {
    if (edit?.result.status !== "applied") return { block: undefined, words: [] };
    const texts = pluginTexts(this.#locale);
    if (edit.isCut === true) return { block: undefined, words: [texts.tooLarge] };
    const { text, after } = this.#selection;
    const end = this.#target.text.length - after.length;
    // What an edit changes where nothing is selected lies outside.
    const span = { start: end - text.length, end };
    const { inside, outside, crosses } =
      text.trim() === ""
        ? { inside: undefined, outside: edit.result.changes, crosses: false }
        : cutToSelection(this.#target.text, edit.result.changes, span);
    const words = outside.map((change) => this.#describe(change, crosses));
    return inside === undefined
      ? { block: undefined, words: crosses ? words : [texts.elsewhere, ...words] }
      : { block: fence(`${inside}\n`, this.#target.language), words };
  }

  #describe({ startLine, endLine, text }: TextChange, crosses: boolean): string {
    const texts = pluginTexts(this.#locale);
    const head = texts.outside(crosses) + texts.gap;
    if (text === "") return head + texts.deleteLines(startLine, endLine);
    const what =
      endLine < startLine ? texts.insertBefore(startLine) : texts.shouldRead(startLine, endLine);
    return `${head}${what}\n\n${indentCode(text)}`;
  }
}

/** Names and lists come from models and files, too. */
function withoutRuns(text: string): string {
  return text.replaceAll(/`{3,}|~{3,}/g, (run) => run.charAt(0));
}

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
class FenceRemover {
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
function indentCode(code: string): string {
  const lines = code.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines.map((line) => (line.trim() === "" ? "" : `    ${cutRuns(line)}`)).join("\n");
}

// The answer of fix, optimize and docstring: a block that replaces the selection, then words.
