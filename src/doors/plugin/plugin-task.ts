import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { oneLine } from "../../base/errors/names.ts";
import { sayError } from "../../base/errors/to-public-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { Admission } from "../../run/admissions.ts";
import { pumpTurn } from "../../run/run-turn.ts";
import { type Caller, nameCaller } from "../../turn/chat-model.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EndReason } from "../../turn/turn-event.ts";
import type { Channel } from "../../base/wire/channel.ts";
import type { DoorHost } from "../http/door.ts";
import { type Answer, CodeAnswer, EditAnswer, TextAnswer } from "./text-answer.ts";
import { type ExtraFields, FrameWriter, printChanges } from "./frame-writer.ts";
import { type AskedTurn, localeOf, readPluginRequest } from "./read-request.ts";
import { type PluginRequest, commands } from "./schema.ts";
import type { IdePath, IdeServices } from "./ide-services.ts";
import { type PluginModels, isPluginModel } from "./plugin-models.ts";
import type { TestTask, TestTasks } from "./test-tasks.ts";
import { pluginTexts } from "./texts.ts";
import { createApprovals } from "../../workspace/approvals.ts";
import { type Coding, askLater } from "../../flows/loop/coding.ts";
import {
  createMemoryWorkspace,
  filesOfContext,
  unsaved,
} from "../../workspace/memory/memory-workspace.ts";
import {
  type IdeChange,
  type IdeFiles,
  type IdeWritten,
  createIdeWorkspace,
} from "../../workspace/ide/ide-workspace.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What a connection gives to each of its tasks. */
export interface TaskParts {
  channel: Channel;
  caller: Caller;
  host: DoorHost;
  tasks: TestTasks;
  ide: IdeServices;
  models: PluginModels;
}

/** How long a task waits before the plugin hears its place in the queue, in milliseconds. */
const placeAfter = 1_000;
/** Of a function, in characters. */
const maxName = 200;

/** One `exec_*` request: it waits in the queue, runs, and its answer is written; or it is cancelled. */
export class PluginTask {
  readonly #parts: TaskParts;
  readonly #request: PluginRequest;
  readonly #locale: Locale;
  readonly #writer: FrameWriter;
  readonly #controller = new AbortController();
  readonly #place: QueuePlace | undefined;
  #files: OpenedFiles | undefined;

  /** @param id the request_id as JSON */
  constructor(parts: TaskParts, request: PluginRequest, id: string, tellsPlace: boolean) {
    this.#parts = parts;
    this.#request = request;
    this.#locale = localeOf(request);
    this.#writer = new FrameWriter(parts.channel, id, request.stream === true);
    this.#place = tellsPlace ? new QueuePlace(parts.host, this.#writer) : undefined;
  }

  /** Resolves when the task is over, however it ends. */
  async run(): Promise<void> {
    this.#parts.ide.begin();
    try {
      const admission = await this.#enter();
      const asked = await this.#resolve(admission);
      await this.#pass(admission, asked);
    } catch (thrown) {
      this.#fail(toAppError(thrown));
    }
  }

  /** Ends the task with the document's word for it: another one has taken its place. */
  cancel(): void {
    this.#writer.fail("cancelled", this.#files?.reportFailed());
    const message = {
      en: "Another task of this connection took its place.",
      zh: "此连接的另一个任务取代了它。",
    };
    this.stop(new AppError("aborted", message));
  }

  /** Aborts whatever the task waits for; what it says then is up to the reason. */
  stop(reason: AppError): void {
    this.#place?.stop();
    this.#controller.abort(reason);
  }

  async #enter(): Promise<Admission> {
    const { host, caller } = this.#parts;
    const { signal } = this.#controller;
    const onPlace = this.#place?.set;
    try {
      const admission = await host.queue(caller, {
        signal,
        ...(onPlace === undefined ? {} : { onPlace }),
      });
      // It may have been let in at the moment in which it was stopped.
      if (signal.aborted) admission.abort(toAppError(signal.reason));
      else
        signal.addEventListener("abort", () => admission.abort(toAppError(signal.reason)), {
          once: true,
        });
      return admission;
    } finally {
      this.#place?.stop();
    }
  }

  async #resolve(admission: Admission): Promise<AskedTurn & { turn: Turn }> {
    const { host, tasks, caller, ide } = this.#parts;
    try {
      admission.signal.throwIfAborted();
      const id = this.#request.task_id ?? undefined;
      const found = id === undefined ? undefined : tasks.find(ownerOf(caller), String(id));
      const asked = await readPluginRequest(this.#request, admission, host, found, ide);
      const turn = this.#chooseModel(host.resolve(asked.request), found?.model);
      if (commands.get(this.#request.cmd)?.opensFiles === true)
        this.#files = await openFiles(turn, ide, host);
      return { ...asked, turn };
    } catch (thrown) {
      admission.end(undefined, toAppError(thrown));
      throw thrown;
    }
  }

  /** A row of the table that has just this name is stronger than a model of the plugin. */
  #chooseModel(turn: Turn, ofTask: string | undefined): Turn {
    const { host, models } = this.#parts;
    const name = this.#request.model || ofTask;
    if (!isPluginModel(name)) return turn;
    const isRow = (known: string): boolean => known.toLowerCase() === name.toLowerCase();
    if (host.sources.modelNames.some(isRow)) return turn;
    return { ...turn, model: models.model(name), modelId: undefined };
  }

  async #pass(admission: Admission, asked: AskedTurn & { turn: Turn }): Promise<void> {
    const { turn, task } = asked;
    const { channel, host } = this.#parts;
    const answer = this.#chooseAnswer(asked);
    let failure: AppError | undefined;
    await pumpTurn({
      events: host.run(admission, turn, this.#files?.coding),
      encode: (event) => {
        if (event.type !== "turn-end") return answer.take(event);
        return isBad(event.reason) ? "" : answer.end(isCut(event.reason));
      },
      sink: {
        see(event) {
          if (event.type === "turn-error") failure = event.error;
        },
        write: (text) => this.#writer.write(text),
        drained: () => channel.drained(),
        end: (text, reason) => {
          if (isBad(reason)) this.#fail(failure ?? endedBadly());
          else this.#end(text, reason, task === undefined ? undefined : [admission.id, task]);
        },
      },
      abort: (reason) => admission.abort(reason),
    });
  }

  #chooseAnswer(asked: AskedTurn & { turn: Turn }): Answer {
    if (this.#files !== undefined) return new CodeAnswer();
    const last = this.#printLast(asked);
    const isEdit = commands.get(this.#request.cmd)?.isEdit === true;
    return isEdit && asked.code !== undefined
      ? new EditAnswer(asked.turn, asked.code, { last, isStream: this.#request.stream === true })
      : new TextAnswer(this.#locale, last);
  }

  #printLast({ code, goneFunction }: AskedTurn): string {
    const texts = pluginTexts(this.#locale);
    if (goneFunction !== undefined) return texts.goneFunction(shortName(goneFunction));
    return code?.guessed === undefined ? "" : texts.guessed(code.guessed);
  }

  #end(last: string, reason: EndReason, task: [id: string, task: TestTask] | undefined): void {
    this.#writer.write(last);
    if (task !== undefined) this.#parts.tasks.keep(ownerOf(this.#parts.caller), ...task);
    this.#writer.end({
      ...this.#files?.report(),
      ...(task === undefined ? {} : { task_id: task[0] }),
      ...(isCut(reason) ? { finish_reason: reason } : {}),
    });
  }

  #fail(error: AppError): void {
    if (error.code === "queue_full")
      this.#writer.fail("queue_full", { queue_length: error.details.queueLength ?? 0 });
    else this.#writer.fail(this.#printError(error), this.#files?.reportFailed());
  }

  /** Of an answer that was held back there is no text above. */
  #printError(error: AppError): string {
    return error.code === "upstream_truncated" && !this.#writer.hasBegun
      ? pluginTexts(this.#locale).brokeOff
      : sayError(error, this.#locale);
  }
}

function isBad(reason: EndReason): boolean {
  return reason === "error" || reason === "aborted";
}

/** A limit of the model has ended its answer. */
function isCut(reason: EndReason): boolean {
  return reason === "length" || reason === "content_filter";
}

function endedBadly(): AppError {
  return new AppError("upstream_error", {
    en: "The model ended with an error.",
    zh: "模型因错误而中止。",
  });
}

/** For a sentence that shows it as code. */
function shortName(name: string): string {
  return oneLine(name.slice(0, maxName)).replaceAll("`", "'");
}

/** The owner of a task; without keys, it belongs to everyone who knows its id. */
function ownerOf(caller: Caller): string {
  return nameCaller(caller) ?? "";
}

/** Tells a task's place in the queue, once it has waited for a while. */
class QueuePlace {
  readonly #writer: FrameWriter;
  readonly #stop: () => void;
  #before: number | undefined;
  #isDue = false;

  constructor({ timers }: Pick<DoorHost, "timers">, writer: FrameWriter) {
    this.#writer = writer;
    this.#stop = timers.start(() => {
      this.#isDue = true;
      this.#tell();
    }, placeAfter);
  }

  readonly set = (before: number): void => {
    this.#before = before;
    if (this.#isDue) this.#tell();
  };

  stop(): void {
    this.#stop();
  }

  #tell(): void {
    if (this.#before !== undefined) this.#writer.tell({ queue_place: this.#before + 1 });
  }
}

/** What a turn works on, and what its last frame says about it. */
interface OpenedFiles {
  coding: Coding;
  /** `changes` that the plugin is to make, or `written`: the paths of those that it has made. */
  report(): ExtraFields;
  /** What of `report` counts though the turn has failed. */
  reportFailed(): ExtraFields;
}

/** The plugin's project where it hands out files and tells its root; else the texts of the request. */
async function openFiles(
  turn: Pick<Turn, "context">,
  ide: IdeServices,
  host: Pick<DoorHost, "now" | "timers" | "compilePattern">,
): Promise<OpenedFiles> {
  const { timers, compilePattern: compile } = host;
  const approvals = createApprovals({ now: () => host.now() });
  const given = filesOfContext(turn.context);
  const files = toIdeFiles(ide);
  const known = given.map(({ name }) => name).filter((name) => name !== unsaved);
  const ofIde =
    files &&
    createIdeWorkspace({
      files,
      root: ide.root,
      known,
      approvals,
      compile,
      now: () => timers.now(),
    });
  const workspace = ofIde ?? (await createMemoryWorkspace({ files: given, approvals, compile }));
  const names = ofIde === undefined ? known : [];
  const written = (): string[] => workspace.listChanged().map(({ path }) => path);
  return {
    coding: { workspace, ask: askLater(approvals) },
    report: () =>
      isWritten(workspace)
        ? { written: written() }
        : { ...printChanges(workspace.listChanged(), names) },
    reportFailed: () =>
      isWritten(workspace) && written().length > 0 ? { written: written() } : {},
  };
}

function isWritten({ effect }: Workspace): boolean {
  return effect === "files";
}

/** The files of the plugin's project, as far as it has announced them; undefined where it hands out none. */
function toIdeFiles(ide: IdeServices): IdeFiles | undefined {
  if (!ide.has("/read_file")) return undefined;
  const withService = <Port>(path: IdePath, port: Port): Port | undefined =>
    ide.has(path) ? port : undefined;
  return {
    read: (abspath, signal) => ide.call("/read_file", { abspath }, signal),
    list: withService("/list_files", (abspath: string, signal: AbortSignal) =>
      ide.call("/list_files", { abspath }, signal),
    ),
    write: withService("/write_file", (change: IdeChange, signal: AbortSignal) =>
      write(ide, change, signal),
    ),
  };
}

async function write(
  ide: IdeServices,
  { abspath, hashBefore, text }: IdeChange,
  signal: AbortSignal,
): Promise<IdeWritten> {
  try {
    const params = { abspath, before_hash: hashBefore, text };
    const reply = await ide.ask("/write_file", params, signal);
    if (!reply.ok) return { ok: false, reason: reply.error };
    return reply.result === true ? reply : { ok: false, reason: "" };
  } catch (thrown) {
    // The work goes on without: it may have been written, which the workspace finds out.
    if (thrown instanceof AppError && thrown.code === "ide_timeout")
      return { ok: false, reason: thrown.message };
    throw thrown;
  }
}
