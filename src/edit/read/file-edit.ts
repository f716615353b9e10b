import type { EditError, ParsedUnit } from "../edit-unit.ts";

/** The units that an answer holds for one file. */
export interface FileEdit {
  /** As the tag names it; undefined if the units stand outside of tags or the tag names no file. */
  filePath: string | undefined;
  units: ParsedUnit[];
  /** Why nothing of this file may be applied. */
  error?: EditError;
}

export type EditReaderEvent =
  /** Text for the person: all that stands outside of tags and units. */
  | { type: "text"; text: string }
  | { type: "unit"; filePath: string | undefined; unit: ParsedUnit }
  /** The units of this file cannot be read; none of them may be applied. Comes at most once a tag. */
  | { type: "fault"; filePath: string | undefined; error: EditError };
