/** A tool that a model may call. */
export interface OfferedTool {
  /** Letters, digits, `_` and `-`, at most 64: servers refuse others. */
  name: string;
  /** Tells the model what it does and when to call it. */
  description: string;
  /** The JSON Schema of its arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
}

/** Whether the model may call, must not, must call some tool, or this one. */
export type ToolChoice = "auto" | "none" | "required" | { name: string };

/** What a model wants done. */
export interface ToolCall {
  /** Never empty, and no other call of the same answer has it; its result names it. */
  id: string;
  /** As the model wrote it; there may be no such tool. */
  name: string;
  /** Whole, as the model wrote it: mostly a JSON object, but nobody has checked that; may be empty. */
  arguments: string;
}

/** What came of a call. */
export interface ToolResult {
  /** Of the call. */
  id: string;
  /** What the model reads. */
  content: string;
  /** The tool has failed, and `content` says how. */
  isError: boolean;
}
