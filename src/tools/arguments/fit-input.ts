import * as z from "zod";
import { parseFirst } from "../../base/text/mended-json.ts";
import { type Fields, isRecord } from "../../base/text/json.ts";
import { type AnyTool, foldName } from "../tool.ts";
import { type JsonSchema, checkSchema, definitionOf, isOfType, typesOf } from "./check-schema.ts";

type Definition = z.core.$ZodTypes["_zod"]["def"];
type Fitted = Pick<AnyTool, "input" | "schema" | "otherFields" | "fit" | "paths">;
/** What calls are wrapped in. */
const wrappers = ["arguments", "args", "params", "parameters", "input"];
/** Fields that say why: they may be beside all others, and each is kept. */
export const reasons: ReadonlySet<string> = new Set(["reason", "explanation", "instructions"]);

/**
 * The fields of a call as the tool's schema has them, where it is sure what was meant: other names of fields, `"true"`
 * and `"12"` in place of values, lists of patterns or lines in place of a text, `null` for what is left out.
 */
export function fitInput(tool: Fitted, given: Fields): Fields {
  const { input, schema, paths = [], otherFields = {} } = tool;
  // The public list of zod's own definitions; `type` tells them apart.
  const definition = input._zod.def as Definition;
  const described = isRecord(schema?.["properties"]) ? schema["properties"] : {};
  if (schema === undefined && definition.type !== "object") return given;
  const own = definition.type === "object" ? definition.shape : {};
  const shape = schema === undefined ? own : described;
  const renamed = rename(unwrap(given, shape, tool), shape, otherFields);
  const made = tool.fit?.(renamed);
  if (schema !== undefined) return fitFields(schema, schema, made ?? renamed, 0);
  // A tool's own fields come with the reasons that it left out.
  const why = Object.entries(renamed).filter(([name]) => reasons.has(name));
  const named = made === undefined ? renamed : { ...Object.fromEntries(why), ...made };
  const fitted = Object.entries(named).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(own, name) ? own[name] : undefined;
    if (field === undefined) return [[name, value]];
    const fit = fitValue(field, paths.includes(name) ? barePath(value) : value);
    return fit === undefined ? [] : [[name, fit]];
  });
  return Object.fromEntries(fitted);
}

/** Values deeper than that are left as they are. */
const maxDepth = 32;

function fitFields(root: JsonSchema, schema: JsonSchema, given: Fields, depth: number): Fields {
  const shape = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const fitted = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const own = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (own === undefined) return [[name, value]];
    const fit = fitPart(root, own, value, depth + 1);
    const isLeftOut = fit === null && !required.has(name) && !takesNull(root, own);
    return isLeftOut ? [] : [[name, fit]];
  });
  return Object.fromEntries(fitted);
}

/** Where the schema names one type, and the value is of another that says the same. */
function fitPart(root: JsonSchema, given: unknown, value: unknown, depth: number): unknown {
  const schema = definitionOf(root, given);
  if (schema === undefined || depth > maxDepth) return value;
  const types = typesOf(schema["type"]).filter((type) => type !== "null");
  const [type] = types;
  const fit = type === undefined || types.length > 1 ? value : fitType(type, schema, value);
  if (isRecord(fit)) return fitFields(root, schema, fit, depth);
  if (!Array.isArray(fit)) return fit;
  return fit.map((item: unknown) => fitPart(root, schema["items"], item, depth + 1));
}

const truths = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

function fitType(type: string, schema: JsonSchema, value: unknown): unknown {
  if (isOfType(type, value) || value === null) return value;
  const text = typeof value === "string" ? value.trim() : "";
  switch (type) {
    case "boolean":
      return truths.get(text.toLowerCase()) ?? value;
    case "integer":
      return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : value;
    case "number":
      return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    case "object":
    case "array": {
      const inner = text === "" ? undefined : parseFirst(text);
      if (inner !== undefined && isOfType(type, inner)) return inner;
      const isItem = typeof value === "string" || typeof value === "number";
      return type === "array" && isItem && schema["prefixItems"] === undefined ? [value] : value;
    }
    default:
      return value;
  }
}

function takesNull(root: JsonSchema, given: unknown): boolean {
  const schema = definitionOf(root, given);
  return schema === undefined || checkSchema({ ...root, ...schema }, null, 1).length === 0;
}

/** The fields themselves, if they are inside of one field and none of the tool's is beside it. */
function unwrap(given: Fields, shape: object, { otherFields = {} }: Fitted): Fields {
  const names = Object.keys(given);
  const isOwn = (name: string): boolean => {
    const own = Object.hasOwn(otherFields, name) ? (otherFields[name] ?? name) : name;
    return Object.hasOwn(shape, own) && !reasons.has(own);
  };
  const name = names.find((each) => wrappers.includes(each));
  if (name === undefined || names.some(isOwn)) return given;
  return recordOf(given[name]) ?? given;
}

/** An object, also as JSON in a text. */
export function recordOf(value: unknown): Fields | undefined {
  const inner = typeof value === "string" ? parseFirst(value.trim()) : value;
  return isRecord(inner) ? inner : undefined;
}

/** Without the quotes, backticks and blanks around it. */
function barePath(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const path = value.trim();
  const quote = path[0] ?? "";
  const isQuoted = path.length > 2 && "\"'`".includes(quote) && path.endsWith(quote);
  return isQuoted ? path.slice(1, -1).trim() : path;
}

/** A field under another name counts where the tool's own is not there. */
function rename(
  given: Fields,
  shape: object,
  otherFields: Readonly<Record<string, string>>,
): Fields {
  const fields = new Map<string, unknown>();
  const entries = Object.entries(given);
  const known = new Map([
    ...Object.entries(otherFields).map(([name, own]) => [foldName(name), own] as const),
    ...Object.keys(shape).map((name) => [foldName(name), name] as const),
  ]);
  for (const [name, value] of entries) if (Object.hasOwn(shape, name)) fields.set(name, value);
  for (const [name, value] of entries) {
    if (Object.hasOwn(shape, name)) continue;
    const own = known.get(foldName(name));
    if (own !== undefined && Object.hasOwn(shape, own) && !fields.has(own)) fields.set(own, value);
    else if (own === undefined || reasons.has(own)) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** Undefined for what is left out. */
function fitValue(schema: z.core.$ZodType, value: unknown): unknown {
  const definition = schema._zod.def as Definition;
  if (definition.type === "optional") {
    if (value === null) return undefined;
    const isText = (definition.innerType._zod.def as Definition).type === "string";
    if (value === "" && !isText) return undefined;
    const fit = fitValue(definition.innerType, value);
    // Zero and less stand for the beginning or the end.
    return typeof fit === "number" && fit < 1 ? undefined : fit;
  }
  return definition.type === "string" ? toText(value) : fitType(definition.type, {}, value);
}

/** Lines may come as a list, and so may patterns: these are short, and have commas between. */
function toText(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    return fitType("string", {}, value);
  const isPatterns = value.every((item) => /[*?]/.test(item) && !/\s/.test(item));
  return value.join(isPatterns ? "," : "\n");
}
