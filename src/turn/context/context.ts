import * as z from "zod";
import { findIssues } from "../../base/wire/json/find-issues.ts";
import { sayIssue } from "../../base/errors/describe-issue.ts";
import { readProjectRules, rulesVariable } from "./project-rules.ts";
import { findLostSelection } from "./recover-ranges.ts";
import { type Fault, findUnread, repairValue } from "./repair-value.ts";
import { type VariableKind, type VariableName, variableNames, variables } from "./variables.ts";

/**
 * One collected variable as the client sends it. `value` null or absent: it could not be collected. The options
 * say how it was; both spellings are documented.
 */
export const ContextVariable = z.looseObject({
  name: z.string(),
  value: z.unknown().optional(),
  resolverOptions: z.unknown().optional(),
  resolveOptions: z.unknown().optional(),
});
export type ContextVariable = z.infer<typeof ContextVariable>;

type Known = { readonly [Name in VariableName]?: z.infer<(typeof variables)[Name]["schema"]> };

/** The typed values of a turn. A variable that did not arrive is absent. */
export interface Context extends Known {
  /** Variables whose names nobody documents, by name, as they came. */
  readonly others: ReadonlyMap<string, unknown>;
  /** The resolver options that came with variables; stronger than those of the definition. */
  readonly options?: ReadonlyMap<string, unknown>;
  /** The text of a selection that came in a form that nobody can read, "" if that cannot be read either. */
  readonly lostSelection?: string;
  /** What came and could not be used; absent where all could. */
  readonly dropped?: readonly DroppedValue[];
}

/** A part of a variable that could not be used. */
export interface DroppedValue extends Problem {
  /** Absent where the value was kept all the same, or the platform documents no such variable. */
  variable?: VariableName;
  /** From the variable's value; empty where the whole value was dropped. */
  keys: readonly PropertyKey[];
}

export interface Problem {
  /** From the root of the request: `contextVariables[2].value.selectedRanges[0].startLine`. */
  path: string;
  message: string;
  /** The message in Chinese, where a person may read it. */
  zh?: string;
}

/** The schema of each kind of variable, compiled where the runtime allows it. */
const compiled: ReadonlyMap<string, z.ZodType> = new Map(
  variableNames.map((name) => [name, z.compile<z.ZodType>(variables[name].schema)]),
);

/**
 * Reads every known variable by its schema and keeps the unknown ones. What does not fit is converted, or
 * left out and told: an IDE that sends something odd is answered all the same. Of a name that comes twice,
 * the last one counts.
 */
export function parseContext(list: readonly ContextVariable[]): Context {
  const values: Partial<Record<VariableName, unknown>> = {};
  const others = new Map<string, unknown>();
  const options = new Map<string, unknown>();
  const dropped: DroppedValue[] = [];
  let lostSelection: string | undefined;
  for (const [index, { name, value, resolverOptions, resolveOptions }] of list.entries()) {
    const given = resolverOptions ?? resolveOptions;
    if (given !== undefined && given !== null) options.set(name, given);
    if (value === null || value === undefined) continue;
    const drop = (faults: readonly Fault[], variable?: VariableName): void => {
      for (const { path: keys, message } of faults.slice(0, maxProblems - dropped.length)) {
        const path = printPath(["contextVariables", index, "value", ...keys]);
        dropped.push({ path, message, keys, ...(variable === undefined ? {} : { variable }) });
      }
    };
    if (name === rulesVariable) {
      const rules = readProjectRules(value);
      if (rules.value !== undefined) others.set(name, rules.value);
      drop(rules.faults);
      continue;
    }
    const fits = compiled.get(name);
    if (fits === undefined) {
      others.set(name, value);
      continue;
    }
    const known = name as VariableName;
    if (name === "activeEditor") lostSelection = undefined;
    const kind = variables[known] as VariableKind;
    let fit: unknown = value;
    if (!z.validate(fits, value)) {
      if (name === "activeEditor") lostSelection = findLostSelection(value);
      const repaired = repairValue(kind.schema, value);
      drop(repaired.faults, known);
      fit = repaired.value;
    }
    // Each kind prepares what its own schema accepted.
    if (fit !== undefined) values[known] = kind.prepare === undefined ? fit : kind.prepare(fit);
    if (typeof value !== "object") continue;
    const unread = kind.findUnread?.(value) ?? findUnread(kind.schema, value);
    // Told alone: templates may read what nobody else does, and whose request it is stays as it was.
    if (unread.length > 0) drop(unread);
  }
  return {
    // The loop stored under each name what that name's own schema answered.
    ...(values as Known),
    others,
    ...(options.size === 0 ? {} : { options }),
    ...(lostSelection === undefined ? {} : { lostSelection }),
    ...(dropped.length === 0 ? {} : { dropped }),
  };
}

/** Whether it is unclear who sits in front of the IDE: an id came that cannot be read. */
export function isUserUnclear({ dropped = [] }: Context): boolean {
  return dropped.some(
    ({ variable, keys: [first] }) =>
      variable === "userInfo" && (first === undefined || first === "id"),
  );
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
    problems.push({ path: printPath([...root, ...path]), message: message.en, zh: message.zh });
  }
  return problems;
}

/** The first issues of a failed parse of `value`; never its values. */
export function toProblems(error: z.ZodError, value: unknown): Problem[] {
  return error.issues.slice(0, maxProblems).map((issue) => {
    const { en, zh } = sayIssue(issue, value);
    return { path: printPath(issue.path), message: en, zh };
  });
}

/** Prints a path as people write it: `commands[0].name`. The root itself is `(request)`. */
export function printPath(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
  return text === "" ? "(request)" : text;
}
