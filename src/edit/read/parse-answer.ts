import { EditReader } from "./edit-reader.ts";
import type { EditReaderEvent, FileEdit } from "./file-edit.ts";
import { finish, type Steps } from "../steps.ts";

/** What a model's answer holds: its text without the edits, and the edits by file. */
export interface ParsedAnswer {
  text: string;
  files: FileEdit[];
}

/** So many characters are read at a time: about a millisecond. */
const piece = 16_384;

/** Reads a whole answer as {@link EditReader} reads it in pieces. It refuses nothing but single files. */
export function parseAnswer(answer: string): ParsedAnswer {
  return finish(parseInSteps(answer));
}

/** As {@link parseAnswer}. */
export function* parseInSteps(answer: string): Steps<ParsedAnswer> {
  const reader = new EditReader();
  let text = "";
  const take = (events: readonly EditReaderEvent[]): void => {
    for (const event of events) if (event.type === "text") text += event.text;
  };
  for (let from = 0; from < answer.length; from += piece) {
    take(reader.push(answer.slice(from, from + piece)));
    yield;
  }
  take(reader.end());
  return { text, files: reader.files };
}
