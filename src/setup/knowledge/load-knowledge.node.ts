import { type FSWatcher, watch } from "node:fs";
import { getLogger } from "@logtape/logtape";
import { ConfigError } from "../config.ts";
import { type KnowledgePassage, knowledgeBaseOf } from "../../knowledge/retriever.ts";
import { type KnowledgeIndex, createKnowledgeIndex } from "../../knowledge/knowledge-index.ts";
import { type WalkedFile, readDocument, walkFolder } from "../../knowledge/walk-folder.node.ts";
import { createThread } from "../threads/create-code-threads.node.ts";
import { chunkFile } from "../../knowledge/chunk-file.ts";
import type { CutAnswer, CutJob } from "../threads/knowledge-thread.node.ts";

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
  { watch: follows = true, onUpdate }: KnowledgeOptions = {},
): Promise<Knowledge> {
  const retriever = createKnowledgeIndex();
  const log = getLogger(["rightseat", "knowledge"]);
  /** While the folder is read. */
  let cutter: FileCutter | undefined;
  let skipped: SkippedFiles[] = [];
  /** What is known of each file: its version, and why it is not in the index. */
  const known = new Map<string, { version: string; problem: string | undefined }>();
  let watcher: FSWatcher | undefined;
  let canWatch = follows;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const closed = new AbortController();

  function startWatching(): void {
    if (!canWatch || watcher !== undefined) return;
    try {
      watcher = watch(folder, { recursive: true, persistent: false });
      watcher.on("change", () => plan(quietTime));
      watcher.on("error", giveUpWatching);
    } catch (cause) {
      giveUpWatching(cause);
    }
  }
  function stopWatching(): void {
    watcher?.close();
    watcher = undefined;
  }
  function giveUpWatching(cause: unknown): void {
    canWatch = false;
    stopWatching();
    const line = "knowledge: {folder} cannot be watched, so changes need a restart: {cause}";
    log.warning(line, { folder, cause });
  }

  /** Later changes join the update that is planned already; those during an update start another. */
  function plan(delay: number): void {
    if (closed.signal.aborted || timer !== undefined) return;
    timer = setTimeout(() => {
      running = (running ?? Promise.resolve()).then(() => {
        timer = undefined;
        return update();
      });
    }, delay).unref();
  }

  async function update(): Promise<void> {
    if (closed.signal.aborted) return;
    startWatching();
    try {
      await read();
    } catch (cause) {
      log.warning("knowledge: {folder} is gone: {cause}", { folder, cause });
      report({ added: [], changed: [], removed: forget(new Set()) });
      // A watcher of a folder that was deleted stays silent when the folder comes back.
      stopWatching();
      if (canWatch) plan(absenceTime);
    }
  }

  /** Looks at every file, and reads those that are new or changed. The thread lives only as long as there is something to read. */
  async function read(): Promise<void> {
    const own = (cutter = createFileCutter());
    const changes: KnowledgeUpdate = { added: [], changed: [], removed: [] };
    const skips = new Map<string, SkippedFiles>();
    const seen = new Set<string>();
    let [files, bytes] = [0, 0];
    /** @returns why the file is left out */
    const look = async (found: WalkedFile | { problem: string }): Promise<string | undefined> => {
      if ("problem" in found) return found.problem;
      const excess = excessOf(found.size, files, bytes);
      if (excess !== undefined) return excess;
      seen.add(found.fileName);
      const problem = await readFile(found, own, changes);
      if (problem !== undefined) return problem;
      files += 1;
      bytes += found.size;
      return undefined;
    };
    try {
      for await (const found of walkFolder(folder)) {
        if (closed.signal.aborted) return;
        const problem = await look(found);
        if (closed.signal.aborted) return;
        if (problem !== undefined) skip(skips, problem, found.fileName);
      }
    } finally {
      own.close();
    }
    changes.removed.push(...forget(seen));
    noteSkipped([...skips.values()]);
    report(changes);
  }

  /** @returns why the file is not in the index */
  async function readFile(
    { fileName, path, version }: WalkedFile,
    own: FileCutter,
    changes: KnowledgeUpdate,
  ): Promise<string | undefined> {
    const before = known.get(fileName);
    if (before?.version === version) return before.problem;
    const document = await readDocument(path);
    const wasIndexed = before !== undefined && before.problem === undefined;
    const pieces = "problem" in document ? document : await own.cut(fileName, document.text);
    if (closed.signal.aborted) return undefined;
    const problem = "problem" in pieces ? pieces.problem : undefined;
    known.set(fileName, { version, problem });
    retriever.replaceFile(fileName, "problem" in pieces ? [] : pieces.passages);
    if (problem === undefined) changes[wasIndexed ? "changed" : "added"].push(fileName);
    else if (wasIndexed) changes.removed.push(fileName);
    return problem;
  }

  /** Drops what was not seen any more. */
  function forget(seen: ReadonlySet<string>): string[] {
    const gone = [...known].filter(([fileName]) => !seen.has(fileName));
    for (const [fileName] of gone) {
      known.delete(fileName);
      retriever.replaceFile(fileName, []);
    }
    return gone.flatMap(([fileName, { problem }]) => (problem === undefined ? [fileName] : []));
  }

  function noteSkipped(now: SkippedFiles[]): void {
    const isNews = JSON.stringify(now) !== JSON.stringify(skipped);
    skipped = now;
    const line = "knowledge: {count} files left out, each {problem}: {examples}";
    if (isNews) for (const files of now) log.warning(line, { ...files });
  }

  function report(changes: KnowledgeUpdate): void {
    const { added, changed, removed } = changes;
    if (added.length + changed.length + removed.length > 0) onUpdate?.(changes);
  }

  const knowledge: Knowledge = {
    retriever,
    get skipped() {
      return skipped;
    },
    get knowledgeBaseIds() {
      const indexed = [...known].filter(([, { problem }]) => problem === undefined);
      return [...new Set(indexed.map(([fileName]) => knowledgeBaseOf(fileName)))].sort();
    },
    async close() {
      closed.abort();
      cutter?.close();
      clearTimeout(timer);
      stopWatching();
      await running;
    },
  };
  try {
    // What changes while we read must not get lost.
    startWatching();
    await read();
  } catch (cause) {
    await knowledge.close();
    throw new ConfigError(`The knowledge folder ${folder} cannot be read.`, { cause });
  }
  log.info("knowledge: {files} files, {passages} passages from {folder}", {
    files: retriever.fileCount,
    passages: retriever.passageCount,
    folder,
  });
  return knowledge;
}

function excessOf(size: number, files: number, bytes: number): string | undefined {
  if (size > maxFolder.fileBytes) return "is over 1 MB";
  if (files >= maxFolder.files) return "comes after 20,000 files";
  return bytes + size > maxFolder.bytes ? "comes after 200 MB" : undefined;
}

function skip(skips: Map<string, SkippedFiles>, problem: string, fileName: string): void {
  const known = skips.get(problem) ?? { problem, count: 0, examples: [] };
  skips.set(problem, known);
  known.count += 1;
  if (known.examples.length < maxExamples) known.examples.push(fileName);
}

type FileCutter = ReturnType<typeof createFileCutter>;

/** Passages should not depend on how busy the machine is, so this is long. */
const maxTime = 20_000;
/** The longest that a timer takes. */
const maxWait = 2_147_483_647;
/** Characters of a file that is cut in this thread if there is no other. */
const maxHere = 100_000;

/** Cuts files in a thread of its own, which starts with the first file. */
function createFileCutter() {
  const limits = { maxQueue: 0, maxWait, maxTime };
  const { run, close } = createThread<CutJob, CutAnswer>("knowledge-thread", limits);
  return {
    async cut(
      fileName: string,
      text: string,
    ): Promise<{ passages: KnowledgePassage[] } | { problem: string }> {
      let end = await run({ fileName, text, isPlain: false });
      if (end.type === "late" || end.type === "crashed")
        end = await run({ fileName, text, isPlain: true });
      if (end.type === "answered") return { passages: end.answer.passages };
      if (end.type === "no-thread" && text.length <= maxHere)
        return { passages: chunkFile(fileName, text) };
      return { problem: "cannot be cut into passages in time" };
    },
    close,
  };
}
