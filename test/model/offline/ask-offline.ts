import { languageOf } from "../../../src/turn/context/language.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import type { ChatRequest, Subject } from "../../../src/turn/chat-model.ts";
import { code } from "../../helpers/code-parser.ts";
export { code };

/** Reads code with the grammars of the product. */

/** A file as flows hand it to the model: all of it, or a place in it. */
export function subjectOf(path: string, file: string, more: Partial<Subject> = {}): Subject {
  return {
    command: "explain",
    path,
    language: languageOf(path),
    file,
    text: file,
    startLine: 1,
    facts: {},
    ...more,
  };
}

/** The whole answer. */
export async function ask(
  subject: Subject | undefined,
  request: Partial<ChatRequest> = {},
): Promise<string> {
  let text = "";
  const stream = offlineModel(code).stream(
    { messages: [], ...request, subject: () => subject },
    { signal: new AbortController().signal, caller: { forward: () => ({}) } },
  );
  for await (const event of stream) if (event.type === "text-delta") text += event.text;
  return text;
}

/** Without the note on what answers. */
export async function askBare(
  subject: Subject,
  request: Partial<ChatRequest> = {},
): Promise<string> {
  return (await ask(subject, request)).replace(/^> .*\n\n/, "");
}
