// Writes files of a folder as an agent asks, once the person has seen the change; `rightseat undo` takes it back.
import { homedir } from "node:os";
import { confirm } from "@clack/prompts";
import * as z from "zod";
import { hashText } from "../../turn/state/sealed-state.ts";
import { createApprovals } from "../../workspace/approvals.ts";
import {
  type DirectoryWorkspace,
  createDirectoryWorkspace,
} from "../../workspace/directory/directory-workspace.node.ts";
import { findStateFolder } from "../../workspace/directory/journal/root-state.node.ts";
import { createPathLocks } from "../../workspace/path-locks.ts";
import { printChanges } from "../../workspace/print-changes.ts";
import { isHidden } from "../call/collect/run-git.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { type Terminal, note } from "../call/terminal.ts";
import type { CodeTexts } from "../code/code-texts.ts";
import type { createGuard } from "../code/guard/create-guard.ts";
import { printUnifiedDiff } from "../code/ask/print-approval-diff.ts";
import type { IdeAnswer } from "./ide.ts";
import type { WsTexts } from "./texts.ts";

const Params = z.looseObject({
  abspath: z.string().min(1).max(4_096),
  before_hash: z.string().max(64).nullable(),
  text: z
    .string()
    .max(2 * 1_024 * 1_024)
    .nullable(),
});

/** Whether the person agrees to a change of a file, its path and all its names from the root; a text is why not. */
export type AskWrite = (
  diff: string,
  path: string,
  names: readonly string[],
) => Promise<true | string>;

export interface FileWriter {
  /** Answers `/write_file`; one question after the other. */
  write: (params: unknown) => Promise<IdeAnswer>;
  /** Lets go of the folder. */
  close: () => Promise<void>;
}

interface WriterParts {
  /** Absolute, without links. */
  root: string;
  /** What the person has asked for; `rightseat undo --list` shows it. */
  request: string;
  ask: AskWrite;
  signal: AbortSignal;
  /** Where the journal is kept; the person's own place for it where absent. */
  stateFolder?: string;
}

export function createFileWriter({
  root,
  request,
  ask,
  signal,
  stateFolder = findStateFolder(process.env, homedir(), process.platform),
}: WriterParts): FileWriter {
  const approvals = createApprovals({ now: Date.now });
  const locks = createPathLocks();
  const search = () => Promise.reject(new Error("The files are not searched."));
  let opened: Promise<DirectoryWorkspace> | undefined;
  const write = async (params: unknown): Promise<IdeAnswer> => {
    const { data } = Params.safeParse(params);
    if (data === undefined) return { error: "abspath, before_hash and text are needed." };
    const parts = { root, stateFolder, request, approvals, now: Date.now, search };
    opened ??= createDirectoryWorkspace(parts);
    const workspace = await opened;
    const located = await workspace.locate(data.abspath);
    if (!located.ok) return { error: located.problem.message.en };
    const path = located.value;
    const names = await workspace.namesOf(path);
    if (names.some((name) => isHidden(name))) return { error: "Hidden files are not written." };
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
    const answer = await ask(diff, change.path, names);
    if (answer !== true) return { error: answer };
    const approval = await approvals.approve([change], diff);
    const applied = await workspace.apply(change, approval, { signal });
    return applied.ok ? { result: true } : { error: applied.problem.message.en };
  };
  return {
    write: (params) => locks.run("", () => write(params)),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

interface Guarded {
  guard: ReturnType<typeof createGuard>;
  texts: Pick<CodeTexts, "always" | "guarded">;
}

/** Shows a change on the terminal and asks whether it may be written. */
export function createAskWrite(
  terminal: Terminal,
  texts: WsTexts,
  { guard, texts: { always } }: Guarded,
): AskWrite {
  return async (diff, _, names) => {
    terminal.out("\n");
    printUnifiedDiff(diff, terminal, true);
    const found = guard(names);
    if (found !== undefined) terminal.out(`\n${terminal.outStyle("yellow", always(found))}\n`);
    const answer = await confirm({ message: texts.mayWrite, initialValue: false });
    // Ctrl-C does not mean yes either.
    return answer === true ? true : texts.notWanted;
  };
}

/**
 * Lets changes of source files pass, and names them. All others are asked for.
 *
 * @param ask undefined where nobody can be asked
 */
export function allowWrites(
  terminal: Terminal,
  texts: WsTexts,
  { guard, texts: { guarded } }: Guarded,
  ask: AskWrite | undefined,
): AskWrite {
  return async (diff, path, names) => {
    const found = guard(names);
    if (found === undefined) {
      const [before = "", after = ""] = diff.slice(diff.search(/^--- /m)).split("\n", 2);
      note(texts.writes(escapeLine(after.endsWith("/dev/null") ? before : after)), terminal);
      return true;
    }
    if (ask !== undefined) return ask(diff, path, names);
    note(texts.asksAlways(escapeLine(path)), terminal);
    return guarded(found);
  };
}
