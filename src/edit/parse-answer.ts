import { EditReader } from "./edit-reader.ts";
import type { FileEdit } from "./file-edit.ts";

/** What a model's answer holds: its text without the edits, and the edits by file. */
export interface ParsedAnswer {
  text: string;
  files: FileEdit[];
}

/** Reads a whole answer as {@link EditReader} reads it in pieces. It refuses nothing but single files. */
export function parseAnswer(answer: string): ParsedAnswer {
  const reader = new EditReader();
  const events = [...reader.push(answer), ...reader.end()];
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { text, files: reader.files };
}
