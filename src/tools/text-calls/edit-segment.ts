// A stretch of an answer between two calls in; its text and its edits out.
import { EditReader } from "../../edit/read/edit-reader.ts";
import { readClosingTag, readOpeningTag } from "../../edit/read/file-edit-tag.ts";
import { endsPatch } from "../../edit/read/forms/unified-diff.ts";
import { readRule, shortestRule } from "../../edit/read/rule-line.ts";
import type { CodeBlock, EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import type { Message } from "../../base/errors/app-error.ts";
import { pathOfInfo, pathOfLine } from "../../edit/read/dress/path-in-text.ts";
import { printLoosely } from "../../edit/read/print-units.ts";
import { quoteName } from "../../base/errors/names.ts";
import type { NamedCall } from "./named-calls.ts";

/** A call that an edit asks for, or why it cannot be read; undefined if it was cut off with the answer. */
type EditReading = { call: NamedCall } | { fault: Message } | undefined;

export class EditSegment {
  readonly #reader = new EditReader({ reasoning: "split", blocks: "events", tagged: "code" });
  readonly #readsEdits: boolean;

  /** @param readsEdits else all is text */
  constructor(readsEdits: boolean) {
    this.#readsEdits = readsEdits;
  }

  push(text: string): string {
    return this.#readsEdits ? this.#reader.push(text).map(textOf).join("") : text;
  }

  /**
   * The text for the person that is left, and what the edits ask for, in the order of the text.
   *
   * @param isStopped the model ended by itself, or a call comes next
   */
  end(isStopped: boolean): { text: string; readings: NonNullable<EditReading>[] } {
    let text = "";
    const found: [line: number, EditReading][] = [];
    for (const event of this.#reader.end({ isStopped })) {
      const call = event.type === "block" ? readWholeFile(event.block) : undefined;
      if (event.type !== "block") text += textOf(event);
      else if (call === undefined) text += event.block.raw;
      else found.push([event.block.line, { call }]);
    }
    for (const edit of this.#reader.files) {
      const line = edit.units[0]?.line ?? edit.codeEdit?.line ?? Number.MAX_SAFE_INTEGER;
      found.push([line, readEdit(edit, isStopped)]);
    }
    if (this.#reader.alternatives.length > 0)
      found.push([Number.MAX_SAFE_INTEGER, { fault: severalOptions }]);
    const readings = found
      .sort(([one], [other]) => one - other)
      .flatMap(([, reading]) => reading ?? []);
    return { text, readings };
  }
}

/** Follows lines to tell whether they are inside of a tag of a file, a unit, a patch, or words to the person. */
export class EditLines {
  /** Of the open unit: how long its rules are. */
  #rule: number | undefined;
  #inside: "patch" | "tag" | "chat" | undefined;

  /** No call can begin here. */
  get isInside(): boolean {
    return this.#rule !== undefined || this.#inside !== undefined;
  }

  take(line: string): void {
    const rule = readRule(line, shortestRule);
    if (this.#rule !== undefined) {
      if (rule?.kind === "replace" && rule.length >= this.#rule) this.#rule = undefined;
    } else if (rule?.kind === "search") this.#rule = rule.length;
    else if (this.#inside === "patch") this.#inside = endsPatch(line) ? undefined : "patch";
    else {
      if (line.startsWith("*** Begin Patch")) this.#inside = "patch";
      if (readOpeningTag(line) !== undefined) this.#inside = "tag";
      if (/^[ \t]*<chat>/.test(line)) this.#inside = "chat";
      const closing = this.#inside === "chat" ? line.includes("</chat>") : readClosingTag(line);
      if (closing !== undefined && closing !== false) this.#inside = undefined;
    }
  }
}

function textOf(event: EditReaderEvent): string {
  return event.type === "text" ? event.text : "";
}

const severalOptions: Message = {
  en: "Your answer offers several ways to change the code, so none was made. Choose one and send only that.",
  zh: "回答给出了多种修改方案，因此没有执行任何一种。请选择一种，只发送该方案。",
};

// The edits of an answer as calls of the tool that edits files.

/** Languages of code blocks that show what was typed or printed. */
const shells =
  /^(?:bash|sh|shell|zsh|console|terminal|cmd|powershell|ps1|text|txt|plaintext|output|log|diff|http)$/i;

function readEdit(edit: FileEdit, isStopped: boolean): EditReading {
  const { filePath, units, codeEdit, error } = edit;
  if (error?.code === "truncated" && !isStopped) return undefined;
  // What such a diff quotes is all of the file, and nothing comes in its place.
  const isGone = edit.isDeletion === true && units.every(({ replace }) => replace === "");
  if (isGone && filePath !== undefined)
    return { call: { name: "delete_file", args: { target_file: filePath } } };
  if (error !== undefined) return { fault: unreadable(filePath, error.forModel) };
  if (filePath === undefined) return { fault: unnamed };
  const code = codeEdit?.code ?? printLoosely(units);
  return { call: { name: "edit_file", args: { target_file: filePath, code_edit: code } } };
}

/** A code block under a path is the text of that file, or code of it with marks. */
function readWholeFile(block: CodeBlock): NamedCall | undefined {
  const { info, isClosed, above, code } = block;
  const path = pathOfInfo(info) ?? pathOfLine(above);
  const [language = ""] = info.trim().split(/[\s:]/);
  const isFile = isClosed && path !== undefined && !shells.test(language) && code.trim() !== "";
  return isFile ? { name: "edit_file", args: { target_file: path, code_edit: code } } : undefined;
}

const unnamed: Message = {
  en: 'An edit in your answer does not say which file it is for, so nothing was changed. Write it as <file-edit filePath="path">...</file-edit>.',
  zh: '回答中有一处修改没有说明针对哪个文件，因此没有修改任何内容。请写成 <file-edit filePath="路径">...</file-edit>。',
};

function unreadable(path: string | undefined, why: string): Message {
  const name = path === undefined ? "a file" : quoteName(path);
  const nameZh = path === undefined ? "文件" : quoteName(path, "zh");
  return {
    en: `The edit of ${name} in your answer could not be read, so nothing was changed. ${why}`,
    zh: `回答中对${nameZh}的修改无法读取，因此没有修改任何内容。请重新发送完整的修改：每个单元依次为一行 \`------- SEARCH\`、要查找的行、一行 \`=======\`、新的行、一行 \`+++++++ REPLACE\`。`,
  };
}
