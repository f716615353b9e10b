import {
  KnowledgeBaseOptions,
  type KnowledgeReference,
  referencesOf,
  originOf,
} from "../../turn/context/variables.ts";
import { countLines } from "../../base/text/lines.ts";
import { textOfTemplate } from "../../prompt/prompt-library.ts";
import { breathe } from "../../base/wire/patient-timer.ts";
import {
  type ActiveEditor,
  cursorLineOf,
  focusOf,
  languageOfEditor,
  sourceOfEditor,
} from "../../turn/context/active-editor.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { type PromptPlan, buildPrompt } from "../../prompt/build-prompt.ts";
import { type MessageTemplate, collectedBy, findCommand } from "../../turn/agent-definition.ts";
import type { ChatRequest, StreamOptions, Subject } from "../../turn/chat-model.ts";
import { type Focus, noFocus, withFacts } from "../../turn/focus.ts";
import { mapAnswer, relayAnswer } from "../../turn/relay.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EndReason, ModelEvent, Relay, TurnEvent } from "../../turn/turn-event.ts";
import type { Flow, Services } from "../flow.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { symbolAt } from "../../code/symbols.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { type FilePlan, costOfLines, linesAround, planFile } from "../../prompt/plan-file.ts";
import { type EditTarget, analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";
import { listOtherFiles, printOtherDefinitions } from "./other-files.ts";
import { getLogger } from "@logtape/logtape";
import type { FoundPassage } from "../../knowledge/retriever.ts";
import { textsFor } from "../texts.ts";
import { sealAction } from "../click/seal-action.ts";
import { retryAction } from "../click/sentences.ts";
import { endOfOpenFence } from "../../base/text/fence.ts";

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

/** The step that most flows share: builds the prompt and asks the model, whose answer is to be passed on. */
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
  const templates = findTemplates(turn, services, name);
  const isPlanned = turn.messageTemplates === undefined && name === undefined;
  const isOwn = isPlanned || name !== undefined;
  const { file, definitions } = isPlanned
    ? await planContext(turn, services, focus, plan, templates.map(textOfTemplate))
    : {};
  // To plan for a file as large, and to print it, takes long each.
  if ((turn.context.activeEditor?.content?.length ?? 0) > largeFile) await breathe();
  // What the request itself has brought comes first.
  const given = focus.facts.definitions;
  const all = given && given !== definitions ? `${given}\n\n${definitions}` : definitions;
  const known = definitions ? withFacts(focus, { definitions: all }) : focus;
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

function findTemplates(
  turn: Turn,
  { prompts }: Services,
  name: string | undefined,
): readonly MessageTemplate[] {
  const own = name === undefined ? turn.messageTemplates : undefined;
  const templates = own ?? prompts.find(name ?? turn.command, turn.locale);
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
  const seen = focusOf(editor);
  const { text, startLine } = seen;
  const source = sourceOfEditor(editor, seen);
  const linesAbove = source.startLine - 1;
  const inSource = (line: number): number => Math.max(1, line - linesAbove);
  return {
    path: editor.filePath ?? "",
    language: languageOfEditor(editor),
    text,
    startLine,
    command: turn.command,
    file: source.text,
    linesAbove,
    facts,
    passages: passages.map((reference) => ({ source: originOf(reference), text: reference.chunk })),
    ...(userInputPrompt === undefined ? {} : { question: userInputPrompt }),
    ...(place === undefined
      ? {}
      : { place: { startLine: inSource(place.startLine), endLine: inSource(place.endLine) } }),
  };
}

export interface Answer {
  /** As the model wrote it, without what it thought aloud. */
  raw: string;
  reason: EndReason;
}

/**
 * Asks the model for an answer that a flow reads itself. Everything but text is passed on as it comes.
 *
 * @param read takes each piece of the text, and all that has come with it, and says what the person sees of it
 */
export async function* streamAnswer(
  turn: Turn,
  request: ChatRequest,
  read: (text: string, raw: string) => AsyncIterable<TurnEvent> | Iterable<TurnEvent>,
): AsyncGenerator<TurnEvent, Answer, void> {
  let raw = "";
  const hear = async function* (event: ModelEvent): AsyncGenerator<TurnEvent, void, void> {
    // It may have been shown already; nothing of it counts.
    if (event.type === "text-was-reasoning") raw = "";
    if (event.type !== "text-delta") return yield event;
    for await (const part of partsOf(event.text)) {
      raw += part;
      yield* read(part, raw);
    }
  };
  const reason = yield* hearModel(turn, request, hear);
  return { raw, reason };
}

/** A text in parts that nobody waits long for, without halves of characters; between them the event loop turns. */
export async function* partsOf(text: string): AsyncGenerator<string, void, void> {
  for (const { 0: part, index } of text.matchAll(/[^]{1,8192}/gu)) {
    if (index > 0) await breathe();
    yield part;
  }
}

/** Asks the model. @param hear says what the person sees of an event */
export function hearModel(
  { model, signal, caller }: Turn,
  request: ChatRequest,
  hear: (event: ModelEvent) => AsyncIterable<TurnEvent> | Iterable<TurnEvent>,
  onHead?: NonNullable<StreamOptions["onHead"]>,
): AsyncGenerator<TurnEvent, EndReason, void> {
  const options = { signal, caller, ...(onHead === undefined ? {} : { onHead }) };
  return mapAnswer(model.stream(request, options), hear);
}

// One plan of context for all built-in prompts: what of the editor's file they show, and what other files of the
// request define of it.

/** Of the model's window so much is for the file. */
const shareOfWindow = 1 / 3;

/**
 * A file that takes no more than its share of the model's window is shown whole, and then mostly nothing is
 * parsed. Of a longer one the place is shown with what belongs to it.
 *
 * @param templates the texts of the prompt: what they print as a whole needs no definitions out of it
 * @returns what the prompt is told of the file, and of definitions from other files ("" where there is none)
 */
async function planContext(
  turn: Turn,
  services: Services,
  focus: Focus,
  { mayBeOutline = false, repeatsDefinitions = false }: FlowPlan,
  templates: readonly string[],
): Promise<{ file?: FilePlan; definitions?: string }> {
  const editor = turn.context.activeEditor;
  if (editor === undefined) return {};
  const seen = focusOf(editor);
  const target = targetOf(editor, seen);
  if (!hasCode(target)) return {};
  const share = Math.floor(turn.model.contextWindow * shareOfWindow);
  const maxTokens = Math.min(share, services.maxFileTokens);
  const isSmall = fits(target.text, maxTokens);
  const others = listOtherFiles(turn, repeatsDefinitions ? [] : templates);
  if (isSmall && others.length === 0) {
    const place = placeIn(editor, seen, focus, target) ?? firstLine(seen);
    return { file: { isWhole: true, maxTokens, place, parts: () => linesAround(place) } };
  }
  const analysis = await analyzeTarget(turn, services, target);
  const meant = placeIn(editor, seen, focus, target, analysis);
  const { parts, names } = planFile(analysis, meant);
  const place = meant ?? firstLine(seen);
  const rest = meant === undefined && mayBeOutline ? [] : linesAround(place);
  const isWhole = isSmall || (meant === undefined && !mayBeOutline);
  const all = isWhole ? [...parts, ...rest] : parts;
  const file = { isWhole, maxTokens, place, parts: () => all };
  return { file, definitions: await printOtherDefinitions(turn, services, names, others) };
}

type SeenLines = ReturnType<typeof focusOf>;

function fits(text: string, maxTokens: number): boolean {
  // A token is hardly ever longer; long texts are not counted then.
  if (text.length > maxTokens * 8) return false;
  return costOfLines(text, countLines(text)) <= maxTokens;
}

/** What is meant, where that is less than the file: what the flow knows, the selection, the code at the cursor, what is visible. */
function placeIn(
  editor: ActiveEditor,
  { kind, startLine, endLine }: SeenLines,
  { place }: Focus,
  { text }: EditTarget,
  analysis?: CodeAnalysis,
): LineRange | undefined {
  if (place !== undefined && !(place.startLine <= 1 && place.endLine >= countLines(text)))
    return place;
  if (kind === "selection") return { startLine, endLine };
  const line = cursorLineOf(editor);
  if (line !== undefined) {
    const { range } = (analysis && symbolAt(analysis, line)) ?? {};
    return range ?? { startLine: line, endLine: line };
  }
  return kind === "visible" ? { startLine, endLine } : undefined;
}

function firstLine({ startLine }: SeenLines): LineRange {
  return { startLine, endLine: startLine };
}

/**
 * The same conversation, with the answer and what is wrong with it, as a built-in prompt tells it. Undefined if asking
 * again is of no use: the model always answers alike, the answer was cut off, or a second one like it would not fit into
 * the model's window.
 */
export async function askAgain(
  turn: Turn,
  focus: Focus,
  services: Services,
  request: ChatRequest,
  { raw, reason }: Answer,
  prompt: string,
): Promise<ChatRequest | undefined> {
  if (reason !== "stop" || turn.model.isDeterministic === true) return undefined;
  const { request: again } = await prepare({ ...turn, history: [] }, services, focus, prompt);
  const question = again.messages.filter(({ role }) => role === "user").slice(-1);
  const messages: ChatRequest["messages"] = [
    ...request.messages,
    { role: "assistant", content: raw },
    ...question,
  ];
  const tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
  const isSmall = tokens + estimateTokens(raw) <= turn.model.contextWindow;
  return isSmall ? { ...request, messages } : undefined;
}

/**
 * Says of an answer that a limit has cut it, or that it is empty, where the reader has not been told; else nothing.
 *
 * @param said its text, where that is known: a block of code in it is closed
 * @param hasText that it has any; undefined where nobody knows
 * @param hasRetry with a button that asks the same again, where that is of use
 */
export async function* tellFault(
  turn: Turn,
  services: Services,
  focus: Focus,
  reason: EndReason,
  {
    said,
    hasText = said?.trim() !== "",
    hasRetry = true,
  }: { said?: string; hasText?: boolean | undefined; hasRetry?: boolean } = {},
): AsyncGenerator<TurnEvent, void, void> {
  const isCut = reason === "length" || reason === "content_filter";
  if (!isCut && (reason !== "stop" || hasText)) return;
  const fault = isCut ? "cut" : "empty";
  // Words of ours, below which no other try is offered, end with a line end.
  const gap = hasRetry ? `${endOfOpenFence(said ?? "")}\n\n` : "\n";
  const above = isCut ? gap : "";
  const text = `${above}${textsFor(turn.locale).faults[fault]}\n`;
  const isOfUse = hasRetry && turn.model.isDeterministic !== true;
  const sealed = isOfUse && (await sealAction(turn, services, retryAction(turn, focus)));
  const retry = sealed && sealed.type === "action" ? { retry: sealed.action } : {};
  yield { type: "answer-fault", fault, text, ...retry };
}

/** Any command that has message templates: they are rendered, and the model answers them. */
export const templated: Flow = async function* (turn, services) {
  const { receipt, relay } = await answer(turn, services);
  yield receipt;
  yield { type: "relay", relay };
  const reason = await relay.ended;
  yield* tellFault(turn, services, noFocus, reason, relay.heard);
  yield { type: "turn-end", reason };
};

// Knowledge that the agent itself retrieves: for definitions whose knowledgeBase says `recallByAgent`.

const maxRecalled = 8;
/** The search takes the question and the beginning of the code in focus. */
const maxQuery = 2_000;

/** The knowledgeBase options of the request, else of the command, if they want the agent to retrieve; else undefined. */
export function recallOptions(turn: Turn): KnowledgeBaseOptions | undefined {
  const options =
    turn.context.options?.get("knowledgeBase") ??
    collectedBy(findCommand(turn.definition, turn.command)).get("knowledgeBase");
  // Asked for every request, and hardly ever true: then nothing is checked.
  if (typeof options !== "object" || options === null) return undefined;
  if (Reflect.get(options, "recallByAgent") !== true) return undefined;
  return KnowledgeBaseOptions.safeParse(options).data;
}

/**
 * The flow with what was found for the question as its knowledge, numbered as it is cited. At the end of
 * the text stand the sources that the prompt held; none if no model was asked. Without a retriever, and if
 * it fails, the flow runs as it is.
 */
export function withRecall(flow: Flow, options: KnowledgeBaseOptions): Flow {
  return async function* (turn, services, focus) {
    const found = await recall(turn, services, options);
    if (found.length === 0) return yield* flow(turn, services, focus);
    const knowledgeBase = [{ knowledgeBaseId: "recalled", references: found.map(toReference) }];
    const asked = { ...turn, context: { ...turn.context, knowledgeBase } };
    let sources: readonly KnowledgeReference[] = [];
    for await (const event of flow(asked, services, focus)) {
      if (event.type === "context-receipt")
        sources = referencesOf(knowledgeBase).slice(0, event.receipt.passages ?? 0);
      if (sources.length > 0 && (event.type === "action" || event.type === "turn-end")) {
        yield { type: "text-delta", text: listSources(sources, turn) };
        sources = [];
      }
      yield event;
    }
  };
}

async function recall(
  { context, signal }: Turn,
  { retriever }: Services,
  { knowledgeBaseIds }: KnowledgeBaseOptions,
): Promise<FoundPassage[]> {
  const code = context.activeEditor === undefined ? "" : focusOf(context.activeEditor).text;
  const query = `${context.userInputPrompt ?? ""}\n${code}`.trim().slice(0, maxQuery);
  if (retriever === undefined || query === "") return [];
  try {
    return await retriever.retrieve(query, {
      ...(knowledgeBaseIds && knowledgeBaseIds.length > 0 ? { knowledgeBaseIds } : {}),
      limit: maxRecalled,
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    const log = getLogger(["rightseat", "knowledge"]);
    log.error("knowledge: it could not be searched: {cause}", { cause });
    return [];
  }
}

function toReference(passage: FoundPassage): KnowledgeReference {
  const { text, score, fileName, sourceType, startLine, endLine } = passage;
  return {
    score,
    chunk: text,
    metadata: { fileName, source: fileName, sourceType, startPos: startLine, endPos: endLine },
  };
}

function listSources(references: readonly KnowledgeReference[], turn: Turn): string {
  const lines = references.map(
    (reference, nth) => `[${nth + 1}] \`${originOf(reference).replaceAll("`", "'")}\``,
  );
  return `\n\n${textsFor(turn.locale).sources}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}
