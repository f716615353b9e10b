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
import { type Cut, createScope, noCut } from "./scope.ts";
import type { Template, TemplateEngine } from "./template.ts";
import { TemplateProblem } from "./template-problem.ts";

export interface Prompt {
  messages: ChatMessage[];
  receipt: ContextReceipt;
}

/** What a message costs beyond its text: role and separators. */
const messageOverhead = 4;

interface RoleTemplate {
  role: ChatMessage["role"];
  template: Template;
  index: number;
}

/**
 * Renders a command's templates with the turn's context, cut to what the model can take. Global
 * prompts and history stand before the last user message, which is the question.
 *
 * @throws AppError `template_error` (names command, template, line and column), `prompt_too_large`
 */
export function buildPrompt(
  turn: Turn,
  templates: readonly MessageTemplate[],
  engine: TemplateEngine,
): Prompt {
  const compiled = templates.map((item, index) => compile(turn.command, item, index, engine));
  const used = new Set(compiled.flatMap(({ template }) => [...template.variables]));
  const options = collectedBy(findCommand(turn.definition, turn.command));
  const budget = turn.model.contextWindow - turn.model.answerReserve;
  let rendered: ChatMessage[] = [];
  let messages: ChatMessage[] = [];
  // Finding a cut renders the prompt several times, and all of it together must stay short.
  const end = Date.now() + engine.renderTime * 2;
  const measure = (cut: Cut): number => {
    const scope = createScope(turn.context, used, options, cut);
    rendered = renderAll(turn.command, compiled, scope, end);
    messages = arrange(rendered, turn, used, cut);
    return costOf(messages);
  };
  const { cut, tokens } = fitCut(turn.context, turn.history, used, budget, measure);
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
  for (const { name, messageTemplates } of definition.commands ?? []) {
    for (const [index, item] of (messageTemplates ?? []).entries())
      compile(name, item, index, engine);
  }
}

/** The receipt of a command that asks no model. */
export function describeContext(turn: Turn): ContextReceipt {
  return describe(turn, new Set(), collectedBy(findCommand(turn.definition, turn.command)));
}

function compile(
  command: string,
  item: MessageTemplate,
  index: number,
  engine: TemplateEngine,
): RoleTemplate {
  const text = item.template ?? item.content ?? "";
  return naming(command, index, () => ({ role: item.role, template: engine.compile(text), index }));
}

function renderAll(
  command: string,
  compiled: readonly RoleTemplate[],
  scope: object,
  end: number,
): ChatMessage[] {
  const render = ({ template }: RoleTemplate): string => {
    if (Date.now() > end) throw new TemplateProblem("rendering took too long");
    return template.render(scope);
  };
  return compiled
    .map((item) => ({
      role: item.role,
      content: naming(command, item.index, () => render(item)),
    }))
    .filter((message) => message.content.trim() !== "");
}

function naming<Result>(command: string, index: number, run: () => Result): Result {
  try {
    return run();
  } catch (thrown) {
    if (!(thrown instanceof TemplateProblem)) throw thrown;
    const { message, line, column } = thrown;
    throw new AppError(
      "template_error",
      `Template ${index} of command "${command}" is broken at line ${line}, column ${column}: ${message}.`,
      { param: `messageTemplates[${index}]` },
    );
  }
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

function costOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content) + messageOverhead, 0);
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
