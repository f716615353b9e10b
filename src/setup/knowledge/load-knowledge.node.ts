import { type FSWatcher, watch } from "node:fs";
import { getLogger } from "@logtape/logtape";
import { ConfigError } from "../config.ts";
import { type KnowledgePassage, knowledgeBaseOf } from "../../knowledge/retriever.ts";
import { type KnowledgeIndex, createKnowledgeIndex } from "../../knowledge/knowledge-index.ts";
import { type WalkedFile, readDocument, walkFolder } from "../../knowledge/walk-folder.node.ts";
import { setTimer } from "../threads/create-code-threads.node.ts";
import { chunkFile } from "../../knowledge/chunk-file.ts";
import type { CutAnswer, CutJob } from "../../knowledge/cut-file.ts";
import { spawnThreads } from "../threads/spawn-thread.node.ts";
import { type ThreadEnd, createThreadPool } from "../../code/threads/thread-pool.ts";

export interface Knowledge {
  retriever: KnowledgeIndex;
  /** What was left out by the last look at the folder. */
  readonly skipped: readonly SkippedFiles[];
  /** What `knowledgeBaseIds` of a definition can name, in the order of the alphabet. */
  readonly knowledgeBaseIds: readonly string[];
  /** Stops watching; the retriever goes on with what it has. */
  close(): Promise<void>;
}

/** Files that were left out for the same reason. */
interface SkippedFiles {
  problem: string;
  count: number;
  /** The first few of them. */
  examples: string[];
}

/** What a look at the folder changed in the index. */
interface KnowledgeUpdate {
  added: string[];
  changed: string[];
  removed: string[];
}

export interface KnowledgeOptions {
  /** Follow changes of the folder; true where absent. */
  watch?: boolean;
  /** Called after each update of the index that changed something. */
  onUpdate?: (update: KnowledgeUpdate) => void;
}

const maxFolder = { files: 20_000, bytes: 200_000_000, fileBytes: 1_000_000 };
/** Files that are named for each reason to leave files out. */
const maxExamples = 5;
/** Editors and checkouts write in bursts. */
const quietTime = 200;
/** How often a folder that went away is looked for. */
const absenceTime = 2_000;

/**
 * Reads a folder of documents and code into an index and keeps it up to date. Each direct subfolder is
 * a knowledge base of its name; the files beside them are the one named `default`.
 *
 * @throws ConfigError if the folder cannot be read
 */
export async function loadKnowledge(
  folder: string,
  options: KnowledgeOptions = {},
): Promise<Knowledge> {
  const reader = new FolderReader(folder, options);
  await reader.start();
  return reader;
}

class FolderReader implements Knowledge {
  readonly retriever: KnowledgeIndex;
  skipped: SkippedFiles[] = [];
  readonly #folder: string;
  readonly #options: KnowledgeOptions;
  readonly #log = getLogger(["rightseat", "knowledge"]);
  /** While the folder is read. */
  #cutter: FileCutter | undefined;
  /** What is known of each file: its version, and why it is not in the index. */
  #known = new Map<string, { version: string; problem: string | undefined }>();
  #watcher: FSWatcher | undefined;
  #canWatch: boolean;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(folder: string, options: KnowledgeOptions) {
    this.#folder = folder;
    this.#options = options;
    this.retriever = createKnowledgeIndex();
    this.#canWatch = options.watch ?? true;
  }

  get knowledgeBaseIds(): string[] {
    const indexed = [...this.#known].filter(([, { problem }]) => problem === undefined);
    return [...new Set(indexed.map(([fileName]) => knowledgeBaseOf(fileName)))].sort();
  }

  async start(): Promise<void> {
    try {
      // What changes while we read must not get lost.
      this.#watch();
      await this.#read();
    } catch (cause) {
      await this.close();
      throw new ConfigError(`The knowledge folder ${this.#folder} cannot be read.`, { cause });
    }
    this.#log.info("knowledge: {files} files, {passages} passages from {folder}", {
      files: this.retriever.fileCount,
      passages: this.retriever.passageCount,
      folder: this.#folder,
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cutter?.close();
    clearTimeout(this.#timer);
    this.#unwatch();
    await this.#running;
  }

  #watch(): void {
    if (!this.#canWatch || this.#watcher !== undefined) return;
    try {
      this.#watcher = watch(this.#folder, { recursive: true, persistent: false });
      this.#watcher.on("change", () => this.#plan(quietTime));
      this.#watcher.on("error", (cause) => this.#giveUpWatching(cause));
    } catch (cause) {
      this.#giveUpWatching(cause);
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #giveUpWatching(cause: unknown): void {
    this.#canWatch = false;
    this.#unwatch();
    this.#log.warning("knowledge: {folder} cannot be watched, so changes need a restart: {cause}", {
      folder: this.#folder,
      cause,
    });
  }

  /** Later changes join the update that is planned already; those during an update start another. */
  #plan(delay: number): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#running = (this.#running ?? Promise.resolve()).then(() => {
        this.#timer = undefined;
        return this.#update();
      });
    }, delay).unref();
  }

  async #update(): Promise<void> {
    if (this.#isClosed) return;
    this.#watch();
    try {
      await this.#read();
    } catch (cause) {
      this.#log.warning("knowledge: {folder} is gone: {cause}", { folder: this.#folder, cause });
      this.#report({ added: [], changed: [], removed: this.#forget(new Set()) });
      // A watcher of a folder that was deleted stays silent when the folder comes back.
      this.#unwatch();
      if (this.#canWatch) this.#plan(absenceTime);
    }
  }

  /** The thread lives only as long as there is something to read. */
  async #read(): Promise<void> {
    const cutter = createFileCutter();
    this.#cutter = cutter;
    try {
      await this.#readFiles(cutter);
    } finally {
      cutter.close();
    }
  }

  /** Looks at every file, and reads those that are new or changed. */
  async #readFiles(cutter: FileCutter): Promise<void> {
    const update: KnowledgeUpdate = { added: [], changed: [], removed: [] };
    const skipped = new SkipList();
    const seen = new Set<string>();
    let files = 0;
    let bytes = 0;
    for await (const found of walkFolder(this.#folder)) {
      if (this.#isClosed) return;
      if ("problem" in found) {
        skipped.add(found.fileName, found.problem);
        continue;
      }
      const { fileName, size } = found;
      const excess = excessOf(size, files, bytes);
      if (excess !== undefined) {
        skipped.add(fileName, excess);
        continue;
      }
      seen.add(fileName);
      const problem = await this.#readFile(found, cutter, update);
      if (this.#isClosed) return;
      if (problem !== undefined) {
        skipped.add(fileName, problem);
        continue;
      }
      files += 1;
      bytes += size;
    }
    update.removed.push(...this.#forget(seen));
    this.#noteSkipped(skipped.entries);
    this.#report(update);
  }

  /** @returns why the file is not in the index */
  async #readFile(
    { fileName, path, version }: WalkedFile,
    cutter: FileCutter,
    update: KnowledgeUpdate,
  ): Promise<string | undefined> {
    const known = this.#known.get(fileName);
    if (known?.version === version) return known.problem;
    const read = await readDocument(path);
    const wasIndexed = known !== undefined && known.problem === undefined;
    const cut = "problem" in read ? read : await cutter.cut(fileName, read.text);
    if (this.#isClosed) return undefined;
    const problem = "problem" in cut ? cut.problem : undefined;
    this.#known.set(fileName, { version, problem });
    this.retriever.replaceFile(fileName, "problem" in cut ? [] : cut.passages);
    if (problem === undefined) update[wasIndexed ? "changed" : "added"].push(fileName);
    else if (wasIndexed) update.removed.push(fileName);
    return problem;
  }

  /** Drops what was not seen any more. */
  #forget(seen: ReadonlySet<string>): string[] {
    const removed: string[] = [];
    for (const [fileName, { problem }] of this.#known) {
      if (seen.has(fileName)) continue;
      this.#known.delete(fileName);
      this.retriever.replaceFile(fileName, []);
      if (problem === undefined) removed.push(fileName);
    }
    return removed;
  }

  #noteSkipped(skipped: SkippedFiles[]): void {
    const isNews = JSON.stringify(skipped) !== JSON.stringify(this.skipped);
    this.skipped = skipped;
    if (!isNews) return;
    for (const { problem, count, examples } of skipped) {
      this.#log.warning("knowledge: {count} files left out, each {problem}: {examples}", {
        count,
        problem,
        examples,
      });
    }
  }

  #report(update: KnowledgeUpdate): void {
    const { added, changed, removed } = update;
    if (added.length + changed.length + removed.length > 0) this.#options.onUpdate?.(update);
  }
}

function excessOf(size: number, files: number, bytes: number): string | undefined {
  if (size > maxFolder.fileBytes) return "is over 1 MB";
  if (files >= maxFolder.files) return "comes after 20,000 files";
  return bytes + size > maxFolder.bytes ? "comes after 200 MB" : undefined;
}

class SkipList {
  readonly #byProblem = new Map<string, SkippedFiles>();

  get entries(): SkippedFiles[] {
    return [...this.#byProblem.values()];
  }

  add(fileName: string, problem: string): void {
    const known = this.#byProblem.get(problem) ?? { problem, count: 0, examples: [] };
    this.#byProblem.set(problem, known);
    known.count += 1;
    if (known.examples.length < maxExamples) known.examples.push(fileName);
  }
}

/** Cuts files in a thread of its own, which starts with the first file. */
interface FileCutter {
  cut(
    fileName: string,
    text: string,
  ): Promise<{ passages: KnowledgePassage[] } | { problem: string }>;
  close(): void;
}

/** Passages should not depend on how busy the machine is, so this is long. */
const maxTime = 20_000;
const maxStart = 10_000;
/** The longest that a timer takes. */
const maxWait = 2_147_483_647;
/** Characters of a file that is cut in this thread if there is no other. */
const maxHere = 100_000;

function createFileCutter(): FileCutter {
  const pool = createThreadPool<CutJob, CutAnswer>({
    spawn: spawnThreads("knowledge-thread"),
    size: 1,
    maxQueue: 0,
    maxWait,
    maxTime,
    maxStart,
    setTimer,
  });
  const run = (job: CutJob): Promise<ThreadEnd<CutAnswer>> =>
    new Promise((resolve) => void pool.run(job, resolve));
  return {
    async cut(fileName, text) {
      let end = await run({ fileName, text, isPlain: false });
      if (end.type === "late" || end.type === "crashed")
        end = await run({ fileName, text, isPlain: true });
      if (end.type === "answered") return { passages: end.answer.passages };
      if (end.type === "no-thread" && text.length <= maxHere)
        return { passages: chunkFile(fileName, text) };
      return { problem: "cannot be cut into passages in time" };
    },
    close: () => pool.close(),
  };
}
