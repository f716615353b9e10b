import { describeIssue } from "../../base/errors/describe-issue.ts";
import { listRecalls } from "../../knowledge/retriever.ts";
import type { PromptLibrary } from "../../prompt/prompt-library.ts";
import type { TemplateEngine } from "../../prompt/template.ts";
import { AgentDefinition, type CommandDefinition } from "../../turn/agent-definition.ts";
import { printPath } from "../../turn/context/context.ts";
import { type LintProblem, fault, findJsonPlaces, info, warning } from "./json-places.ts";
import { lintCollection, lintKeys, lintSharedTemplates, lintTemplates } from "./lint-templates.ts";

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
  const problems = [
    ...lintName(definition.name),
    ...lintKeys(AgentDefinition, definition, ""),
    ...lintCommandNames(commands),
    ...lintSpellings(commands),
    ...commands.flatMap((command, index) => [
      ...lintCollection(command, `commands[${index}]`),
      ...lintTemplates(definition, command, `commands[${index}]`, prompts, engine),
    ]),
    ...lintSharedTemplates(definition, engine),
  ];
  // Templates that commands share are looked at for each of them, and told once.
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** The platform's rule: `[a-zA-Z-_中文]` (platform document, agent definition). */
function lintName(name: string): LintProblem[] {
  if (/^[a-zA-Z_\-\p{Script=Han}]+$/u.test(name)) return [];
  const message = `the platform allows only letters, hyphens, underscores and Chinese characters in a name, not ${JSON.stringify(name)}`;
  return [warning("name", message)];
}

function lintCommandNames(commands: readonly CommandDefinition[]): LintProblem[] {
  const names = commands.map(({ name }) => name);
  const missing = 'there is no command "default", which clients send when the person chooses none';
  const repeated = names.flatMap((name, index) => {
    const first = names.indexOf(name);
    const message = `command "${name}" stands here a second time (first as commands[${first}]); it is never run`;
    return first === index ? [] : [fault(`commands[${index}].name`, message)];
  });
  return [...(names.includes("default") ? [] : [fault("commands", missing)]), ...repeated];
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
  return [warning("commands", message)];
}

/**
 * Checks the text of a definition file: JSON, then the schema, then what the definition says.
 *
 * @param hasKnowledge whether the settings name a knowledge folder
 */
export function lintText(
  text: string,
  prompts: PromptLibrary,
  engine: TemplateEngine,
  hasKnowledge = true,
): LintProblem[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    const { problem } = findJsonPlaces(text);
    const reason = problem?.message ?? (thrown instanceof Error ? thrown.message : String(thrown));
    return [fault("(file)", `not valid JSON: ${reason}`)];
  }
  const issues = AgentDefinition.safeParse(json).error?.issues ?? [];
  const refused = issues.map((issue) => {
    const path = issue.path.length === 0 ? "(file)" : printPath(issue.path);
    return fault(path, describeIssue(issue, json));
  });
  const definition = salvageDefinition(json);
  if (definition === undefined) return refused;
  const found = [
    ...lintDefinition(definition, prompts, engine),
    ...(hasKnowledge ? [] : lintRecall(definition)),
  ];
  // What is said of a stand-in is not said of the file.
  return [
    ...refused,
    ...found.filter(({ path }) => !refused.some((at) => isWithin(path, at.path))),
  ];
}

/** Tells that a definition wants knowledge which the settings here do not have; the server's may. */
function lintRecall(definition: AgentDefinition): LintProblem[] {
  const [first] = listRecalls(definition);
  if (first === undefined) return [];
  const index = definition.commands?.findIndex(({ name }) => name === first.command);
  const message =
    "recallByAgent is true, so the server needs RIGHTSEAT_KNOWLEDGE, which is not set here";
  return [info(`commands[${index}]`, message)];
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && /^(?:$|[.[])/.test(path.slice(outer.length));
}

/** What takes the place of a bad value, one after the other: first nothing, which optional keys allow. */
const rounds = [() => undefined, () => ({}), standIn, standIn];

/**
 * The definition with stand-ins for the values that the schema refuses, so that the rest can be
 * checked all the same. Array items keep their index.
 *
 * @returns undefined where nothing is left to check
 */
function salvageDefinition(json: unknown): AgentDefinition | undefined {
  const copy = structuredClone(json);
  for (const replace of rounds) {
    const issues = AgentDefinition.safeParse(copy).error?.issues ?? [];
    for (const { path } of issues) {
      const key = path.at(-1);
      if (key === undefined) return undefined;
      const step = (holder: unknown, name: PropertyKey): unknown =>
        isObject(holder) ? Reflect.get(holder, name) : undefined;
      const holder = path.slice(0, -1).reduce(step, copy);
      if (isObject(holder)) Reflect.set(holder, key, replace(path));
    }
  }
  return AgentDefinition.safeParse(copy).data;
}

function standIn(path: readonly PropertyKey[]): string {
  return path.at(-1) === "role" ? "user" : "(unnamed)";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
