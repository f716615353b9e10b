import { parseJson } from "../../read/read-text-file.ts";
import * as z from "zod";
import { AppError, isErrorCode } from "../../../base/errors/app-error.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import { escapeControls, escapeLine } from "./escape-controls.ts";
import type { Terminal } from "../terminal.ts";
import type { CallTexts } from "../texts.ts";

const Refusal = z.looseObject({
  error: z.looseObject({
    code: z.union([z.string(), z.number()]).nullish(),
    message: z.string(),
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })).nullish(),
  }),
});

/** How much of an answer is shown that is none of ours, in characters. */
const maxExcerpt = 500;

/**
 * Prints an HTTP refusal in red: status, code, message, and the problems that the message leaves out.
 *
 * @returns the code, where there is one
 */
export async function printRefusal(
  response: Response,
  terminal: Terminal,
  texts: CallTexts,
): Promise<string | undefined> {
  const body = await response.text();
  const refusal = Refusal.safeParse(parseJson(body)).data?.error;
  const text =
    refusal === undefined
      ? describeForeign(response, body, texts)
      : describeRefusal(response.status, refusal, texts);
  const lines = [text, ...describeWait(response.headers.get("retry-after"))];
  terminal.err(`${terminal.errStyle("red", lines.join("\n"))}\n`);
  return typeof refusal?.code === "string" ? refusal.code : undefined;
}

/** Retry-After holds seconds or a date (RFC 9110, section 10.2.3). */
function describeWait(header: string | null): string[] {
  if (header === null) return [];
  const isSeconds = /^\d+$/.test(header.trim());
  return [`  Retry-After: ${escapeLine(header)}${isSeconds ? " s" : ""}`];
}

/** What no agent of ours has said. */
function describeForeign({ status, statusText }: Response, body: string, texts: CallTexts): string {
  const excerpt = escapeControls(body.slice(0, maxExcerpt)).trim();
  const head = texts.refused(`${status} ${escapeLine(statusText)}`.trim());
  return excerpt === "" ? head : `${head}\n${excerpt}`;
}

function describeRefusal(
  status: number,
  { code, message, problems }: z.infer<typeof Refusal>["error"],
  texts: CallTexts,
): string {
  const further = (problems ?? [])
    .map((problem) => `${problem.path}: ${problem.message}`)
    .filter((problem) => !message.includes(problem));
  const name = escapeLine(`${status} ${code ?? ""}`);
  const sentence = sentenceIn(texts.locale, code);
  const head = texts.refused(name, { message: escapeLine(message), sentence });
  return [head, ...further.map((problem) => `  ${escapeLine(problem)}`)].join("\n");
}

/** Messages are in English; for people in other languages every code of ours has a sentence. */
function sentenceIn(locale: Locale, code: string | number | null | undefined): string {
  return typeof code === "string" && isErrorCode(code)
    ? new AppError(code, "").sentence(locale)
    : "";
}
