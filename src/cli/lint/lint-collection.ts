import * as z from "zod";
import { printPath } from "../../turn/context/context.ts";
import { isVariableName, variableNames, variables } from "../../turn/context/variables.ts";
import type { CollectedVariable, CommandDefinition } from "../../turn/agent-definition.ts";
import { describeIssue } from "../../base/errors/describe-issue.ts";
import { suggestName } from "../../base/errors/names.ts";
import type { LintProblem } from "./json-places.ts";

const spellings = ["resolverOptions", "resolveOptions"] as const;

/** Checks the variables that a command has the client collect: names, repetitions, options. */
export function lintCollection(command: CommandDefinition, commandPath: string): LintProblem[] {
  const list = command.contextVariableCollectionStrategy?.contextVariables ?? [];
  const names = list.map(({ name }) => name);
  const problems = list.flatMap((variable, index) => {
    const path = `${commandPath}.contextVariableCollectionStrategy.contextVariables[${index}]`;
    return [
      ...lintName(variable.name, path),
      ...lintRepetition(names, index, path),
      ...lintOptions(variable, path),
    ];
  });
  return [...lintStrategy(command, commandPath), ...problems];
}

/** The platform document knows one way to collect. */
function lintStrategy(command: CommandDefinition, commandPath: string): LintProblem[] {
  const type = command.contextVariableCollectionStrategy?.type ?? "specify";
  if (type === "specify") return [];
  const path = `${commandPath}.contextVariableCollectionStrategy.type`;
  const message = `unknown strategy ${JSON.stringify(type)}; the platform documents only "specify"`;
  return [{ path, severity: "warning", message }];
}

function lintName(name: string, path: string): LintProblem[] {
  if (isVariableName(name)) return [];
  const near = suggestName(name, variableNames);
  const unknown = `unknown variable "${name}"`;
  return near === undefined
    ? [
        {
          path: `${path}.name`,
          severity: "info",
          message: `${unknown}: the platform does not document it; it reaches templates as it comes`,
        },
      ]
    : [{ path: `${path}.name`, severity: "warning", message: `${unknown}; did you mean ${near}?` }];
}

function lintRepetition(names: readonly string[], index: number, path: string): LintProblem[] {
  const name = names[index] ?? "";
  const message = `variable "${name}" is declared a second time`;
  return names.indexOf(name) === index
    ? []
    : [{ path: `${path}.name`, severity: "warning", message }];
}

function lintOptions(variable: CollectedVariable, path: string): LintProblem[] {
  const present = spellings.filter((key) => variable[key] !== undefined && variable[key] !== null);
  const message =
    "both resolverOptions and resolveOptions are given; resolverOptions is read, the other one is not";
  const both: LintProblem[] = present.length < 2 ? [] : [{ path, severity: "warning", message }];
  return [
    ...both,
    ...present.flatMap((key) => lintOptionValues(variable.name, variable[key], path, key)),
  ];
}

function lintOptionValues(
  name: string,
  options: unknown,
  path: string,
  key: string,
): LintProblem[] {
  if (!isVariableName(name)) return [];
  const schema = variables[name].options;
  if (schema === undefined) {
    return [
      {
        path: `${path}.${key}`,
        severity: "info",
        message: `the platform documents no options for ${name}`,
      },
    ];
  }
  const issues = schema.safeParse(options).error?.issues ?? [];
  const wrong = issues.map((issue): LintProblem => ({
    path: [`${path}.${key}`, ...(issue.path.length === 0 ? [] : [printPath(issue.path)])].join("."),
    severity: "error",
    message: describeIssue(issue, options),
  }));
  return [...wrong, ...lintKeys(schema, options, `${path}.${key}`)];
}

/** Keys of model settings that are one letter away from a documented one, and meant. */
const meantKeys = ["topK", "top_k"];

/**
 * Warns of keys that nearly are documented ones, at every depth that the schema describes. Other
 * unknown keys are the platform's own business.
 */
export function lintKeys(schema: unknown, value: unknown, path: string): LintProblem[] {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => lintKeys(inner.element, item, `${path}[${index}]`));
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null) return [];
  const known = Object.keys(inner.shape);
  return Object.entries(value).flatMap(([key, content]) => {
    const keyPath = path === "" ? key : `${path}.${key}`;
    return known.includes(key)
      ? lintKeys(inner.shape[key], content, keyPath)
      : lintKey(key, known, keyPath);
  });
}

function lintKey(key: string, known: readonly string[], path: string): LintProblem[] {
  const near = meantKeys.includes(key) ? undefined : suggestName(key, known);
  if (near === undefined) return [];
  const message = `unknown key "${key}" is not read; did you mean ${near}?`;
  return [{ path, severity: "warning", message }];
}

/** The schema without what makes it optional or nullable. */
export function innerSchema(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innerSchema(schema.unwrap())
    : schema;
}
