// A workspace over texts that can only be read.
import type {
  SearchHit,
  Workspace,
  WorkspaceEntry,
  WorkspaceResult,
} from "../../src/workspace/workspace.ts";

export interface TextWorkspace extends Workspace {
  /** The paths that were read, in order. */
  readonly reads: string[];
}

/** @param files texts by path, with "/"; folders list them in this order */
export function createTextWorkspace(files: ReadonlyMap<string, string>): TextWorkspace {
  const reads: string[] = [];
  const byFolder = listFolders(files);
  return {
    root: "/",
    effect: "proposals",
    reads,
    locate: (path) => Promise.resolve({ ok: true, value: path }),
    async read(path) {
      const text = files.get(path);
      if (text === undefined) return refuse("not-found");
      reads.push(path);
      const totalLines = text.split("\n").length;
      const size = new TextEncoder().encode(text).length;
      const rest = { hash: "", encoding: "utf-8", bom: false, size, isPart: false };
      return { ok: true, value: { path, text, startLine: 1, totalLines, ...rest } };
    },
    async list(path, { maxEntries }) {
      const entries = byFolder.get(path === "." ? "" : path);
      if (entries === undefined) return refuse("not-found");
      const shown = entries.slice(0, maxEntries);
      return { ok: true, value: { path, entries: shown, more: entries.length - shown.length } };
    },
    async search({ query, isCaseSensitive, maxHits }) {
      const pattern = new RegExp(query, isCaseSensitive ? "" : "i");
      const hits: SearchHit[] = [];
      for (const [file, text] of files)
        for (const [at, content] of text.split("\n").entries())
          if (pattern.test(content)) hits.push({ file, line: at + 1, content });
      const hasMore = hits.length > maxHits;
      const rest = { hasMore, isCut: false, isPlain: false };
      return { ok: true, value: { hits: hits.slice(0, maxHits), ...rest } };
    },
    check: () => Promise.resolve(refuse("read-only")),
    apply: () => Promise.resolve(refuse("read-only")),
  };
}

function refuse(code: "not-found" | "read-only"): WorkspaceResult<never> {
  return { ok: false, problem: { code, message: { en: code, zh: code } } };
}

function listFolders(files: ReadonlyMap<string, string>): Map<string, WorkspaceEntry[]> {
  const byFolder = new Map<string, Map<string, WorkspaceEntry>>([["", new Map()]]);
  for (const [path, text] of files) {
    const segments = path.split("/");
    for (const [at, name] of segments.entries()) {
      const folder = segments.slice(0, at).join("/");
      const isFile = at === segments.length - 1;
      const known = byFolder.get(folder) ?? new Map<string, WorkspaceEntry>();
      byFolder.set(folder, known);
      known.set(
        name,
        isFile ? { name, kind: "file", size: text.length } : { name, kind: "folder" },
      );
    }
  }
  return new Map([...byFolder].map(([folder, entries]) => [folder, [...entries.values()]]));
}
