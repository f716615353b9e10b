// OpenAPI 3.0 and 3.1 and Swagger 2: each operation of a description as something that can be called.
import { isRecord } from "../../base/text/json.ts";
import { breathe } from "../../base/wire/patient-timer.ts";
import { foldName } from "../tool.ts";
import {
  type ApiKey,
  type HttpCall,
  type HttpUse,
  authorizationOf,
  callHttp,
  serverOf,
} from "./http-call.ts";
import {
  BadArgument,
  type Style,
  fillPath,
  print,
  writeHeader,
  writeQuery,
} from "./http-parameters.ts";
import { type Operation, freeKey } from "./operation.ts";
import {
  type Argument,
  type Fields,
  type Place,
  type SpecDocument,
  fieldOf,
  fieldsOf,
  itemsOf,
  placeOf,
  refuse,
  textOf,
} from "./spec-document.ts";
import { noRegisters } from "./twin.ts";

/** What an entry says about its server. */
export interface ServerEntry {
  baseUrl?: URL | undefined;
  apiKey?: ApiKey | undefined;
}

/** Hears why an operation cannot be called. */
export type LeaveOut = (path: string, en: string, zh: string) => void;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "query"];
/** In characters. */
const maxPath = 2_000;
/** So many are read before others have their turn. */
export const manyOperations = 200;
/** Fetch refuses them. */
const forbidden = ["trace", "connect"];

/** @throws AppError `invalid_request` with the path of what cannot be read */
export async function readOpenApi(
  document: SpecDocument,
  entry: ServerEntry,
  use: HttpUse,
  leaveOut: LeaveOut,
): Promise<Operation[]> {
  const { root } = document;
  const paths = placeOf(root, "paths");
  if (
    paths.value === undefined &&
    !["webhooks", "components"].some((name) => isRecord(fieldOf(root.value, name)))
  )
    refuse(paths.path, "is missing", "缺失");
  if (paths.value !== undefined && !isRecord(paths.value))
    refuse(paths.path, "must be an object", "应为对象");
  const operations: Operation[] = [];
  for (const [template, at] of fieldsOf(paths)) {
    if (!template.startsWith("/")) continue;
    if (template.length > maxPath)
      refuse(
        paths.path,
        `has a path of more than ${maxPath} characters`,
        `含有超过 ${maxPath} 个字符的路径`,
      );
    const item = document.follow(at);
    for (const [method, operation] of fieldsOf(item)) {
      if (forbidden.includes(method))
        leaveOut(
          operation.path,
          `${method.toUpperCase()} cannot be sent`,
          `无法发送 ${method.toUpperCase()}`,
        );
      if (!methods.includes(method) || !isRecord(operation.value)) continue;
      if (operations.length % manyOperations === manyOperations - 1) await breathe();
      const read = new ApiOperation(
        document,
        entry,
        template,
        method,
        item,
        operation,
        leaveOut,
      ).read(use);
      if (read === undefined)
        leaveOut(
          operation.path,
          "has a body, which GET and HEAD cannot send",
          "含有请求体，GET 和 HEAD 无法发送",
        );
      else operations.push(read);
    }
  }
  return operations;
}

/** A parameter, and what the model writes for it. */
interface Parameter {
  key: string;
  style: Style;
}

interface Body {
  key: string;
  type: string;
  isRequired: boolean;
  /** How fields of a form are written. */
  encoding: unknown;
  schema: Place;
  /** The type of a field of a form that is a file; "" where the description names none, undefined for others. */
  fileType?: (field: string) => string | undefined;
}

class ApiOperation {
  readonly #document: SpecDocument;
  readonly #entry: ServerEntry;
  readonly #template: string;
  readonly #method: string;
  readonly #item: Place;
  readonly #operation: Place;
  readonly #isOld: boolean;
  readonly #leaveOut: LeaveOut;
  readonly #keys = new Set<string>();
  readonly #arguments: Argument[] = [];

  constructor(
    document: SpecDocument,
    entry: ServerEntry,
    template: string,
    method: string,
    item: Place,
    operation: Place,
    leaveOut: LeaveOut,
  ) {
    this.#leaveOut = leaveOut;
    this.#document = document;
    this.#entry = entry;
    this.#template = template;
    this.#method = method.toUpperCase();
    this.#item = item;
    this.#operation = operation;
    this.#isOld = fieldOf(document.root.value, "swagger") !== undefined;
  }

  read(use: HttpUse): Operation | undefined {
    const given = this.#listParameters();
    // An address may have a fixed query; what is behind # only tells operations of one path apart.
    const [address = "", query = ""] = (this.#template.split("#")[0] ?? "").split("?");
    const path = address.replaceAll(/\{[+./;?&#]?([^{}*]*)\*?\}/g, "{$1}");
    const parameters = given.flatMap((place) => this.#readParameter(place, path));
    for (const [, name = ""] of path.matchAll(/\{([^{}]*)\}/g))
      if (!parameters.some(({ style }) => style.in === "path" && style.name === name))
        parameters.push(
          this.#addParameter(styleOf(name, "path", {}, false), undefinedPlace, "", true),
        );
    const body = this.#isOld ? this.#readOldBody(given) : this.#readBody();
    const isBodiless = this.#method === "GET" || this.#method === "HEAD";
    if (isBodiless && body?.isRequired === true) return undefined;
    const sent = isBodiless ? undefined : body;
    if (sent !== undefined) this.#addBody(sent);
    const server = this.#readServer();
    const keyed = this.#readSecurity();
    const value = this.#operation.value;
    const id = `${this.#method} ${this.#template}`;
    const schema = this.#document.argumentsOf(this.#arguments);
    const method = this.#method;
    const plan = { method, server, path, query, parameters, body: sent };
    const told = [textOf(fieldOf(value, "summary")), textOf(fieldOf(value, "description"))];
    return {
      name: textOf(fieldOf(value, "operationId")) || nameByPath(method, this.#template),
      id,
      description: [...new Set(told), id].filter((text) => text !== "").join("\n"),
      schema,
      ...(sent === undefined ? {} : { fit: (input) => fitBody(input, sent, schema(), this.#keys) }),
      effect: ["GET", "HEAD", "OPTIONS"].includes(method) ? "read" : "write",
      host: server.host,
      method,
      says: "body",
      path: server.pathname.replace(/\/$/, "") + path,
      fixed: queryOf(server.search, query),
      async rehearse(input, invariants) {
        buildCall(plan, input);
        return invariants.length === 0 ? undefined : noRegisters;
      },
      run: async (input, { signal, limits }) => {
        const call = buildCall(plan, input);
        keyed(call);
        return await callHttp(call, { ...use, ...limits }, signal);
      },
    };
  }

  /** Those of the path, with those of the operation in place of those of the same name. */
  #listParameters(): Place[] {
    const byName = new Map<string, Place>();
    for (const owner of [this.#item, this.#operation])
      for (const each of itemsOf(placeOf(owner, "parameters"))) {
        const place = this.#document.follow(each);
        const [name, where] = [fieldOf(place.value, "name"), fieldOf(place.value, "in")];
        if (typeof name !== "string" || typeof where !== "string")
          refuse(place.path, "must have a name and in", "应有 name 和 in");
        byName.set(`${where} ${name}`, place);
      }
    return [...byName.values()];
  }

  #readParameter(place: Place, path: string): Parameter[] {
    const { value } = place;
    const [name, where] = [textOf(fieldOf(value, "name")), textOf(fieldOf(value, "in"))];
    if (where === "path" && !path.includes(`{${name}}`)) return [];
    if (where !== "path" && where !== "query" && where !== "header" && where !== "cookie")
      return [];
    if (where === "header" && ownHeaders.test(name)) return [];
    if (where === "header" && !headerName.test(name)) {
      this.#leaveOut(place.path, "has a name that no header has", "名称不能用作请求头");
      return [];
    }
    const content = fieldsOf(placeOf(place, "content"))[0];
    const schema =
      content === undefined ? undefined : this.#document.follow(placeOf(content[1], "schema"));
    const own = schema ?? (this.#isOld ? place : placeOf(place, "schema"));
    const style = styleOf(name, where, isRecord(value) ? value : {}, content !== undefined);
    const isRequired = where === "path" || fieldOf(value, "required") === true;
    return [this.#addParameter(style, own, textOf(fieldOf(value, "description")), isRequired)];
  }

  #addParameter(style: Style, schema: Place, description: string, isRequired: boolean): Parameter {
    const key = freeKey(style.name, style.in, this.#keys);
    this.#arguments.push({ key, schema, description, isRequired });
    return { key, style };
  }

  #addBody(body: Body): void {
    body.key = freeKey("body", "request", this.#keys);
    body.fileType = (field) => this.#fileTypeOf(body.schema, field);
    const isText = kindOf(body.type) === "text";
    this.#arguments.push({
      key: body.key,
      schema: isText ? { value: { type: "string" }, path: body.schema.path } : body.schema,
      description: isText ? `The body as text: ${body.type}` : "",
      isRequired: body.isRequired,
    });
  }

  /** Of a file, or a list of files. */
  #fileTypeOf(body: Place, field: string): string | undefined {
    const document = this.#document;
    const own = placeOf(placeOf(document.follow(body), "properties"), field);
    const [schema, items] = [own, placeOf(document.follow(own), "items")].map(
      (place) => document.follow(place).value,
    );
    const told = [schema, items].find(
      (each) => fieldOf(each, "format") === "binary" || fieldOf(each, "contentMediaType"),
    );
    return told === undefined ? undefined : textOf(fieldOf(told, "contentMediaType"));
  }

  #readBody(): Body | undefined {
    const given = placeOf(this.#operation, "requestBody");
    if (given.value === undefined) return undefined;
    const body = this.#document.follow(given);
    const media = fieldsOf(placeOf(body, "content"));
    const ranked = kinds.map((kind) => media.find(([type]) => kindOf(type) === kind));
    const [type, place] = ranked.find((each) => each !== undefined) ?? [];
    if (type === undefined || place === undefined) return undefined;
    const isRequired = fieldOf(body.value, "required") === true;
    const encoding = fieldOf(place.value, "encoding");
    return { key: "", type, isRequired, encoding, schema: placeOf(place, "schema") };
  }

  /** Parameters in `body` and `formData`. */
  #readOldBody(given: readonly Place[]): Body | undefined {
    const { root } = this.#document;
    const consumes = fieldOf(this.#operation.value, "consumes") ?? fieldOf(root.value, "consumes");
    const types = (Array.isArray(consumes) ? consumes : []).filter(
      (type) => typeof type === "string",
    );
    const whole = given.find(({ value }) => fieldOf(value, "in") === "body");
    const best = kinds.map((kind) => types.find((type) => kindOf(type) === kind));
    if (whole !== undefined) {
      const type = best.find((each) => each !== undefined && !isForm(each)) ?? "application/json";
      const isRequired = fieldOf(whole.value, "required") === true;
      return { key: "", type, isRequired, encoding: {}, schema: placeOf(whole, "schema") };
    }
    const fields = given.filter(({ value }) => fieldOf(value, "in") === "formData");
    const [first] = fields;
    if (first === undefined) return undefined;
    const hasFile = fields.some(({ value }) => fieldOf(value, "type") === "file");
    const form = types.find(isForm) ?? (hasFile ? multipart : urlencoded);
    const named = fields.map(({ value }): [string, unknown] => [
      textOf(fieldOf(value, "name")),
      value,
    ]);
    const required = named.flatMap(([name, value]) =>
      fieldOf(value, "required") === true ? [name] : [],
    );
    const properties = named.map(([name, value]): [string, unknown] => [
      name,
      fieldOf(value, "type") === "file" && isRecord(value)
        ? { ...value, type: "string", format: "binary" }
        : value,
    ]);
    return {
      key: "",
      type: hasFile ? multipart : form,
      isRequired: required.length > 0,
      encoding: Object.fromEntries(named),
      schema: {
        value: { type: "object", properties: Object.fromEntries(properties), required },
        path: first.path,
      },
    };
  }

  #readServer(): URL {
    const { root } = this.#document;
    const { baseUrl } = this.#entry;
    if (this.#isOld) return serverOf(oldServers(root.value), baseUrl, root.path);
    const owners = [this.#operation, this.#item, root];
    const servers = owners.map(({ value }) => fieldOf(value, "servers"));
    const own = servers.find((each) => Array.isArray(each) && each.length > 0);
    return serverOf(own, baseUrl, `${root.path}.servers`);
  }

  /** Puts the key of the entry where the description wants it. */
  #readSecurity(): (call: HttpCall) => void {
    const { apiKey } = this.#entry;
    if (apiKey === undefined) return () => undefined;
    const { root } = this.#document;
    const wanted = fieldOf(this.#operation.value, "security") ?? fieldOf(root.value, "security");
    const choices = (Array.isArray(wanted) ? wanted.slice(0, 50) : []).filter(isRecord);
    // An operation that anybody may call is told so by an empty list.
    if (Array.isArray(wanted) && choices.every((each) => Object.keys(each).length === 0))
      return wanted.length === 0 || choices.length === wanted.length
        ? () => undefined
        : authorize(apiKey);
    const schemes = this.#isOld
      ? placeOf(root, "securityDefinitions")
      : placeOf(placeOf(root, "components"), "securitySchemes");
    const named = choices
      .toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)
      .flatMap((choice) => Object.keys(choice))
      .map((name) => this.#document.follow(placeOf(schemes, name)).value)
      .map((scheme) => placeKey(scheme, apiKey));
    return named.find((place) => place !== undefined) ?? authorize(apiKey);
  }
}

const undefinedPlace: Place = { value: { type: "string" }, path: "" };

function authorize(apiKey: ApiKey): (call: HttpCall) => void {
  return ({ headers }) => headers.set("authorization", authorizationOf(apiKey));
}

/** Undefined where a key of this type does not fit the scheme. */
function placeKey(scheme: unknown, apiKey: ApiKey): ((call: HttpCall) => void) | undefined {
  const type = textOf(fieldOf(scheme, "type"));
  const [name, where] = [textOf(fieldOf(scheme, "name")), textOf(fieldOf(scheme, "in"))];
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
  const isBasic = type === "basic" || textOf(fieldOf(scheme, "scheme")).toLowerCase() === "basic";
  return isBasic === (apiKey.type === "basic") ? authorize(apiKey) : undefined;
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** Headers that are not the model's to write. */
const ownHeaders =
  /^(?:accept|authorization|content-type|content-length|content-encoding|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|cookie|set-cookie|proxy-.*)$/i;

const multipart = "multipart/form-data";
const urlencoded = "application/x-www-form-urlencoded";
/** The first that an operation takes is sent. */
const kinds = ["json", "form", "multipart", "text"] as const;

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
  const isOld = typeof format === "string";
  const style =
    textOf(given["style"]) || (isOld ? oldStyles[format] : undefined) || defaults[where];
  const { explode } = given;
  return {
    name,
    in: where,
    style,
    explode: typeof explode === "boolean" ? explode : isOld ? format === "multi" : style === "form",
    allowReserved: given["allowReserved"] === true,
    isJson,
  };
}

/** As the known server names operations: `-` is doubled, `/` becomes `-`, and what no model may write `_`. */
function nameByPath(method: string, template: string): string {
  const path = template.replaceAll("-", "--").replaceAll("/", "-");
  return `${method}${path.replaceAll("}", "").replaceAll(/[^\w-]/g, "_")}`;
}

function oldServers(root: unknown): { url: string }[] {
  const [host, base] = [textOf(fieldOf(root, "host")), textOf(fieldOf(root, "basePath"))];
  const schemes = fieldOf(root, "schemes");
  const all = Array.isArray(schemes) ? schemes : [];
  const scheme = all.includes("https") || !all.includes("http") ? "https" : "http";
  if (host !== "") return [{ url: `${scheme}://${host}${base}` }];
  return base === "" || base === "/" ? [] : [{ url: base }];
}

/** Fields of the body that a model wrote beside the parameters. */
function fitBody(
  input: Fields,
  { key }: Body,
  schema: Fields,
  keys: ReadonlySet<string>,
): Fields | undefined {
  if (Object.hasOwn(input, key)) return undefined;
  const loose = Object.entries(input).filter(([name]) => !keys.has(foldName(name)));
  if (loose.length === 0) return undefined;
  const own = Object.entries(input).filter(([name]) => keys.has(foldName(name)));
  let body = fieldOf(fieldOf(schema, "properties"), key);
  for (let hops = 0; hops < 8 && fieldOf(body, "$ref") !== undefined; hops++)
    body = fieldOf(
      fieldOf(schema, "$defs"),
      textOf(fieldOf(body, "$ref")).slice("#/$defs/".length),
    );
  const type = fieldOf(body, "type");
  if (type !== undefined && ![type].flat().includes("object")) return undefined;
  return { ...Object.fromEntries(own), [key]: Object.fromEntries(loose) };
}

function queryOf(...queries: readonly string[]): Fields[] {
  const pairs = queries.flatMap((query) => [...new URLSearchParams(query)]);
  return pairs.map(([name, value]) => ({ [name]: value }));
}

interface Plan {
  method: string;
  server: URL;
  path: string;
  query: string;
  parameters: readonly Parameter[];
  body: Body | undefined;
}

/** @throws BadArgument */
function buildCall(
  { method, server, path, query, parameters, body }: Plan,
  input: Fields,
): HttpCall {
  const values = new Map(
    parameters.flatMap(({ key, style }) =>
      Object.hasOwn(input, key) ? [[style, input[key]] as const] : [],
    ),
  );
  const inPath = parameters.flatMap(({ style }) => (style.in === "path" ? [style] : []));
  const base = server.pathname.replace(/\/$/, "");
  const url = new URL(server.origin + base + fillPath(path, inPath, values));
  const pairs = [server.search.slice(1), query].filter((text) => text !== "");
  const headers = new Headers({ accept: "application/json, text/plain;q=0.9, */*;q=0.8" });
  for (const [style, value] of values) {
    if (style.in === "query") pairs.push(...writeQuery(style, value));
    if (style.in === "header") headers.set(style.name, writeHeader(style, value));
    if (style.in === "cookie")
      for (const pair of writeQuery(style, value)) addCookie(headers, pair);
  }
  url.search = pairs.join("&");
  const given = body !== undefined && Object.hasOwn(input, body.key) ? input[body.key] : undefined;
  const sent = body === undefined || given === undefined ? undefined : writeBody(body, given);
  // The runtime itself writes the type of a form with parts, as it knows what is between them.
  if (typeof sent === "string") headers.set("content-type", sentType(body?.type ?? ""));
  return { method, url, headers, body: sent };
}

function sentType(type: string): string {
  return type.includes("*") || type.trim() === "" ? "application/json" : type;
}

function addCookie(headers: Headers, pair: string): void {
  const before = headers.get("cookie");
  headers.set("cookie", before === null ? pair : `${before}; ${pair}`);
}

function writeBody({ type, encoding, fileType }: Body, value: unknown): string | FormData {
  const kind = kindOf(type);
  if (kind === "json") return JSON.stringify(value);
  if (kind === "text") return print(value);
  if (!isRecord(value)) throw new BadArgument("the body must be an object, as it is a form");
  const styles = isRecord(encoding) ? encoding : {};
  const fields = Object.entries(value).map(([name, item]) => {
    const own = Object.hasOwn(styles, name) && isRecord(styles[name]) ? styles[name] : {};
    return { name, item, own };
  });
  if (kind === "form")
    return fields.flatMap(({ name, item, own }) => writeField(name, item, own)).join("&");
  const form = new FormData();
  for (const { name, item, own } of fields)
    for (const part of Array.isArray(item) ? item : [item]) {
      const told = fileType?.(name);
      const partType = textOf(own["contentType"]).split(",")[0] || told || "";
      if (isRecord(part))
        form.append(name, new Blob([JSON.stringify(part)], { type: "application/json" }));
      else if (told !== undefined || (partType !== "" && !partType.includes("*")))
        form.append(
          name,
          new Blob([print(part)], { type: partType || "application/octet-stream" }),
          name,
        );
      else form.append(name, print(part));
    }
  return form;
}

/** An object in a field has no form of its own, unless the description names one: it is JSON. */
function writeField(name: string, item: unknown, own: Fields): string[] {
  const isStyled = own["style"] !== undefined || own["explode"] !== undefined;
  return writeQuery(styleOf(name, "query", own, isRecord(item) && !isStyled), item);
}
