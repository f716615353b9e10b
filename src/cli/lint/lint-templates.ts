import * as z from "zod";
import {
  variables as allVariables,
  isVariableName,
  variableNames,
} from "../../turn/context/variables.ts";
import { ownCommands } from "../../flows/own-commands.ts";
import { type PromptLibrary, compileTogether, ofOperators } from "../../prompt/prompt-library.ts";
import type { TemplateEngine } from "../../prompt/template.ts";
import { TemplateProblem } from "../../prompt/render-budget.ts";
import {
  type AgentDefinition,
  type CommandDefinition,
  type MessageTemplate,
  collectedBy,
} from "../../turn/agent-definition.ts";
import { suggestName } from "../../base/errors/names.ts";
import type { LintProblem } from "./json-places.ts";
import { innerSchema } from "./lint-collection.ts";
import { Liquid } from "liquidjs";

interface Compiled {
  path: string;
  text: string;
  variables: ReadonlySet<string>;
}

/** Checks a command's templates, and them against the variables that the command collects. */
export function lintTemplates(
  definition: AgentDefinition,
  command: CommandDefinition,
  commandPath: string,
  prompts: PromptLibrary,
  engine: TemplateEngine,
): LintProblem[] {
  const { templates, path } = ownTemplates(definition, command, commandPath);
  const problems: LintProblem[] = [];
  const compiled = compileAll(templates, path, engine, problems);
  // A question without a command is answered as one of `chat`.
  const builtIn = prompts.find(command.name === "default" ? "chat" : command.name, "en");
  if (templates.length === 0 && builtIn === undefined && !isOwn(command.name)) {
    const near = suggestName(
      command.name,
      ownCommands.map(({ name }) => name),
    );
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    const message = `command "${command.name}" has no messageTemplates and no built-in prompt, so there is nothing to ask a model${hint}`;
    return [{ path: `${commandPath}.messageTemplates`, severity: "warning", message }];
  }
  const read = [...lintUncollected(command, compiled), ...lintPaths(compiled)];
  // What a broken template would have read is not known.
  if (problems.length > 0) return [...problems, ...read];
  const used = templates.length > 0 ? compiled : compileAll(builtIn ?? [], path, engine, problems);
  return [
    ...read,
    ...lintUnused(command, commandPath, used, builtIn === undefined && templates.length === 0),
  ];
}

/** Checks the templates of the whole agent by themselves, since no command may use them. */
export function lintSharedTemplates(
  { messageTemplates }: AgentDefinition,
  engine: TemplateEngine,
): LintProblem[] {
  const problems: LintProblem[] = [];
  const compiled = compileAll(messageTemplates ?? [], "messageTemplates", engine, problems);
  return [...problems, ...lintPaths(compiled)];
}

/** A command's own templates, else those of the whole agent; none where built-in prompts serve. */
function ownTemplates(
  definition: AgentDefinition,
  command: CommandDefinition,
  commandPath: string,
): { templates: readonly MessageTemplate[]; path: string } {
  const own = command.messageTemplates ?? [];
  return own.length > 0
    ? { templates: own, path: `${commandPath}.messageTemplates` }
    : { templates: definition.messageTemplates ?? [], path: "messageTemplates" };
}

function compileAll(
  templates: readonly MessageTemplate[],
  path: string,
  engine: TemplateEngine,
  problems: LintProblem[],
): Compiled[] {
  const compile = compileTogether(engine, ofOperators);
  return templates.flatMap((item, index) => {
    const key = item.template === undefined || item.template === null ? "content" : "template";
    const itemPath = `${path}[${index}].${key}`;
    const text = item[key] ?? "";
    try {
      return [{ path: itemPath, text, variables: compile(text).variables }];
    } catch (thrown) {
      if (!(thrown instanceof TemplateProblem)) throw thrown;
      const message = `line ${thrown.line}, column ${thrown.column}: ${thrown.message}`;
      problems.push({ path: itemPath, severity: "error", message });
      return [];
    }
  });
}

function lintPaths(compiled: readonly Compiled[]): LintProblem[] {
  return compiled.flatMap(({ path, text }) =>
    lintVariablePaths(text).map((message) => ({ path, severity: "warning", message })),
  );
}

function lintUncollected(command: CommandDefinition, compiled: readonly Compiled[]): LintProblem[] {
  const collected = collectedBy(command);
  return compiled.flatMap(({ path, variables }) =>
    [...variables]
      .filter((name) => !collected.has(name))
      .map((name): LintProblem => {
        const near = suggestName(
          name,
          [...collected.keys(), ...variableNames].filter((known) => known !== name),
        );
        const hint =
          near === undefined || variableNames.some((known) => known === name)
            ? "add it to contextVariables"
            : `did you mean ${near}?`;
        return {
          path,
          severity: "warning",
          message: `reads "${name}", which command "${command.name}" does not collect; ${hint}`,
        };
      }),
  );
}

/** What our own commands read beside their prompts; the states of their actions are bound to the person. */
const readByFlows = ["activeEditor", "knowledgeBase", "userInfo", "userInputPrompt"];

function lintUnused(
  command: CommandDefinition,
  commandPath: string,
  compiled: readonly Compiled[],
  asksNoModel: boolean,
): LintProblem[] {
  const read = new Set(asksNoModel ? [] : compiled.flatMap(({ variables }) => [...variables]));
  // Global prompts go before the question of every model.
  if (!asksNoModel) read.add("globalPrompts");
  if (!asksNoModel && isOwn(command.name)) {
    for (const name of readByFlows) read.add(name);
  }
  return [...collectedBy(command).keys()].flatMap((name, index): LintProblem[] => {
    if (read.has(name) || isMisspelt(name)) return [];
    const path = `${commandPath}.contextVariableCollectionStrategy.contextVariables[${index}]`;
    const message = `"${name}" is collected, but command "${command.name}" never uses it`;
    return [{ path, severity: "warning", message }];
  });
}

/** A misspelt name is told once, as such. */
function isMisspelt(name: string): boolean {
  return (
    !variableNames.some((known) => known === name) && suggestName(name, variableNames) !== undefined
  );
}

function isOwn(name: string): boolean {
  return ownCommands.some((own) => own.name === name);
}

/** What Liquid itself answers on lists. */
const listWords = ["first", "last"];

/**
 * What a template reads in a documented variable under a name that nearly is a documented one.
 * Follows the template's global names, not those that it makes itself (`for`, `assign`).
 *
 * @param template one that the engine compiles
 * @returns one sentence for each such path
 */
function lintVariablePaths(template: string): string[] {
  const liquid = new Liquid({ templates: {} });
  const messages = liquid
    .globalVariableSegmentsSync(template, { partials: false })
    .flatMap(([root, ...steps]) =>
      typeof root === "string" && isVariableName(root)
        ? findMisspelt(allVariables[root].schema, steps, root)
        : [],
    );
  return [...new Set(messages)];
}

function findMisspelt(schema: unknown, steps: readonly unknown[], path: string): string[] {
  const inner = innerSchema(schema);
  const [step, ...rest] = steps;
  if (inner instanceof z.ZodArray) {
    if (typeof step === "number") return findMisspelt(inner.element, rest, `${path}[${step}]`);
    return typeof step === "string" && listWords.includes(step)
      ? findMisspelt(inner.element, rest, `${path}.${step}`)
      : [];
  }
  if (!(inner instanceof z.ZodObject) || typeof step !== "string") return [];
  if (Object.hasOwn(inner.shape, step))
    return findMisspelt(inner.shape[step], rest, `${path}.${step}`);
  const near = suggestName(step, Object.keys(inner.shape));
  return near === undefined
    ? []
    : [`reads "${path}.${step}", which nobody documents; did you mean ${path}.${near}?`];
}
