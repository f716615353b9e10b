import { breathe } from "../../base/wire/patient-timer.ts";
import { focusOf, languageOfEditor } from "../../turn/context/active-editor.ts";
import { referencesOf, sourceOf } from "../../turn/context/knowledge-base.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { buildPrompt, type PromptPlan } from "../../prompt/build-prompt.ts";
import type { MessageTemplate } from "../../turn/agent-definition.ts";
import type { ChatRequest, Subject } from "../../turn/chat-model.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import { relayAnswer } from "../../turn/relay.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Relay, TurnEvent } from "../../turn/turn-event.ts";
import type { Services } from "../flow.ts";
import { textOf } from "../../prompt/compile-all.ts";
import { planContext } from "./plan-context.ts";

/** What a flow says of its prompt. */
export interface FlowPlan extends Omit<PromptPlan, "file" | "isOwn"> {
  /** Where no place is meant, a long file comes in outline; else all of it is meant. */
  mayBeOutline?: boolean;
  /** Definitions come on their own also where the prompt prints the file that they are in. */
  repeatsDefinitions?: boolean;
}

/** In UTF-16 code units. */
const largeFile = 1_000_000;

type ReceiptEvent = Extract<TurnEvent, { type: "context-receipt" }>;

/** Of knowledge that a model which reads no prompts is told. */
const maxPassages = 3;

/**
 * The step that most flows share: builds the prompt and asks the model.
 *
 * @returns the receipt to yield first, and the model's answer to pass on
 */
export async function answer(
  turn: Turn,
  services: Services,
  focus: Focus = noFocus,
  plan?: FlowPlan,
): Promise<{ receipt: TurnEvent; relay: Relay }> {
  const { receipt, request } = await prepare(turn, services, focus, undefined, plan);
  const { model, signal, caller } = turn;
  return { receipt, relay: relayAnswer(model, request, { signal, caller }) };
}

/**
 * A prompt of the command's own templates, or of a built-in one that a flow names.
 *
 * @param focus what the flow has found out for it
 * @param name the built-in prompt; without it the definition's templates win
 * @param plan what the flow says of its own facts
 * @returns the receipt to yield, the request, and the focus as the templates saw it
 */
export async function prepare(
  turn: Turn,
  services: Services,
  focus: Focus = noFocus,
  name?: string,
  plan: FlowPlan = {},
): Promise<{ receipt: ReceiptEvent; request: ChatRequest; focus: Focus }> {
  const templates =
    name === undefined ? findTemplates(turn, services) : services.prompts.find(name, turn.locale);
  if (templates === undefined)
    throw new AppError("internal", {
      en: `There is no built-in prompt "${name}".`,
      zh: `没有内置提示词“${name}”。`,
    });
  const isPlanned = turn.messageTemplates === undefined && name === undefined;
  const isOwn = isPlanned || name !== undefined;
  const { file, definitions } = isPlanned
    ? await planContext(turn, services, focus, {
        templates: plan.repeatsDefinitions === true ? [] : templates.map(textOf),
        meansWhole: plan.mayBeOutline !== true,
      })
    : {};
  // To plan for a file as large, and to print it, takes long each.
  if ((turn.context.activeEditor?.content?.length ?? 0) > largeFile) await breathe();
  const known = withDefinitions(focus, definitions);
  const { spare = [], shown } = plan;
  const prompt = buildPrompt(turn, templates, services.templates, known, {
    spare: definitions && !spare.includes("definitions") ? ["definitions", ...spare] : spare,
    ...(shown === undefined ? {} : { shown }),
    file,
    isOwn,
  });
  return {
    receipt: { type: "context-receipt", receipt: prompt.receipt },
    request: toRequest(turn, prompt.focus, prompt.messages),
    focus: prompt.focus,
  };
}

/** What the request itself has brought comes first. */
function withDefinitions(focus: Focus, found: string | undefined): Focus {
  const given = focus.facts.definitions;
  if (!found || given === found) return focus;
  return withFacts(focus, { definitions: given ? `${given}\n\n${found}` : found });
}

/** The definition's templates win; ours serve commands that have none. */
function findTemplates(turn: Turn, services: Services): readonly MessageTemplate[] {
  const templates = turn.messageTemplates ?? services.prompts.find(turn.command, turn.locale);
  if (templates !== undefined) return templates;
  throw new AppError("unknown_command", {
    en: `Command "${turn.command}" has no messageTemplates and no built-in prompt, so there is nothing to ask a model.`,
    zh: `指令“${turn.command}”没有 messageTemplates，也没有内置提示词，因此无法向模型提问。`,
  });
}

function toRequest(turn: Turn, focus: Focus, messages: ChatRequest["messages"]): ChatRequest {
  const { temperature, maxTokens, topP } = turn.modelConfiguration;
  return {
    messages,
    extra: turn.extra,
    locale: turn.locale,
    ...(turn.modelId === undefined ? {} : { model: turn.modelId }),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" && maxTokens > 0 ? { maxTokens } : {}),
    ...(typeof topP === "number" ? { topP } : {}),
    subject: () => toSubject(turn, focus),
  };
}

function toSubject(turn: Turn, { place, facts }: Focus): Subject | undefined {
  const { activeEditor: editor = {}, knowledgeBase = [], userInputPrompt } = turn.context;
  const passages = referencesOf(knowledgeBase).slice(0, maxPassages);
  if (turn.context.activeEditor === undefined && passages.length === 0) return undefined;
  const { text, startLine } = focusOf(editor);
  return {
    path: editor.filePath ?? "",
    language: languageOfEditor(editor),
    text,
    startLine,
    command: turn.command,
    file: editor.content || text,
    facts,
    passages: passages.map((reference) => ({ source: sourceOf(reference), text: reference.chunk })),
    ...(userInputPrompt === undefined ? {} : { question: userInputPrompt }),
    ...(place === undefined ? {} : { place }),
  };
}
