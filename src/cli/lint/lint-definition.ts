import * as z from "zod";
import { describeIssue, valueAt } from "../../base/errors/describe-issue.ts";
import { listRecalls } from "../../knowledge/retriever.ts";
import { type PromptLibrary, compileTogether, ofOperators } from "../../prompt/prompt-library.ts";
import type { TemplateEngine } from "../../prompt/template.ts";
import {
  AgentDefinition,
  type CollectedVariable,
  type CommandDefinition,
  type MessageTemplate,
  collectedBy,
} from "../../turn/agent-definition.ts";
import { printPath } from "../../turn/context/context.ts";
import { type LintProblem, fault, findJsonPlaces, info, warning } from "./json-places.ts";
import { Liquid } from "liquidjs";
import { suggestName } from "../../base/errors/names.ts";
import { ownCommands } from "../../flows/own-commands.ts";
import { TemplateProblem } from "../../prompt/render-budget.ts";
import {
  variables as documented,
  isVariableName,
  variableNames,
} from "../../turn/context/variables.ts";

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

/** Checks a definition file. @param hasKnowledge whether the settings name a knowledge folder */
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
      Reflect.set(Object(valueAt(copy, path.slice(0, -1))), key, replace(path));
    }
  }
  return AgentDefinition.safeParse(copy).data;
}

function standIn(path: readonly PropertyKey[]): string {
  return path.at(-1) === "role" ? "user" : "(unnamed)";
}

interface Compiled {
  path: string;
  text: string;
  variables: ReadonlySet<string>;
}

/** Checks a command's templates, and them against the variables that the command collects. */
function lintTemplates(
  definition: AgentDefinition,
  command: CommandDefinition,
  commandPath: string,
  prompts: PromptLibrary,
  engine: TemplateEngine,
): LintProblem[] {
  const own = command.messageTemplates ?? [];
  // Those of the whole agent serve where the command has none of its own, and built-in prompts where there are none.
  const templates = own.length > 0 ? own : (definition.messageTemplates ?? []);
  const path = own.length > 0 ? `${commandPath}.messageTemplates` : "messageTemplates";
  const { compiled, problems } = compileAll(templates, path, engine);
  // A question without a command is answered as one of `chat`.
  const builtIn = prompts.find(command.name === "default" ? "chat" : command.name, "en");
  if (templates.length === 0 && builtIn === undefined && !isOwn(command.name)) {
    const names = ownCommands.map(({ name }) => name);
    const message = `command "${command.name}" has no messageTemplates and no built-in prompt, so there is nothing to ask a model${meant(command.name, names)}`;
    return [warning(`${commandPath}.messageTemplates`, message)];
  }
  const read = [...lintUncollected(command, compiled), ...lintPaths(compiled)];
  // What a broken template would have read is not known.
  if (problems.length > 0) return [...problems, ...read];
  const used = templates.length > 0 ? compiled : compileAll(builtIn ?? [], path, engine).compiled;
  const asksNoModel = builtIn === undefined && templates.length === 0;
  return [...read, ...lintUnused(command, commandPath, used, asksNoModel)];
}

/** `; did you mean chat?`, or nothing. */
function meant(name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

function lintSharedTemplates({ messageTemplates }: AgentDefinition, engine: TemplateEngine) {
  const { compiled, problems } = compileAll(messageTemplates ?? [], "messageTemplates", engine);
  return [...problems, ...lintPaths(compiled)];
}

function compileAll(templates: readonly MessageTemplate[], path: string, engine: TemplateEngine) {
  const compile = compileTogether(engine, ofOperators);
  const compiled: Compiled[] = [];
  const problems: LintProblem[] = [];
  for (const [index, item] of templates.entries()) {
    const key = item.template === undefined || item.template === null ? "content" : "template";
    const itemPath = `${path}[${index}].${key}`;
    const text = item[key] ?? "";
    try {
      compiled.push({ path: itemPath, text, variables: compile(text).variables });
    } catch (thrown) {
      if (!(thrown instanceof TemplateProblem)) throw thrown;
      const message = `line ${thrown.line}, column ${thrown.column}: ${thrown.message}`;
      problems.push(fault(itemPath, message));
    }
  }
  return { compiled, problems };
}

function lintPaths(compiled: readonly Compiled[]): LintProblem[] {
  return compiled.flatMap(({ path, text }) =>
    lintVariablePaths(text).map((message) => warning(path, message)),
  );
}

function lintUncollected(command: CommandDefinition, compiled: readonly Compiled[]): LintProblem[] {
  const collected = collectedBy(command);
  const hintFor = (name: string): string => {
    const known = [...collected.keys(), ...variableNames].filter((one) => one !== name);
    return isVariableName(name) ? "" : meant(name, known);
  };
  return compiled.flatMap(({ path, variables }) =>
    [...variables]
      .filter((name) => !collected.has(name))
      .map((name) => {
        const hint = hintFor(name) || "; add it to contextVariables";
        const message = `reads "${name}", which command "${command.name}" does not collect${hint}`;
        return warning(path, message);
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
  const read = asksNoModel
    ? new Set<string>()
    : new Set([
        ...compiled.flatMap(({ variables }) => [...variables]),
        // Global prompts go before the question of every model.
        "globalPrompts",
        ...(isOwn(command.name) ? readByFlows : []),
      ]);
  return [...collectedBy(command).keys()].flatMap((name, index) => {
    // A misspelt name is told once, as such.
    const isMisspelt = !isVariableName(name) && suggestName(name, variableNames) !== undefined;
    if (read.has(name) || isMisspelt) return [];
    const message = `"${name}" is collected, but command "${command.name}" never uses it`;
    return [warning(variablePath(commandPath, index), message)];
  });
}

function isOwn(name: string): boolean {
  return ownCommands.some((own) => own.name === name);
}

function variablePath(commandPath: string, index: number): string {
  return `${commandPath}.contextVariableCollectionStrategy.contextVariables[${index}]`;
}

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
        ? findMisspelt(documented[root].schema, steps, root)
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

const spellings = ["resolverOptions", "resolveOptions"] as const;

function lintCollection(command: CommandDefinition, commandPath: string): LintProblem[] {
  const { type, contextVariables } = command.contextVariableCollectionStrategy ?? {};
  const list = contextVariables ?? [];
  const names = list.map(({ name }) => name);
  const isKnown = (type ?? "specify") === "specify";
  const strategyPath = `${commandPath}.contextVariableCollectionStrategy.type`;
  const unknown = `unknown strategy ${JSON.stringify(type)}; the platform documents only "specify"`;
  return [
    ...(isKnown ? [] : [warning(strategyPath, unknown)]),
    ...list.flatMap((variable, index) => {
      const path = variablePath(commandPath, index);
      const again = `variable "${variable.name}" is declared a second time`;
      return [
        ...lintVariableName(variable.name, `${path}.name`),
        ...(names.indexOf(variable.name) === index ? [] : [warning(`${path}.name`, again)]),
        ...lintOptions(variable, path),
      ];
    }),
  ];
}

function lintVariableName(name: string, path: string): LintProblem[] {
  if (isVariableName(name)) return [];
  const [unknown, hint] = [`unknown variable "${name}"`, meant(name, variableNames)];
  if (hint !== "") return [warning(path, unknown + hint)];
  const message = `${unknown}: the platform does not document it; it reaches templates as it comes`;
  return [info(path, message)];
}

function lintOptions(variable: CollectedVariable, path: string): LintProblem[] {
  const present = spellings.filter((key) => variable[key] !== undefined && variable[key] !== null);
  const message =
    "both resolverOptions and resolveOptions are given; resolverOptions is read, the other one is not";
  return [
    ...(present.length < 2 ? [] : [warning(path, message)]),
    ...present.flatMap((key) => lintOptionValues(variable.name, variable[key], `${path}.${key}`)),
  ];
}

function lintOptionValues(name: string, options: unknown, path: string): LintProblem[] {
  if (!isVariableName(name)) return [];
  const schema = documented[name].options;
  if (schema === undefined) return [info(path, `the platform documents no options for ${name}`)];
  const issues = schema.safeParse(options).error?.issues ?? [];
  const wrong = issues.map((issue) => {
    const below = issue.path.length === 0 ? "" : `.${printPath(issue.path)}`;
    return fault(path + below, describeIssue(issue, options));
  });
  return [...wrong, ...lintKeys(schema, options, path)];
}

/** Keys of model settings that are one letter away from a documented one, and meant. */
const meantKeys = ["topK", "top_k"];

/**
 * Warns of keys that nearly are documented ones, at every depth that the schema describes. Other
 * unknown keys are the platform's own business.
 */
function lintKeys(schema: unknown, value: unknown, path: string): LintProblem[] {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => lintKeys(inner.element, item, `${path}[${index}]`));
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null) return [];
  const known = Object.keys(inner.shape);
  return Object.entries(value).flatMap(([key, content]) => {
    const keyPath = path === "" ? key : `${path}.${key}`;
    if (known.includes(key)) return lintKeys(inner.shape[key], content, keyPath);
    const hint = meantKeys.includes(key) ? "" : meant(key, known);
    return hint === "" ? [] : [warning(keyPath, `unknown key "${key}" is not read${hint}`)];
  });
}

function innerSchema(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innerSchema(schema.unwrap())
    : schema;
}
