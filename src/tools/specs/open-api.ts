// OpenAPI 3.0 and 3.1 and Swagger 2: each operation of a description as something that can be called.
import { type Fields, isRecord } from "../../base/text/json.ts";
import { breathe } from "../../base/wire/patient-timer.ts";
import { definitionOf } from "../arguments/check-schema.ts";
import { foldName } from "../tool.ts";
import { type ApiKey, type HttpCall, authorizationOf, callHttp, serverOf } from "./http-call.ts";
import {
  BadArgument,
  type Style,
  fillPath,
  print,
  writeHeader,
  writeQuery,
} from "./http-parameters.ts";
import { type Operation, maxOperations } from "./operation.ts";
import {
  type Argument,
  Place,
  type SpecDocument,
  fieldOf,
  reject,
  trimmedText,
} from "./spec-document.ts";

/** What an entry says about its server. */
export interface ServerEntry {
  baseUrl?: URL | undefined;
  apiKey?: ApiKey | undefined;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "query"];
/** In characters. */
const maxPath = 2_000;
/** So many are read before others have their turn. */
export const manyOperations = 200;
/** Fetch refuses them. */
const forbidden = ["trace", "connect"];

/** A description with what its operations share. */
export interface Api {
  document: SpecDocument;
  entry: ServerEntry;
  /** Refuses addresses that may not be called. */
  fetch: typeof fetch;
  /** Hears why an operation cannot be called. */
  leaveOut: (path: string, en: string, zh: string) => void;
}

/** @throws AppError `invalid_request` with the path of what cannot be read */
export async function readOpenApi(api: Api): Promise<Operation[]> {
  const { document, leaveOut } = api;
  const { root } = document;
  const paths = root.at("paths");
  const hasOthers = ["webhooks", "components"].some((name) => isRecord(root.get(name)));
  if (paths.value === undefined && !hasOthers) reject(paths.path, "is missing", "缺失");
  if (paths.value !== undefined && !isRecord(paths.value))
    reject(paths.path, "must be an object", "应为对象");
  const operations: Operation[] = [];
  for (const [template, at] of paths.fields) {
    if (!template.startsWith("/")) continue;
    if (template.length > maxPath)
      reject(
        paths.path,
        `has a path of more than ${maxPath} characters`,
        `含有超过 ${maxPath} 个字符的路径`,
      );
    const item = document.follow(at);
    for (const [word, operation] of item.fields) {
      const method = word.toUpperCase();
      if (forbidden.includes(word))
        leaveOut(operation.path, `${method} cannot be sent`, `无法发送 ${method}`);
      if (!methods.includes(word) || !isRecord(operation.value)) continue;
      if (operations.length > maxOperations) return operations;
      if (operations.length % manyOperations === manyOperations - 1) await breathe();
      const read = readOperation(api, template, method, item, operation);
      if (read !== undefined) operations.push(read);
      else
        leaveOut(
          operation.path,
          "has a body, which GET and HEAD cannot send",
          "含有请求体，GET 和 HEAD 无法发送",
        );
    }
  }
  return operations;
}

interface Parameter extends Argument {
  style: Style;
}

interface Body extends Argument {
  type: string;
  /** How fields of a form are written. */
  encoding: unknown;
}

/** Undefined for one that cannot be sent. */
function readOperation(
  api: Api,
  template: string,
  method: string,
  item: Place,
  operation: Place,
): Operation | undefined {
  const { document, fetch } = api;
  // What is behind # only tells operations of one path apart.
  const [address = "", behind = ""] = (template.split("#")[0] ?? "").split("?");
  const path = address.replaceAll(/\{[+./;?&#]?([^{}*]*)\*?\}/g, "{$1}");
  // An address may have a query: pairs that are always sent, and places of parameters.
  const pairs = behind.split("&").filter((pair) => pair !== "");
  const query = pairs.filter((pair) => !inBraces.test(pair)).join("&");
  const inQuery = new Map(
    pairs.flatMap((pair) => {
      const [, own, name] = inBraces.exec(pair) ?? [];
      return name === undefined ? [] : [[name, own ?? name] as const];
    }),
  );
  const fixed = [...new URLSearchParams(query)];
  const given = listParameters(document, [item, operation]);
  const parameters = given
    .flatMap((place) => readParameter(api, place, path, inQuery))
    .filter(({ style }) => style.in !== "query" || fixed.every(([name]) => name !== style.name));
  const add = (name: string, where: Style["in"]): void => {
    if (!parameters.some(({ style }) => style.in === where && style.name === name))
      parameters.push(tell(styleOf(name, where, {}, false), anyText, "", where === "path"));
  };
  for (const [, name = ""] of path.matchAll(/\{([^{}]*)\}/g)) add(name, "path");
  for (const name of inQuery.values()) add(name, "query");
  const isBodiless = method === "GET" || method === "HEAD";
  const described = isOld(document) ? readOldBody(api, operation, given) : readBody(api, operation);
  if (isBodiless && described?.isRequired === true) return undefined;
  const body = isBodiless ? undefined : described;
  const { schema, keys } = document.argumentsOf([...parameters, ...(body ? [body] : [])]);
  const server = readServer(api, item, operation);
  const base = server.pathname.replace(/\/$/, "");
  const keyed = readSecurity(api, operation);
  const id = `${method} ${template}`;
  const build = (input: Fields): HttpCall => {
    const values = new Map<Style, unknown>();
    for (const [nth, { style }] of parameters.entries()) {
      const value = fieldOf(input, keys[nth] ?? "") ?? null;
      if (value !== null) values.set(style, value);
    }
    const inPath = parameters.map(({ style }) => style).filter((style) => style.in === "path");
    const url = new URL(server.origin + fillPath(base + path, inPath, values));
    const headers = new Headers({ accept });
    const sent = [server.search.slice(1), query].filter((text) => text !== "");
    for (const [style, value] of values) {
      if (style.in === "query") sent.push(...writeQuery(style, value));
      if (style.in === "header") headers.set(style.name, writeHeader(style, value));
      if (style.in === "cookie")
        for (const pair of writeQuery(style, value)) addCookie(headers, pair);
    }
    url.search = sent.join("&");
    const call: HttpCall = { method, url, headers };
    const value = body && fieldOf(input, keys.at(-1) ?? "");
    if (body === undefined || value === undefined) return call;
    call.body = writeBody(body, value, document);
    // The runtime itself writes the type of a form with parts, as it knows what is between them.
    const isAny = body.type.includes("*") || body.type.trim() === "";
    if (typeof call.body === "string")
      headers.set("content-type", isAny ? "application/json" : body.type);
    return call;
  };
  return {
    name: operation.text("operationId") || nameByPath(method, template),
    id,
    description: [operation.told(), id].filter((text) => text !== "").join("\n"),
    schema,
    ...(body === undefined ? {} : { fit: (input) => fitBody(input, keys, schema()) }),
    effect: ["GET", "HEAD", "OPTIONS"].includes(method) ? "read" : "write",
    host: server.host,
    method,
    says: "body",
    path: base + path,
    fixed: [...new URLSearchParams(server.search), ...fixed].map(([name, value]) => ({
      [name]: value,
    })),
    async rehearse(input) {
      build(input);
      return undefined;
    },
    run: async (input, use) => {
      const call = build(input);
      keyed(call);
      return await callHttp(call, fetch, use);
    },
  };
}

function isOld({ root }: SpecDocument): boolean {
  return root.get("swagger") !== undefined;
}

/** Those of the path, with those of the operation in place of those of the same name. */
function listParameters(document: SpecDocument, owners: readonly Place[]): Place[] {
  const byName = new Map<string, Place>();
  for (const owner of owners)
    for (const each of owner.at("parameters").items) {
      const place = document.follow(each);
      const [name, where] = [place.get("name"), place.get("in")];
      if (typeof name !== "string" || typeof where !== "string")
        reject(place.path, "must have a name and in", "应有 name 和 in");
      byName.set(`${where} ${name}`, place);
    }
  return [...byName.values()];
}

function readParameter(
  { document, leaveOut }: Api,
  place: Place,
  path: string,
  inQuery: ReadonlyMap<string, string>,
): Parameter[] {
  const { value } = place;
  const [given, written] = [place.text("name"), place.text("in")];
  const inPlace = written === "path" || written === "query" ? inQuery.get(given) : undefined;
  const [name, where] = inPlace === undefined ? [given, written] : [inPlace, "query"];
  if (where === "path" && !path.includes(`{${name}}`)) return [];
  if (where !== "path" && where !== "query" && where !== "header" && where !== "cookie") return [];
  if (where === "header" && ownHeaders.test(name)) return [];
  if (where === "header" && !headerName.test(name)) {
    leaveOut(place.path, "has a name that no header has", "名称不能用作请求头");
    return [];
  }
  const content = place.at("content").fields[0];
  const schema = content === undefined ? undefined : document.follow(content[1].at("schema"));
  const own = schema ?? (isOld(document) ? place : place.at("schema"));
  const isJson = jsonType.test(content?.[0] ?? "");
  const style = styleOf(name, where, isRecord(value) ? value : {}, isJson);
  const isRequired = where === "path" || place.isTrue("required");
  return [tell(style, own, place.text("description"), isRequired)];
}

function tell(style: Style, schema: Place, description: string, isRequired: boolean): Parameter {
  return { style, own: style.name, other: style.in, schema, description, isRequired };
}

const anyText = new Place({ type: "string" }, "");

function createBody(type: string, schema: Place, isRequired: boolean, encoding: unknown): Body {
  const isText = kindOf(type) === "text";
  return {
    own: "body",
    other: "request",
    schema: isText ? anyText : schema,
    description: isText ? `The body as text: ${type}` : "",
    isRequired,
    type,
    encoding,
  };
}

function readBody({ document }: Api, operation: Place): Body | undefined {
  const given = operation.at("requestBody");
  if (given.value === undefined) return undefined;
  const body = document.follow(given);
  const media = body.at("content").fields;
  const ranked = kinds.map((kind) => media.find(([type]) => kindOf(type) === kind));
  const [type, place] = ranked.find((each) => each !== undefined) ?? [];
  if (type === undefined || place === undefined) return undefined;
  const isRequired = body.isTrue("required");
  return createBody(type, place.at("schema"), isRequired, place.get("encoding"));
}

/** Parameters in `body` and `formData`. */
function readOldBody(
  { document: { root } }: Api,
  operation: Place,
  given: readonly Place[],
): Body | undefined {
  const consumes = operation.get("consumes") ?? root.get("consumes");
  const types = (Array.isArray(consumes) ? consumes : []).filter(
    (type) => typeof type === "string",
  );
  const whole = given.find((place) => place.get("in") === "body");
  if (whole !== undefined) {
    const best = kinds.map((kind) => types.find((type) => kindOf(type) === kind));
    const type = best.find((each) => each !== undefined && !isForm(each)) ?? "application/json";
    const isRequired = whole.isTrue("required");
    return createBody(type, whole.at("schema"), isRequired, {});
  }
  const fields = given.filter((place) => place.get("in") === "formData");
  const [first] = fields;
  if (first === undefined) return undefined;
  const isFile = (place: Place): boolean => place.get("type") === "file";
  const required = fields.filter((place) => place.isTrue("required"));
  const properties = fields.map((place) => [
    place.text("name"),
    isFile(place) ? { ...Object(place.value), type: "string", format: "binary" } : place.value,
  ]);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: required.map((place) => place.text("name")),
  };
  return createBody(
    fields.some(isFile) ? multipart : (types.find(isForm) ?? urlencoded),
    new Place(schema, first.path),
    required.length > 0,
    Object.fromEntries(fields.map((place) => [place.text("name"), place.value])),
  );
}

function readServer({ document, entry: { baseUrl } }: Api, item: Place, operation: Place): URL {
  const { root } = document;
  if (isOld(document)) return serverOf(oldServers(root), baseUrl, root.path);
  const servers = [operation, item, root].map((place) => place.get("servers"));
  const own = servers.find((each) => Array.isArray(each) && each.length > 0);
  return serverOf(own, baseUrl, `${root.path}.servers`);
}

/** Puts the key of the entry where the description wants it. */
function readSecurity(
  { document, entry: { apiKey } }: Api,
  operation: Place,
): (call: HttpCall) => void {
  if (apiKey === undefined) return () => undefined;
  const { root } = document;
  const wanted = operation.get("security") ?? root.get("security");
  const choices = (Array.isArray(wanted) ? wanted.slice(0, 50) : []).filter(isRecord);
  // An operation that anybody may call is told so by an empty list.
  if (Array.isArray(wanted) && choices.every((each) => Object.keys(each).length === 0))
    return wanted.length === choices.length ? () => undefined : authorize(apiKey);
  const schemes = isOld(document)
    ? root.at("securityDefinitions")
    : root.at("components").at("securitySchemes");
  const named = choices
    .toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)
    .flatMap((choice) => Object.keys(choice))
    .map((name) => placeKey(document.follow(schemes.at(name)), apiKey));
  return named.find((place) => place !== undefined) ?? authorize(apiKey);
}

function authorize(apiKey: ApiKey): (call: HttpCall) => void {
  return ({ headers }) => headers.set("authorization", authorizationOf(apiKey));
}

/** Undefined where a key of this type does not fit the scheme. */
function placeKey(scheme: Place, apiKey: ApiKey): ((call: HttpCall) => void) | undefined {
  const [type, name, where] = [scheme.text("type"), scheme.text("name"), scheme.text("in")];
  if (type === "apiKey" && name !== "") {
    const key = apiKey.apiKey;
    if (where === "query") return ({ url }) => url.searchParams.set(name, key);
    if (where === "cookie")
      return ({ headers }) => addCookie(headers, `${name}=${encodeURIComponent(key)}`);
    // Many descriptions name this header in place of the scheme bearer.
    if (name.toLowerCase() === "authorization") return authorize(apiKey);
    return headerName.test(name) && !ownHeaders.test(name)
      ? ({ headers }) => headers.set(name, key)
      : undefined;
  }
  const isBasic = type === "basic" || scheme.text("scheme").toLowerCase() === "basic";
  return isBasic === (apiKey.type === "basic") ? authorize(apiKey) : undefined;
}

/** A place in the query of an address: `lat={latitude}`. */
const inBraces = /^(?:([^={}]+)=)?.*?\{([^{}]+)\}/;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** Headers that are not the model's to write. */
const ownHeaders =
  /^(?:accept|authorization|content-type|content-length|content-encoding|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|cookie|set-cookie|proxy-.*)$/i;

const multipart = "multipart/form-data";
const urlencoded = "application/x-www-form-urlencoded";
/** The first that an operation takes is sent. */
const kinds = ["json", "form", "multipart", "text"] as const;

const jsonType = /[/+]json *(?:;|$)/i;

function kindOf(type: string): (typeof kinds)[number] {
  const name = (type.split(";")[0] ?? "").trim().toLowerCase();
  if (/[/+]json$|^\*\/\*$|^application\/\*$|^$/.test(name)) return "json";
  if (name === urlencoded) return "form";
  return name === multipart ? "multipart" : "text";
}

function isForm(type: string): boolean {
  return kindOf(type) === "form" || kindOf(type) === "multipart";
}

const defaults = { path: "simple", header: "simple", query: "form", cookie: "form" } as const;
const oldStyles: Readonly<Record<string, string>> = {
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
};

/** @param given a parameter, or how a form has a field; Swagger 2 says `collectionFormat` */
function styleOf(name: string, where: Style["in"], given: Fields, isJson: boolean): Style {
  const format =
    given["collectionFormat"] ??
    (given["schema"] === undefined && given["type"] === "array" ? "csv" : undefined);
  const hasFormat = typeof format === "string";
  const style =
    trimmedText(given["style"]) || (hasFormat ? oldStyles[format] : undefined) || defaults[where];
  const { explode } = given;
  return {
    name,
    in: where,
    style,
    explode:
      typeof explode === "boolean" ? explode : hasFormat ? format === "multi" : style === "form",
    allowReserved: given["allowReserved"] === true,
    isJson,
  };
}

/** As the known server names operations: `-` is doubled, `/` becomes `-`, and what no model may write `_`. */
function nameByPath(method: string, template: string): string {
  const path = template.replaceAll("-", "--").replaceAll("/", "-");
  return `${method}${path.replaceAll("}", "").replaceAll(/[^\w-]/g, "_")}`;
}

function oldServers(root: Place): { url: string }[] {
  const [host, base] = [root.text("host"), root.text("basePath")];
  const schemes = root.get("schemes");
  const all = Array.isArray(schemes) ? schemes : [];
  const scheme = all.includes("https") || !all.includes("http") ? "https" : "http";
  if (host !== "") return [{ url: `${scheme}://${host}${base}` }];
  return base === "" || base === "/" ? [] : [{ url: base }];
}

/**
 * Fields of the body that a model wrote beside the parameters.
 *
 * @param keys of the parameters, and then of the body
 */
function fitBody(input: Fields, keys: readonly string[], schema: Fields): Fields | undefined {
  const key = keys.at(-1) ?? "";
  if (Object.hasOwn(input, key)) return undefined;
  const known = new Set(keys.map(foldName));
  const isOwn = ([name]: [string, unknown]): boolean => known.has(foldName(name));
  const loose = Object.entries(input).filter((field) => !isOwn(field));
  if (loose.length === 0) return undefined;
  const body = definitionOf(schema, fieldOf(fieldOf(schema, "properties"), key));
  const type = fieldOf(body, "type");
  if (type !== undefined && ![type].flat().includes("object")) return undefined;
  const own = Object.entries(input).filter(isOwn);
  return { ...Object.fromEntries(own), [key]: Object.fromEntries(loose) };
}

const accept = "application/json, text/plain;q=0.9, */*;q=0.8";

function addCookie(headers: Headers, pair: string): void {
  const before = headers.get("cookie");
  headers.set("cookie", before === null ? pair : `${before}; ${pair}`);
}

function writeBody(
  { type, encoding, schema }: Body,
  value: unknown,
  document: SpecDocument,
): string | FormData {
  const kind = kindOf(type);
  if (kind === "json") return JSON.stringify(value);
  if (kind === "text") return print(value);
  if (!isRecord(value)) throw new BadArgument("the body must be an object, as it is a form");
  const fields = Object.entries(value).map(([name, item]) => {
    const style = fieldOf(encoding, name);
    return { name, item, own: isRecord(style) ? style : {} };
  });
  if (kind === "form")
    return fields.flatMap(({ name, item, own }) => writeField(name, item, own)).join("&");
  const form = new FormData();
  for (const { name, item, own } of fields)
    for (const part of Array.isArray(item) ? item : [item]) {
      const told = fileTypeOf(document, schema, name);
      const [wanted = ""] = trimmedText(own["contentType"]).split(",");
      const isJson = isRecord(part) || jsonType.test(wanted);
      const partType = isJson ? "application/json" : wanted || told || "";
      const text = isJson ? JSON.stringify(part) : print(part);
      if (isJson) form.append(name, new Blob([text], { type: partType }));
      else if (told !== undefined || (partType !== "" && !partType.includes("*")))
        form.append(name, new Blob([text], { type: partType || "application/octet-stream" }), name);
      else form.append(name, text);
    }
  return form;
}

/** The type of a field that is a file or a list of files; "" where the description names none, undefined for others. */
function fileTypeOf(document: SpecDocument, body: Place, field: string): string | undefined {
  const own = document.follow(body).at("properties").at(field);
  const told = [own, document.follow(own).at("items")]
    .map((place) => document.follow(place))
    .find((each) => each.get("format") === "binary" || each.get("contentMediaType"));
  return told?.text("contentMediaType");
}

/** What a field holds as JSON: an object for which the description names no other form, and what it calls JSON. */
function writeField(name: string, item: unknown, own: Fields): string[] {
  const isStyled = own["style"] !== undefined || own["explode"] !== undefined;
  const isJson = isRecord(item) || jsonType.test(trimmedText(own["contentType"]));
  return writeQuery(styleOf(name, "query", own, isJson && !isStyled), item);
}
