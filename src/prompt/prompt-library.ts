import type { Locale } from "../errors/locale.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import { ChatRole } from "../turn/chat-message.ts";

/** The built-in prompts: the text of every file by `locale/command` (`en/explain`). */
export type PromptFiles = Readonly<Record<string, string>>;

export interface PromptLibrary {
  /** The commands that have built-in templates. */
  commands: readonly string[];
  /** The built-in templates of a command, or undefined where we have none. */
  find(command: string, locale: Locale): readonly MessageTemplate[] | undefined;
}

/** Parses the built-in prompts. A file is a list of messages, each under a line `--- role`. */
export function createPromptLibrary(files: PromptFiles): PromptLibrary {
  const parsed = new Map(
    Object.entries(files).map(([name, text]) => [name, parsePromptFile(name, text)]),
  );
  const commands = [...new Set([...parsed.keys()].map((name) => name.replace(/^[^/]*\//, "")))];
  return {
    commands,
    find: (command, locale) => parsed.get(`${locale}/${command}`),
  };
}

function parsePromptFile(name: string, text: string): MessageTemplate[] {
  const [head = "", ...rest] = text.split(/^--- *([a-z]+) *\r?\n/m);
  if (head.trim() !== "" || rest.length === 0) {
    throw new Error(`The prompt file ${name} must begin with a line "--- role".`);
  }
  const messages: MessageTemplate[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const role = ChatRole.safeParse(rest[at]);
    if (!role.success)
      throw new Error(`The prompt file ${name} has an unknown role "${rest[at]}".`);
    messages.push({ role: role.data, template: (rest[at + 1] ?? "").trim() });
  }
  return messages;
}
