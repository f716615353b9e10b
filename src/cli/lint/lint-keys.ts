import * as z from "zod";
import { suggestName } from "../../base/errors/suggest-name.ts";
import { innerSchema } from "./inner-schema.ts";
import type { LintProblem } from "./lint-problem.ts";

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
