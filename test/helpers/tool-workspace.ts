// A small workspace in memory for tests of tools, and what tools need around it.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type {
  Approval,
  FileChange,
  SearchHit,
  Workspace,
  WorkspaceEntry,
  WorkspaceFile,
  WorkspaceProblemCode,
  WorkspaceResult,
} from "../../src/workspace/workspace.ts";
import {
  type ApprovalQuestion,
  type ChangeMade,
  type Decision,
  type ToolUse,
} from "../../src/tools/tool.ts";

const root = "/project";

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

class ToolWorkspace implements Workspace {
  readonly root = root;
  effect: Workspace["effect"] = "files";
  readonly files: Map<string, string>;
  readonly secrets = new Set<string>();
  readonly tooLarge = new Set<string>();
  /** Runs before a change is made, as another program would. */
  beforeApply: () => void = () => undefined;
  applied: FileChange[] = [];

  constructor(files: Readonly<Record<string, string>>) {
    this.files = new Map(Object.entries(files));
  }

  async locate(path: string): Promise<WorkspaceResult<string>> {
    const normal = posix.normalize(posix.join("/", relative(path.replaceAll("\\", "/")))).slice(1);
    const isOutside = /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path) || path.includes("\0");
    const isElsewhere = path.startsWith("/") && !path.startsWith(`${root}/`) && path !== root;
    if (isOutside || isElsewhere) return refuse("outside", path);
    return { ok: true, value: normal };
  }

  async read(
    path: string,
    options: Parameters<Workspace["read"]>[1],
  ): Promise<WorkspaceResult<WorkspaceFile>> {
    const located = await this.locate(path);
    if (!located.ok) return located;
    const text = this.files.get(located.value);
    if (text === undefined) return refuse("not-found", path);
    if (this.secrets.has(located.value) && options.mayBeSecret !== true)
      return refuse("secret", path);
    if (text.includes("\0")) return refuse("binary", path);
    const all = text.split("\n");
    if (all.at(-1) === "") all.pop();
    const { lines } = options;
    if (this.tooLarge.has(located.value) && lines === undefined) return refuse("too-large", path);
    const shown =
      lines === undefined
        ? text
        : all
            .slice(lines.startLine - 1, lines.endLine)
            .map((line) => `${line}\n`)
            .join("");
    return {
      ok: true,
      value: {
        path: located.value,
        text: shown,
        startLine: lines?.startLine ?? 1,
        totalLines: all.length,
        hash: hashOf(text),
        encoding: "utf-8",
        bom: false,
        size: text.length,
        isPart: false,
      },
    };
  }

  async list(
    path: string,
    { maxEntries, depth }: Parameters<Workspace["list"]>[1],
  ): ReturnType<Workspace["list"]> {
    const located = await this.locate(path);
    if (!located.ok) return located;
    const folder = located.value === "" || located.value === "." ? "" : `${located.value}/`;
    const inside = this.#entriesOf(folder, maxEntries, depth);
    if (inside.entries.length === 0 && folder !== "") return refuse("not-found", path);
    return { ok: true, value: { path: located.value || ".", ...inside } };
  }

  #entriesOf(
    folder: string,
    maxEntries: number,
    depth: number,
  ): { entries: WorkspaceEntry[]; more: number } {
    const entries = new Map<string, WorkspaceEntry>();
    for (const [path, text] of [...this.files].toSorted(byPath)) {
      if (!path.startsWith(folder)) continue;
      const rest = path.slice(folder.length);
      const [name = ""] = rest.split("/");
      if (rest === name) entries.set(name, { name, kind: "file", size: text.length });
      else if (depth > 1)
        entries.set(name, {
          name,
          kind: "folder",
          inside: this.#entriesOf(`${folder}${name}/`, maxEntries, depth - 1),
        });
      else entries.set(name, { name, kind: "folder" });
    }
    const all = [...entries.values()];
    return { entries: all.slice(0, maxEntries), more: Math.max(0, all.length - maxEntries) };
  }

  async search(query: Parameters<Workspace["search"]>[0]): ReturnType<Workspace["search"]> {
    const hits: SearchHit[] = [];
    const fold = (text: string) => (query.isCaseSensitive ? text : text.toLowerCase());
    const matches = (path: string, globs: readonly string[]) =>
      globs.some((glob) => posix.matchesGlob(path, glob.includes("/") ? glob : `**/${glob}`));
    for (const [file, text] of [...this.files].toSorted(byPath)) {
      if (query.include.length > 0 && !matches(file, query.include)) continue;
      if (matches(file, query.exclude)) continue;
      for (const [nth, line] of text.split("\n").entries())
        if (fold(line).includes(fold(query.query)))
          hits.push({ file, line: nth + 1, content: line });
    }
    return {
      ok: true,
      value: {
        hits: hits.slice(0, query.maxHits),
        hasMore: hits.length > query.maxHits,
        isCut: false,
        isPlain: false,
      },
    };
  }

  async check(change: FileChange): Promise<WorkspaceResult<FileChange>> {
    if (change.path.startsWith(".git/")) return refuse("protected", change.path);
    const text = this.files.get(change.path);
    if (change.before === undefined)
      return text === undefined ? { ok: true, value: change } : refuse("exists", change.path);
    return text !== undefined && hashOf(text) === change.before.hash
      ? { ok: true, value: change }
      : refuse("stale", change.path);
  }

  async apply(change: FileChange, approval: Approval): Promise<WorkspaceResult<FileChange>> {
    this.beforeApply();
    if (approval.expires !== Infinity) return refuse("not-approved", change.path);
    const checked = await this.check(change);
    if (!checked.ok) return checked;
    if (change.after === undefined) this.files.delete(change.path);
    else this.files.set(change.path, change.after);
    this.applied.push(change);
    return checked;
  }
}

function byPath([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}

function relative(path: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path;
}

function refuse(code: WorkspaceProblemCode, path: string): { ok: false; problem: never } {
  const problem = { code, message: { en: `${code}: ${path}`, zh: `${code}：${path}` } };
  return { ok: false, problem: problem as never };
}

/** Tools' surroundings whose person agrees to all, and what they were asked. */
export interface TestUse extends ToolUse {
  workspace: ToolWorkspace;
  questions: ApprovalQuestion[];
  changes: ChangeMade[];
}

export function createUse(
  files: Readonly<Record<string, string>> = {},
  more: Partial<ToolUse> & { answer?: (question: ApprovalQuestion) => Decision } = {},
): TestUse {
  const questions: ApprovalQuestion[] = [];
  const changes: ChangeMade[] = [];
  const { answer = () => approve(), ...others } = more;
  return {
    ask: async (question) => {
      questions.push(question);
      return answer(question);
    },
    locale: "en",
    signal: new AbortController().signal,
    seen: new Map(),
    onChange: (made) => void changes.push(made),
    ...others,
    workspace: new ToolWorkspace(files),
    questions,
    changes,
  };
}

function approve(): Decision {
  return { ok: true, approval: { expires: Infinity } };
}
