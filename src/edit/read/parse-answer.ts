import { EditReader } from "./edit-reader.ts";
import type { Alternative, FileEdit } from "./file-edit.ts";

/** What a model's answer holds: its text without the edits, and the edits by file. */
export interface ParsedAnswer {
  text: string;
  files: FileEdit[];
  /** Two complete changes or more, of which a person has to choose one; absent if there are none. */
  alternatives?: Alternative[];
}

/** Reads a whole answer as {@link EditReader} reads it in pieces. It refuses nothing but single files. */
export function parseAnswer(answer: string): ParsedAnswer {
  const reader = new EditReader({ blocks: "events" });
  let text = "";
  for (const event of [...reader.push(answer), ...reader.end()]) {
    if (event.type === "text") text += event.text;
    else if (event.type === "block") text += event.block.raw;
    else if (event.type === "text-was-reasoning") text = "";
  }
  const { files, alternatives } = reader;
  return alternatives.length === 0 ? { text, files } : { text, files, alternatives };
}
