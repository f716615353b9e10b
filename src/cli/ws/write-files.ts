// Writes files of a folder as an agent asks, once the person has seen the change; `rightseat undo` takes it back.
import type { CliTexts } from "../texts.ts";
import { homedir } from "node:os";
import * as z from "zod";
import { hashText } from "../../turn/state/sealed-state.ts";
import { createApprovals, printChanges } from "../../workspace/approvals.ts";
import {
  type DirectoryWorkspace,
  createDirectoryWorkspace,
} from "../../workspace/directory/directory-workspace.node.ts";
import { findStateFolder } from "../../workspace/directory/journal/root-state.node.ts";
import { createPathLocks } from "../../workspace/path-locks.ts";
import { isHidden } from "../call/collect/project-files.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { type Terminal, note } from "../call/terminal.ts";
import { type Person, createAsk } from "../code/ask.ts";
import { createGuard } from "../code/guard.ts";
import type { AnswerIde, IdeAnswer } from "./ide.ts";

const Params = z.looseObject({
  abspath: z.string().min(1).max(4_096),
  before_hash: z.string().max(64).nullable(),
  text: z
    .string()
    .max(2 * 1_024 * 1_024)
    .nullable(),
});

export interface FileWriter {
  /** Answers `/write_file`; one question after the other. */
  answer: AnswerIde;
  /** Lets go of the folder. */
  close: () => Promise<void>;
}

interface WriterParts {
  /** Absolute, without links. */
  root: string;
  /** What the person has asked for; `rightseat undo --list` shows it. */
  request: string;
  /** Source files are written without asking. */
  isYes: boolean;
  /** Undefined where nobody can be asked. */
  person: Person | undefined;
  terminal: Terminal;
  texts: CliTexts;
  signal: AbortSignal;
  /** Where the journal is kept; the person's own place for it where absent. */
  stateFolder?: string;
}

export function createFileWriter({
  root,
  request,
  isYes,
  person,
  terminal,
  texts,
  signal,
  stateFolder = findStateFolder(process.env, homedir(), process.platform),
}: WriterParts): FileWriter {
  const approvals = createApprovals({ now: Date.now });
  const locks = createPathLocks();
  const search = () => Promise.reject(new Error("The files are not searched."));
  const guard = createGuard(root);
  let opened: Promise<DirectoryWorkspace> | undefined;
  const open = (): Promise<DirectoryWorkspace> => {
    const parts = { root, stateFolder, request, approvals, now: Date.now, search };
    return (opened ??= createDirectoryWorkspace(parts));
  };
  const ask = createAsk({
    rules: {
      isYes,
      allows: () => false,
      guardOf: async (path) => guard(await (await open()).namesOf(path)),
    },
    approvals,
    person,
    texts: texts,
    onRefusal: (paths) => note(texts.asksAlways(paths.map(escapeLine).join(", ")), terminal),
    onAllowed(diff) {
      const [before = "", after = ""] = diff.slice(diff.search(/^--- /m)).split("\n", 2);
      note(texts.writes(escapeLine(after.endsWith("/dev/null") ? before : after)), terminal);
    },
  });
  const write = async (params: unknown): Promise<IdeAnswer> => {
    const { data } = Params.safeParse(params);
    if (data === undefined) return { error: "abspath, before_hash and text are needed." };
    const workspace = await open();
    const located = await workspace.locate(data.abspath);
    if (!located.ok) return { error: located.problem.message.en };
    const path = located.value;
    const names = await workspace.namesOf(path);
    if (names.some(isHidden)) return { error: "Hidden files are not written." };
    const read = await workspace.read(path, { signal });
    if (!read.ok && read.problem.code !== "not-found") return { error: read.problem.message.en };
    const before = read.ok ? { text: read.value.text, hash: read.value.hash } : undefined;
    // As the other side knows the text: without a byte order mark, whatever the encoding.
    const hash = before === undefined ? null : await hashText(before.text);
    if (hash !== data.before_hash) return { error: "The file has changed since it was read." };
    const after = data.text ?? undefined;
    const checked = await workspace.check({ path, before, after }, { signal });
    if (!checked.ok) return { error: checked.problem.message.en };
    const change = checked.value;
    const diff = printChanges([change]);
    const decision = await ask({ kind: "change", changes: [change], diff, why: "" }, signal);
    if (!decision.ok) return { error: decision.reason };
    const applied = await workspace.apply(change, decision.approval, { signal });
    return applied.ok ? { result: true } : { error: applied.problem.message.en };
  };
  return {
    answer: (_, params) => locks.run("", () => write(params)),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
