// A conversation at the terminal: what is typed becomes turns of the agent, or a command of the conversation itself.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isCancel, select } from "@clack/prompts";
import { foldSpaces } from "../../base/text/lines.ts";
import { fence } from "../../base/text/fence.ts";
import { cutName, listNames, suggestName } from "../../base/errors/names.ts";
import { findCommand, textIn } from "../../turn/agent-definition.ts";
import type { ChatModel } from "../../turn/chat-model.ts";
import type { ContextReceipt } from "../../turn/turn-event.ts";
import { createCommandTable } from "../../flows/commands.ts";
import { ownCommands } from "../../flows/own-commands.ts";
import { findFileChange, followLines } from "../call/choose/apply-change.ts";
import {
  type Checklist,
  createChooser,
  findChecklist,
  followChoices,
  joinChoices,
} from "../call/choose/next-steps.ts";
import {
  type CallRequest,
  buildRequest,
  collectEditor,
  followUp,
} from "../call/collect/build-request.ts";
import type { ApprovalQuestion } from "../../tools/tool.ts";
import { printChanges } from "../../workspace/approvals.ts";
import type { EditorFiles } from "../../workspace/directory/editor-files.node.ts";
import { maxWholeFile } from "../../workspace/directory/open-file.node.ts";
import type { ProposedEdit } from "../../turn/proposed-edit.ts";
import {
  type Choice,
  type ShownAction,
  describeChoice,
  listChoices,
} from "../call/show/print-actions.ts";
import { readFileInside, readRules } from "../call/collect/project-files.ts";
import { type Place, parsePlace } from "../call/collect/read-editor.ts";
import { printReceipt } from "../call/send-request.ts";
import { escapeControls, escapeLine } from "../call/show/escape-controls.ts";
import type { PrintedAnswer } from "../call/show/print-answer.ts";
import { note, say } from "../call/terminal.ts";
import { CliError } from "../cli-error.ts";
import { type Person, createPerson } from "../code/ask.ts";
import {
  type CodeRun,
  type ProgressParts,
  describeFailure,
  exitUnanswered,
  Progress,
} from "../code/progress.ts";
import { type TerminalApp, createCoding, runTask, showTurn } from "../code/run-agent.ts";
import { closing, stopOnInterrupt, tellProblem } from "../fail-with.ts";
import { type OwnUndo, openOwnUndo, printPlan, tellUndone } from "../undo.ts";
import type { StoredConversation } from "./conversations.ts";
import type { Keyboard } from "./keyboard.ts";

export interface ChatParts
  extends
    Omit<ProgressParts, "showsEdits">,
    Pick<CodeRun, "config" | "agent" | "root" | "key" | "isYes" | "allows" | "tools"> {
  /** The agent's tools may be used in the folder, which is the working directory. */
  isProject: boolean;
  app: TerminalApp;
  keyboard?: Keyboard | undefined;
  conversation: StoredConversation;
  /** Begins another one; undefined where the conversation is all that there is. */
  begin?: (model: string | undefined) => Promise<StoredConversation>;
  front?: Front;
}

/** Where a conversation is held that is not at a terminal: an editor, say. */
export interface Front {
  /** Who is asked about the work on the message that was taken last. */
  person: Person;
  editor: EditorFiles;
  /** @param isWork the coding agent works on the files */
  createProgress(isWork: boolean): Progress;
}

export type Outcome = "sound" | "failed" | "unanswered" | "stopped" | "leave";

/** A message, and what ends the work on it. */
interface Asked {
  message: string;
  /** Messages in front of it that are not kept, such as images. */
  beside?: readonly unknown[] | undefined;
  signal: AbortSignal;
  stop: () => void;
}

/** Other names of commands. */
const aliases: Readonly<Record<string, string>> = { test: "unittest", quit: "exit" };
const maxMentions = 50;
/** Of one of them, in bytes. */
const maxFile = 200 * 1024;
/** Next steps that are listed among the commands. */
const maxOffered = 30;
/** `@src/cart.js:3-9`, up to what ends it in a sentence. */
const mention = /(?<![\w@./-])@([^\s@,;!?'"`()[\]<>，。；：！？、（）]+)/gu;

export class Chat {
  readonly #parts: ChatParts;
  readonly #table = createCommandTable();
  #conversation: StoredConversation;
  /** The code that commands are about where they name none: what the editor shows. */
  #place: Place | undefined;
  #receipt: ContextReceipt | undefined;
  /** What the person may choose by its number, where nobody has asked them. */
  #offered:
    | { request: CallRequest; choices: Choice[]; checklist: Checklist | undefined }
    | undefined;
  readonly #allowed = new Set<string>();

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.#conversation = parts.conversation;
    if (parts.begin === undefined) for (const name of ["clear", "exit"]) this.#own.delete(name);
  }

  get conversation(): StoredConversation {
    return this.#conversation;
  }

  get commands(): string[] {
    return [...this.#own.keys(), ...this.#agentCommands.keys(), "test"].map((name) => `/${name}`);
  }

  takesFile(command: string): boolean {
    const name = command.slice(1);
    return this.#agentCommands.has(aliases[name] ?? name);
  }

  /** Commands with what they do, and the numbers of what may follow the last answer. */
  describeCommands(): { name: string; description: string }[] {
    const next = this.#offered?.choices.slice(0, maxOffered).map((choice) => {
      const number = String(choice.number);
      return [number, describeChoice(choice).trimStart().replace(`${number}. `, "")] as const;
    });
    const all = [...(next ?? []), ...this.#agentCommands, ...this.#ownCommands];
    return all.map(([name, description]) => ({ name, description }));
  }

  /** What commands are about from now on, where they name nothing else. */
  look(place: Place): void {
    this.#place = place;
  }

  get modelNames(): readonly string[] {
    return this.#sources.modelNames;
  }

  async useModel(name: string): Promise<void> {
    const { model, modelId } = this.#sources.resolveModel([name]);
    if (model.name !== name && modelId !== name) {
      const { texts } = this.#parts;
      const known = listNames(this.modelNames, texts.locale);
      throw new CliError(texts.unknownModel(escapeLine(cutName(name)), known));
    }
    await this.#conversation.change({ model: name });
  }

  /** Who answers, with what, and how full the window is. */
  status(): string {
    const { texts } = this.#parts;
    const { model, command } = this.#answering();
    const { tokens, used } = this.#conversation.facts;
    const share = Math.round((100 * used) / model.contextWindow);
    return texts.status({ command, model: escapeLine(model.name), tokens, share });
  }

  /** What is said once, at the beginning. */
  tellHow(): void {
    const { isProject, terminal, texts } = this.#parts;
    const { model, command } = this.#answering();
    if (command === "chat" && isProject) note(texts.answersAlone(model.name), terminal);
  }

  /** Does what a message asks for. Whatever fails is told, and the conversation goes on. */
  async take(message: string): Promise<Outcome> {
    const { keyboard } = this.#parts;
    using stopping = stopOnInterrupt(() => keyboard?.close());
    const { signal, stop, interrupt } = stopping;
    const work = (): Promise<Outcome> => this.hear({ message, signal, stop });
    if (keyboard === undefined) return await work();
    return await keyboard.watch((isInterrupt) => (isInterrupt ? interrupt() : stop()), work);
  }

  /** The same, until somebody else stops it. */
  async hear(asked: Asked): Promise<Outcome> {
    const { terminal } = this.#parts;
    try {
      return await this.#answer(asked);
    } catch (thrown) {
      if (asked.signal.aborted) return this.#tellStopped();
      const told = tellProblem(thrown, this.#parts.texts.locale);
      if (told === undefined) throw thrown;
      say("red", escapeControls(told), terminal);
      return "failed";
    } finally {
      terminal.rest();
    }
  }

  #tellStopped(): Outcome {
    const { terminal, texts } = this.#parts;
    say("yellow", texts.stopped, terminal);
    return "stopped";
  }

  async #answer(asked: Asked): Promise<Outcome> {
    // A path is no command.
    const message = asked.message.trim();
    const step = this.#findStep(message);
    if (step !== undefined) {
      const { request } = step;
      const editor = collectEditor(await this.#readSources(request.command));
      const next = { ...step.choice, ...(editor && { editor }) };
      return this.#follow(followUp(request, next), { ...asked, message: next.title });
    }
    const [written, name] = /^\/([^\s/]+)(?!\S)/.exec(message) ?? [];
    if (name === undefined) return this.#ask(asked);
    const rest = message.slice(written?.length).trim();
    const command = aliases[name] ?? name;
    const own = this.#own.get(command);
    if (own !== undefined) return (await own(rest)) ?? "sound";
    if (this.#agentCommands.has(command)) return this.#run(command, rest, asked);
    const { terminal, texts } = this.#parts;
    const known = this.commands.map((one) => one.slice(1));
    say("red", texts.noSuchCommand(escapeLine(cutName(name)), suggestName(name, known)), terminal);
    return "failed";
  }

  /** A step that was offered: `2`, `/2`, `/1 3` of a checklist, `/2 why?` where it wants a question. */
  #findStep(message: string): { request: CallRequest; choice: Choice } | undefined {
    const [, written = "", rest = ""] =
      /^\/?(\d{1,3}(?:[ ,、，]{1,2}\d{1,3}){0,99})(?!\S)([^]*)$/.exec(message) ?? [];
    const { request, choices, checklist } = this.#offered ?? {};
    const numbers = written.split(/[ ,、，]+/).map(Number);
    const chosen = numbers.flatMap((each) => choices?.find(({ number }) => number === each) ?? []);
    const [first, ...others] = chosen;
    if (request === undefined || first === undefined || chosen.length < numbers.length)
      return undefined;
    const isTicked = (choice: Choice): boolean => checklist?.choices.includes(choice) === true;
    if (others.length > 0 && !chosen.every(isTicked)) return undefined;
    // Whoever begins a sentence with a number has chosen nothing.
    if (rest.trim() !== "" && !message.startsWith("/")) return undefined;
    const choice = joinChoices([first, ...others]);
    const prompt = [choice.prompt, rest.trim()].filter((text) => text !== "").join("\n");
    return { request, choice: { ...choice, prompt } };
  }

  get #sources() {
    return this.#parts.app.door.host().sources;
  }

  #answering(): { model: ChatModel; command: "code" | "chat" } {
    const { agent, isProject } = this.#parts;
    const { model } = this.#sources.resolveModel([
      findCommand(agent, "code")?.modelConfiguration?.modelName,
      agent.modelConfiguration?.modelName,
      this.#conversation.facts.model,
    ]);
    return { model, command: isProject && model.toolCalls !== "none" ? "code" : "chat" };
  }

  async #ask(asked: Asked): Promise<Outcome> {
    const { message: question } = asked;
    const isWork = this.#answering().command === "code";
    const [first, ...others] = await this.#readMentions(question, !isWork);
    this.#place = first?.place ?? this.#place;
    if (isWork) return this.#work(question, asked);
    const beside = others.map(({ place, text }) => `${place.file}:\n${fence(text)}`);
    return this.#converse("chat", [question, ...beside].join("\n\n"), asked);
  }

  /**
   * The files that a text names with `@`, each once. Such a text may be pasted from elsewhere, so that none comes from
   * outside of the folder, and none that may hold secrets.
   *
   * @param isTold whether the person learns which do not come along
   */
  async #readMentions(written: string, isTold: boolean): Promise<{ place: Place; text: string }[]> {
    const { root, terminal, texts, front } = this.#parts;
    const places = new Map<string, Place>();
    for (const [, name = ""] of [...written.matchAll(mention)].slice(0, maxMentions)) {
      let end = name.length;
      while (end > 0 && ".:".includes(name.charAt(end - 1))) end -= 1;
      const place = findPlace(root, name.slice(0, end));
      if (place !== undefined) places.set(place.file, place);
    }
    const found: { place: Place; text: string }[] = [];
    for (const place of places.values()) {
      const read = await readFileInside(root, place.file, maxFile, front?.editor);
      if (read.ok && !read.value.isSecret) found.push({ place, text: read.value.content });
      else if (isTold) {
        const why = read.ok ? texts.mayBeSecret : escapeLine(read.problem.message[texts.locale]);
        say("yellow", texts.notAlong(escapeLine(place.file), why), terminal);
      }
    }
    return found;
  }

  /** A command of the agent, perhaps with a file and a question: `/fix src/app.ts:3-9 it is too slow`. */
  async #run(command: string, rest: string, asked: Asked): Promise<Outcome> {
    if (command === "code" && rest !== "" && this.#answering().command === "code")
      return this.#work(rest, asked);
    const [first = ""] = rest.split(/\s/, 1);
    const named = findPlace(this.#parts.root, first.replace(/^@/, ""));
    const prompt = named === undefined ? rest : rest.slice(first.length).trim();
    const [mentioned] = named === undefined ? await this.#readMentions(prompt, true) : [];
    this.#place = named ?? mentioned?.place ?? this.#place;
    const needsCode = this.#table.isAboutCode(this.#parts.agent, command) || command === "chat";
    if (needsCode && prompt === "" && (command === "chat" || this.#place === undefined))
      throw new CliError(this.#parts.texts.needsPlace(command));
    return this.#converse(command, prompt, asked);
  }

  async #converse(command: string, prompt: string, asked: Asked): Promise<Outcome> {
    const { texts } = this.#parts;
    const rules = await readRules(this.#parts.root);
    const request = await buildRequest({
      ...(await this.#readSources(command)),
      language: texts.locale,
      model: this.#conversation.facts.model,
      prompt: prompt === "" ? undefined : prompt,
      rules: rules?.rules,
    });
    return this.#follow(request, asked);
  }

  /** What a request is made of besides words, with the file as the editor shows it. @throws CliError where it may not */
  async #readSources(command: string) {
    const { root, front, texts } = this.#parts;
    const sources = this.#sourcesOf(command);
    const place = this.#place;
    if (front === undefined || place === undefined) return { ...sources, ...place };
    const inside = await readFileInside(root, place.file, maxWholeFile, front.editor);
    if (!inside.ok) throw new CliError(inside.problem.message[texts.locale]);
    return { ...sources, ...place, text: inside.value.content };
  }

  #sourcesOf(command: string) {
    const { agent: definition, root: directory } = this.#parts;
    return { directory, agent: definition.name, definition, command };
  }

  async #follow(first: CallRequest, asked: Asked): Promise<Outcome> {
    const { signal } = asked;
    const { texts, terminal, keyboard, front } = this.#parts;
    const lent = keyboard?.streams;
    const sources = { ...this.#sourcesOf(first.command), ...this.#place };
    const choose = lent && createChooser({ sources, terminal, texts, streams: lent });
    const isSound = await followChoices(first, {
      terminal,
      texts,
      signal,
      ask: (request, step) =>
        this.#send(request, { ...asked, message: request === first ? asked.message : step }),
      choose: choose && ((...given) => keyboard.lend(() => choose(...given))),
      onAnswer: front && ((request, answer) => this.#offer(request, answer, front, asked)),
    });
    if (signal.aborted) return "stopped";
    return isSound ? "sound" : "failed";
  }

  /** Writes what an answer proposes where the person agrees, and keeps what they may choose next. */
  async #offer(
    request: CallRequest,
    { actions, edits, failed }: PrintedAnswer,
    front: Front,
    asked: Asked,
  ): Promise<ShownAction[]> {
    const wanted = edits.filter(
      ({ result }) => result.status === "applied" || request.command === "unittest-write",
    );
    const isWritten = !failed && wanted.length > 0 && (await this.#write(wanted, front, asked));
    // What the same command offers is about the change, and does not fit the file any longer.
    const left = actions.filter(
      ({ action, data }) => !isWritten || action !== "confirm" || data.command !== request.command,
    );
    const choices = listChoices(left);
    this.#offered = { request, choices, checklist: findChecklist(left, choices) };
    return left;
  }

  /** @returns whether something was written */
  async #write(edits: readonly ProposedEdit[], front: Front, { message, signal }: Asked) {
    const { texts, terminal } = this.#parts;
    const progress = front.createProgress(false);
    const { person, editor } = front;
    const parts = { person, editor, progress, terminal, signal };
    await using work = closing(await createCoding(this.#describeRun(message), parts));
    const { coding, folder } = work;
    for (const edit of edits) {
      const change = await findFileChange(edit, folder, signal);
      if (change === undefined) continue;
      const input = JSON.stringify({ target_file: change.path });
      const call = { id: change.path, name: "edit_file", arguments: input };
      progress.take({ type: "tool-call", call });
      const asking = { kind: "change", changes: [change], diff: printChanges([change]), why: "" };
      const decision = await coding.ask(asking as ApprovalQuestion, signal);
      const applied = decision.ok
        ? await coding.workspace.apply(change, decision.approval, { signal })
        : undefined;
      const content = applied?.ok === false ? applied.problem.message[texts.locale] : "";
      const result = { id: call.id, content, isError: applied?.ok !== true };
      progress.take({ type: "tool-result", result });
      if (content !== "") say("yellow", escapeControls(content), terminal);
      const { file, lines } = this.#place ?? {};
      if (applied?.ok !== true || file !== change.path || lines === undefined) continue;
      const now = followLines(lines, change.before?.text ?? "", change.after ?? "");
      this.#place = { file, lines: now };
    }
    return progress.record.changes.length > 0;
  }

  async #send(request: CallRequest, asked: Asked): Promise<PrintedAnswer> {
    const { signal } = asked;
    const { command, contextVariables: variables } = request;
    const prompt = variables.find(({ name }) => name === "userInputPrompt")?.value;
    if (command === "code" && typeof prompt === "string" && this.#answering().command === "code") {
      const outcome = await this.#work(prompt, asked);
      return { actions: [], edits: [], failed: outcome !== "sound" };
    }
    const { agent, key, texts, terminal, app } = this.#parts;
    const { actions, edits, failure } = await this.#keep(
      { ...asked, isWork: false },
      async (progress, history) => {
        const asks = { agent: agent.name, command, variables, history, key };
        const { model } = this.#conversation.facts;
        const started = await app.door.start({ ...asks, model, language: texts.locale }, signal);
        await showTurn(started.events, progress);
        return progress.record;
      },
    );
    if (signal.aborted) this.#tellStopped();
    else if (failure !== undefined) say("red", describeFailure(failure, app, texts), terminal);
    return { actions, edits, failed: failure !== undefined };
  }

  /** Has the coding agent work on a request in the folder. */
  #work(request: string, asked: Asked): Promise<Outcome> {
    const { signal, stop } = asked;
    const { terminal, texts, app, keyboard, front } = this.#parts;
    return this.#keep({ ...asked, isWork: true }, async (progress, history) => {
      const rest = (): void => progress.pause();
      const asking = { terminal, texts, signal, stop, rest };
      const own = keyboard && {
        streams: keyboard.streams,
        lend: <Value>(ask: () => Promise<Value>) => keyboard.lend(ask),
      };
      const person = front?.person ?? (own && createPerson({ ...asking, ...own }));
      const parts = { person, progress, terminal, signal, editor: front?.editor };
      const undoWith = keyboard === undefined && front === undefined ? "rightseat undo" : "/undo";
      const run = this.#describeRun(request);
      const code = await runTask(run, parts, { app, history, undoWith });
      if (signal.aborted) return "stopped";
      return code === exitUnanswered ? "unanswered" : code === 0 ? "sound" : "failed";
    });
  }

  #describeRun(request: string): CodeRun {
    return {
      ...this.#parts,
      directory: ".",
      request,
      model: this.#conversation.facts.model,
      isTalk: true,
      // That is told once, at the beginning.
      hasIgnoredSettings: false,
      allowed: this.#allowed,
    };
  }

  /** Does the work on a message; the message and what is answered to it are kept. */
  async #keep<Value>(
    { message, beside = [], signal, isWork }: Asked & { isWork: boolean },
    work: (progress: Progress, history: unknown[]) => Promise<Value>,
  ): Promise<Value> {
    const conversation = this.#conversation;
    const progress =
      this.#parts.front?.createProgress(isWork) ??
      new Progress({ ...this.#parts, showsEdits: !isWork });
    const { record } = progress;
    const history = [...conversation.history, ...beside];
    this.#offered = undefined;
    await conversation.add({ role: "user", text: message });
    progress.onWords = () => conversation.keep(() => record.said);
    try {
      return await work(progress, history);
    } finally {
      const cut = signal.aborted ? { isCut: true as const } : {};
      this.#receipt = record.receipt ?? this.#receipt;
      await conversation.add({ role: "assistant", text: record.said.trim(), ...cut });
      const tokens = conversation.facts.tokens + (record.usage?.total_tokens ?? 0);
      await conversation.change({ tokens, used: record.used });
    }
  }

  readonly #own = new Map<string, (rest: string) => Promise<Outcome | void>>([
    ["help", async () => this.#showHelp()],
    ["model", (name) => this.#chooseModel(name)],
    ["context", async () => this.#showContext()],
    ["diff", () => this.#showChanges()],
    ["undo", () => this.#undo()],
    ["clear", () => this.#clear()],
    ["exit", async () => "leave"],
  ]);

  get #ownCommands(): (readonly [name: string, description: string])[] {
    const told: Readonly<Record<string, string>> = this.#parts.texts.ownCommands;
    return [...this.#own.keys()].map((name) => [name, told[name] ?? ""]);
  }

  get #agentCommands(): Map<string, string> {
    const { agent, texts } = this.#parts;
    const all = [...ownCommands, ...(agent.commands ?? [])];
    return new Map(
      all.map(({ name, description: text }) => [name, foldSpaces(textIn(text, texts.locale))]),
    );
  }

  #showHelp(): void {
    const { agent, terminal, texts } = this.#parts;
    const width = Math.max(...this.commands.map(({ length }) => length)) + 2;
    const print = (heading: string, rows: Iterable<readonly [string, string]>): string[] => [
      terminal.outStyle("bold", heading),
      ...[...rows].map(([name, text]) => `  ${`/${name}`.padEnd(width)}${escapeLine(text)}`),
      "",
    ];
    const lines = [
      ...print(texts.commandsHere, this.#ownCommands),
      ...print(texts.commandsOfAgent(escapeLine(agent.name)), this.#agentCommands),
      texts.howTo,
      texts.keysHere,
    ];
    terminal.out(`${lines.join("\n")}\n`);
  }

  async #chooseModel(name: string): Promise<void> {
    const { terminal, texts, keyboard } = this.#parts;
    let chosen = name;
    if (name === "" && keyboard !== undefined) {
      const initialValue = this.#answering().model.name;
      const options = this.modelNames.map((value) => ({ value, label: escapeLine(value) }));
      const asked = { message: texts.whichModel, options, initialValue, ...keyboard.streams };
      const answer = await keyboard.lend(() => select({ ...asked, showInstructions: false }));
      if (isCancel(answer)) return;
      chosen = answer;
    }
    await this.useModel(chosen);
    terminal.err(`${texts.modelNow(escapeLine(chosen))}\n`);
    this.tellHow();
  }

  #showContext(): void {
    const { terminal, texts } = this.#parts;
    if (this.#receipt === undefined) note(texts.noContext, terminal);
    else printReceipt(JSON.stringify(this.#receipt), terminal, texts);
    const { file, lines } = this.#place ?? {};
    const named = file && escapeLine(lines === undefined ? file : `${file}:${lines}`);
    const { history, facts } = this.#conversation;
    const { contextWindow } = this.#answering().model;
    terminal.err(`${texts.contextNow(history.length, named)}\n`);
    if (facts.used > 0) terminal.err(`${texts.windowNow(facts.used, contextWindow)}\n`);
  }

  /** The turns of this conversation that were not undone; that there are none is told. */
  async #listTurns(undo: OwnUndo): Promise<number[]> {
    const { texts, terminal } = this.#parts;
    const { lastTurn } = this.#conversation.facts;
    const turns = await undo.listTurns();
    const mine = turns.filter(({ id, isUndone }) => id > lastTurn && !isUndone);
    if (mine.length === 0) note(texts.nothingChanged, terminal);
    return mine.map(({ id }) => id);
  }

  async #showChanges(): Promise<void> {
    const { root, texts, terminal, keyboard, front } = this.#parts;
    await using undo = await openOwnUndo(root, texts);
    const [first] = await this.#listTurns(undo);
    if (first === undefined) return;
    if (front !== undefined) terminal.out("````diff\n");
    printPlan(await undo.plan(first), "since", terminal, keyboard !== undefined);
    if (front !== undefined) terminal.out("````\n");
  }

  async #undo(): Promise<void> {
    const { root, texts, terminal } = this.#parts;
    await using undo = await openOwnUndo(root, texts);
    const last = (await this.#listTurns(undo)).at(-1);
    if (last === undefined) return;
    const undone = await undo.undo(last);
    tellUndone(undone, terminal, texts);
    const paths = undone.files.map(({ place }) => escapeLine(place.path)).join(", ");
    const text = texts.takenBack(paths);
    await this.#conversation.add({ role: "user", text, isNote: true });
  }

  async #clear(): Promise<void> {
    const { begin, terminal, texts } = this.#parts;
    if (begin === undefined) return;
    const { id, entries, facts } = this.#conversation;
    if (entries.length > 0) note(texts.toResume(id), terminal);
    this.#conversation = await begin(facts.model);
    [this.#receipt, this.#place] = [undefined, undefined];
    terminal.err(`${texts.cleared}\n`);
  }
}

function findPlace(root: string, written: string): Place | undefined {
  const isFile = (path: string): boolean =>
    statSync(resolve(root, path), { throwIfNoEntry: false })?.isFile() === true;
  const place = parsePlace(written, isFile);
  return isFile(place.file) ? place : undefined;
}
