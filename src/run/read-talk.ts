import type { ContextVariable } from "../turn/context/context.ts";
import { findFencedCode, readFencedCode } from "../turn/context/fenced-code.ts";
import { AppError } from "../base/errors/app-error.ts";
import type { Locale } from "../base/errors/locale.ts";
import { readTyped } from "../flows/click/typed-steps.ts";
import type { CommandTable } from "../flows/commands.ts";
import type { AgentDefinition } from "../turn/agent-definition.ts";
import type { TurnRequest } from "../turn/turn.ts";

/** A message of a conversation in which everything is said in words. */
export interface Said {
  role: string;
  text: string;
}

/** Whom the conversation is with. */
interface Partner {
  definition: AgentDefinition;
  /** Unless the person types another one. */
  command: string;
  locale: Locale;
  /** That every agent has. */
  commands: readonly string[];
  isAboutCode: CommandTable["isAboutCode"];
  /** Absent: no command wants more than one block. */
  isAboutFiles?: CommandTable["isAboutFiles"];
}

/** Files of a conversation: more are nothing that a person pastes. */
const maxFiles = 100;

/**
 * What a conversation asks for, at doors that have neither an editor nor buttons. The last message is the
 * question, or a command with its words; the ones before are the history; those of the system are rules. A
 * command about code gets the one block of code in the question, else the last one that the person has sent; one
 * about files gets every block that names its file, as it was sent last.
 *
 * @throws AppError `invalid_request` where the last message is not the user's, or says a number that the list of the last
 *   answer does not have
 */
export function readTalk(
  said: readonly Said[],
  partner: Partner,
): Pick<TurnRequest, "command" | "variables" | "history"> {
  const { definition, commands } = partner;
  const talk = said.filter((message) => !isRule(message));
  const last = talk.pop();
  if (last?.role !== "user") {
    const message = {
      en: "The last message must be the user's.",
      zh: "最后一条消息必须来自用户。",
    };
    throw new AppError("invalid_request", message, { param: "messages" });
  }
  const names = [...(definition.commands ?? []).map(({ name }) => name), ...commands];
  const answer = talk.findLast(({ role }) => role === "assistant")?.text;
  const typed = readTyped(last.text, (name) => names.includes(name), partner.locale, answer);
  const command = typed?.command ?? partner.command;
  const asked = typed?.prompt ?? last.text;
  const isAboutFiles = partner.isAboutFiles?.(command) === true;
  const isAboutCode = isAboutFiles || partner.isAboutCode(definition, command);
  const sent = talk.filter(({ role }) => role === "user").map(({ text }) => text);
  const code = isAboutCode ? findFencedCode(asked, sent) : undefined;
  const editor = code && { filePath: code.path, language: code.language, content: code.text };
  const files = isAboutFiles ? findFiles([...sent, asked], code?.path) : [];
  const rules = said.filter(isRule).map(toMessage);
  const variables: ContextVariable[] = [
    { name: "userInputPrompt", value: code?.around() ?? asked },
    { name: "activeEditor", value: editor },
    { name: "packageFiles", value: files.length === 0 ? undefined : files },
    // These are never cut, as the history is.
    { name: "globalPrompts", value: rules.length === 0 ? undefined : rules },
  ];
  return { command, variables, history: talk.map(toMessage) };
}

/** What the person has sent of files by their paths, without the one that the editor shows. */
function findFiles(sent: readonly string[], shown: string | undefined): object[] {
  const files = new Map<string, string>();
  for (const { path, text } of sent.flatMap(readFencedCode)) {
    // What was sent last is the latest, also in the order of the files.
    files.delete(path);
    if (path !== "" && path !== shown) files.set(path, text);
  }
  return [...files].slice(-maxFiles).map(([filepath, content]) => ({ filepath, content }));
}

function isRule({ role }: Said): boolean {
  return role === "system" || role === "developer";
}

function toMessage({ role, text }: Said): { role: string; content: string } {
  return { role, content: text };
}
