import type { EditError, LineRange, ParsedUnit } from "../edit-unit.ts";

/** The dress in which a model wrote an edit. */
export const editForms = [
  /** SEARCH/REPLACE units between rules, in tags or not, however spelled. */
  "units",
  /** `<search>` and `<replace>` tags. */
  "search-tags",
  /** A call such as `editTool(filePath=..., diffContent=...)`. */
  "tool-call",
  "unified-diff",
  /** `*** Begin Patch`. */
  "patch",
  "json",
  /** Two code blocks, one with the old code and one with the new. */
  "before-after",
  /** Code with `... existing code ...` where nothing changes. */
  "code-edit",
  /** These need symbols: they are read by the flows, from {@link CodeBlock}s. */
  "function",
  "class",
  "whole-file",
] as const;
export type EditForm = (typeof editForms)[number];

/** Code with marks that stand for unchanged text, as `applyCodeEdit` takes it. */
export interface CodeEdit {
  code: string;
  /** The first line of the code in the answer, 1-based. */
  line: number;
  /** The lines of the file that it says it takes the place of. */
  lines?: LineRange;
  /** The line of text below it. */
  below?: string;
}

/** The edits that an answer holds for one file. */
export interface FileEdit {
  /** As the answer names it; undefined if it names no file for them. */
  filePath: string | undefined;
  /** Of the first edit of this file. */
  form: EditForm;
  units: ParsedUnit[];
  /** Stands in place of units. */
  codeEdit?: CodeEdit;
  /** Why nothing of this file may be applied. */
  error?: EditError;
  /** The error is that the edit asks for the file to go, as no edit of its text can. */
  isDeletion?: true;
}

/** What heads one of several changes that the answer leaves to the person, as "Option A" or "方案二". */
export interface OptionHeading {
  /** Without its marks. */
  title: string;
  /** In the answer, 1-based. */
  line: number;
}

/** One of several complete changes. */
export interface Alternative extends OptionHeading {
  files: FileEdit[];
}

/** A fenced code block that was not read as an edit. */
export interface CodeBlock {
  /** What is after the opening fence. */
  info: string;
  /** Whole lines, each ended by "\n". */
  code: string;
  /** With its fences, as the answer has it. */
  raw: string;
  /** The last line of text above it that is not blank; "" if there is none. */
  above: string;
  /** The next line of text that is not blank, if there is one. */
  below?: string;
  /** The path that its fence, the line above it or its heading names. */
  filePath: string | undefined;
  /** The heading of options under which it stands. */
  option: OptionHeading | undefined;
  /** The line of its opening fence, 1-based. */
  line: number;
  isClosed: boolean;
}

export interface EditReaderOptions {
  /**
   * `explicit` reads only what can be nothing but an edit: units, `<search>` tags, tool calls, diffs, patches,
   * JSON edits. `all` (the default) also reads before/after blocks and code with marks.
   */
  forms?: "all" | "explicit";
  /**
   * `events`: from the first code block on, text waits for the end of the answer or for an explicit edit. A
   * block that was read as an edit is no text then; any other comes as an event, in its place. `text` (the
   * default): code blocks pass through as text, also those that are read as edits at the end.
   */
  blocks?: "text" | "events";
  /**
   * `marked` (the default): what the model thought aloud is in the text, between tags. `split`: it was taken out before.
   */
  reasoning?: "marked" | "split";
  /**
   * `code`: text in a tag that is no diff is the whole text of its file, or code with marks, if the tag is closed.
   * `fault` (the default): it refuses the file.
   */
  tagged?: "code" | "fault";
  /**
   * The text of the file that is meant. With it, code that is quoted in words or beside blocks counts, too: what the file
   * holds is old, and what is like it is new.
   */
  file?: string | undefined;
}

export interface EndOptions {
  /** The model ended by itself (finish reason `stop`): a tag may stay open if its last unit is closed. */
  isStopped?: boolean;
}

export type EditReaderEvent =
  /** Text for the person: all that is outside of tags and units. */
  | { type: "text"; text: string }
  /** What the model thought aloud, without its tags. */
  | { type: "reasoning"; text: string }
  /** All text so far was reasoning: it ends with a closing tag that was never opened. */
  | { type: "text-was-reasoning" }
  | { type: "unit"; filePath: string | undefined; form: EditForm; unit: ParsedUnit }
  /** Comes after the last text, if the answer holds no explicit edit. */
  | { type: "code-edit"; filePath: string | undefined; codeEdit: CodeEdit }
  /** Only with `blocks: "events"`. */
  | { type: "block"; block: CodeBlock }
  /** The edits of this file cannot be read; none of them may be applied. Comes at most once a file. */
  | { type: "fault"; filePath: string | undefined; error: EditError };
