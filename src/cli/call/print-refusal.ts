import * as z from "zod";
import { escapeControls, escapeLine } from "./escape-controls.ts";
import type { Terminal } from "./terminal.ts";

const Refusal = z.looseObject({
  error: z.looseObject({
    code: z.union([z.string(), z.number()]).nullish(),
    message: z.string(),
    problems: z.array(z.looseObject({ path: z.string(), message: z.string() })).nullish(),
  }),
});

/** How much of an answer is shown that is none of ours, in characters. */
const longestExcerpt = 500;

/** Prints an HTTP refusal in red: status, code, message, and the problems that the message leaves out. */
export async function printRefusal(response: Response, terminal: Terminal): Promise<void> {
  const text = describeRefusal(response, await response.text());
  const lines = [text, ...describeWait(response.headers.get("retry-after"))];
  terminal.err(`${terminal.errStyle("red", lines.join("\n"))}\n`);
}

/** Retry-After holds seconds or a date (RFC 9110, section 10.2.3). */
function describeWait(header: string | null): string[] {
  if (header === null) return [];
  const isSeconds = /^\d+$/.test(header.trim());
  return [`  Retry-After: ${escapeLine(header)}${isSeconds ? " s" : ""}`];
}

function describeRefusal({ status, statusText }: Response, body: string): string {
  const refusal = Refusal.safeParse(parseJson(body));
  if (!refusal.success) {
    const excerpt = escapeControls(body.slice(0, longestExcerpt)).trim();
    return `Refused with ${status} ${escapeLine(statusText)}${excerpt === "" ? "" : `\n${excerpt}`}`.trimEnd();
  }
  const { code, message, problems } = refusal.data.error;
  const further = (problems ?? [])
    .map((problem) => `${problem.path}: ${problem.message}`)
    .filter((problem) => !message.includes(problem));
  const head = `Refused with ${status}${code === undefined || code === null ? "" : ` ${code}`}: ${message}`;
  return [escapeLine(head), ...further.map((problem) => `  ${escapeLine(problem)}`)].join("\n");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
