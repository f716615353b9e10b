// Edits that an answer makes by calling a tool in its text: a habit of models that were trained as agents.
import { EditReader } from "../../../edit/read/edit-reader.ts";
import type { EditReaderEvent, FileEdit } from "../../../edit/read/file-edit.ts";
import { formThatBegins } from "../../../edit/read/forms/read-form.ts";
import { fitInput } from "../../../tools/arguments/fit-input.ts";
import { parseArguments } from "../../../tools/run-call.ts";
import { TextCallReader } from "../../../tools/text-calls/text-call-reader.ts";
import { createWorkspaceTools } from "../../../tools/workspace/workspace-tools.ts";

interface CalledEdits {
  files: FileEdit[];
  events: EditReaderEvent[];
  /** Calls that are no edits, or cannot be read, for the model. */
  unread: string[];
}

/** Reads the calls of an answer in which no edit was found. */
export function readCalledEdits(answer: string): CalledEdits {
  const tools = createWorkspaceTools();
  const calls = new TextCallReader(tools);
  calls.push(answer);
  calls.end({ isStopped: true });
  const reader = new EditReader({ tagged: "code", reasoning: "split" });
  const events = calls.calls.flatMap(({ name, arguments: json }) => {
    const parsed = parseArguments(json);
    const tool = tools.find(name, parsed.ok ? parsed.value : {});
    if (tool?.name !== "edit_file" || !parsed.ok) return [];
    const { target_file: path, code_edit: code } = fitInput(tool, parsed.value);
    if (typeof code !== "string") return [];
    const isDiff = /^(?:patch|unified-diff)$/.test(formThatBegins(code.trimStart()) ?? "");
    const file = typeof path === "string" ? ` filePath=${JSON.stringify(path)}` : "";
    const text = code.endsWith("\n") ? code : `${code}\n`;
    return reader.push(isDiff ? text : `<file-edit${file}>\n${text}</file-edit>\n`);
  });
  events.push(...reader.end({ isStopped: true }));
  const isUnread = reader.files.length === 0 && calls.calls.length + calls.faults.length > 0;
  return {
    files: reader.files,
    events: events.filter(({ type }) => type === "unit"),
    unread: isUnread ? [noTools] : [],
  };
}

const noTools =
  "Your answer calls a tool. There are no tools here, and all that you need was sent to you. Write the change itself.";
