import {
  createMemoryWorkspace,
  createNaming,
  filesOfContext,
  unsaved,
} from "../../workspace/memory/memory-workspace.ts";
import { type ChangedFile, wholeText } from "../../workspace/source/held-file.ts";
import type { Channel } from "../../base/wire/channel.ts";
import type { Coding } from "../../flows/loop/coding.ts";
import { askLater } from "../../flows/loop/proposals.ts";
import type { Turn } from "../../turn/turn.ts";
import { createApprovals } from "../../workspace/approvals.ts";
import {
  type IdeChange,
  type IdeFiles,
  type IdeWritten,
  createIdeWorkspace,
} from "../../workspace/ide/ide-workspace.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { DoorHost } from "../http/door.ts";
import type { IdePath, IdeServices } from "./ide-services.ts";
import { AppError } from "../../base/errors/app-error.ts";

/** Fields beside those of the document: `task_id`, `queue_length`. Plain JSON. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/**
 * Writes the answer to one request (plugin document, section 2.3): in frames with `stream_seq_id` from 0 and
 * `stream_finsh`, or as one. A failure is `{request_id, error}` alone, also after frames. Nothing follows the end.
 */
export class FrameWriter {
  readonly #channel: Channel;
  readonly #head: string;
  readonly #isStream: boolean;
  #next = 0;
  #text = "";
  #isOver = false;

  /** @param id the request_id as JSON; undefined where there was none */
  constructor(channel: Channel, id: string | undefined, isStream: boolean) {
    this.#channel = channel;
    this.#head = id === undefined ? "{" : `{"request_id":${id},`;
    this.#isStream = isStream;
  }

  /** Whether something of the answer has gone out. */
  get hasBegun(): boolean {
    return this.#next > 0;
  }

  /** @returns false where the client is slower than we are */
  write(text: string): boolean {
    if (this.#isOver || text === "") return true;
    if (!this.#isStream) {
      this.#text += text;
      return true;
    }
    return this.#channel.send(
      `${this.#head}"msg":${JSON.stringify(text)},"stream_seq_id":${this.#next++},"stream_finsh":false}`,
    );
  }

  end(extra: ExtraFields = {}): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const streamed = this.#isStream ? `,"stream_seq_id":${this.#next},"stream_finsh":true` : "";
    this.#channel.send(
      `${this.#head}"msg":${JSON.stringify(this.#text)}${streamed}${printExtra(extra)}}`,
    );
  }

  fail(error: string, extra: ExtraFields = {}): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#channel.send(`${this.#head}"error":${JSON.stringify(error)}${printExtra(extra)}}`);
  }

  /** A frame beside the answer: only for plugins that know it. */
  tell(fields: ExtraFields): void {
    if (!this.#isOver) this.#channel.send(`${this.#head}${printExtra(fields).slice(1)}}`);
  }
}

function printExtra(extra: ExtraFields): string {
  return Object.entries(extra)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join("");
}

/** Of all new texts of an answer, in UTF-16 code units: the plugin takes them in one message. */
const maxTexts = 2 * 1024 * 1024;

/** A change as the wire tells it. `before_hash` is null for a new file, `text` for one that goes. */
interface WireChange {
  filepath: string;
  before_hash: string | null;
  text: string | null;
}

interface PrintedChanges {
  changes: WireChange[];
  /** The paths of changes whose texts had no room. */
  left_out?: string[];
}

/** @param names how the request names its files: these are kept, and new files are named like them */
export function printChanges(
  changed: readonly ChangedFile[],
  names: readonly string[],
): PrintedChanges {
  const changes: WireChange[] = [];
  const left: string[] = [];
  const nameOf = createNaming(names);
  let room = maxTexts;
  for (const { path, before, now } of changed) {
    const filepath = nameOf(path);
    const text = now === undefined ? null : wholeText(now);
    room -= text?.length ?? 0;
    if (room < 0) left.push(filepath);
    else changes.push({ filepath, before_hash: before?.hash ?? null, text });
  }
  return { changes, ...(left.length === 0 ? {} : { left_out: left }) };
}

/** What a turn works on, and what its last frame says about it. */
export interface OpenedFiles {
  coding: Coding;
  /** `changes` that the plugin is to make, or `written`: the paths of those that it has made. */
  report(): ExtraFields;
  /** What of `report` counts though the turn has failed. */
  reportFailed(): ExtraFields;
}

/** The plugin's project where it hands out files and tells its root; else the texts of the request. */
export async function openFiles(
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
