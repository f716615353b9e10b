// Checks arguments of a call by a JSON Schema that came from outside. Schema and arguments may both be hostile, so the
// steps are counted, and nothing of the schema is compiled: patterns and formats are left to the server that has them.
import type * as z from "zod";
import type { Message } from "../../base/errors/app-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { sayIssue } from "../../base/errors/describe-issue.ts";
import { type Fields, isRecord } from "../../base/text/json.ts";

/** In the dialect of 2020-12, as plain JSON. */
export type JsonSchema = Fields;

/** What is wrong at one place of the arguments. */
export interface SchemaProblem {
  path: readonly PropertyKey[];
  message: Message;
}

/** With the path in front. */
export function sayProblem({ path, message }: SchemaProblem, locale: Locale): string {
  return `${path.map(String).join(".")} ${message[locale]}`;
}

/** Values that are compared with schemas, in all. */
const maxSteps = 100_000;
const maxDepth = 200;

class TooComplex extends Error {}

/**
 * The first things that are wrong with a value.
 *
 * @param most problems that are listed
 */
export function checkSchema(root: JsonSchema, value: unknown, most: number): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  try {
    for (const problem of new Check(root).problems(root, value, [])) {
      problems.push(problem);
      if (problems.length === most) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof TooComplex)) throw thrown;
    problems.push({ path: [], message: tooComplex });
  }
  return problems;
}

const tooComplex: Message = {
  en: "cannot be checked: its schema takes too many steps",
  zh: "无法检查：其模式过于复杂",
};

/** What `$ref` names within a schema; undefined if nothing is there. */
function findDefinition(root: JsonSchema, ref: unknown): unknown {
  if (ref === "#") return root;
  if (typeof ref !== "string" || !ref.startsWith("#/$defs/")) return undefined;
  const { $defs } = root;
  const name = ref.slice("#/$defs/".length);
  return isRecord($defs) && Object.hasOwn($defs, name) ? $defs[name] : undefined;
}

/** The schema itself, where it is named; undefined for one that says nothing. */
export function definitionOf(root: JsonSchema, given: unknown): JsonSchema | undefined {
  let schema = given;
  for (let hops = 0; hops < 8 && isRecord(schema) && "$ref" in schema; hops++)
    schema = findDefinition(root, schema["$ref"]);
  return isRecord(schema) ? schema : undefined;
}

type Path = readonly PropertyKey[];
type Problems = Generator<SchemaProblem, void, void>;
type Messages = Generator<Message, void, void>;

class Check {
  readonly #root: JsonSchema;
  #steps = 0;
  #depth = 0;
  /** The definitions that are under way, each with the value that it is about. */
  readonly #open: { schema: unknown; value: unknown }[] = [];

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** One after the other, so that whoever needs the first pays for no more. */
  *problems(schema: unknown, value: unknown, path: Path): Problems {
    if (schema === false) yield say(path, "is not allowed here", "此处不允许");
    if (!isRecord(schema)) return;
    this.#steps += 1 + costOf(schema, value);
    if (this.#steps > maxSteps || this.#depth >= maxDepth) throw new TooComplex();
    this.#depth += 1;
    try {
      if ("$ref" in schema) yield* this.#named(schema["$ref"], value, path);
      const types = typesOf(schema["type"]);
      if (types.length > 0 && !types.some((name) => isOfType(name, value))) {
        yield { path, message: wrongType(schema["type"], value) };
        return;
      }
      for (const message of checkValue(schema, value)) yield { path, message };
      yield* this.#parts(schema, value, path);
      if (Array.isArray(value)) yield* this.#items(schema, value, path);
      else if (isRecord(value)) yield* this.#fields(schema, value, path);
    } finally {
      this.#depth -= 1;
    }
  }

  /** A definition that leads back to itself with the same value has nothing to add, and would never end: a parent that is one of its children, say. */
  *#named(ref: unknown, value: unknown, path: Path): Problems {
    const schema = findDefinition(this.#root, ref);
    if (this.#open.some((one) => one.schema === schema && one.value === value)) return;
    this.#open.push({ schema, value });
    try {
      yield* this.problems(schema, value, path);
    } finally {
      this.#open.pop();
    }
  }

  /** To take only the first closes the generators, so that nothing stays open or counts as depth. */
  #first(schema: unknown, value: unknown, path: Path = []): SchemaProblem | undefined {
    const [first] = this.problems(schema, value, path);
    return first;
  }

  #fits(schema: unknown, value: unknown): boolean {
    return this.#first(schema, value) === undefined;
  }

  *#parts(schema: JsonSchema, value: unknown, path: Path): Problems {
    for (const part of listOf(schema["allOf"])) yield* this.problems(part, value, path);
    // Many descriptions write `oneOf` for alternatives that overlap, and their servers take what fits two.
    for (const parts of [listOf(schema["anyOf"]), listOf(schema["oneOf"])])
      if (parts.length > 0 && !parts.some((part) => this.#fits(part, value)))
        yield this.#nearest(parts, value, path);
    if (schema["not"] !== undefined && this.#fits(schema["not"], value))
      yield say(path, "has a form that is not allowed", "形式不被允许");
    if (schema["if"] !== undefined) {
      const next = this.#fits(schema["if"], value) ? schema["then"] : schema["else"];
      if (next !== undefined) yield* this.problems(next, value, path);
    }
  }

  /** Of the alternative that was left last, as that is the one that was meant. */
  #nearest(parts: readonly unknown[], value: unknown, path: Path): SchemaProblem {
    let nearest = say(path, "is not in any of the expected forms", "不符合任何一种预期的形式");
    for (const part of parts) {
      const first = this.#first(part, value, path);
      if (first !== undefined && first.path.length > nearest.path.length) nearest = first;
    }
    return nearest;
  }

  *#items(schema: JsonSchema, value: readonly unknown[], path: Path): Problems {
    const { prefixItems, items, contains } = schema;
    const first = listOf(prefixItems);
    for (const [at, item] of value.entries())
      yield* this.problems(at < first.length ? first[at] : items, item, [...path, at]);
    if (contains !== undefined && !value.some((item) => this.#fits(contains, item)))
      yield say(path, "lacks an item that it must have", "缺少必需的项");
  }

  *#fields(schema: JsonSchema, value: Fields, path: Path): Problems {
    const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
    for (const name of listOf(schema["required"]))
      if (typeof name === "string" && !Object.hasOwn(value, name)) {
        const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
        const type = definitionOf(this.#root, own)?.["type"];
        yield { path: [...path, name], message: wrongType(type, undefined) };
      }
    for (const [name, item] of Object.entries(value)) {
      const isKnown = Object.hasOwn(properties, name);
      // Which of the others a pattern of names means is not looked at.
      const isPatterned = schema["patternProperties"] !== undefined;
      const own = isKnown
        ? properties[name]
        : isPatterned
          ? undefined
          : schema["additionalProperties"];
      yield* this.problems(own, item, [...path, name]);
      yield* this.problems(schema["propertyNames"], name, [...path, name]);
    }
    const needs = isRecord(schema["dependentRequired"]) ? schema["dependentRequired"] : {};
    for (const [name, others] of Object.entries(needs))
      for (const other of Object.hasOwn(value, name) ? listOf(others) : [])
        if (typeof other === "string" && !Object.hasOwn(value, other))
          yield { path: [...path, other], message: wrongType(undefined, undefined) };
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The names in `type`; none where any will do. */
export function typesOf(type: unknown): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
}

/** Whether a value is of a type of JSON Schema. */
export function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "object":
      return isRecord(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

/** Steps beyond the first: lists of values are compared one by one, and objects by their text. */
function costOf(schema: JsonSchema, value: unknown): number {
  const choices = listOf(schema["enum"]).length / 16;
  const isCompared =
    choices > 0 || Object.hasOwn(schema, "const") || schema["uniqueItems"] === true;
  return isCompared && typeof value === "object" && value !== null
    ? choices + JSON.stringify(value).length / 64
    : choices;
}

/** What concerns the value itself. */
function* checkValue(schema: JsonSchema, value: unknown): Messages {
  const isOwn = equals(value);
  if (Array.isArray(schema["enum"]) && !schema["enum"].some(isOwn))
    yield issue({ code: "invalid_value", values: schema["enum"].slice(0, 50).map(print) }, value);
  if (Object.hasOwn(schema, "const") && !isOwn(schema["const"]))
    yield issue({ code: "invalid_value", values: [print(schema["const"])] }, value);
  if (typeof value === "string")
    yield* checkBounds(schema, ["minLength", "maxLength"], countCharacters(value), "string");
  if (typeof value === "number") yield* checkNumber(schema, value);
  if (Array.isArray(value)) {
    yield* checkBounds(schema, ["minItems", "maxItems"], value.length, "array");
    if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length)
      yield { en: "has the same item twice", zh: "含有重复的项" };
  } else if (isRecord(value)) {
    const size = Object.keys(value).length;
    yield* checkBounds(schema, ["minProperties", "maxProperties"], size, "number");
  }
}

function* checkBounds(
  schema: JsonSchema,
  [least, most]: readonly [string, string],
  size: number,
  origin: string,
): Messages {
  const [minimum, maximum] = [schema[least], schema[most]];
  if (typeof minimum === "number" && size < minimum)
    yield issue({ code: "too_small", origin, minimum }, size);
  if (typeof maximum === "number" && size > maximum)
    yield issue({ code: "too_big", origin, maximum }, size);
}

function* checkNumber(schema: JsonSchema, value: number): Messages {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  yield* checkBounds(schema, ["minimum", "maximum"], value, "number");
  if (typeof above === "number" && value <= above)
    yield { en: `must be more than ${above}`, zh: `应大于 ${above}` };
  if (typeof below === "number" && value >= below)
    yield { en: `must be less than ${below}`, zh: `应小于 ${below}` };
  const step = schema["multipleOf"];
  if (typeof step !== "number" || step <= 0) return;
  const steps = value / step;
  // Fractions have no exact form, so a step is as good as its nearest number.
  if (Math.abs(steps - Math.round(steps)) > 1e-9 * Math.max(1, Math.abs(steps)))
    yield { en: `must be a multiple of ${step}`, zh: `应为 ${step} 的倍数` };
}

function countCharacters(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

function equals(value: unknown): (other: unknown) => boolean {
  if (typeof value !== "object") return (other) => other === value;
  const own = canonical(value);
  return (other) => typeof other === "object" && canonical(other) === own;
}

/** Equal for values that are. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, item: unknown) =>
      isRecord(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
        : item,
    ) ?? ""
  );
}

function print(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function wrongType(type: unknown, value: unknown): Message {
  const types = typesOf(type).filter((name) => name !== "null");
  const [only] = types;
  if (types.length === 1 && only !== undefined)
    // As zod names types.
    return issue({ code: "invalid_type", expected: only === "integer" ? "int" : only }, value);
  return value === undefined
    ? { en: "is missing", zh: "缺失" }
    : { en: `must be one of: ${types.join(", ")}`, zh: `类型应为以下之一：${types.join("、")}` };
}

/** In the words that all refusals have. */
function issue(facts: Record<string, unknown>, value: unknown): Message {
  // What is said needs these fields of an issue only.
  return sayIssue({ path: [], message: "", ...facts } as unknown as z.core.$ZodIssue, value);
}

function say(path: Path, en: string, zh: string): SchemaProblem {
  return { path, message: { en, zh } };
}
