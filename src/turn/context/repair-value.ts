import * as z from "zod";
import { isRecord } from "../../base/wire/json/is-record.ts";
import { findIssues } from "../../base/wire/json/find-issues.ts";

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes["_zod"]["def"];

/** What was left out of a value, and why; never the value. */
export interface Fault {
  path: readonly PropertyKey[];
  message: string;
}

/** A value with more faults is wrong as a whole. */
const maxFaults = 100;
/** Stands for a part of which nothing can be used. */
const unusable = Symbol("unusable");

/**
 * Makes the best of a value that does not fit its schema. A number that is written as a text, and the other way
 * round, is converted. Any other field or item that does not fit is left out; what cannot be without it goes, too.
 * The value itself stays as it is.
 *
 * @param schema without transforms, defaults and catches
 * @returns the value that fits; undefined where nothing of it is left
 */
export function repairValue(schema: Schema, value: unknown): { value: unknown; faults: Fault[] } {
  const repair = new Repair();
  const repaired = repair.part(schema, value, []);
  return { value: repaired === unusable ? undefined : repaired, faults: repair.faults };
}

/**
 * The parts of a value that fit a schema without a single one of its fields: objects, and items of a list, under
 * whose names nothing is looked for. An empty object says nothing, and is not one of them.
 */
export function findUnread(schema: Schema, value: unknown): Fault[] {
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
    // The public list of zod's own definitions; `type` tells them apart.
    const definition = schema._zod.def as Definition;
    switch (definition.type) {
      case "optional":
      case "nullable":
        return this.#repair(definition.innerType, value, path);
      case "string":
        return typeof value === "number" && isExact(value) ? String(value) : unusable;
      case "number":
        return typeof value === "string" && isNumber(value) ? Number(value) : unusable;
      case "array":
        return Array.isArray(value) ? this.#items(definition.element, value, path) : unusable;
      case "object":
        return isRecord(value) ? this.#fields(definition.shape, value, path) : unusable;
      default:
        return unusable;
    }
  }

  #items(element: Schema, items: readonly unknown[], path: readonly PropertyKey[]): unknown {
    const kept: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const repaired = this.part(element, item, [...path, index]);
      if (repaired !== unusable) kept.push(repaired);
      if (this.faults.length > maxFaults) return unusable;
    }
    return kept;
  }

  #fields(
    shape: z.core.$ZodShape,
    fields: Record<string, unknown>,
    path: readonly PropertyKey[],
  ): unknown {
    const kept = { ...fields };
    for (const [name, schema] of Object.entries(shape)) {
      const repaired = this.part(schema, fields[name], [...path, name]);
      if (repaired === unusable) delete kept[name];
      else if (repaired !== fields[name]) kept[name] = repaired;
      if (this.faults.length > maxFaults) return unusable;
    }
    return kept;
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
