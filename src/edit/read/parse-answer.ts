import { EditReader } from "./edit-reader.ts";
import type { Alternative, EditReaderEvent, FileEdit } from "./file-edit.ts";
import { finish, type Steps } from "../steps.ts";

/** What a model's answer holds: its text without the edits, and the edits by file. */
export interface ParsedAnswer {
  text: string;
  files: FileEdit[];
  /** Two complete changes or more, of which a person has to choose one; absent if there are none. */
  alternatives?: Alternative[];
}

/** So many characters are read at a time: about a millisecond. */
const piece = 16_384;

/** Reads a whole answer as {@link EditReader} reads it in pieces. It refuses nothing but single files. */
export function parseAnswer(answer: string): ParsedAnswer {
  return finish(parseInSteps(answer));
}

/** As {@link parseAnswer}. */
export function* parseInSteps(answer: string): Steps<ParsedAnswer> {
  const reader = new EditReader({ blocks: "events" });
  let text = "";
  const take = (events: readonly EditReaderEvent[]): void => {
    for (const event of events) {
      if (event.type === "text") text += event.text;
      else if (event.type === "block") text += event.block.raw;
      else if (event.type === "text-was-reasoning") text = "";
    }
  };
  for (let from = 0; from < answer.length; from += piece) {
    take(reader.push(answer.slice(from, from + piece)));
    yield;
  }
  take(reader.end());
  const { files, alternatives } = reader;
  return alternatives.length === 0 ? { text, files } : { text, files, alternatives };
}
