import * as z from "zod";
import { isRecord } from "./is-record.ts";
import type { Message } from "../../errors/app-error.ts";
import { sayIssue } from "../../errors/describe-issue.ts";

type Definition = z.core.$ZodTypes["_zod"]["def"];

export interface Issue {
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
function* listBadParts(schema: z.core.$ZodType, value: unknown): Generator<BadPart, void, void> {
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
