import * as z from "zod";
import type { ErrorProblem } from "../../base/errors/app-error.ts";
import { findIssues, listBadParts, sayIssue } from "../../base/errors/describe-issue.ts";
import { findLostSelection } from "./active-editor.ts";
import {
  type Fault,
  type VariableKind,
  type VariableName,
  variableNames,
  variables,
} from "./variables.ts";

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

export interface DroppedValue extends Problem {
  /** Absent where the value was kept all the same, or the platform documents no such variable. */
  variable?: VariableName;
  /** From the variable's value; empty where the whole value was dropped. */
  keys: readonly PropertyKey[];
}

/** Its path is from the root of the request: `contextVariables[2].value.selectedRanges[0].startLine`. */
export type Problem = ErrorProblem;

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
  for (const [index, { name, value: came, resolverOptions, resolveOptions }] of list.entries()) {
    const given = resolverOptions ?? resolveOptions;
    if (given !== undefined && given !== null) options.set(name, given);
    if (came === null || came === undefined) continue;
    const drop = (faults: readonly Fault[], variable?: VariableName): void => {
      for (const { path: keys, message } of faults.slice(0, maxProblems - dropped.length)) {
        const path = printPath(["contextVariables", index, "value", ...keys]);
        dropped.push({ path, message, keys, ...(variable === undefined ? {} : { variable }) });
      }
    };
    const fits = compiled.get(name);
    if (fits === undefined) {
      others.set(name, came);
      continue;
    }
    const known = name as VariableName;
    if (name === "activeEditor") lostSelection = undefined;
    const kind = variables[known] as VariableKind;
    const value = typeof came === "string" && kind.fromText ? kind.fromText(came) : came;
    let fit = value;
    if (!z.validate(fits, value)) {
      if (name === "activeEditor") lostSelection = findLostSelection(value);
      const repaired = repairValue(kind.schema, value);
      drop(repaired.faults, known);
      fit = repaired.value;
    }
    // Each kind prepares what its own schema accepted.
    const dropKnown = (faults: readonly Fault[]): void => drop(faults, known);
    if (fit !== undefined)
      values[known] = kind.prepare === undefined ? fit : kind.prepare(fit, dropKnown);
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

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes["_zod"]["def"];

/** A value with more faults is wrong as a whole. */
const maxFaults = 100;
/** Stands for a part of which nothing can be used. */
const unusable = Symbol("unusable");

/**
 * Makes the best of a value that does not fit its schema, which has no transforms. A number that is written as a text, and
 * the other way round, is converted. Any other field or item that does not fit is left out; what cannot be without it
 * goes, too. The value itself stays as it is.
 */
function repairValue(schema: Schema, value: unknown): { value: unknown; faults: Fault[] } {
  const repair = new Repair();
  const repaired = repair.part(schema, value, []);
  return { value: repaired === unusable ? undefined : repaired, faults: repair.faults };
}

/**
 * The parts of a value that fit a schema without a single one of its fields: objects, and items of a list, under
 * whose names nothing is looked for. An empty object says nothing, and is not one of them.
 */
function findUnread(schema: Schema, value: unknown): Fault[] {
  const definition = schema._zod.def as Definition;
  if (definition.type === "array" && Array.isArray(value)) {
    const faults: Fault[] = [];
    for (const [index, item] of value.entries()) {
      if (faults.length >= maxFaults) break;
      for (const { path, message } of findUnread(definition.element, item))
        faults.push({ path: [index, ...path], message });
    }
    return faults;
  }
  if (definition.type !== "object" || Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return [];
  const names = Object.keys(definition.shape);
  for (const name of names) if (Object.hasOwn(value, name)) return [];
  if (Object.keys(value).length === 0) return [];
  return [{ path: [], message: `has none of the fields that are expected: ${names.join(", ")}` }];
}

class Repair {
  readonly faults: Fault[] = [];

  /** The part as it fits. Where nothing of it can be used, that is the only fault that is told of it. */
  part(schema: Schema, value: unknown, path: readonly PropertyKey[]): unknown {
    if (z.validate(schema, value)) return value;
    const known = this.faults.length;
    const repaired = this.#repair(schema, value, path);
    if (repaired !== unusable && z.validate(schema, repaired)) return repaired;
    this.faults.splice(known);
    this.faults.push({ path, message: explain(schema, value) });
    return unusable;
  }

  #repair(schema: Schema, value: unknown, path: readonly PropertyKey[]): unknown {
    const { type } = schema._zod.def as Definition;
    if (type === "string" && typeof value === "number" && isExact(value)) return String(value);
    if (type === "number" && typeof value === "string" && isNumber(value)) return Number(value);
    const mended = new Map<PropertyKey, unknown>();
    for (const { part, item, key } of listBadParts(schema, value)) {
      if (key === undefined) return this.#repair(part, item, path);
      mended.set(key, this.part(part, item, [...path, key]));
      if (this.faults.length > maxFaults) return unusable;
    }
    if (mended.size === 0) return unusable;
    const parts: object = Array.isArray(value) ? [] : {};
    Object.assign(parts, value, Object.fromEntries(mended));
    if (Array.isArray(parts)) return parts.filter((part) => part !== unusable);
    return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== unusable));
  }
}

/** The first thing that is wrong, with its path where it lies deeper. */
function explain(schema: Schema, value: unknown): string {
  const [issue] = findIssues(schema, value);
  if (issue === undefined) return "not valid";
  const path = issue.path.map(String).join(".");
  return path === "" ? issue.message.en : `${path}: ${issue.message.en}`;
}

/** Beyond these two numbers may look like one, and so two people like one. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isNumber(text: string): boolean {
  return /^[+-]?\d+(?:\.\d+)?$/.test(text.trim());
}
