// What a model's server says of a refusal. There are many forms of it; all that counts is taken from each.
import { isRecord } from "../../../base/wire/json/is-record.ts";
import type { Timers } from "../../../base/wire/patient-timer.ts";
import { BytePieces } from "../../../base/wire/byte-pieces.ts";
import { type BodyReader, type UpstreamResponse, toPushed } from "../upstream.ts";

/** As the server wrote it: for decisions only, never for log or clients. */
export interface Refusal {
  /** Code as a text: servers write numbers, too. */
  code?: string;
  type?: string;
  /** The name of the parameter at fault, the outermost where it is a path. */
  param?: string;
  message?: string;
}

/** Of a message, in characters: the reason is in its beginning. */
const maxMessage = 4_000;
const maxName = 100;

/**
 * Reads the body of a refusal: the JSON of OpenAI and of those who took it over, `detail` of FastAPI, a
 * text, or the title of a page. Empty where it says nothing.
 */
export function readRefusal(body: string, contentType: string): Refusal {
  const json = parse(body);
  if (json !== undefined) return readReported(json);
  const text = /html/i.test(contentType) || /^\s*</.test(body) ? titleOf(body) : body.trim();
  return text === "" ? {} : { message: text.slice(0, maxMessage) };
}

/** The same for JSON that was read already: an event of a stream that reports an error, or a whole body. */
export function readReported(json: unknown): Refusal {
  // Gemini wraps the one error in a list.
  const root = Array.isArray(json) ? json[0] : json;
  if (!isRecord(root)) return {};
  const { error } = root;
  if (typeof error === "string") return toRefusal({ ...root, message: error });
  if (isRecord(error)) return { ...toRefusal(root), ...toRefusal(error) };
  const base = root["base_resp"];
  return toRefusal(isRecord(base) ? { ...root, ...base } : root);
}

function toRefusal(fields: Record<string, unknown>): Refusal {
  const { code, type, param, detail } = fields;
  const said = fields["message"] ?? fields["msg"] ?? fields["status_msg"] ?? fields["error_msg"];
  // Mistral puts the details of FastAPI into the message.
  const details = listDetails(isRecord(said) ? said["detail"] : detail);
  const message = typeof said === "string" ? said : details.map(({ text }) => text).join("; ");
  return {
    ...optional("code", nameOf(code ?? fields["status_code"] ?? fields["error_code"])),
    ...optional("type", nameOf(type ?? fields["error_type"] ?? fields["status"])),
    ...optional("param", parameterOf(param) ?? details.find(({ name }) => name)?.name),
    ...optional("message", message === "" ? undefined : message.slice(0, maxMessage)),
  };
}

/** FastAPI: a text, or a list of `{ loc: ["body", "max_tokens"], msg }`. */
function listDetails(detail: unknown): { name?: string | undefined; text: string }[] {
  if (typeof detail === "string") return [{ text: detail }];
  if (!Array.isArray(detail)) return [];
  return detail.filter(isRecord).map(({ loc, msg }) => {
    const path = Array.isArray(loc) ? loc.filter((part) => part !== "body") : [];
    return { name: parameterOf(path[0]), text: typeof msg === "string" ? msg : "" };
  });
}

/** `stream_options.include_usage` is in `stream_options`. */
function parameterOf(param: unknown): string | undefined {
  if (typeof param !== "string") return undefined;
  const [name] = param.replace(/^body\./, "").split(/[.[\]]/, 1);
  return nameOf(name);
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" && value.length <= maxName ? value : undefined;
}

function optional(name: keyof Refusal, value: string | undefined): Refusal {
  return value === undefined ? {} : { [name]: value };
}

function titleOf(page: string): string {
  const start = page.search(/<title/i);
  if (start === -1) return "";
  const from = page.indexOf(">", start) + 1;
  const end = page.indexOf("<", from);
  return from === 0 || end === -1 ? "" : page.slice(from, end).trim();
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Some servers send the whole request back; more than that says nothing more of the reason. In bytes. */
const maxBytes = 1024 * 1024;
/** A refusal that comes slowly is not waited for, in milliseconds: somebody waits for an answer. */
const maxTime = 500;

/**
 * The beginning of a refusal's body as text; "" where it is packed. It never throws, and the request is over
 * when it resolves.
 */
export async function readRefusalBody(response: UpstreamResponse, timers: Timers): Promise<string> {
  if ((response.header("content-encoding") ?? "identity") !== "identity") {
    response.discard();
    return "";
  }
  const beginning = new Beginning();
  const stop = timers.start(beginning.close, maxTime);
  toPushed(response.body).pipe(beginning);
  await beginning.over;
  stop();
  if (!beginning.isWhole) response.discard();
  return new TextDecoder().decode(beginning.pieces.take());
}

class Beginning implements BodyReader {
  readonly pieces = new BytePieces();
  /** The body came to its end. */
  isWhole = false;
  readonly over: Promise<void>;
  readonly #over = Promise.withResolvers<void>();

  constructor() {
    this.over = this.#over.promise;
  }

  push(bytes: Uint8Array): undefined {
    const left = maxBytes - this.pieces.byteLength;
    if (left > 0) this.pieces.add(bytes.subarray(0, left));
    if (bytes.byteLength >= left) this.close();
  }

  end(broken?: unknown): void {
    this.isWhole = broken === undefined;
    this.close();
  }

  readonly close = (): void => this.#over.resolve();
}
