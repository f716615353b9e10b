import type { UpstreamFacts } from "../../../base/errors/upstream-facts.ts";
import type { ChatCall } from "../chat-api.ts";
import { cleanTexts, shorten } from "./clean-texts.ts";
import type { Refusal } from "./read-refusal.ts";

/** Of a message that goes into the log, in characters. */
const maxMessage = 300;
const maxName = 100;
/** Headers that hold a secret, by their names. */
const secretHeader = /auth|key|token|secret|cookie|session|credential|signature/i;

/** Where the call goes and what it asks for; the facts that every trouble with it has. */
export function whereTo({ baseUrl, model }: ChatCall): Pick<UpstreamFacts, "host" | "model"> {
  return { host: URL.canParse(baseUrl) ? new URL(baseUrl).host : "", model };
}

export interface ToldRefusal {
  /** What may be shown. */
  upstream: UpstreamFacts;
  /** As the server wrote it, but its message without the prompt: only the server's words have a meaning. */
  refusal: Refusal;
}

/**
 * What may be told of a refusal: without the secrets of the call, without what anybody has configured, and
 * without pieces of the prompt.
 *
 * @param configured secrets of the settings
 */
export function tellRefusal(
  call: ChatCall,
  refusal: Refusal,
  configured: readonly string[],
): ToldRefusal {
  const hidden = {
    secrets: [...configured, ...secretsOf(call.headers)],
    prompts: textsOf(call.body),
  };
  const { message: said = "", ...names } = refusal;
  const [code, type, param, message] = cleanTexts(
    [
      ...[names.code, names.type, names.param].map((text = "") => ({ text, maxLength: maxName })),
      { text: said, maxLength: said.length },
    ],
    hidden,
  );
  const shown = { code, type, param, message: message && shorten(message, maxMessage) };
  const upstream: UpstreamFacts = whereTo(call);
  for (const name of ["code", "type", "param", "message"] as const) {
    const text = shown[name];
    if (text !== undefined) upstream[name] = text;
  }
  return { upstream, refusal: message === undefined ? names : { ...names, message } };
}

/** The parts of such values; of credentials without their scheme, which says nothing. */
function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => value.replace(/^\w+ +/, "").split(/[\s;,]+/));
}

/** All texts of what was sent but the name of the model, which a refusal is to name. */
function textsOf(body: object): string[] {
  const texts: string[] = [];
  const queue: unknown[] = Object.entries(body).flatMap(([name, value]) =>
    name === "model" ? [] : [value],
  );
  for (let next = queue.pop(); queue.length > 0 || next !== undefined; next = queue.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null)
      for (const value of Object.values(next)) queue.push(value);
  }
  return texts;
}
