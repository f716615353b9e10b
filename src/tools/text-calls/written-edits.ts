// The edits that an answer holds, in any form that `edit/read` knows, as calls of the tool that edits files.
import type { Message } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import { EditReader } from "../../edit/read/edit-reader.ts";
import type { CodeBlock, EditReaderEvent, FileEdit } from "../../edit/read/file-edit.ts";
import { pathOfInfo, pathOfLine } from "../../edit/read/dress/path-in-text.ts";
import type { NamedCall } from "./call-text.ts";
import { printLoosely } from "../../edit/read/print-units.ts";

/** Reads text piece by piece; what is no edit comes out again. */
export class WrittenEdits {
  readonly #reader = new EditReader({ reasoning: "split", blocks: "events", tagged: "code" });

  get isInside(): boolean {
    return this.#reader.isInside;
  }

  push(text: string): string {
    return this.#reader.push(text).map(textOfEvent).join("");
  }

  /** @returns the text that was held, and in their order the calls, and why other edits cannot be read */
  end({ isStopped }: { isStopped: boolean }): { text: string; found: (NamedCall | Message)[] } {
    const found: [line: number, NamedCall | Message][] = [];
    let text = "";
    for (const event of this.#reader.end({ isStopped })) {
      const call = event.type === "block" ? readWholeFile(event.block) : undefined;
      if (event.type !== "block") text += textOfEvent(event);
      else if (call === undefined) text += event.block.raw;
      else found.push([event.block.line, call]);
    }
    for (const edit of this.#reader.files) {
      const line = edit.units[0]?.line ?? edit.codeEdit?.line ?? Number.MAX_SAFE_INTEGER;
      const isCut = edit.error?.code === "truncated" && !isStopped;
      if (!isCut) found.push([line, readEdit(edit)]);
    }
    if (this.#reader.alternatives.length > 0) found.push([Number.MAX_SAFE_INTEGER, severalOptions]);
    return { text, found: found.toSorted(([one], [two]) => one - two).map(([, each]) => each) };
  }
}

function textOfEvent(event: EditReaderEvent): string {
  return event.type === "text" ? event.text : "";
}

/** Languages of code blocks that show what was typed or printed. */
const shells =
  /^(?:bash|sh|shell|zsh|console|terminal|cmd|powershell|ps1|text|txt|plaintext|output|log|diff|http)$/i;

/** The call that an edit asks for, or why it cannot be read. */
function readEdit(edit: FileEdit): NamedCall | Message {
  const { filePath, units, codeEdit, error } = edit;
  // What such a diff quotes is all of the file, and nothing comes in its place.
  const isGone = edit.isDeletion === true && units.every(({ replace }) => replace === "");
  if (isGone && filePath !== undefined)
    return { name: "delete_file", args: { target_file: filePath } };
  if (error !== undefined) return unreadableEdit(filePath, error.forModel);
  if (filePath === undefined) return unnamed;
  const code = codeEdit?.code ?? printLoosely(units);
  return editCall(filePath, code);
}

function editCall(target_file: string, code_edit: string): NamedCall {
  return { name: "edit_file", args: { target_file, code_edit } };
}

/** A code block under a path is the text of that file, or code of it with marks. */
function readWholeFile(block: CodeBlock): NamedCall | undefined {
  const { info, isClosed, above, code } = block;
  const path = pathOfInfo(info) ?? pathOfLine(above);
  const [language = ""] = info.trim().split(/[\s:]/);
  const isFile = isClosed && path !== undefined && !shells.test(language) && code.trim() !== "";
  return isFile ? editCall(path, code) : undefined;
}

const unnamed: Message = {
  en: 'An edit in your answer does not say which file it is for, so nothing was changed. Write it as <file-edit filePath="path">...</file-edit>.',
  zh: '回答中有一处修改没有说明针对哪个文件，因此没有修改任何内容。请写成 <file-edit filePath="路径">...</file-edit>。',
};

function unreadableEdit(path: string | undefined, why: string): Message {
  const name = path === undefined ? "a file" : quoteName(path);
  const nameZh = path === undefined ? "文件" : quoteName(path, "zh");
  return {
    en: `The edit of ${name} in your answer could not be read, so nothing was changed. ${why}`,
    zh: `回答中对${nameZh}的修改无法读取，因此没有修改任何内容。请重新发送完整的修改：每个单元依次为一行 \`------- SEARCH\`、要查找的行、一行 \`=======\`、新的行、一行 \`+++++++ REPLACE\`。`,
  };
}

const severalOptions: Message = {
  en: "Your answer offers several ways to change the code, so none was made. Choose one and send only that.",
  zh: "回答给出了多种修改方案，因此没有执行任何一种。请选择一种，只发送该方案。",
};
