// A change of a file that a turn proposes, as facts: clients, tests and the terminal read these, not the prose.
import * as z from "zod";
import { editErrorCodes, editLevels } from "../edit/edit-unit.ts";
import { editForms } from "../edit/read/file-edit.ts";

/**
 * The engine's reasons, and those of commands that may change comments only: something else changes, or
 * comments and code look alike in this language. `changed-since`: a click comes to code that was edited in the meantime.
 */
const refusalCodes = [
  ...editErrorCodes,
  "touches-code",
  "unknown-comments",
  "changed-since",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** 1-based and inclusive; `endLine` is `startLine - 1` if the range is empty. */
const Lines = z.object({ startLine: z.int(), endLine: z.int() });

/** A SEARCH/REPLACE unit, as it was understood. Both texts are whole lines with "\n" as their end. */
const Unit = z.object({
  search: z.string(),
  replace: z.string(),
  /** Both are texts and a line end, and each place of the one becomes the other: so many places, or all (0). */
  everywhere: z.int().optional(),
  /** Where SEARCH was found in the text before, and how; absent where it was not. */
  place: Lines.extend({ level: z.enum(editLevels) }).optional(),
});

const Result = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("applied"),
    /**
     * What makes the new text out of the text before, in its order, without overlaps: each puts `text`,
     * with the line ends that it brings, in place of the lines; an empty range puts it before `startLine`.
     * Lines end with "\n", a "\r" before it belongs to the line.
     */
    changes: z.array(Lines.extend({ text: z.string() })),
    /** SHA-256 of the new text in UTF-8, hexadecimal; absent where `hashBefore` is. */
    hashAfter: z.string().optional(),
  }),
  z.object({
    status: z.literal("refused"),
    code: z.enum(refusalCodes),
    /** The number of the unit that is at fault, 1-based; absent if it is none of a single one. */
    unit: z.int().optional(),
    /** The places that this unit fits equally well, at most ten. */
    candidates: z.array(Lines).optional(),
  }),
  /** A file of its own, whose text is REPLACE of the only unit. Nothing may be there yet. */
  z.object({ status: z.literal("new-file") }),
  /** The file is not at hand: its units have to be applied to it. */
  z.object({ status: z.literal("unchecked") }),
]);

export const ProposedEdit = z.object({
  /** As the editor or the answer names it, on one line; "" if neither does. */
  filePath: z.string(),
  /**
   * SHA-256 of the text that the change was made for, in UTF-8, hexadecimal: of the editor's `content` as it
   * came. Absent where less than the whole file came, and for files that are not at hand.
   */
  hashBefore: z.string().optional(),
  /** In which form the answer has it; absent for units, in which it is asked for. */
  form: z.enum(editForms).optional(),
  units: z.array(Unit),
  result: Result,
  /** The file goes; the changes then take every line of it. */
  isDeleted: z.literal(true).optional(),
  /** The texts were too large to send (see `maxEdit`): there are no units and no changes. */
  isCut: z.literal(true).optional(),
});
export type ProposedEdit = z.infer<typeof ProposedEdit>;

/** The most that the texts of one edit may take, in characters. */
const maxEdit = 1_048_576;
/** What numbers and names take beside the texts, in characters for each unit and change. */
const overhead = 100;

/** The edit as it is, unless it is larger than `maxEdit`: then what became of it, without the texts. */
export function limitEdit(edit: ProposedEdit): ProposedEdit {
  const { units, result } = edit;
  const changes = result.status === "applied" ? result.changes : [];
  let size = (units.length + changes.length) * overhead;
  for (const { search, replace } of units) size += search.length + replace.length;
  for (const { text } of changes) size += text.length;
  if (size <= maxEdit) return edit;
  const left = result.status === "applied" ? { ...result, changes: [] } : result;
  return { ...edit, units: [], result: left, isCut: true };
}

/** Whether a text looks like a file's path: with an ending, and without blanks at its borders. `npm test` does not. */
export function isFileName(text: string): boolean {
  return /^\S(?:.*\S)?\.\w+$/.test(text);
}
