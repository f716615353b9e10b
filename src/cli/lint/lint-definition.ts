import type { PromptLibrary } from "../../prompt/prompt-library.ts";
import type { TemplateEngine } from "../../prompt/template.ts";
import { AgentDefinition, type CommandDefinition } from "../../turn/agent-definition.ts";
import type { LintProblem } from "./lint-problem.ts";
import { lintCollection } from "./lint-collection.ts";
import { lintKeys } from "./lint-keys.ts";
import { lintSharedTemplates, lintTemplates } from "./lint-templates.ts";

/**
 * Checks what a schema cannot see: names that nobody knows, variables that are collected in vain or
 * missed, templates that do not compile. Reads nothing but its arguments.
 *
 * @param prompts the built-in prompts, which serve commands without templates
 */
export function lintDefinition(
  definition: AgentDefinition,
  prompts: PromptLibrary,
  engine: TemplateEngine,
): LintProblem[] {
  const commands = definition.commands ?? [];
  return withoutRepetition([
    ...lintName(definition.name),
    ...lintKeys(AgentDefinition, definition, ""),
    ...lintCommandNames(commands),
    ...lintSpellings(commands),
    ...commands.flatMap((command, index) => [
      ...lintCollection(command, `commands[${index}]`),
      ...lintTemplates(definition, command, `commands[${index}]`, prompts, engine),
    ]),
    ...lintSharedTemplates(definition, engine),
  ]);
}

/** Templates that commands share are looked at for each of them, and told once. */
function withoutRepetition(problems: readonly LintProblem[]): LintProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** The platform's rule: `[a-zA-Z-_中文]` (platform document, agent definition). */
function lintName(name: string): LintProblem[] {
  if (/^[a-zA-Z_\-\p{Script=Han}]+$/u.test(name)) return [];
  const message = `the platform allows only letters, hyphens, underscores and Chinese characters in a name, not ${JSON.stringify(name)}`;
  return [{ path: "name", severity: "warning", message }];
}

function lintCommandNames(commands: readonly CommandDefinition[]): LintProblem[] {
  const names = commands.map(({ name }) => name);
  const missing: LintProblem[] = names.includes("default")
    ? []
    : [
        {
          path: "commands",
          severity: "error",
          message: 'there is no command "default", which clients send when the person chooses none',
        },
      ];
  const repeated = names.flatMap((name, index): LintProblem[] => {
    const first = names.indexOf(name);
    const message = `command "${name}" stands here a second time (first as commands[${first}]); it is never run`;
    return first === index ? [] : [{ path: `commands[${index}].name`, severity: "error", message }];
  });
  return [...missing, ...repeated];
}

/** The document's pages disagree on the spelling, and no page uses both. */
function lintSpellings(commands: readonly CommandDefinition[]): LintProblem[] {
  const variables = commands.flatMap(
    (command) => command.contextVariableCollectionStrategy?.contextVariables ?? [],
  );
  const short = variables.filter(({ resolveOptions }) => resolveOptions !== undefined).length;
  const long = variables.filter(({ resolverOptions }) => resolverOptions !== undefined).length;
  if (short === 0 || long === 0) return [];
  const message = `options are spelt resolveOptions (${short}) and resolverOptions (${long}) in one file; use one spelling, as a platform may know only one`;
  return [{ path: "commands", severity: "warning", message }];
}
