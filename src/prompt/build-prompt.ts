import { finish, type Steps } from "../edit/steps.ts";
import { AppError } from "../errors/app-error.ts";
import { estimateTokens } from "../context/tokens.ts";
import {
  type VariableKind,
  type VariableName,
  isVariableName,
  variableNames,
  variables,
} from "../context/variables.ts";
import {
  type AgentDefinition,
  type MessageTemplate,
  collectedBy,
  findCommand,
} from "../turn/agent-definition.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import type { ContextReceipt } from "../turn/context-receipt.ts";
import type { Turn } from "../turn/turn.ts";
import { fitCut } from "./fit-cut.ts";
import { compileAll, toTemplateError } from "./compile-all.ts";
import type { Fuel } from "./liquid/fuel.ts";
import { type Cut, noCut, prepareScopes } from "./scope.ts";
import type { RoleTemplate, TemplateEngine } from "./template.ts";

export interface Prompt {
  messages: ChatMessage[];
  receipt: ContextReceipt;
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
 * prompts and history stand before the last user message, which is the question. Pauses between the
 * templates, and within those that take long.
 *
 * @throws AppError `template_error` (names command, template, line and column), `prompt_too_large`
 */
export function* buildPrompt(
  turn: Turn,
  templates: readonly MessageTemplate[],
  engine: TemplateEngine,
): Steps<Prompt> {
  const { compiled, used, isDynamic } = yield* compileAll(turn.command, templates, engine);
  const options = collectedBy(findCommand(turn.definition, turn.command));
  const budget = turn.model.contextWindow - turn.model.answerReserve;
  const scopeUnder = yield* prepareScopes(turn.context, { used, isDynamic, options });
  const fuel = engine.createFuel();
  const costOf = createCosts(turn.history);
  const measure = (cut: Cut): Steps<Draft> =>
    draft({ turn, compiled, used, scopeUnder, fuel, costOf }, cut);
  const { cut, measured } = yield* fitCut(turn.context, turn.history, used, budget, measure);
  const { rendered, messages, tokens } = measured;
  if (tokens > budget) throw tooLarge(turn, tokens, budget);
  if (rendered.length === 0) {
    throw new AppError(
      "template_error",
      `All templates of command "${turn.command}" came out empty.`,
    );
  }
  const references = used.has("knowledgeBase") ? countReferences(turn) : 0;
  const receipt = {
    ...describe(turn, used, options),
    model: turn.modelId ?? turn.model.name,
    budget,
    tokens,
    ...(references === 0 ? {} : { passages: Math.min(references, cut.references) }),
  };
  return { messages, receipt: cut === noCut ? receipt : withCuts(receipt, turn, cut) };
}

/**
 * Compiles the templates of an agent that is published here, so that a broken one is found at start.
 *
 * @throws AppError `template_error`
 */
export function checkTemplates(definition: AgentDefinition, engine: TemplateEngine): void {
  for (const { name, messageTemplates } of definition.commands ?? [])
    finish(compileAll(name, messageTemplates ?? [], engine));
}

/** The receipt of a command that asks no model. */
export function describeContext(turn: Turn): ContextReceipt {
  return describe(turn, new Set(), collectedBy(findCommand(turn.definition, turn.command)));
}

interface DraftParts {
  turn: Turn;
  compiled: readonly RoleTemplate[];
  used: ReadonlySet<string>;
  scopeUnder: (cut: Cut) => object;
  fuel: Fuel;
  costOf: (messages: readonly ChatMessage[]) => number;
}

function* draft(parts: DraftParts, cut: Cut): Steps<Draft> {
  const { turn, compiled, used, scopeUnder, fuel, costOf } = parts;
  const rendered = yield* renderAll(turn.command, compiled, scopeUnder(cut), fuel);
  const messages = arrange(rendered, turn, used, cut);
  return { rendered, messages, tokens: costOf(messages) };
}

function* renderAll(
  command: string,
  compiled: readonly RoleTemplate[],
  scope: object,
  fuel: Fuel,
): Steps<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  for (const { role, template, index } of compiled) {
    if (index > 0) yield;
    try {
      const content = yield* template.render(scope, fuel);
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
  const history = Number.isFinite(cut.history)
    ? turn.history.slice(turn.history.length - cut.history)
    : turn.history;
  if (rules.length === 0 && history.length === 0) return rendered;
  const last = rendered.findLastIndex((message) => message.role === "user");
  const at = last === -1 ? rendered.length : last;
  const before = rules.map((rule): ChatMessage => ({
    role: rule.role === "user" || rule.role === "assistant" ? rule.role : "system",
    content: rule.content,
  }));
  return [...rendered.slice(0, at), ...history, ...before, ...rendered.slice(at)];
}

/** Counts what messages cost. Earlier ones, which stay the same in every draft, are counted once. */
function createCosts(
  history: readonly ChatMessage[],
): (messages: readonly ChatMessage[]) => number {
  const estimate = ({ content }: ChatMessage): number => estimateTokens(content) + messageOverhead;
  const known = new Map(history.map((message) => [message, estimate(message)]));
  const costOf = (message: ChatMessage): number => known.get(message) ?? estimate(message);
  return (messages) => messages.reduce((sum, message) => sum + costOf(message), 0);
}

function tooLarge(turn: Turn, tokens: number, budget: number): AppError {
  const { name, contextWindow, answerReserve } = turn.model;
  return new AppError(
    "prompt_too_large",
    `The code in focus and the question need about ${tokens} tokens, but model "${name}" takes ${budget} ` +
      `(window ${contextWindow}, ${answerReserve} kept for the answer). Select less code, or use a model with a larger window.`,
  );
}

function describe(
  turn: Turn,
  used: ReadonlySet<string>,
  declared: ReadonlyMap<string, unknown>,
): ContextReceipt {
  const { context } = turn;
  const arrived: Record<string, number> = {};
  for (const name of variableNames) {
    if (context[name] !== undefined) arrived[name] = costOfVariable(name, context[name]);
  }
  const wanted = new Set([...declared.keys(), ...used].filter(isVariableName));
  const missing = [...wanted].filter((name) => arrived[name] === undefined);
  const unused = Object.keys(arrived).filter(
    (name) => used.size > 0 && !used.has(name) && name !== "globalPrompts",
  );
  return {
    command: turn.command,
    arrived,
    ...(missing.length > 0 ? { missing } : {}),
    ...(context.others.size > 0 ? { unknown: [...context.others.keys()].slice(0, 20) } : {}),
    ...(unused.length > 0 ? { unused } : {}),
  };
}

function costOfVariable(name: VariableName, value: unknown): number {
  // Each kind weighs what its own schema accepted.
  return (variables[name] as VariableKind).cost(value);
}

function withCuts(receipt: ContextReceipt, turn: Turn, cut: Cut): ContextReceipt {
  const { packageFiles = [] } = turn.context;
  const cuts = [
    ...countCut("packageFiles", packageFiles.length, cut.packageFiles),
    ...countCut("knowledgeBase references", countReferences(turn), cut.references),
    ...countCut("history messages", turn.history.length, cut.history),
    ...(Number.isFinite(cut.around)
      ? [`activeEditor: all but ${cut.around} lines around the focus`]
      : []),
  ];
  return cuts.length === 0 ? receipt : { ...receipt, cut: cuts };
}

function countReferences({ context }: Turn): number {
  const { knowledgeBase = [] } = context;
  return knowledgeBase.reduce((sum, base) => sum + (base.references?.length ?? 0), 0);
}

function countCut(name: string, had: number, kept: number): string[] {
  return kept < had ? [`${name}: ${had - kept} of ${had}`] : [];
}
