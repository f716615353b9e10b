// What is wrong with a value, in plain words.
import * as z from "zod";
import type { Message } from "./app-error.ts";
import { suggestName } from "./names.ts";
import { isRecord } from "../text/json.ts";

type ZodIssue = z.core.$ZodIssue;

/** Characters of a value that are shown. */
const maxText = 40;

/**
 * One issue of a failed parse in words that need no knowledge of the parser, for whoever wrote the file that was
 * parsed: `must be a list, not a text`. Of a value that is not one of those known it shows the beginning.
 *
 * @param root what was parsed; the value at fault is looked up in it
 */
export function describeIssue(issue: ZodIssue, root: unknown): string {
  const found = valueAt(root, issue.path);
  return issue.code === "invalid_value" && typeof found === "string"
    ? describeChoice(issue.values.map(String), found)
    : sayIssue(issue, root).en;
}

/** As {@link describeIssue}, but never with the value: for what a request holds. */
export function sayIssue(issue: ZodIssue, root: unknown): Message {
  const found = valueAt(root, issue.path);
  switch (issue.code) {
    case "invalid_type":
      return sayKind(issue.expected, found);
    case "invalid_value":
      return sayChoice(issue.values.map(String), found);
    case "too_small":
    case "too_big":
      return sayBound(issue);
    case "unrecognized_keys": {
      const keys = issue.keys.map((key) => JSON.stringify(key));
      return {
        en: `has unknown fields: ${keys.join(", ")}`,
        zh: `含有未知字段：${keys.join("、")}`,
      };
    }
    case "custom":
      return { en: issue.message, zh: "值无效" };
    default:
      return { en: "is not in the expected format", zh: "格式不正确" };
  }
}

function sayKind(expected: string, found: unknown): Message {
  const kind = nameOf(expected);
  if (found === undefined)
    return { en: `is missing; write ${kind.en}`, zh: `缺失，应为${kind.zh}` };
  const actual = kindOf(found);
  return { en: `must be ${kind.en}, not ${actual.en}`, zh: `应为${kind.zh}，不能是${actual.zh}` };
}

function sayChoice(known: readonly string[], found: unknown): Message {
  const [list, listZh] = [known.join(", "), known.join("、")];
  if (found === undefined)
    return { en: `is missing; write one of: ${list}`, zh: `缺失，应为以下之一：${listZh}` };
  if (typeof found === "string")
    return { en: `must be one of: ${list}`, zh: `应为以下之一：${listZh}` };
  const actual = kindOf(found);
  return {
    en: `must be one of: ${list}; not ${actual.en}`,
    zh: `应为以下之一：${listZh}；不能是${actual.zh}`,
  };
}

function describeChoice(known: readonly string[], found: string): string {
  const near = suggestName(found, known);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return `${JSON.stringify(found.slice(0, maxText))} is not known; write one of: ${known.join(", ")}${hint}`;
}

function sayBound(issue: ZodIssue & { code: "too_small" | "too_big" }): Message {
  const isLow = issue.code === "too_small";
  const bound = String(isLow ? issue.minimum : issue.maximum);
  const [side, sideZh] = isLow ? ["at least", "至少"] : ["at most", "最多"];
  if (issue.origin === "string")
    return isLow && bound === "1"
      ? { en: "must not be empty", zh: "不能为空" }
      : {
          en: `must have ${side} ${bound} ${bound === "1" ? "character" : "characters"}`,
          zh: `${sideZh}应有 ${bound} 个字符`,
        };
  if (issue.origin === "array")
    return {
      en: `must have ${side} ${bound} ${bound === "1" ? "item" : "items"}`,
      zh: `${sideZh}应有 ${bound} 项`,
    };
  return { en: `must be ${side} ${bound}`, zh: `${isLow ? "不应小于" : "不应大于"} ${bound}` };
}

const names: Readonly<Record<string, Message>> = {
  string: { en: "a text", zh: "文本" },
  number: { en: "a number", zh: "数字" },
  int: { en: "a whole number", zh: "整数" },
  boolean: { en: "true or false", zh: "布尔值" },
  array: { en: "a list", zh: "列表" },
  object: { en: "an object", zh: "对象" },
  record: { en: "an object", zh: "对象" },
  nonoptional: { en: "a value", zh: "值" },
};

function nameOf(expected: string): Message {
  return names[expected] ?? { en: expected, zh: ` ${expected}` };
}

function kindOf(value: unknown): Message {
  if (value === null) return { en: "null", zh: " null" };
  // The name of the kind: `true or false` would read like a value.
  if (typeof value === "boolean") return { en: "a boolean", zh: "布尔值" };
  if (typeof value === "number" && !Number.isInteger(value))
    return { en: "a fraction", zh: "小数" };
  return nameOf(Array.isArray(value) ? "array" : typeof value);
}

/** The part of a value that is at a path; undefined where there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    root,
  );
}

type Definition = z.core.$ZodTypes["_zod"]["def"];

interface Issue {
  /** From the value that was checked. */
  path: readonly PropertyKey[];
  /** What is wrong; never the value. */
  message: Message;
}

/**
 * What is wrong with a value, one issue after the other: whoever takes the first ones pays for no more, be
 * there a hundred thousand bad items. Zod, which collects all, is asked about the smallest bad part.
 *
 * @param schema without transforms, defaults and catches
 */
export function* findIssues(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): Generator<Issue, void, void> {
  let hasFound = false;
  for (const { part, item, key } of listBadParts(schema, value)) {
    hasFound = true;
    yield* findIssues(part, item, key === undefined ? path : [...path, key]);
  }
  if (hasFound) return;
  for (const issue of z.safeParse(schema, value).error?.issues ?? [])
    yield { path: [...path, ...issue.path], message: sayIssue(issue, value) };
}

interface BadPart {
  part: z.core.$ZodType;
  item: unknown;
  /** Absent where the part is the value itself. */
  key?: PropertyKey;
}

/** Fields and items that are not valid; none where the value is of another kind altogether. */
export function* listBadParts(
  schema: z.core.$ZodType,
  value: unknown,
): Generator<BadPart, void, void> {
  // The public list of zod's own definitions; `type` tells them apart.
  const definition = schema._zod.def as Definition;
  if (definition.type === "optional" || definition.type === "nullable") {
    const absent = definition.type === "optional" ? undefined : null;
    if (value !== absent) yield { part: definition.innerType, item: value };
  } else if (definition.type === "array" && Array.isArray(value)) {
    for (const [key, item] of value.entries())
      if (!z.validate(definition.element, item)) yield { part: definition.element, item, key };
  } else if (definition.type === "object" && isRecord(value)) {
    for (const [key, part] of Object.entries(definition.shape)) {
      const item = value[key];
      if (!z.validate(part, item)) yield { part, item, key };
    }
  }
}
