// What a model's server says of a refusal. There are many forms of it; all that counts is taken from each.
import type { UpstreamFacts } from "../../base/errors/app-error.ts";
import { isRecord, parseJson } from "../../base/text/json.ts";
import type { Timers } from "../../base/wire/patient-timer.ts";
import { BytePieces } from "../../base/wire/bytes.ts";
import { type UpstreamResponse, toPushed } from "./chat-api.ts";

/**
 * As the server wrote it: for decisions only, never for log or clients. A code that is a number is a text here, and of a
 * parameter at fault whose name is a path the outermost name counts.
 */
export type Refusal = Pick<UpstreamFacts, "code" | "type" | "param" | "message">;

/** Of a message, in characters: the reason is in its beginning. */
const maxMessage = 4_000;
const maxName = 100;

/**
 * Reads the body of a refusal: the JSON of OpenAI and of those who took it over, `detail` of FastAPI, a
 * text, or the title of a page. Empty where it says nothing.
 */
export function readRefusal(body: string, contentType: string): Refusal {
  const json = parseJson(body);
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
  const pieces = new BytePieces();
  let isWhole = false;
  const { promise: over, resolve: close } = Promise.withResolvers<void>();
  const stop = timers.start(close, maxTime);
  toPushed(response.body).pipe({
    push(bytes) {
      const left = maxBytes - pieces.byteLength;
      if (left > 0) pieces.add(bytes.subarray(0, left));
      if (bytes.byteLength >= left) close();
      return undefined;
    },
    end(broken) {
      isWhole = broken === undefined;
      close();
    },
  });
  await over;
  stop();
  if (!isWhole) response.discard();
  return new TextDecoder().decode(pieces.take());
}

// What a refusal means. No two servers word it alike, so their codes, their types and their sentences count.

type Meaning = "too-large" | "unknown-model";

/** @returns undefined where it means nothing that we answer in a way of its own */
export function classifyRefusal(status: number, said: Refusal): Meaning | undefined {
  const refusal = { ...said, ...(said.message && { message: ownWordsOf(said.message) }) };
  if (isUnknownModel(status, refusal)) return "unknown-model";
  return isTooLarge(status, refusal) ? "too-large" : undefined;
}

/** What a server quotes at length is not its own: it may be the prompt, and speak of anything. */
function ownWordsOf(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.){50,}"/gs, '""');
}

/** Whether a request with tools may have been refused for these; a server that says nothing may mean them, too. */
export function refusesTools(status: number, refusal: Refusal): boolean {
  const { code, type, param } = refusal;
  const message = ownWordsOf(refusal.message ?? "");
  if (!toolStatuses.has(status) || classifyRefusal(status, refusal) !== undefined) return false;
  if (param !== undefined) return toolWords.test(param);
  const isSilent = message === "" && code === undefined && type === undefined;
  return toolWords.test(message) || (isSilent && status < 404);
}

/** Ollama and vLLM say 400, those with a schema 422, OpenRouter 404, llama.cpp 500. */
const toolStatuses: ReadonlySet<number> = new Set([400, 404, 422, 500, 501]);
const toolWords = /\btools?(?:\b|_)|\bfunctions?\b|\bfunction_?call|工具|函数/i;

/** Says that tokens are short for another reason: calls of a minute, credentials, a missing thing. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);

const tooLargeNames: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "context_window_exceeded_error",
  "exceed_context_size_error",
  "model_context_window_exceeded",
  "model_max_prompt_tokens_exceeded",
  "prompt_too_long",
  "request_too_large",
  "tokens_limit_reached",
  "invalid_request_prompt",
  // Zhipu.
  "1261",
]);

/** A place where the model reads, beside a word for too much; in either order, in one sentence or two. */
const contextWords =
  /\bcontext[ _-]?(?:length|window|size|limit)|\bmax_(?:seq_len|model_len|position_embeddings|input_tokens|prompt_tokens)\b|\bmaximum (?:prompt|input|sequence|message) (?:length|tokens)|\btoken limit\b|\bmaximum number of (?:input |prompt )?tokens\b|\bmax(?:imum)? (?:message |input |prompt )?tokens\b/i;
const excessWords =
  /\bexceed|\boverflow|\btoo (?:long|large|big|many)\b|\b(?:longer|larger|greater|more|bigger) than\b|\bmaximum context|\bhowever, you requested\b|\bnot enough\b|\bbut the request contains\b/i;
/** Words that servers also use of other numbers, beside what was sent. */
const excessOfPrompt =
  /\breduce\b[^.,;:]{0,40}\b(?:prompt|inputs?|messages?|conversation|request|length|text)\b|\b(?:prompt|inputs?|messages?|conversation|request|length)\b(?:(?!\bmax_)[^.,;:]){0,40}\bless than\b/i;
const tooLargeSentences = [
  /\b(?:prompt|input|inputs|request|messages?|conversation|query|text) (?:is|are|was|were)? ?(?:too (?:long|large|big)|longer than)\b/i,
  /\b(?:input|prompt|messages?|request)[ _](?:length|tokens?|size|token count)\b[^.]{0,80}\b(?:exceed|should be|must be|too (?:long|large|many)|longer than|larger than)/i,
  /\blength of (?:the )?(?:prompt|input|messages?|prompt_tokens)\b[^.]{0,80}\b(?:exceed|should be|must be|less than|too long)/i,
  /\breduce (?:the )?(?:length|size|number) of (?:the |your )?(?:messages?|prompt|input|tokens)/i,
  /\btoo many (?:input |prompt )?tokens\b(?! per\b)/i,
  /`inputs` tokens \+ `max_new_tokens` must be/i,
  /\btokens in the prompt\b[^.]{0,60}\bexceed/i,
  /\btrying to keep the first \d+ tokens\b/i,
  /\bprompt (?:contains|has) \d+ tokens\b[^.]{0,80}\btoo large/i,
  /(?:上下文|输入|提示词|消息|对话|prompt|tokens?)[^。，]{0,30}(?:超长|超出|超过|超限|过长|太长)/i,
  /(?:超出|超过)[^。，]{0,20}(?:上下文|输入|提示词|最大长度|tokens?)/i,
];
/** The limit of the answer, which a shorter question does not mend. */
const answerLimit =
  /\bmax(?:_completion|_output|_new)?_tokens\b['"`]?(?: or ['"`]?\w{1,40}['"`]?)? (?:is|are) too (?:large|big|high)|\bsupports? at most \d+ (?:completion|output) tokens/i;
/** Calls of a minute or a day. */
const rate = /\bper (?:minute|min|day|hour|second)\b|\brate[ _-]?limit|\bquota\b/i;

function isTooLarge(status: number, { code = "", type = "", message = "", param = "" }: Refusal) {
  if (status === 413) return true;
  if (otherStatuses.has(status)) return false;
  if (tooLargeNames.has(code.toLowerCase()) || tooLargeNames.has(type.toLowerCase())) return true;
  if (code === "string_above_max_length") return param === "messages";
  if (answerLimit.test(message) || rate.test(message)) return false;
  if (tooLargeSentences.some((sentence) => sentence.test(message))) return true;
  if (!contextWords.test(message)) return false;
  return excessWords.test(message) || excessOfPrompt.test(message);
}

const unknownModelNames: ReadonlySet<string> = new Set([
  "model_not_found",
  "model_not_exist",
  "model_not_exists",
  "modelnotfound",
  "unknown_model",
  "invalid_model",
  "deploymentnotfound",
  "invalidendpointormodel.notfound",
  // Zhipu, SiliconFlow.
  "1211",
  "20012",
]);
/** Names of a thing that is missing, which at a 404 is the model if the sentence speaks of one. */
const missingNames: ReadonlySet<string> = new Set([
  "not_found",
  "not_found_error",
  "notfounderror",
  "resource_not_found_error",
]);
const unknownModelSentences = [
  /\bmodels?\b[^.]{0,12}[^ ]{0,200} (?:does not exist|doesn't exist|do not exist|not exist|(?:was |is |could )?not (?:be )?found|not available|is unknown)\b/i,
  /\bmodel (?:does not|doesn't|not) exist\b|\bmodel not found\b/i,
  /\b(?:no such|unknown|not found the|unrecognized|invalid) model\b(?! (?:parameter|setting|config))/i,
  /\bis not a valid model\b|\bno endpoints found for\b|\btry pulling it first\b/i,
  /模型[^。，]{0,100}(?:不存在|未找到|找不到)|(?:不存在|未知)的?模型/,
];

function isUnknownModel(status: number, { code = "", type = "", message = "" }: Refusal): boolean {
  if (status === 401 || status === 429 || status >= 500) return false;
  if (unknownModelNames.has(code.toLowerCase()) || unknownModelNames.has(type.toLowerCase()))
    return true;
  const isMissing = missingNames.has(type.toLowerCase()) || missingNames.has(code.toLowerCase());
  if (status === 404 && isMissing && /\bmodel/i.test(message)) return true;
  return unknownModelSentences.some((sentence) => sentence.test(message));
}
