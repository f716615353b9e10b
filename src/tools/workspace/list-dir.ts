import * as z from "zod";
import { defineTool, failFrom } from "../tool.ts";
import type { WorkspaceEntry, WorkspaceListing } from "../../workspace/workspace.ts";
import { explanation, path as pathSchema, sayNotes } from "./fields.ts";
import { fileSearch, wildcard } from "./file-search.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { joinLines } from "../../base/text/lines.ts";
import { showName } from "../../base/errors/names.ts";

/** Entries of one folder. */
const usual = 10;
const most = 500;
/** The folder itself, and what its folders hold. */
const depth = 2;

export const listDir = defineTool({
  name: "list_dir",
  otherNames: ["listTool", "listDir", "list", "ls", "list_files", "listFiles", "list_directory"],
  description: {
    en: "Shows a folder as a tree, two levels deep, with 10 entries of each folder.",
    zh: "以树形显示目录，共两层，每个目录显示 10 项。",
  },
  fields: {
    relative_workspace_path: {
      schema: pathSchema.optional(),
      isPath: true,
      en: "Path of the folder, relative to the working directory. Leave out for the working directory itself.",
      zh: "目录路径，相对于工作目录。省略时为工作目录本身。",
      otherNames:
        "path dir directory folder dirPath directoryPath filePath folder_path target_directory",
    },
    explanation,
    max_entries: {
      schema: z.int().min(1).optional(),
      en: `How many entries of each folder to show, 10 if left out, at most ${most}.`,
      zh: `每个目录显示的项数，省略时为 10，最多 ${most}。`,
      otherNames: "maxEntries",
    },
  },
  fit: ({ relative_workspace_path: folder, pattern, ...others }) => {
    if (folder !== "" && typeof pattern !== "string") return undefined;
    const parts = [folder, pattern].filter((part) => typeof part === "string" && part !== "");
    return { ...others, relative_workspace_path: parts.join("/") || "." };
  },
  effect: "read",
  async run(input, use) {
    const { workspace, locale, signal } = use;
    const maxEntries = Math.min(input.max_entries ?? usual, most);
    const folder = input.relative_workspace_path ?? ".";
    const listed = await workspace.list(folder, { maxEntries, depth, signal });
    const isPattern = !listed.ok && listed.problem.code === "not-found" && wildcard.test(folder);
    if (isPattern) return fileSearch.run({ query: folder }, use);
    if (!listed.ok) return failFrom(locale, listed.problem);
    const { text, leftOut, isCut } = drawTree(listed.value, locale);
    return {
      success: true,
      path: listed.value.path,
      tree_visualization: text,
      entries_left_out: leftOut,
      ...sayNotes(locale, (leftOut > 0 || isCut) && moreToSee),
    };
  },
});

const moreToSee = {
  en: "Not everything is shown. Use max_entries for more entries, or list a folder inside.",
  zh: "没有显示全部内容。请用 max_entries 显示更多项，或列出其中的某个目录。",
};

/** Lines of a tree. */
const maxLines = 1_000;

/**
 * Draws a folder; control characters in names come as escapes, so that no name can look like several.
 *
 * @returns `leftOut` entries that the listing left out; `isCut`: the tree has more lines than are drawn
 */
export function drawTree({ path, entries, more }: WorkspaceListing, locale: Locale) {
  const name = path === "" || path === "." ? "." : escapeName(path);
  const lines = [`${name}/`];
  let leftOut = 0;
  add({ entries, more }, "");
  const text = joinLines(lines.slice(0, maxLines));
  return { text, leftOut, isCut: lines.length > maxLines };

  function add(folder: Pick<WorkspaceListing, "entries" | "more">, indent: string): void {
    for (const [nth, entry] of folder.entries.entries()) {
      const isLast = nth === folder.entries.length - 1 && folder.more === 0;
      lines.push(`${indent}${isLast ? "└── " : "├── "}${label(entry)}`);
      if (entry.inside !== undefined) add(entry.inside, `${indent}${isLast ? "    " : "│   "}`);
    }
    if (folder.more === 0) return;
    leftOut += folder.more;
    const [en, zh] = [
      `${folder.more} more ${folder.more === 1 ? "entry" : "entries"}`,
      `另有 ${folder.more} 项`,
    ];
    lines.push(`${indent}└── … ${locale === "zh" ? zh : en}`);
  }
}

function label({ name, kind, size }: WorkspaceEntry): string {
  const shown = escapeName(name);
  if (kind === "folder") return `${shown}/`;
  return size === undefined ? shown : `${shown} (${printSize(size)})`;
}

/** The backslash is written for what is escaped. */
function escapeName(name: string): string {
  return showName(name.replaceAll("\\", "\\\\"));
}

function printSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
