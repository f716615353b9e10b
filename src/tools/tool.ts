import type * as z from "zod";
import type { Locale } from "../errors/locale.ts";
import type { Approval, FileChange, Workspace } from "../workspace/workspace.ts";

/** Something that a model may call. What it does wrong is a result that the model reads; it never throws for that. */
export interface Tool<Input> {
  /** As the model calls it. */
  name: string;
  /** Tells the model what it does and when to call it. */
  description: Readonly<Record<Locale, string>>;
  /** The JSON Schema that the model gets is made of it; its fields are described there. */
  input: z.ZodType<Input>;
  /** Reads may run side by side, writes never. */
  effect: "read" | "write";
  /** @throws the signal's reason, and nothing else */
  run(input: Input, use: ToolUse): Promise<ToolOutcome>;
}

/** What came of a call: the fields of the protocol, and `success`. Plain JSON. */
export interface ToolOutcome {
  success: boolean;
  [field: string]: unknown;
}

/** What a tool may use. */
export interface ToolUse {
  workspace: Workspace;
  /** Asks the person, or the policy that they set. */
  ask: AskApproval;
  locale: Locale;
  signal: AbortSignal;
}

/** What a person is asked; `why` is the model's own reason, and data as such. */
export type ApprovalQuestion =
  | { kind: "change"; changes: readonly FileChange[]; diff: string; why: string }
  | { kind: "read"; path: string; why: string };

/** `reason`: why not, in words for the model. */
export type Decision = { ok: true; approval: Approval } | { ok: false; reason: string };

export type AskApproval = (question: ApprovalQuestion, signal: AbortSignal) => Promise<Decision>;
