// What goes to standard error while an answer is awaited.
import { relative, sep } from "node:path";
import { escapeLine } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";
import type { IdeAnswer } from "./ide/answer-ide.ts";
import type { WsTexts } from "./texts.ts";

/** Characters of a path that are shown. */
const maxPath = 200;

/** A dimmed line of standard error. */
export function note(text: string, terminal: Terminal): void {
  terminal.err(`${terminal.errStyle("dim", escapeLine(text))}\n`);
}

/** What the agent wanted to know of the project, and what it got: `/read_file src/item.py (88 characters sent)`. */
export function describeQuestion(
  path: string,
  params: unknown,
  answer: IdeAnswer,
  root: string,
  texts: WsTexts,
): string {
  const { abspath, line, character }: Record<string, unknown> = Object(params);
  const file = typeof abspath === "string" ? shorten(abspath, root) : "";
  const place =
    typeof line === "number" && typeof character === "number"
      ? `:${line + 1}:${character + 1}`
      : "";
  return texts.asked(`${path} ${file}${place} (${describeAnswer(answer, texts)})`);
}

function describeAnswer(answer: IdeAnswer, texts: WsTexts): string {
  if ("error" in answer) return texts.refused(answer.error);
  const { result } = answer;
  if (result === true) return texts.written;
  if (typeof result === "string") return texts.sent(result.length);
  return texts.given(Array.isArray(result) ? result.length : 0);
}

function shorten(abspath: string, root: string): string {
  const path = relative(root, abspath);
  const shown = path === ".." || path.startsWith(`..${sep}`) ? abspath : path;
  return shown.length > maxPath ? `${shown.slice(0, maxPath)}…` : shown;
}
