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

/** Turns the events of a turn into the text of its answer. */
export interface Answer {
  /** What goes out now; often "". */
  take(event: PlainEvent): string;
  /** What goes out last, when the turn has ended well. */
  end(): string;
}

/**
 * Passes text on as it comes, without what the model thinks; of actions only what a tree lists is left.
 *
 * @param last a sentence that ends the answer; "" for none
 */
export function createTextAnswer(locale: Locale, last: string): Answer {
  /** The lines of the tree that follows have gone out. */
  let knowsTree = false;
  /** What is missing for a new paragraph after what went out. */
  let gap = "";
  const pass = (text: string): string => {
    if (text !== "") gap = text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return text;
  };
  const block = (text: string): string => (text === "" ? "" : gap + pass(text));
  return {
    take(event) {
      if (event.type === "text-delta") return pass(event.brief ?? event.text);
      // That a limit has cut the answer is a field of its own.
      if (event.type === "answer-fault" && event.fault === "empty") return block(event.text);
      if (event.type === "tree-lines") {
        const text = knowsTree ? pass(event.text) : block(event.text);
        knowsTree = true;
        return text;
      }
      if (knowsTree || event.type !== "action" || event.action.action !== "tree") return "";
      return block(listTree(event.action, locale));
    },
    end: () => block(last),
  };
}

/**
 * Passes on the steps and words of work on files, line by line. Diffs and code come as indented blocks: a plugin
 * applies the changes that the last frame lists, and no text of the answer. Actions are left out.
 */
export function createCodeAnswer(): Answer {
  const lines = createFenceRemover(false);
  return {
    take: (event) => (event.type === "text-delta" ? lines.push(event.text) : ""),
    end: () => lines.end(),
  };
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
export function createEditAnswer(
  { context, locale }: Pick<Turn, "context" | "locale">,
  { selection }: SelectedCode,
  { last, isStream }: { last: string; isStream: boolean },
): Answer {
  const texts = pluginTexts(locale);
  const target = targetOf(context.activeEditor) ?? { path: "", language: "", text: "" };
  const edits: ProposedEdit[] = [];
  const lists: string[] = [];
  const lines = createFenceRemover(true);
  /** What the model has said, and the space behind it, which may be its end. */
  let [said, space] = ["", ""];

  /** @returns what goes out now */
  const write = (text: string): string => {
    const all = space + text;
    const written = all.trimEnd();
    space = all.slice(written.length);
    said += written;
    return isStream ? written : "";
  };
  const describe = ({ startLine, endLine, text }: TextChange, crosses: boolean): string => {
    const head = texts.outside(crosses) + texts.gap;
    if (text === "") return head + texts.deleteLines(startLine, endLine);
    const what =
      endLine < startLine ? texts.insertBefore(startLine) : texts.shouldRead(startLine, endLine);
    return `${head}${what}\n\n${indentCode(text)}`;
  };
  /** The block, "" where there is none, and words. */
  const readApplied = (): string[] => {
    const edit = edits.findLast(({ result }) => result.status === "applied");
    if (edit?.result.status !== "applied") return [""];
    if (edit.isCut === true) return ["", texts.tooLarge];
    const { text, after } = selection;
    const end = target.text.length - after.length;
    const { changes } = edit.result;
    const { inside, outside, crosses } =
      text.trim() === ""
        ? // What an edit changes where nothing is selected lies outside.
          { inside: undefined, outside: changes, crosses: false }
        : cutToSelection(target.text, changes, { start: end - text.length, end });
    const words = outside.map((change) => describe(change, crosses));
    if (inside !== undefined) return [fence(`${inside}\n`, target.language), ...words];
    return crosses ? ["", ...words] : ["", texts.elsewhere, ...words];
  };

  return {
    take(event) {
      if (event.type === "text-delta") return write(lines.push(event.brief ?? event.text));
      if (event.type === "answer-fault") return write(lines.push(event.text));
      if (event.type === "edit") edits.push(event.edit);
      else if (event.type === "action" && event.action.action === "tree")
        lists.push(listTree(event.action, locale).trimEnd());
      return "";
    },
    end() {
      const [block = "", ...words] = readApplied();
      const others = edits
        .filter(({ result }) => result.status === "unchecked")
        .map(({ filePath }) => texts.otherFile(filePath.replaceAll("`", "'")));
      const rest = write(lines.end());
      const [before, now] = isStream ? [said, ""] : ["", said];
      const parts = [now, ...words, ...others, ...lists, last].map(cutRuns);
      const shown = [block, ...parts].filter((part) => part !== "").join("\n\n");
      return `${rest}${before !== "" && shown !== "" ? "\n\n" : ""}${shown}\n`;
    },
  };
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
 *
 * @param givesParts of lines that are no code, as they come
 */
function createFenceRemover(givesParts: boolean) {
  /** The start of the current line has gone out. */
  let isInLine = false;
  /** What has come of the current line. */
  let rest = "";
  /** The marks that have opened the current block. */
  let open: string | undefined;
  let [hasBegun, isGap] = [false, false];

  const putGap = (): string => {
    const gap = isGap ? "\n" : "";
    [hasBegun, isGap] = [true, false];
    return gap;
  };
  /** Of several empty lines one is left, and none at the start: the first line may be indented code. */
  const put = (line: string): string => {
    if (line !== "") return `${putGap()}${line}\n`;
    isGap = hasBegun;
    return "";
  };
  /** What of the current line is sure, whatever follows. */
  const takePart = (): string => {
    if (!givesParts || open !== undefined || (!isInLine && !isSurelyText(rest))) return "";
    // More marks may follow, and space may be all that is left of the text.
    const last = rest.at(-1);
    let end = rest.length;
    if (last === "`" || last === "~") while (rest[end - 1] === last) end -= 1;
    const part = rest.slice(0, end);
    if (part.trim() === "") return "";
    rest = rest.slice(end);
    const gap = isInLine ? "" : putGap();
    isInLine = true;
    return gap + cutRuns(part);
  };
  const take = (line: string): string => {
    if (isInLine) {
      isInLine = false;
      return `${cutRuns(line)}\n`;
    }
    const [head = "", lead = "", marks = ""] = rule.exec(line) ?? [];
    const behind = line.slice(head.length);
    if (open === undefined && marks !== "" && !(marks[0] === "`" && behind.includes("`"))) {
      open = marks;
      // An indented block needs an empty line before it.
      return put(lead.trimEnd()) + put("");
    }
    if (open !== undefined && marks.startsWith(open) && behind.trim() === "") {
      open = undefined;
      return put("");
    }
    const text = cutRuns(line);
    return put(open === undefined || text.trim() === "" ? text : `    ${text}`);
  };
  return {
    push(text: string): string {
      const [first = "", ...others] = text.split("\n");
      const lines = [rest + first, ...others];
      rest = lines.pop() ?? "";
      return lines.map(take).join("") + takePart();
    },
    /** What is left of a last line without an end. */
    end(): string {
      const line = rest;
      rest = "";
      return line === "" && !isInLine ? "" : take(line);
    },
  };
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

function indentCode(code: string): string {
  const lines = code.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines.map((line) => (line.trim() === "" ? "" : `    ${cutRuns(line)}`)).join("\n");
}
