import { cutText } from "../../base/text/lines.ts";
import { join } from "node:path";
import { isCancel, select } from "@clack/prompts";
import { listNames } from "../../base/errors/names.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import { createTimers } from "../../base/wire/patient-timer.ts";
import { productVersion } from "../../setup/check-node.node.ts";
import { openSqliteStore } from "../../store/sqlite-store.node.ts";
import { canAsk, openTerminal } from "../call/run-parts.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import { type Terminal, createTerminal, note } from "../call/terminal.ts";
import { CliError } from "../cli-error.ts";
import { checkProject } from "../code/open-folder.ts";
import type { Options } from "../options.ts";
import { openProject, openTools, parseAllow } from "../code/run-code.ts";
import { exitUnanswered } from "../code/progress.ts";
import { createTerminalApp } from "../code/run-agent.ts";
import { closing, exitStopped } from "../fail-with.ts";
import { joinPrompt, readPipedText } from "../read/read-text-file.ts";
import { earlyTexts, ownStateFolder } from "../read/read-settings-file.ts";
import type { CliTexts } from "../texts.ts";
import { openOwnUndo, showTime } from "../undo.ts";
import { type Outcome, Chat } from "./chat.ts";
import { createCompleter } from "./complete-line.ts";
import { type Keyboard, createKeyboard, showLineEnds } from "./keyboard.ts";
import {
  type Conversations,
  type Listed,
  type StoredConversation,
  createConversations,
} from "./conversations.ts";
import { createPrinter } from "../call/show/print-answer.ts";
import type { CodeParser } from "../../code/code-analysis.ts";

const exitCodes: Readonly<Record<Outcome, number>> = {
  sound: 0,
  leave: 0,
  failed: 1,
  unanswered: exitUnanswered,
  stopped: exitStopped,
};

/** `rightseat` and `rightseat chat`: a conversation at the terminal, without one the answer to one question. */
export async function runChat(words: readonly string[], given: Options): Promise<number> {
  const early = earlyTexts();
  await using opened = closing(openConversations(early));
  const { conversations } = opened;
  if (given.list === true) return await listConversations(conversations, early);
  if (given.delete !== undefined) {
    const { id } = await findConversation(conversations, given.delete, early);
    if (await conversations.isOpen(id)) throw new CliError(early.openElsewhere(id));
    await conversations.remove(id);
    process.stderr.write(`${early.deleted(id)}\n`);
    return 0;
  }
  return await hold(words.join(" "), given, conversations);
}

export function openConversations(texts: CliTexts) {
  const folder = ownStateFolder();
  try {
    const store = openSqliteStore({ path: join(folder, "conversations.sqlite"), now: Date.now });
    const createId = (): string => crypto.randomUUID();
    const parts = { store, now: Date.now, timers: createTimers(), createId, isAlive };
    const conversations = createConversations({ ...parts, process: `${process.pid}` });
    const close = async (): Promise<void> => {
      await conversations.close();
      await store.close();
    };
    return { conversations, close };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CliError(texts.noConversationState(folder, why), { cause: thrown });
  }
}

function isAlive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (thrown) {
    // It is another person's.
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}

async function listConversations(conversations: Conversations, texts: CliTexts): Promise<number> {
  const terminal = createTerminal(process.stdout, process.stderr);
  const listed = await conversations.list();
  if (listed.length === 0) terminal.err(`${texts.noConversations}\n`);
  for (const { id, changed, title, folder } of listed)
    terminal.out(`${id}  ${showTime(changed)}  ${escapeLine(folder)}  ${escapeLine(title)}\n`);
  return 0;
}

/** @param written an id, or the beginning of one. @throws CliError where it means none or several */
async function findConversation(conversations: Conversations, written: string, texts: CliTexts) {
  const [found, ...others] = (await conversations.list()).filter(({ id }) =>
    id.startsWith(written.toLowerCase()),
  );
  if (found === undefined) throw new CliError(texts.noConversation(escapeLine(written)));
  if (others.length > 0) throw new CliError(texts.severalConversations(escapeLine(written)));
  return found;
}

async function hold(written: string, given: Options, conversations: Conversations) {
  const isTerminal = canAsk();
  const project = await openProject(".", given);
  const { config, agents, texts, root } = project;
  const resumed = await findResumed(conversations, given, root, texts, isTerminal);
  if (resumed === "none") return 0;
  const agent = findAgent(agents, given.agent, resumed?.facts.agent, texts);
  const typed = written.trim() === "" ? undefined : written;
  const question = isTerminal ? typed : joinPrompt(typed, await readPipedText());
  if (question === undefined && !isTerminal) throw new CliError(texts.noTerminal);
  const terminal = await openTerminal({ plain: given.plain });
  const begin = async (model?: string): Promise<StoredConversation> => {
    await conversations.close();
    return beginConversation(conversations, root, agent.name, texts, model);
  };
  const conversation = resumed ?? (await begin());
  await using app = closing(await createTerminalApp(config, [agent]));
  // Before the keyboard: Ctrl-C ends the process until then, and no terminal is to be left as keys need it.
  const tools = await openTools(project, app);
  const ends = { input: process.stdin, output: process.stdout, texts, timers: createTimers() };
  await using keyboard = isTerminal ? closing(createKeyboard(ends)) : undefined;
  const chat = new Chat({
    ...project,
    agent,
    isProject: isProject(root, given.force ?? false, texts, terminal),
    key: given.key,
    isYes: given.yes ?? false,
    allows: parseAllow(given.allow ?? [], texts),
    tools,
    app,
    terminal,
    columns: () => process.stderr.columns || Infinity,
    keyboard,
    conversation,
    begin,
  });
  if (given.model !== undefined) await chat.useModel(given.model);
  if (project.hasIgnoredSettings) note(texts.settingsIgnored, terminal);
  if (keyboard === undefined) return exitCodes[await chat.take(question ?? "")];
  const welcome = texts.welcome(productVersion(), escapeLine(root));
  terminal.out(`${terminal.outStyle("bold", welcome)}\n`);
  note(texts.howTo, terminal);
  chat.tellHow();
  printLast(conversation, terminal, texts);
  await talk(chat, keyboard, question, { root, code: app.code, terminal });
  const { id, entries } = chat.conversation;
  if (entries.length > 0) note(texts.toResume(id), terminal);
  return 0;
}

/** A new conversation, whose changes are those that come from now on. */
export async function beginConversation(
  conversations: Conversations,
  root: string,
  agent: string,
  texts: CliTexts,
  model?: string,
): Promise<StoredConversation> {
  await using undo = await openOwnUndo(root, texts);
  const turns = await undo.listTurns();
  const lastTurn = turns.at(-1)?.id ?? 0;
  const asked = model === undefined ? {} : { model };
  return conversations.begin({ folder: root, agent, lastTurn, ...asked });
}

/** The agent that is asked for, else that of the conversation, else the first. @throws CliError where there is none */
export function findAgent(
  agents: readonly AgentDefinition[],
  wanted: string | undefined,
  usual: string | undefined,
  texts: CliTexts,
): AgentDefinition {
  const isNamed = (one: string | undefined) => agents.find(({ name }) => name === one);
  const found = isNamed(wanted ?? usual) ?? (wanted === undefined ? agents[0] : undefined);
  if (found !== undefined) return found;
  const [name = "", known] = [wanted, agents.map((agent) => agent.name)];
  throw new CliError(
    agents.length === 0
      ? texts.noAgent
      : texts.unknownAgent(escapeLine(name), listNames(known, texts.locale)),
  );
}

/** Whether the agent's tools may work in the folder; where not, the person is told why. */
export function isProject(root: string, isForced: boolean, texts: CliTexts, terminal: Terminal) {
  try {
    checkProject(root, isForced, texts);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    note(thrown.message, terminal);
    return false;
  }
}

/** @returns undefined for a new conversation; `none` where the person has chosen none. @throws CliError */
async function findResumed(
  conversations: Conversations,
  given: Options,
  root: string,
  texts: CliTexts,
  isTerminal: boolean,
): Promise<StoredConversation | undefined | "none"> {
  if (given.continue !== true && given.resume === undefined) return undefined;
  let found: Listed | undefined;
  if (typeof given.resume === "string") {
    found = await findConversation(conversations, given.resume, texts);
    if (found.folder !== root) throw new CliError(texts.otherFolder(escapeLine(found.folder)));
  } else {
    const here = (await conversations.list()).filter(({ folder }) => folder === root);
    [found] = here;
    if (given.resume === true && here.length > 0) {
      if (!isTerminal) throw new CliError(texts.noTerminal);
      const options = here.map(({ id, title, changed }) => ({
        value: id,
        label: `${showTime(changed)}  ${escapeLine(title)}`,
      }));
      const message = texts.whichConversation;
      const chosen = await select({ message, options, maxItems, showInstructions: false });
      if (isCancel(chosen)) return "none";
      found = here.find(({ id }) => id === chosen);
    }
  }
  const opened = found && (await conversations.open(found.id));
  if (found === undefined || opened === undefined) throw new CliError(texts.noConversationHere);
  if (opened.id !== found.id) process.stderr.write(`${texts.goesOnAsCopy(found.id, opened.id)}\n`);
  return opened;
}

const maxItems = 12;
/** Messages of a conversation that goes on which are shown. */
const shownEntries = 2;
const prompt = "> ";

function printLast({ entries }: StoredConversation, terminal: Terminal, texts: CliTexts): void {
  const told = entries.filter(({ isNote }) => isNote !== true);
  const last = told.slice(-shownEntries);
  if (told.length > last.length) note(texts.earlier(told.length - last.length), terminal);
  for (const { role, text, isCut } of last) {
    if (role === "user") {
      terminal.out(`\n${prompt}${escapeControls(cutText(text, maxLength))}\n\n`);
    } else {
      const printer = createPrinter(terminal);
      printer.print("text", text);
      printer.finish();
      if (isCut === true) note(texts.cutAnswer, terminal);
    }
  }
}

/** Questions of a conversation that Up brings back, and characters of one. */
const [maxEarlier, maxLength] = [200, 2_000];

async function talk(
  chat: Chat,
  keyboard: Keyboard,
  first: string | undefined,
  { root, code, terminal }: { root: string; code: CodeParser; terminal: Terminal },
): Promise<void> {
  const complete = createCompleter({
    root,
    code,
    commands: () => chat.commands,
    valuesOf: (command) =>
      command === "/model" ? chat.modelNames : chat.takesFile(command) ? undefined : [],
  });
  const history = chat.conversation.entries
    .filter(({ role, text, isNote }) => role === "user" && !isNote && text.length <= maxLength)
    .map(({ text }) => showLineEnds(text))
    .toReversed()
    .slice(0, maxEarlier);
  const ask = async (): Promise<string | undefined> => {
    terminal.out(`\n${terminal.outStyle("dim", chat.status())}\n`);
    return keyboard.readMessage({ prompt, history, complete });
  };
  if (first !== undefined) terminal.out(`\n${prompt}${escapeControls(first)}\n`);
  for (let message = first ?? (await ask()); message !== undefined; message = await ask()) {
    if (message.trim() === "") continue;
    if (message !== first && message.length <= maxLength && history[0] !== showLineEnds(message))
      history.unshift(showLineEnds(message));
    terminal.out("\n");
    if ((await chat.take(message)) === "leave") return;
  }
  terminal.out("\n");
}
