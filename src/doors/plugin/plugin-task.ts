import { AppError, toAppError } from "../../base/errors/app-error.ts";
import { oneLine } from "../../base/errors/names.ts";
import { sayError } from "../../base/errors/to-public-error.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { type Admission, ownerOf } from "../../run/admissions.ts";
import { pumpTurn } from "../../run/run-turn.ts";
import type { Caller } from "../../turn/chat-model.ts";
import type { Action } from "../../turn/action.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EndReason } from "../../turn/turn-event.ts";
import type { Channel } from "../../base/wire/channel.ts";
import { onAbort } from "../../base/wire/patient-timer.ts";
import type { DoorHost } from "../http/door.ts";
import {
  type Answer,
  createCodeAnswer,
  createEditAnswer,
  createTextAnswer,
} from "./text-answer.ts";
import { type ExtraFields, FrameWriter, printPluginChanges } from "./frame-writer.ts";
import { type AskedTurn, isSameModel, localeOf, readPluginRequest } from "./read-request.ts";
import { type PluginRequest, commands } from "./schema.ts";
import type { IdeServices } from "./ide-services.ts";
import { type PluginModels, isPluginModel } from "./plugin-models.ts";
import type { TestTasks } from "./test-tasks.ts";
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
  readonly #place: ReturnType<typeof createPlace> | undefined;
  #files: OpenedFiles | undefined;

  /** @param id the request_id as JSON */
  constructor(parts: TaskParts, request: PluginRequest, id: string, tellsPlace: boolean) {
    this.#parts = parts;
    this.#request = request;
    this.#locale = localeOf(request);
    this.#writer = new FrameWriter(parts.channel, id, request.stream === true);
    this.#place = tellsPlace ? createPlace(parts.host, this.#writer) : undefined;
  }

  /** Resolves when the task is over, however it ends. */
  async run(): Promise<void> {
    this.#parts.ide.begin();
    try {
      const admission = await this.#enter();
      await this.#pass(admission, await this.#resolve(admission));
    } catch (thrown) {
      this.#fail(toAppError(thrown));
    }
  }

  /** Ends the task with the document's word for it: another one has taken its place. */
  cancel(): void {
    this.#writer.fail("cancelled", this.#files?.report(true));
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
    const queued = host.queue(caller, { signal, ...(this.#place && { onPlace: this.#place.set }) });
    const admission = await queued.finally(() => this.#place?.stop());
    // It may have been let in at the moment in which it was stopped.
    onAbort(signal, () => admission.abort(toAppError(signal.reason)));
    return admission;
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
    if (host.sources.modelNames.some((known) => isSameModel(known, name))) return turn;
    return { ...turn, model: models.model(name), modelId: undefined };
  }

  async #pass(admission: Admission, asked: AskedTurn & { turn: Turn }): Promise<void> {
    const { turn, task } = asked;
    const { channel, host, tasks, caller } = this.#parts;
    const answer = this.#chooseAnswer(asked);
    let failure: AppError | undefined;
    let hasCases = false;
    await pumpTurn({
      events: host.run(admission, turn, this.#files?.coding),
      encode: (event) => {
        if (event.type !== "turn-end") return answer.take(event);
        return failure === undefined ? answer.end() : "";
      },
      sink: {
        see(event) {
          if (event.type === "turn-error") failure = event.error;
          if (event.type === "action") hasCases ||= offersCases(event.action);
        },
        write: (text) => this.#writer.write(text),
        drained: () => channel.drained(),
        end: (last, reason) => {
          if (failure !== undefined) return this.#fail(failure);
          this.#writer.write(last);
          const kept = hasCases ? task : undefined;
          if (kept !== undefined) tasks.keep(ownerOf(caller), admission.id, kept);
          this.#writer.end({
            ...this.#files?.report(false),
            ...(kept === undefined ? {} : { task_id: admission.id }),
            ...(isCut(reason) ? { finish_reason: reason } : {}),
          });
        },
      },
      abort: (reason) => admission.abort(reason),
    });
  }

  #chooseAnswer({ code, goneFunction, turn }: AskedTurn & { turn: Turn }): Answer {
    if (this.#files !== undefined) return createCodeAnswer();
    const texts = pluginTexts(this.#locale);
    const guessed = code?.guessed === undefined ? "" : texts.guessed(code.guessed);
    const last = goneFunction === undefined ? guessed : texts.goneFunction(shortName(goneFunction));
    const isEdit = commands.get(this.#request.cmd)?.isEdit === true;
    return isEdit && code !== undefined
      ? createEditAnswer(turn, code, { last, isStream: this.#request.stream === true })
      : createTextAnswer(this.#locale, last);
  }

  #fail(error: AppError): void {
    if (error.code === "queue_full")
      return this.#writer.fail("queue_full", { queue_length: error.details.queueLength ?? 0 });
    // Of an answer that was held back there is no text above.
    const isUnseen = error.code === "upstream_truncated" && !this.#writer.hasBegun;
    const said = isUnseen ? pluginTexts(this.#locale).brokeOff : sayError(error, this.#locale);
    this.#writer.fail(said, this.#files?.report(true));
  }
}

function offersCases(action: Action): boolean {
  return action.action === "tree" && action.data.nodes.some(({ type }) => type === "case");
}

/** A limit of the model has ended its answer. */
function isCut(reason: EndReason): boolean {
  return reason === "length" || reason === "content_filter";
}

/** For a sentence that shows it as code. */
function shortName(name: string): string {
  return oneLine(name.slice(0, maxName)).replaceAll("`", "'");
}

/** Tells a task's place in the queue, once it has waited for a while. */
function createPlace({ timers }: Pick<DoorHost, "timers">, writer: FrameWriter) {
  let before: number | undefined;
  let isDue = false;
  const tell = (): void => {
    if (isDue && before !== undefined) writer.tell({ queue_place: before + 1 });
  };
  const stop = timers.start(() => {
    isDue = true;
    tell();
  }, placeAfter);
  const set = (now: number): void => {
    before = now;
    tell();
  };
  return { set, stop };
}

/** What a turn works on, and what its last frame says about it. */
interface OpenedFiles {
  coding: Coding;
  /** `changes` that the plugin is to make, or `written`: the paths of those that it has made, also where it failed. */
  report(isFailed: boolean): ExtraFields;
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
  const report = (isFailed: boolean): ExtraFields => {
    const changed = workspace.listChanged();
    if (workspace.effect === "files")
      return isFailed && changed.length === 0 ? {} : { written: changed.map(({ path }) => path) };
    return isFailed ? {} : { ...printPluginChanges(changed, ofIde === undefined ? known : []) };
  };
  return { coding: { workspace, ask: askLater(approvals) }, report };
}

/** The files of the plugin's project, as far as it has announced them; undefined where it hands out none. */
function toIdeFiles(ide: IdeServices): IdeFiles | undefined {
  if (!ide.has("/read_file")) return undefined;
  return {
    read: (abspath, signal) => ide.call("/read_file", { abspath }, signal),
    list: ide.has("/list_files")
      ? (abspath, signal) => ide.call("/list_files", { abspath }, signal)
      : undefined,
    write: ide.has("/write_file") ? (change, signal) => write(ide, change, signal) : undefined,
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
