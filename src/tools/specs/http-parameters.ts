// Values as parts of an HTTP request, in the styles of OpenAPI: as text that comes back as it was.
import { isRecord } from "../../base/text/json.ts";

/** Where a value goes, and how it is written there. */
export interface Style {
  /** As the server knows it. */
  name: string;
  in: "path" | "query" | "header" | "cookie";
  style: string;
  explode: boolean;
  /** Signs such as `/` and `:` stay as they are. */
  allowReserved: boolean;
  /** The value is one text of JSON. */
  isJson: boolean;
}

/** An argument that cannot be sent; `message` is for the model. */
export class BadArgument extends Error {}

/** What is between the items of a list that is one text. */
const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
  tabDelimited: "%09",
};

/**
 * Puts values into a path; none of them leaves its segment.
 *
 * @param template `/pets/{petId}`
 * @throws BadArgument
 */
export function fillPath(template: string, styles: readonly Style[], values: Values): string {
  const path = template.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const style = styles.find((each) => each.name === name);
    const text = style === undefined ? whole : writePath(style, values.get(style));
    if (text === "") throw new BadArgument(`${name} must not be empty: it is part of the address`);
    return text;
  });
  const dots = path.split("/").find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (dots !== undefined)
    throw new BadArgument(`"${dots}" cannot be sent as a part of the address`);
  return path;
}

export type Values = ReadonlyMap<Style, unknown>;

function writePath(style: Style, value: unknown): string {
  const { name, explode, isJson } = style;
  if (value === undefined) throw new BadArgument(`${name} is missing`);
  const own = encode(name);
  const given = isJson ? JSON.stringify(value) : value;
  const write = (item: unknown): string => encode(print(item));
  const parts = partsOf(given, explode, write);
  if (style.style !== "matrix") {
    const before = style.style === "label" ? "." : "";
    return before + (parts?.join((explode && before) || ",") ?? write(given));
  }
  if (parts === undefined) return `;${[own, write(given)].filter((text) => text !== "").join("=")}`;
  if (!explode) return `;${own}=${parts.join(",")}`;
  return parts.map((part) => (isRecord(given) ? `;${part}` : `;${own}=${part}`)).join("");
}

/** The items of a list, or the names and values of an object, as pairs where they are exploded; undefined for others. */
function partsOf(
  value: unknown,
  explode: boolean,
  write: (item: unknown) => string,
): string[] | undefined {
  if (Array.isArray(value)) return value.map(write);
  if (!isRecord(value)) return undefined;
  const pairs = Object.entries(value).map((pair) => pair.map(write));
  return explode ? pairs.map((pair) => pair.join("=")) : pairs.flat();
}

/** The pairs of a query or of a form, encoded: `["tag=a", "tag=b"]`. @throws BadArgument */
export function writeQuery(style: Style, value: unknown): string[] {
  const { name, explode } = style;
  const own = encode(name);
  const write = (item: unknown): string => encode(print(item), style.allowReserved);
  if (style.isJson) return [`${own}=${write(JSON.stringify(value))}`];
  if (style.style === "deepObject" && typeof value === "object" && value !== null)
    return listDeep(name, value).map(([key, item]) => `${encode(key)}=${write(item)}`);
  const parts = partsOf(value, explode, write);
  if (parts === undefined) return [`${own}=${write(value)}`];
  if (explode) return isRecord(value) ? parts : parts.map((item) => `${own}=${item}`);
  return parts.length === 0 ? [] : [`${own}=${parts.join(delimiters[style.style] ?? ",")}`];
}

/** `a[b][0]` and what is there. */
function listDeep(key: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, item]) => listDeep(`${key}[${name}]`, item));
}

/** @throws BadArgument where a header cannot carry it */
export function writeHeader(style: Style, value: unknown): string {
  const given = style.isJson ? JSON.stringify(value) : value;
  const text = partsOf(given, style.explode, print)?.join(",") ?? print(given);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw new BadArgument(`${style.name} has a character that a header cannot carry`);
}

/** A value as text: what is no text, number or truth value is JSON. */
export function print(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** Signs that a query may hold as they are, and that no reader takes for its own. */
const reserved = /%(?:3A|2F|3F|40|24|2C|3B)/g;

function encode(text: string, allowReserved = false): string {
  if (!text.isWellFormed()) throw new BadArgument("half a character cannot be sent");
  const encoded = encodeURIComponent(text);
  return allowReserved ? encoded.replaceAll(reserved, (sign) => decodeURIComponent(sign)) : encoded;
}
