// The answer of fix, optimize and docstring: a block that replaces the selection, then words.
import { fence } from "../../../context/fence.ts";
import { targetOf } from "../../../flows/edit/edit-target.ts";
import type { TextChange } from "../../../edit/describe/text-changes.ts";
import type { Locale } from "../../../errors/locale.ts";
import { readDeltas } from "../../../model/chat/read-deltas.ts";
import type { ProposedEdit } from "../../../turn/proposed-edit.ts";
import type { Turn } from "../../../turn/turn.ts";
import type { PlainEvent } from "../../../turn/turn-event.ts";
import type { SelectedCode } from "../read/selected-code.ts";
import { pluginTexts } from "../texts.ts";
import type { Answer } from "./answer.ts";
import { cutToSelection } from "./cut-to-selection.ts";
import { listTree } from "./tree-list.ts";
import { indentCode, withoutFences } from "./without-fences.ts";

/**
 * Holds everything back until the change is whole. Where it changes the selection, the answer begins with one
 * fenced block: its text, without the line break before the closing fence, replaces exactly the selected text.
 * In all other cases no fence is in the answer.
 */
export class EditAnswer implements Answer {
  readonly #selection: SelectedCode["selection"];
  readonly #locale: Locale;
  readonly #target: { path: string; language: string; text: string };
  readonly #last: string;
  readonly #edits: ProposedEdit[] = [];
  readonly #lists: string[] = [];
  #text = "";

  constructor(
    { context, locale }: Pick<Turn, "context" | "locale">,
    { selection }: SelectedCode,
    last: string,
  ) {
    this.#selection = selection;
    this.#locale = locale;
    this.#last = last;
    this.#target = targetOf(context.activeEditor) ?? { path: "", language: "", text: "" };
  }

  take(event: PlainEvent): string {
    if (event.type === "text-delta") this.#text += event.brief ?? event.text;
    else if (event.type === "upstream-frames")
      this.#text += readDeltas(event.bytes)
        .map(({ content }) => content ?? "")
        .join("");
    else if (event.type === "edit") this.#edits.push(event.edit);
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
    const parts = [withoutFences(this.#text), ...words, ...others, ...this.#lists, ...last];
    const said = parts.map((part) => withoutRuns(part)).filter((part) => part !== "");
    return [...(block === undefined ? [] : [block]), ...said].join("\n\n") + "\n";
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
