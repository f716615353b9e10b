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
  const isMatrix = style.style === "matrix";
  const before = isMatrix ? ";" : style.style === "label" ? "." : "";
  const between = explode ? before || "," : ",";
  if (Array.isArray(given)) {
    const items = given.map((item) => encode(print(item)));
    if (!isMatrix) return before + items.join(between);
    const named = explode ? items : [items.join(",")];
    return named.map((item) => `;${own}=${item}`).join("");
  }
  if (isRecord(given)) {
    const pairs = Object.entries(given).map(([key, item]) => [encode(key), encode(print(item))]);
    if (explode) return before + pairs.map((pair) => pair.join("=")).join(between);
    return (isMatrix ? `;${own}=` : before) + pairs.flat().join(",");
  }
  const text = encode(print(given));
  if (isMatrix) return text === "" ? `;${own}` : `;${own}=${text}`;
  return before + text;
}

/** The pairs of a query or of a form, encoded: `["tag=a", "tag=b"]`. @throws BadArgument */
export function writeQuery(style: Style, value: unknown): string[] {
  const { name, explode } = style;
  const own = encode(name);
  const write = (item: unknown): string => encode(print(item), style.allowReserved);
  if (style.isJson) return [`${own}=${write(JSON.stringify(value))}`];
  if (style.style === "deepObject" && typeof value === "object" && value !== null)
    return listDeep(name, value).map(([key, item]) => `${encode(key)}=${write(item)}`);
  const between = delimiters[style.style] ?? ",";
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => `${own}=${write(item)}`);
    return value.length === 0 ? [] : [`${own}=${value.map(write).join(between)}`];
  }
  if (isRecord(value)) {
    const pairs = Object.entries(value).map(([key, item]) => [encode(key), write(item)]);
    if (explode) return pairs.map((pair) => pair.join("="));
    return pairs.length === 0 ? [] : [`${own}=${pairs.flat().join(between)}`];
  }
  return [`${own}=${write(value)}`];
}

/** `a[b][0]` and what is there. */
function listDeep(key: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, item]) => listDeep(`${key}[${name}]`, item));
}

/** @throws BadArgument where a header cannot carry it */
export function writeHeader(style: Style, value: unknown): string {
  const text = style.isJson ? JSON.stringify(value) : flatten(value, style.explode);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw new BadArgument(`${style.name} has a character that a header cannot carry`);
}

function flatten(value: unknown, explode: boolean): string {
  if (Array.isArray(value)) return value.map(print).join(",");
  if (!isRecord(value)) return print(value);
  const pairs = Object.entries(value).map(([key, item]) => [key, print(item)]);
  return explode ? pairs.map((pair) => pair.join("=")).join(",") : pairs.flat().join(",");
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
