// A description as plain JSON: its text parsed within limits, references followed inside of it only, and its schemas as
// models and our own check of arguments read them.
import type * as z from "zod";
import { AppError, type Message } from "../../base/errors/app-error.ts";
import { findIssues } from "../../base/errors/describe-issue.ts";
import { type Fields, isRecord, parseJson, scanJson } from "../../base/text/json.ts";
import type { JsonSchema } from "../arguments/check-schema.ts";
import { foldName } from "../tool.ts";
import { hash } from "./operation.ts";

const limits = { maxDepth: 200, maxValues: 2_000_000 };
/** Characters of YAML that are read without a thread. */
const maxAtOnce = 65_536;
/** References that name references. */
const maxHops = 32;

/** @throws AppError `invalid_request` with the path */
export function reject(path: string, en: string, zh: string): never {
  throw new AppError(
    "invalid_request",
    { en: `${path} ${en}`, zh: `${path} ${zh}` },
    { param: path, problems: [{ path, message: en, zh }] },
  );
}

/** Parses one entry of a list. @throws AppError `invalid_request` with the path of the first field at fault */
export function parseAt<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  path: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = findIssues(schema, given);
  const steps = (issue?.path ?? []).map((step) =>
    typeof step === "number" ? `[${step}]` : `.${String(step)}`,
  );
  const { en, zh } = issue?.message ?? { en: "is not in the expected format", zh: "格式不正确" };
  return reject(path + steps.join(""), en, zh);
}

/**
 * Parses the address of a server.
 *
 * @param field where a password or key is to be written, which an address must not have
 * @throws AppError `invalid_request` with the path, for what is not http or https, or has a user or password in it
 */
export function parseAddress(text: string, path: string, field: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    return reject(
      path,
      `must be an http or https address, such as https://api.example.com; a user and password belong in ${field}`,
      `应为 http 或 https 地址，例如 https://api.example.com；用户名和密码请写在 ${field} 中`,
    );
  return url;
}

/**
 * Reads a description: an object, or JSON or YAML as text.
 *
 * @param maxText in characters
 * @param readLong reads YAML that is long, where the event loop is not held by it
 * @throws AppError `invalid_request` with the path
 */
export async function parseDescription(
  given: unknown,
  path: string,
  maxText: number,
  readLong: ReadYaml = readYaml,
): Promise<Fields> {
  const text = typeof given === "string" ? given : printObject(given, path);
  if (text.length > maxText)
    reject(
      path,
      `is longer than ${maxText} characters; leave out what is not called`,
      `超过 ${maxText} 个字符，请删去不会调用的部分`,
    );
  const mayBeJson = /^\s*[{[]/.test(text.slice(0, 1_000));
  if (mayBeJson && scanJson(text, limits) !== undefined) reject(path, tooDeep.en, tooDeep.zh);
  let value = mayBeJson ? parseJson(text) : undefined;
  // YAML in braces looks alike.
  if (value === undefined) {
    const read = await (text.length > maxAtOnce ? readLong : readYaml)(text);
    if ("fault" in read) return reject(path, read.fault.en, read.fault.zh);
    ({ value } = read);
  }
  return isRecord(value)
    ? value
    : reject(path, "must be an object, as JSON or YAML", "应为对象，用 JSON 或 YAML 书写");
}

const tooDeep: Message = {
  en: "is nested too deeply, or has too many values",
  zh: "嵌套过深，或包含的值过多",
};

function printObject(given: unknown, path: string): string {
  try {
    return JSON.stringify(given) ?? "";
  } catch {
    return reject(path, "is not plain JSON: it contains itself", "不是普通的 JSON：它包含自身");
  }
}

/** A text of YAML as plain JSON, or what is wrong with it. */
export type ReadYaml = (text: string) => Promise<{ value: unknown } | { fault: Message }>;

/** Reads at once, and so holds the event loop. */
export const readYaml: ReadYaml = async (text) => {
  const { CORE_SCHEMA, load, mergeTag, YAMLException } = await import("js-yaml");
  let value: unknown;
  try {
    value = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) });
  } catch (thrown) {
    const line = thrown instanceof YAMLException ? (thrown.mark?.line ?? 0) + 1 : undefined;
    const [at, atZh] = line === undefined ? ["", ""] : [` (line ${line})`, `（第 ${line} 行）`];
    return {
      fault: { en: `is neither JSON nor YAML${at}`, zh: `既不是 JSON，也不是 YAML${atZh}` },
    };
  }
  const values = { left: limits.maxValues };
  const copied = copyPlain(value, values, 0);
  return values.left < 0 ? { fault: tooDeep } : { value: copied ?? null };
};

/** Aliases put one value into many places, so the copies are counted: below 0 there were too many. */
function copyPlain(value: unknown, values: { left: number }, depth: number): unknown {
  values.left -= depth > limits.maxDepth ? Infinity : 1;
  if (values.left < 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, values, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, copyPlain(item, values, depth + 1)]),
  );
}

/** A field of the document's own; what an object inherits is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function trimmedText(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** A value with the place where it is in the document, which refusals name. */
export class Place {
  readonly value: unknown;
  readonly path: string;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
  }

  /** The value of a field. */
  get(name: string): unknown {
    return fieldOf(this.value, name);
  }

  /** A field with its place. */
  at(name: string): Place {
    return new Place(this.get(name), `${this.path}${stepTo(name)}`);
  }

  text(name: string): string {
    return trimmedText(this.get(name));
  }

  isTrue(name: string): boolean {
    return this.get(name) === true;
  }

  /** The fields of an object; none for anything else. */
  get fields(): [name: string, place: Place][] {
    return isRecord(this.value) ? Object.keys(this.value).map((name) => [name, this.at(name)]) : [];
  }

  /** The items of a list; none for anything else. */
  get items(): Place[] {
    const { value, path } = this;
    if (!Array.isArray(value)) return [];
    return value.map((item: unknown, nth) => new Place(item, `${path}[${nth}]`));
  }

  /** The items of a field that has to be a list. @throws AppError `invalid_request` */
  list(name: string): Place[] {
    const { value, path, items } = this.at(name);
    return Array.isArray(value) ? items : reject(path, "must be a list", "应为列表");
  }

  /** The name of a method, a function or a parameter. @throws AppError `invalid_request` */
  name(): string {
    const name = this.get("name");
    return typeof name === "string" && name.trim() !== ""
      ? name
      : reject(this.at("name").path, "must be a text that is not empty", "应为非空文本");
  }

  /** What is said of something, in its summary and description. */
  told(): string {
    const told = new Set([this.text("summary"), this.text("description")]);
    return [...told].filter((text) => text !== "").join("\n");
  }
}

function stepTo(name: string): string {
  return /^[A-Za-z_$][\w$-]{0,63}$/.test(name)
    ? `.${name}`
    : `[${JSON.stringify(name.slice(0, 100))}]`;
}

/** A schema, and the names of the definitions that it refers to. */
interface Part {
  schema: unknown;
  refs: ReadonlySet<string>;
  /** In characters of JSON. */
  size: number;
}

/** Of what models are shown of one tool, in characters of JSON. */
const maxSchema = 40_000;
const maxDescription = 1_000;
const maxNodes = 2_000;
/** Schemas of one document that are read, those that are read once more for another operation among them. */
const maxAllNodes = 200_000;

/** The document behind the parts that are read of it. */
export class SpecDocument {
  readonly root: Place;
  /** By name, and the names by what `$ref` says. */
  readonly #parts = new Map<string, Part>();
  readonly #names = new Map<string, string>();
  /** How many definitions would have a name. */
  readonly #counts = new Map<string, number>();
  #nodes = 0;

  constructor(value: Fields, path: string) {
    this.root = new Place(value, path);
  }

  /** The value itself, or what its `$ref` names, however often that is a reference. */
  follow(place: Place): Place {
    let found = place;
    for (let hops = 0; ; hops++) {
      const ref = found.get("$ref");
      if (typeof ref !== "string") return found;
      if (hops === maxHops) reject(place.path, "refers to itself, over and over", "循环引用自身");
      found = this.#find(ref, found.path);
    }
  }

  #find(ref: string, path: string): Place {
    const shown = JSON.stringify(ref.slice(0, 200));
    if (!ref.startsWith("#"))
      reject(
        path,
        `refers to another document (${shown}); put everything into one, as bundlers do`,
        `引用了其他文档（${shown}）；请用打包工具合并为一个文档`,
      );
    let found = this.root;
    for (const step of ref.slice(1).split("/").slice(1)) {
      const name = decode(step);
      const { value, path: above } = found;
      found = Array.isArray(value)
        ? new Place(value[Number(name)], `${above}[${name}]`)
        : found.at(name);
    }
    if (found.value === undefined || (ref !== "#" && !ref.startsWith("#/")))
      reject(path, `refers to ${shown}, which is not there`, `引用了不存在的 ${shown}`);
    return found;
  }

  /**
   * The arguments of a tool; their schema is made when it is first asked for.
   *
   * @throws AppError `invalid_request` at once where a reference leads nowhere
   */
  argumentsOf(given: readonly Argument[]): Arguments {
    const taken = new Set<string>();
    const parts = given.map((argument) => ({
      ...argument,
      key: freeKey(argument.own, argument.other, taken),
      part: this.#partOf(argument.schema),
    }));
    let made: JsonSchema | undefined;
    return {
      schema: () => (made ??= this.#assemble(parts)),
      keys: parts.map(({ key }) => key),
      toOwn: (input) =>
        parts.flatMap(({ own, key }) =>
          Object.hasOwn(input, key) ? [[own, input[key]] as const] : [],
        ),
    };
  }

  #assemble(parts: readonly (Argument & { key: string; part: Part })[]): JsonSchema {
    const properties = parts.map(({ key, description, part: { schema } }) => [
      key,
      withDescription(schema, description),
    ]);
    const required = parts.flatMap(({ key, isRequired }) => (isRequired ? [key] : []));
    let left = maxSchema - parts.reduce((sum, { part }) => sum + part.size, 0);
    const $defs = new Map<string, unknown>();
    const waiting = parts.flatMap(({ part }) => [...part.refs]);
    // The nearest first: what does not fit is what is deepest.
    for (const name of waiting) {
      const part = this.#parts.get(name);
      if (part === undefined || $defs.has(name)) continue;
      left -= part.size;
      $defs.set(
        name,
        left < 0 ? { description: `${name}: not shown, as it is too long` } : part.schema,
      );
      if (left >= 0) waiting.push(...part.refs);
    }
    const schema = { type: "object", properties: Object.fromEntries(properties), required };
    return $defs.size === 0 ? schema : { ...schema, $defs: Object.fromEntries($defs) };
  }

  #partOf(place: Place): Part {
    const refs = new Set<string>();
    const schema = this.#convert(place, refs, { left: maxNodes }, 0);
    return { schema, refs, size: JSON.stringify(schema).length };
  }

  /** The name that the definition behind a reference has among those of a tool. */
  #nameOf(ref: string, path: string): string {
    const known = this.#names.get(ref);
    if (known !== undefined) return known;
    const found = this.#find(ref, path);
    const last = ref.slice(ref.lastIndexOf("/") + 1).replaceAll(/[^\w-]+/g, "_");
    const wish = (last || "Root").slice(0, 64);
    const nth = (this.#counts.get(wish) ?? 0) + 1;
    this.#counts.set(wish, nth);
    // A number behind a point is in no other name: those have it once.
    const name = nth === 1 ? wish : `${wish}..${nth}`;
    this.#names.set(ref, name);
    // Its own references may lead back to it.
    this.#parts.set(name, { schema: {}, refs: new Set(), size: 0 });
    this.#waiting.push({ name, found });
    if (this.#waiting.length === 1) this.#readWaiting();
    return name;
  }

  #readWaiting(): void {
    for (const { name, found } of this.#waiting) this.#parts.set(name, this.#partOf(found));
    this.#waiting.length = 0;
  }

  /** Definitions that are being read, and those behind them that still are to be. */
  readonly #waiting: { name: string; found: Place }[] = [];

  /** In the words of 2020-12, whatever dialect it was in; what says nothing about a request is left out. */
  #convert(place: Place, refs: Set<string>, nodes: { left: number }, depth: number): unknown {
    const { value, path } = place;
    if (typeof value === "boolean") return value;
    nodes.left -= 1;
    this.#nodes += 1;
    if (this.#nodes > maxAllNodes)
      reject(
        this.root.path,
        "describes too much; leave out what is not called",
        "描述的内容过多，请删去不会调用的部分",
      );
    if (!isRecord(value) || nodes.left < 0 || depth > 40) return {};
    const ref = place.get("$ref");
    if (typeof ref === "string") {
      const name = this.#nameOf(ref, path);
      refs.add(name);
      return withNull({ $ref: `#/$defs/${name}` }, value);
    }
    const inner = (item: Place): unknown => this.#convert(item, refs, nodes, depth + 1);
    const made: [string, unknown][] = [];
    for (const [name, item] of Object.entries(value)) {
      const at = place.at(name);
      if (plainWords.has(name)) made.push([name, item]);
      else if (name === "description" || name === "title") {
        if (typeof item === "string") made.push([name, item.slice(0, maxDescription)]);
      } else if (name === "items" && Array.isArray(item))
        made.push(["prefixItems", at.items.map(inner)]);
      else if (schemaWords.has(name)) made.push([name, inner(at)]);
      else if (listWords.has(name) && Array.isArray(item)) {
        if (item.length > 0) made.push([name, at.items.map(inner)]);
      } else if (name === "patternProperties") made.push([name, {}]);
      else if (name === "properties") {
        // What is only read answers have, requests never. Of very many fields the first are shown.
        const own = at.fields.filter(([, field]) => !field.isTrue("readOnly"));
        const shown = own.slice(0, Math.max(0, nodes.left));
        made.push([name, Object.fromEntries(shown.map(([each, field]) => [each, inner(field)]))]);
      }
    }
    return tidy(Object.fromEntries(made), value, (name) =>
      place.at("properties").at(name).isTrue("readOnly"),
    );
  }
}

/** One argument of a tool. */
export interface Argument {
  /** As the server names it. */
  own: string;
  /** What is put behind that where there are two of the name. */
  other: string;
  schema: Place;
  description: string;
  isRequired: boolean;
}

interface Arguments {
  /** With the definitions that it needs. */
  schema: () => JsonSchema;
  /** What the model writes for each. */
  keys: readonly string[];
  /** What the model wrote, by the names that the server knows. */
  toOwn: (input: Fields) => (readonly [own: string, value: unknown])[];
}

/** What models write in place of a name that no server takes; each once, in lower case among those that are taken. */
function freeKey(name: string, other: string, taken: Set<string>): string {
  const bare = name.replaceAll(/[^\w.-]+/g, "_").replace(/(?<=.)_$/, "");
  const clean = bare.slice(0, 50) || other;
  let key = clean;
  for (let nth = 1; taken.has(foldName(key)); nth++)
    key = `${clean}_${nth === 1 ? other : hash(`${name} ${other} ${nth}`)}`;
  taken.add(foldName(key));
  return key;
}

function decode(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A name may have a percent sign of its own.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

const plainWords = new Set(
  (
    "format default enum const multipleOf maximum minimum maxLength minLength pattern maxItems minItems " +
    "uniqueItems maxProperties minProperties dependentRequired contentEncoding contentMediaType"
  ).split(" "),
);
const schemaWords = new Set(
  "items additionalProperties not contains propertyNames if then else".split(" "),
);
const listWords = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const types = new Set("string number integer boolean object array null".split(" "));

/** What differs between the dialects, and what is written wrongly often. */
function tidy(made: Fields, given: Fields, isReadOnly: (name: string) => boolean): unknown {
  const { enum: choices, ...rest } = made;
  // A type that nobody knows is left to the server.
  const named = [given["type"]]
    .flat()
    .map((name) => String(name).toLowerCase())
    .filter((name) => types.has(name));
  const required = Array.isArray(given["required"])
    ? given["required"].filter((name) => typeof name === "string" && !isReadOnly(name))
    : [];
  return withNull(
    {
      ...(named.length === 0 ? {} : { type: named.length === 1 ? named[0] : named }),
      ...rest,
      ...(Array.isArray(choices) ? { enum: choices } : {}),
      ...(required.length === 0 ? {} : { required }),
      ...boundOf("exclusiveMinimum", "minimum", given),
      ...boundOf("exclusiveMaximum", "maximum", given),
    },
    given,
  );
}

/** True beside a bound in 3.0, a bound itself since 3.1. */
function boundOf(name: string, beside: string, given: Fields): Fields {
  const bound = given[name] === true ? given[beside] : given[name];
  return typeof bound === "number" ? { [name]: bound } : {};
}

function withNull(schema: Record<string, unknown>, given: Fields): Fields {
  if (given["nullable"] !== true && given["x-nullable"] !== true) return schema;
  const { type, enum: choices } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const isOpen = !Array.isArray(choices) || choices.includes(null);
  return { ...schema, type: [type, "null"], ...(isOpen ? {} : { enum: [...choices, null] }) };
}

function withDescription(schema: unknown, description: string): unknown {
  const text = description.slice(0, maxDescription);
  if (!isRecord(schema)) return text === "" ? {} : { description: text };
  return text === "" ? schema : { ...schema, description: text };
}
