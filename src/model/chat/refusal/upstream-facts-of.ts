import type { UpstreamFacts } from "../../../errors/upstream-facts.ts";
import type { ChatCall } from "../chat-api.ts";
import { cleanTexts } from "./clean-texts.ts";
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

/**
 * What may be told of a refusal: without the secrets of the call, without what anybody has configured, and
 * without pieces of the prompt.
 *
 * @param configured secrets of the settings
 */
export function toUpstreamFacts(
  call: ChatCall,
  refusal: Refusal,
  configured: readonly string[],
): UpstreamFacts {
  const hidden = {
    secrets: [...configured, ...secretsOf(call.headers)],
    prompts: textsOf(call.body),
  };
  const limits = { code: maxName, type: maxName, param: maxName, message: maxMessage };
  const names = (["code", "type", "param", "message"] as const).filter((name) => refusal[name]);
  const cleaned = cleanTexts(
    names.map((name) => ({ text: refusal[name] ?? "", maxLength: limits[name] })),
    hidden,
  );
  const facts: UpstreamFacts = whereTo(call);
  for (const [index, name] of names.entries()) {
    const text = cleaned[index];
    if (text !== undefined) facts[name] = text;
  }
  return facts;
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
