import { AppError, type UpstreamFacts } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import type { ChatCall } from "./chat-api.ts";
import { type Refusal, classifyRefusal, readReported } from "./refusal.ts";
import { reportedError } from "./answer-rules.ts";

/** The problem by what the server said of it, too. */
export function refineProblem(
  problem: AppError,
  status: number,
  refusal: Refusal,
  call: ChatCall,
  upstream: UpstreamFacts,
): AppError {
  const meaning = classifyRefusal(status, refusal);
  if (meaning === undefined) return problem.withUpstream(upstream);
  const { name, model } = call;
  if (meaning === "too-large") {
    const message = {
      en: `The prompt is larger than model ${quoteName(name)} takes. Select less.`,
      zh: `提示词超出了模型${quoteName(name, "zh")}的容量，请缩小选择范围。`,
    };
    return new AppError("prompt_too_large", message, {}, upstream);
  }
  const message = {
    en: `The server of model ${quoteName(name)} does not know the model ${quoteName(model)}. Its operator can check the name.`,
    zh: `模型${quoteName(name, "zh")}的服务中没有模型${quoteName(model, "zh")}，管理员可以检查名称。`,
  };
  return new AppError("upstream_unknown_model", message, {}, upstream);
}

/** In characters. */
const maxMessage = 300;
/** A piece of a secret, at least as long, is left out as well: servers like to show how a key begins. */
const pieceOfSecret = 8;
/** Headers that hold a secret, by their names. */
const secretHeader = /auth|key|token|secret|cookie|session|credential|signature/i;
/** Servers that answer 200 report in an event what others refuse with a status. */
const noStatus = 200;

/** Where the call goes and what it asks for; the facts that every trouble with it has. */
export function whereTo({ baseUrl, model }: ChatCall): Pick<UpstreamFacts, "host" | "model"> {
  return { host: URL.canParse(baseUrl) ? new URL(baseUrl).host : "", model };
}

/**
 * What is told of a refusal: code, type and parameter where they are names, and the message on one line; all without
 * the secrets of the call and of the settings. The message may quote the prompt.
 *
 * @param configured secrets of the settings
 */
export function tellRefusal(
  call: ChatCall,
  refusal: Refusal,
  configured: readonly string[],
): UpstreamFacts {
  const secrets = [...configured, ...secretsOf(call.headers)];
  const upstream: UpstreamFacts = whereTo(call);
  for (const name of ["code", "type", "param"] as const) {
    const text = refusal[name];
    // A sentence in their place may quote the prompt.
    if (text !== undefined && /^[\w.:/-]+$/.test(text) && withoutSecrets(text, secrets) === text)
      upstream[name] = text;
  }
  const message = withoutSecrets(toLine(refusal.message ?? ""), secrets);
  if (/[^\s…]/.test(message)) upstream.message = shorten(message);
  return upstream;
}

/**
 * The error of an event that reports one.
 *
 * @param secrets those of the settings
 */
export function explainReported(
  reported: unknown,
  call: ChatCall,
  secrets: readonly string[],
): AppError {
  const refusal = readReported(reported);
  const upstream = tellRefusal(call, refusal, secrets);
  return refineProblem(reportedError(), noStatus, refusal, call, upstream);
}

/** The parts of such values; of credentials without their scheme, which says nothing. */
function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => value.replace(/^\w+ +/, "").split(/[\s;,]+/));
}

/** Escapes are read first, so that they hide no secret; control characters, and invisible signs, are spaces. */
function toLine(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\[nrt]/g, " ")
    .replace(/\\(["'\\/])/g, "$1")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
}

/** Pieces of secrets that touch are one gap. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const isHidden = new Uint8Array(text.length);
  for (const secret of new Set(secrets.map(toLine))) {
    if (secret === "") continue;
    const length = Math.min(secret.length, pieceOfSecret);
    for (let from = 0; from + length <= secret.length; from += 1) {
      const piece = secret.slice(from, from + length);
      for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1))
        isHidden.fill(1, at, at + length);
    }
  }
  return text.replace(/[^]/g, (sign, at: number) => {
    if (isHidden[at] !== 1) return sign;
    return isHidden[at - 1] === 1 ? "" : "…";
  });
}

function shorten(text: string): string {
  if (text.length <= maxMessage) return text;
  return `${text.slice(0, maxMessage - 1).toWellFormed()}…`;
}
