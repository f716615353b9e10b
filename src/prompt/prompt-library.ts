import type { Locale } from "../base/errors/locale.ts";
import type { MessageTemplate } from "../turn/agent-definition.ts";
import { ChatRole } from "../turn/chat-message.ts";
import { deepFreeze } from "../base/wire/deep-freeze.ts";

/** The built-in prompts: the text of every file by `locale/command` (`en/explain`). */
export type PromptFiles = Readonly<Record<string, string>>;

export interface PromptLibrary {
  /** The commands that have built-in templates. */
  commands: readonly string[];
  /** The built-in templates of a command or a further question, or undefined where we have none. */
  find(command: string, locale: Locale): readonly MessageTemplate[] | undefined;
}

/** Prompts by which a flow asks once more, such as `edit-again`, are no commands of anybody. */
const furtherQuestion = /-again$/;

/**
 * Parses the built-in prompts. A file is a list of messages, each under a line `--- role`; one whose
 * name ends with `-again` serves no command.
 */
export function createPromptLibrary(files: PromptFiles): PromptLibrary {
  const parsed = new Map(
    Object.entries(files).map(([name, text]) => [name, parsePromptFile(name, text)]),
  );
  const names = new Set([...parsed.keys()].map((name) => name.replace(/^[^/]*\//, "")));
  return {
    commands: [...names].filter((name) => !furtherQuestion.test(name)),
    find: (command, locale) => parsed.get(`${locale}/${command}`),
  };
}

function parsePromptFile(name: string, text: string): readonly MessageTemplate[] {
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
  return deepFreeze(messages);
}
