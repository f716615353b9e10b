// The official clients in front of an app, without a socket; on Node and in workerd.
import OpenAI7 from "openai";
import OpenAI6 from "openai6";
import type { App } from "../../src/app.ts";

export const clients = [
  { name: "openai 7", OpenAI: OpenAI7 },
  { name: "openai 6", OpenAI: OpenAI6 as unknown as typeof OpenAI7 },
] as const;

/** A client that asks the app, and once only. */
export function clientOf(
  { OpenAI }: (typeof clients)[number],
  app: App,
  options: { key?: string; language?: string } = {},
): OpenAI7 {
  const { key = "none", language } = options;
  return new OpenAI({
    apiKey: key,
    baseURL: "http://localhost/v1",
    maxRetries: 0,
    defaultHeaders: language === undefined ? {} : { "accept-language": language },
    fetch: async (url, init) => {
      const response = await app.fetch(new Request(url, init));
      // As on a socket, nothing arrives any more.
      init?.signal?.throwIfAborted();
      return response;
    },
  });
}

export const code =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) sum =+ item.price;\n  return sum;\n}\n";

/** A message of the person with code in it. */
export function withCode(question: string, info = "js src/cart.js"): string {
  return `${question}\n\n\`\`\`${info}\n${code}\`\`\`\n`;
}
