// What is wrong with a value, as a sentence in plain words, for whoever wrote the file that it stands in.
import type * as z from "zod";
import { suggestName } from "./suggest-name.ts";

type Issue = z.core.$ZodIssue;

/** Characters of a value that are shown. */
const maxText = 40;

/**
 * One issue of a failed parse in words that need no knowledge of the parser: `must be a list, not a text`.
 *
 * @param root what was parsed; the value at fault is looked up in it
 */
export function describeIssue(issue: Issue, root: unknown): string {
  const found = valueAt(root, issue.path);
  switch (issue.code) {
    case "invalid_type":
      return found === undefined
        ? `is missing; write ${nameOf(issue.expected)}`
        : `must be ${nameOf(issue.expected)}, not ${kindOf(found)}`;
    case "invalid_value":
      return describeChoice(issue.values.map(String), found);
    case "too_small":
    case "too_big":
      return describeBound(issue);
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "custom":
      return issue.message;
    default:
      return "is not in the expected format";
  }
}

function describeChoice(known: readonly string[], found: unknown): string {
  const list = known.join(", ");
  if (found === undefined) return `is missing; write one of: ${list}`;
  if (typeof found !== "string") return `must be one of: ${list}; not ${kindOf(found)}`;
  const near = suggestName(found, known);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return `${JSON.stringify(found.slice(0, maxText))} is not known; write one of: ${list}${hint}`;
}

function describeBound(issue: Issue & { code: "too_small" | "too_big" }): string {
  const isLow = issue.code === "too_small";
  const bound = isLow ? issue.minimum : issue.maximum;
  const side = isLow ? "at least" : "at most";
  if (issue.origin === "string")
    return isLow && Number(bound) === 1
      ? "must not be empty"
      : `must have ${side} ${bound} characters`;
  if (issue.origin === "array") return `must have ${side} ${bound} items`;
  return `must be ${side} ${bound}`;
}

const names: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function nameOf(expected: string): string {
  return names[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "a number" : "a fraction";
  return Array.isArray(value) ? "a list" : nameOf(typeof value);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    root,
  );
}
