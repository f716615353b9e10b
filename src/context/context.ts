import * as z from "zod";
import { compileCheck, findIssues } from "../wire/compile-check.ts";
import {
  type VariableKind,
  type VariableName,
  isVariableName,
  variableNames,
  variables,
} from "./variables.ts";

/** One collected variable as the client sends it. `value` null or absent: it could not be collected. */
export const ContextVariable = z.looseObject({ name: z.string(), value: z.unknown().optional() });
export type ContextVariable = z.infer<typeof ContextVariable>;

type Known = { readonly [Name in VariableName]?: z.infer<(typeof variables)[Name]["schema"]> };

/** The typed values of a turn. A variable that did not arrive is absent. */
export interface Context extends Known {
  /** Variables whose names nobody documents, by name, as they came. */
  readonly others: ReadonlyMap<string, unknown>;
}

export interface Problem {
  /** From the root of the request: `contextVariables[2].value.selectedRanges[0].startLine`. */
  path: string;
  message: string;
}

/** One check for each kind of variable. */
const checks = Object.fromEntries(
  variableNames.map((name) => [name, compileCheck(variables[name].schema)]),
) as Record<VariableName, (value: unknown) => boolean>;

/**
 * Checks every known variable against its schema and keeps the unknown ones. Of a name that comes
 * twice, the last one counts.
 *
 * @returns the context, and what is wrong with the values; a wrong value is absent from the context
 */
export function parseContext(list: readonly ContextVariable[]): {
  context: Context;
  problems: Problem[];
} {
  const known: Partial<Record<VariableName, unknown>> = {};
  const others = new Map<string, unknown>();
  const problems: Problem[] = [];
  for (const [index, { name, value }] of list.entries()) {
    if (value === null || value === undefined) continue;
    if (!isVariableName(name)) {
      others.set(name, value);
      continue;
    }
    if (checks[name](value)) {
      known[name] = clean(name, value);
      continue;
    }
    const root = ["contextVariables", index, "value"];
    problems.push(
      ...findProblems(variables[name].schema, value, root, maxProblems - problems.length),
    );
    if (problems.length >= maxProblems) break;
  }
  // The loop stored under each name what that name's own schema answered.
  return { context: { ...(known as Known), others }, problems };
}

function clean(name: VariableName, value: unknown): unknown {
  // Each kind cleans what its own schema accepted.
  const kind = variables[name] as VariableKind;
  return kind.clean === undefined ? value : kind.clean(value);
}

/** Problems of one request; more are not looked for. */
const maxProblems = 100;

/** What is wrong with a value, with paths from `root`; never the values. At most so many. */
export function findProblems(
  schema: z.ZodType,
  value: unknown,
  root: readonly PropertyKey[] = [],
  most = maxProblems,
): Problem[] {
  const problems: Problem[] = [];
  for (const { path, message } of findIssues(schema, value)) {
    if (problems.length >= most) break;
    problems.push({ path: printPath([...root, ...path]), message });
  }
  return problems;
}

/** The first issues of a failed parse, with paths from `root`; never the values. */
export function toProblems(
  error: z.ZodError,
  root: readonly PropertyKey[] = [],
  most = 100,
): Problem[] {
  return error.issues.slice(0, most).map((issue) => ({
    path: printPath([...root, ...issue.path]),
    message: issue.message,
  }));
}

/** Prints a path as people write it: `commands[0].name`. The root itself is `(request)`. */
export function printPath(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
  return text === "" ? "(request)" : text;
}
