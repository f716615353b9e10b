import * as z from "zod";
import { isForwardable } from "../run/auth/forward-headers.ts";

/** `${NAME}` in the value of a header. */
const reference = /\$\{(\w+)\}/g;

/** What a value of a header may hold (RFC 9110, 5.5). */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(value);
}

const RowHeaders = z
  .record(
    z.string(),
    z.string().refine(isHeaderValue, "holds signs that no header may have, or nothing."),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const odd = names.find((name) => name.endsWith("*") || !isForwardable(name));
    if (odd !== undefined)
      context.addIssue(`${JSON.stringify(odd)} is not a header that a row may set.`);
    if (new Set(names).size < names.length) context.addIssue("has one header twice.");
  });

/** One row of the models table, as the settings give it. */
export const ModelSetting = z.strictObject({
  /** What definitions and requests call it; `*` passes any model name through. */
  name: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The name of the environment variable that holds the key; absent for servers without keys. */
  keyVariable: z.string().min(1).optional(),
  /** The model id that the server knows; the row's name where absent. */
  model: z.string().min(1).optional(),
  /** Headers of every request to the row; `${NAME}` in a value is that environment variable. */
  headers: RowHeaders.optional(),
  /** Models that are asked in its place where it fails before its first word, in this order. */
  fallback: z.array(z.string().min(1)).optional(),
  contextWindow: z.int().min(256).optional(),
  answerReserve: z.int().min(1).optional(),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  streamUsage: z.boolean().optional(),
  /** `text` for servers and models without tool calling: calls are then read out of the answer's text. */
  toolCalls: z.enum(["tools", "text"]).optional(),
});
export type ModelSetting = z.infer<typeof ModelSetting>;

/** A header's value with the variables that it names. @param find answers a variable's value */
export function fillReferences(value: string, find: (variable: string) => string): string {
  return value.replaceAll(reference, (_, variable: string) => find(variable)).trim();
}

/** The values of all variables that the rows name: keys, and what their headers refer to. */
export function listRowSecrets(
  models: readonly ModelSetting[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const variables = models.flatMap(({ keyVariable = "", headers = {} }) => [
    keyVariable,
    ...Object.values(headers).flatMap((value) =>
      [...value.matchAll(reference)].map(([, variable = ""]) => variable),
    ),
  ]);
  return variables.flatMap((variable) => environment[variable] || []);
}
