// What is wrong with the value of a setting, as a sentence: the text that was given, and what to write.
import type * as z from "zod";
import { suggestName } from "../base/errors/suggest-name.ts";

export interface WrongSetting {
  /** The variable, or the file and the name in it. */
  source: string;
  /** As it was given: text of the environment, or JSON of the file. */
  raw: unknown;
  /** A value that would do; undefined where there is none to show. */
  example: unknown;
  isSecret: boolean;
  /** Names of the fields of a table's rows, where the setting is a table. */
  fields?: readonly string[];
}

type Issue = z.core.$ZodIssue;

/** Characters of a value that are shown. */
const maxText = 60;
/** A key that got into the wrong variable is a key all the same. */
const secretText = /^(?:sk|pk|rk|gh[a-z]|xox[a-z]|ey[a-z]|key|token|secret|bearer)\b|@|^\S{33,}$/i;

/** One line for one fault, without the value of a secret. */
export function describeSettingProblem(issue: Issue, wrong: WrongSetting): string {
  const { source, isSecret } = wrong;
  const place = `${source}${issue.path.map(printKey).join("")}: `;
  if (isSecret) return `${place}${describeSecret(issue)}`;
  const found = valueAt(wrong.raw, issue.path);
  return `${place}${describeIssue(issue, found, wrong)}`;
}

/** What stands behind the name of a setting that there is none of. */
export function hintAt(name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** Only what is said without looking at the value. */
function describeSecret(issue: Issue): string {
  if (issue.code === "custom") return issue.message;
  const isOurs = issue.code === "too_small" && issue.origin === "array";
  return isOurs ? issue.message : "is not in the expected format.";
}

function describeIssue(
  issue: Issue,
  found: unknown,
  { example, fields = [] }: WrongSetting,
): string {
  const shown = show(found);
  switch (issue.code) {
    case "invalid_value": {
      const known = issue.values.map(String);
      const near = typeof found === "string" ? suggestName(found, known) : undefined;
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      return `${shown} is not known.${hint} Write one of: ${known.join(", ")}.`;
    }
    case "invalid_format":
      return `${shown} is not an address. Write one that begins with http:// or https://.`;
    case "unrecognized_keys":
      return describeUnknown(issue.keys, fields);
    case "too_small":
    case "too_big":
      return describeBound(issue, shown);
    case "invalid_type":
      return describeType(issue.expected, found, shown, example);
    default:
      return issue.code === "custom" ? issue.message : "is not in the expected format.";
  }
}

function describeUnknown(keys: readonly string[], fields: readonly string[]): string {
  const shown = keys.map((key) => JSON.stringify(key)).join(", ");
  const near = keys.map((key) => suggestName(key, fields));
  const hint = [...new Set(near.filter((name) => name !== undefined))].join(", ");
  const field = keys.length === 1 ? "field" : "fields";
  const verb = keys.length === 1 ? "is" : "are";
  const end =
    hint === ""
      ? keys.length === 1
        ? "Leave it out."
        : "Leave them out."
      : `Did you mean ${hint}?`;
  return `there ${verb} no ${field} ${shown} here. ${end}`;
}

function describeBound(issue: Issue & { code: "too_small" | "too_big" }, shown: string): string {
  const bound = issue.code === "too_small" ? issue.minimum : issue.maximum;
  if (issue.origin === "string") return "is empty. Write a text.";
  if (issue.origin === "array") return "is empty. Write at least one.";
  const side = issue.code === "too_small" ? "at least" : "at most";
  return `${shown} is too ${side === "at least" ? "small" : "large"}. Write ${side} ${bound}.`;
}

function describeType(expected: string, found: unknown, shown: string, example: unknown): string {
  if (found === undefined) return "is missing.";
  const such = typeof example === "number" ? `, such as ${example}` : "";
  if (expected === "number" || expected === "int")
    return `${shown} is not a whole number. Write digits only${such}.`;
  // A table may hold what is none of anybody's business.
  if (expected === "array") return "is not a list. Write a JSON array.";
  const wanted = expected === "string" ? "a text" : expected === "object" ? "an object" : expected;
  return `${shown} is not what belongs here. Write ${wanted}.`;
}

function show(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return "the value here";
  return secretText.test(value) ? "the value" : JSON.stringify(value.slice(0, maxText));
}

/** The part of a value that an issue is about; lists and tables come as text from the environment. */
function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  const start: unknown = path.length > 0 && typeof raw === "string" ? readList(raw) : raw;
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    start,
  );
}

function readList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.split(",").map((item) => item.trim());
  }
}

function printKey(key: PropertyKey): string {
  return typeof key === "number" ? `[${key}]` : `.${String(key)}`;
}
