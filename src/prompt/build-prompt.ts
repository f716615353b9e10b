import { printProjectRules } from "../turn/context/variables.ts";
import { AppError } from "../base/errors/app-error.ts";
import { quoteName } from "../base/errors/names.ts";
import {
  type AgentDefinition,
  type MessageTemplate,
  collectedBy,
  findCommand,
} from "../turn/agent-definition.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import { estimateMessage } from "../turn/tokens.ts";
import type { ContextReceipt } from "../turn/turn-event.ts";
import { type Focus, type PromptFacts, noFocus } from "../turn/focus.ts";
import type { Turn } from "../turn/turn.ts";
import { type Spare, countReferences, describeArrived, listSpares } from "./describe-context.ts";
import { compileAll, ofOperators, ofOurs, toTemplateError } from "./prompt-library.ts";
import type { RenderBudget } from "./render-budget.ts";
import { type Cut, createScopes, noCut } from "./scope.ts";
import type { Excerpt, FilePlan } from "./plan-file.ts";
import type { CompiledTemplates, RoleTemplate, TemplateEngine } from "./template.ts";

/** What a flow says of its prompt beside the turn. */
export interface PromptPlan {
  /**
   * Facts that may go, the first first, where no cut of the context is enough. With each one that goes, the
   * context is tried whole again.
   */
  spare?: readonly (keyof PromptFacts)[];
  /** Context variables that reach the templates inside of facts: they count as used. */
  shown?: readonly string[];
  /** What is shown of the editor's file; absent: what the resolver options say. */
  file?: FilePlan | undefined;
  /** The templates are ours, and rendering them is not bounded. */
  isOwn?: boolean;
}

export interface Prompt {
  messages: ChatMessage[];
  receipt: ContextReceipt;
  /** The focus as the templates saw it: without the facts that went. */
  focus: Focus;
}

/** What a message costs beyond its text: role and separators. */
const messageOverhead = 4;

/** A prompt under some cut. */
interface Draft {
  /** What the templates gave. */
  rendered: ChatMessage[];
  /** With rules and history. */
  messages: ChatMessage[];
  tokens: number;
}

/**
 * Renders a command's templates with the turn's context, cut to what the model can take. Global
 * prompts, rules of the project and history come before the last user message, which is the question.
 *
 * @throws AppError `template_error` (names command, template, line and column), `prompt_too_large`
 */
export function buildPrompt(
  turn: Turn,
  templates: readonly MessageTemplate[],
  engine: TemplateEngine,
  given: Focus = noFocus,
  plan: PromptPlan = {},
): Prompt {
  const compiled = compileAll(turn.command, templates, engine, plan.isOwn ? ofOurs : undefined);
  const spare = (plan.spare ?? []).filter((name) => Boolean(given.facts[name]));
  for (let count = 0; ; count += 1) {
    const dropped = spare.slice(0, count);
    const focus = dropped.length === 0 ? given : without(given, dropped);
    const fitted = fit(turn, focus, compiled, engine, plan.file);
    const { tokens } = fitted.measured;
    if (tokens > fitted.budget && count < spare.length) continue;
    if (tokens > fitted.budget) throw tooLarge(turn, tokens, fitted.budget);
    const { rendered, messages } = fitted.measured;
    if (rendered.length === 0) throw emptyPrompt(turn);
    const receipt = describeFitted(turn, compiled, fitted, plan.shown, dropped);
    return { messages, receipt, focus };
  }
}

/**
 * Compiles the templates of an agent that is published here, so that a broken one is found at start.
 *
 * @throws AppError `template_error`
 */
export function checkTemplates(definition: AgentDefinition, engine: TemplateEngine): void {
  const { name: agent, messageTemplates: shared, commands = [] } = definition;
  const check = (command: string, templates: readonly MessageTemplate[] | null | undefined) => {
    try {
      compileAll(command, templates ?? [], engine, ofOperators);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      throw new AppError(
        thrown.code,
        {
          en: `Agent ${quoteName(agent)}: ${thrown.message}`,
          zh: `智能体${quoteName(agent, "zh")}：${thrown.messageIn("zh")}`,
        },
        thrown.details,
      );
    }
  };
  check("(any)", shared);
  for (const { name, messageTemplates } of commands ?? []) check(name, messageTemplates);
}

function without(focus: Focus, names: readonly (keyof PromptFacts)[]): Focus {
  const facts = { ...focus.facts };
  for (const name of names) delete facts[name];
  return { ...focus, facts };
}

type Fitted = ReturnType<typeof fit>;

/** A draft that is as whole as the budget allows, which may be not whole enough; and what was shown, spared and declared. */
function fit(
  turn: Turn,
  { facts }: Focus,
  templates: CompiledTemplates,
  engine: TemplateEngine,
  file: FilePlan | undefined,
) {
  const { compiled, used, isDynamic } = templates;
  const { context, history, model } = turn;
  const declared = collectedBy(findCommand(turn.definition, turn.command));
  const options = context.options ? new Map([...declared, ...context.options]) : declared;
  const budget = model.contextWindow - model.answerReserve;
  const scopes = createScopes(context, { used, isDynamic, options, file }, facts);
  const renderBudget = engine.createBudget();
  const costOf = createCosts(history);
  const fileTokens = file && (file.isWhole ? budget : file.maxTokens);
  const spares = listSpares(context, history, used, fileTokens);
  const tried = fitCut(spares, budget, (cut) => {
    const rendered = renderAll(turn.command, compiled, scopes.under(cut), renderBudget);
    const messages = arrange(rendered, turn, used, cut);
    return { rendered, messages, tokens: costOf(messages) };
  });
  const excerpt = used.has("activeEditor") ? scopes.excerptUnder(tried.cut) : undefined;
  return { ...tried, budget, excerpt, spares, declared };
}

function renderAll(
  command: string,
  compiled: readonly RoleTemplate[],
  scope: object,
  budget: RenderBudget,
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const { role, template, index } of compiled) {
    try {
      const content = template.render(scope, budget);
      if (/\S/.test(content)) messages.push({ role, content });
    } catch (thrown) {
      throw toTemplateError(thrown, command, index);
    }
  }
  return messages;
}

function arrange(
  rendered: ChatMessage[],
  turn: Turn,
  used: ReadonlySet<string>,
  cut: Cut,
): ChatMessage[] {
  // A template that prints the global prompts itself has them where it wants them.
  const prompts = used.has("globalPrompts") ? [] : (turn.context.globalPrompts ?? []);
  const rules = prompts.filter((rule) => rule.content.trim() !== "");
  const { length } = turn.history;
  const history = turn.history.slice(length - (cut.history ?? length));
  const isNotAdded = used.has("projectRules") || cut.projectRules === 0;
  const project = isNotAdded ? undefined : turn.context.projectRules;
  const projectText = project === undefined ? "" : printProjectRules(project);
  if (rules.length === 0 && history.length === 0 && projectText === "") return rendered;
  const last = rendered.findLastIndex((message) => message.role === "user");
  const at = last === -1 ? rendered.length : last;
  const before = rules.map((rule): ChatMessage => ({
    role: rule.role === "user" || rule.role === "assistant" ? rule.role : "system",
    content: rule.content,
  }));
  // Whoever writes a file of the project is not an operator: never a system message.
  if (projectText !== "") before.push({ role: "user", content: projectText });
  return [...rendered.slice(0, at), ...history, ...before, ...rendered.slice(at)];
}

/** Counts what messages cost. Earlier ones, which stay the same in every draft, are counted once. */
function createCosts(
  history: readonly ChatMessage[],
): (messages: readonly ChatMessage[]) => number {
  const known = new Map(history.map((message) => [message, estimateMessage(message)]));
  return (messages) => {
    let sum = messageOverhead * messages.length;
    for (const message of messages) sum += known.get(message) ?? estimateMessage(message);
    return sum;
  };
}

function emptyPrompt({ command }: Turn): AppError {
  return new AppError("template_error", {
    en: `All templates of command "${command}" came out empty.`,
    zh: `指令“${command}”的所有模板渲染后均为空。`,
  });
}

function tooLarge(turn: Turn, tokens: number, budget: number): AppError {
  const { name, contextWindow, answerReserve } = turn.model;
  return new AppError("prompt_too_large", {
    en:
      `The code in focus and the question need about ${tokens} tokens, but model "${name}" takes ${budget} ` +
      `(window ${contextWindow}, ${answerReserve} kept for the answer). Select less code, or use a model with a larger window.`,
    zh:
      `选中的代码和问题约需 ${tokens} 个词元，而模型“${name}”最多接受 ${budget} 个` +
      `（窗口 ${contextWindow}，为回答保留 ${answerReserve}）。请缩小选择范围，或使用窗口更大的模型。`,
  });
}

function describeFitted(
  turn: Turn,
  { used }: CompiledTemplates,
  { cut, measured, budget, excerpt, spares, declared }: Fitted,
  shown: readonly string[] | undefined,
  dropped: readonly string[],
): ContextReceipt {
  const { knowledgeBase = [] } = turn.context;
  const references = used.has("knowledgeBase") ? countReferences(knowledgeBase) : 0;
  const cuts = [
    ...(cut === noCut ? [] : spares.flatMap((spare) => spare.tell(cut) ?? [])),
    ...tellExcerpt(excerpt),
    ...dropped,
  ];
  return {
    ...describeArrived(turn, used, declared, shown),
    model: turn.modelId ?? turn.model.name,
    budget,
    tokens: measured.tokens,
    ...(references === 0 ? {} : { passages: cut.references ?? references }),
    ...(cuts.length === 0 ? {} : { cut: cuts }),
  };
}

/** Of a file it is told what is left, not what went. */
function tellExcerpt(excerpt: Excerpt | undefined): string[] {
  if (excerpt === undefined || excerpt.shown === excerpt.count) return [];
  const { shown, count, definitions } = excerpt;
  const defined = `${definitions} ${definitions === 1 ? "definition" : "definitions"}`;
  return [`activeEditor: ${shown} of ${count} lines, ${defined} kept`];
}

/** More steps are not told apart one by one where a cut comes close to the budget. */
const fewSteps = 32;

/**
 * Finds how much must be left out so that the prompt fits. A spare is touched only when nothing is left
 * of those before it, so all their steps are one row, in which the fewest that are enough are looked for.
 *
 * @param spares what may be left out, in the order in which it goes
 * @param budget in tokens
 * @param measure the prompt under a cut, with its cost in tokens
 * @returns the mildest cut found with what was measured of it, which may still not fit
 */
function fitCut(
  spares: readonly Spare[],
  budget: number,
  measure: (cut: Cut) => Draft,
): { cut: Cut; measured: Draft } {
  const whole = { cut: noCut, measured: measure(noCut) };
  if (whole.measured.tokens <= budget) return whole;
  const take = (steps: number): typeof whole => {
    const cut = cutAfter(spares, steps);
    return { cut, measured: measure(cut) };
  };
  let [tooFew, enough] = [0, spares.reduce((sum, { steps }) => sum + steps, 0)];
  let best = take(enough);
  if (best.measured.tokens > budget) return best;
  while (enough - tooFew > 1) {
    const steps = Math.floor((tooFew + enough) / 2);
    const tried = take(steps);
    const spared = budget - tried.measured.tokens;
    if (spared < 0) tooFew = steps;
    else [enough, best] = [steps, tried];
    // Close to the budget is near enough among many; a few are told apart exactly.
    if (enough - tooFew > fewSteps && spared >= 0 && spared < budget / 50) break;
  }
  return best;
}

function cutAfter(spares: readonly Spare[], count: number): Cut {
  let cut = noCut;
  let left = count;
  for (const spare of spares) {
    if (left > 0 && spare.steps > 0) cut = spare.leave(cut, Math.min(left, spare.steps));
    left -= spare.steps;
  }
  return cut;
}
