import type { Message } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { WorkspaceProblem } from "../../workspace/workspace.ts";
import type { ToolOutcome } from "../tool.ts";

/**
 * A call that did not do what was asked.
 *
 * @param message what happened, and what the model can do next
 * @param facts more fields, such as the place that comes nearest
 */
export function fail(
  locale: Locale,
  code: string,
  message: Message,
  facts: Readonly<Record<string, unknown>> = {},
): ToolOutcome {
  return { success: false, code, error: message[locale], ...facts };
}

/** A refusal of the workspace. */
export function failWith(
  locale: Locale,
  { code, message }: WorkspaceProblem,
  facts: Readonly<Record<string, unknown>> = {},
): ToolOutcome {
  return fail(locale, code, message, facts);
}
