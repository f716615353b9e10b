import { focusOf, languageOfEditor } from "../context/active-editor.ts";
import { AppError } from "../errors/app-error.ts";
import { buildPrompt } from "../prompt/build-prompt.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import type { ChatRequest, Subject } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import type { EndReason, ModelEvent, TurnEvent } from "../turn/turn-event.ts";
import type { Services } from "./flow.ts";

/**
 * The step that most flows share: builds the prompt and asks the model.
 *
 * @returns the receipt to yield first, and the model's answer to pass on (`yield*`)
 */
export function answer(
  turn: Turn,
  services: Services,
): { receipt: TurnEvent; events: AsyncGenerator<ModelEvent, EndReason, void> } {
  const { messages, receipt } = buildPrompt(
    turn,
    findTemplates(turn, services),
    services.templates,
  );
  const events = turn.model.stream(toRequest(turn, messages), {
    signal: turn.signal,
    caller: turn.caller,
    as: "frames",
  });
  return { receipt: { type: "context-receipt", receipt }, events };
}

/** The definition's templates win; ours serve commands that have none. */
function findTemplates(turn: Turn, services: Services): readonly MessageTemplate[] {
  const templates = turn.messageTemplates ?? services.prompts.find(turn.command, turn.locale);
  if (templates !== undefined) return templates;
  throw new AppError(
    "unknown_command",
    `Command "${turn.command}" has no messageTemplates and no built-in prompt, so there is nothing to ask a model.`,
  );
}

function toRequest(turn: Turn, messages: ChatRequest["messages"]): ChatRequest {
  const { temperature, maxTokens, topP } = turn.modelConfiguration;
  return {
    messages,
    extra: turn.extra,
    locale: turn.locale,
    ...(turn.modelId === undefined ? {} : { model: turn.modelId }),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
    ...(typeof topP === "number" ? { topP } : {}),
    subject: () => toSubject(turn),
  };
}

function toSubject(turn: Turn): Subject | undefined {
  const editor = turn.context.activeEditor;
  if (editor === undefined) return undefined;
  const { text, startLine } = focusOf(editor);
  return { path: editor.filePath ?? "", language: languageOfEditor(editor), text, startLine };
}
