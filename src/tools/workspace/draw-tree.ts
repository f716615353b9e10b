import type { Locale } from "../../base/errors/locale.ts";
import type { WorkspaceEntry, WorkspaceListing } from "../../workspace/workspace.ts";

/** Lines of a tree. */
const maxLines = 1_000;
/** What would end the line, hide a name or turn its direction, and the backslash that is written for it. */
// oxlint-disable-next-line no-control-regex -- these are meant.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\\]/g;

interface Drawing {
  text: string;
  /** Entries that the listing left out. */
  leftOut: number;
  /** The tree has more lines than are drawn. */
  isCut: boolean;
}

/** Draws a folder; control characters in names come as escapes, so that no name can look like several. */
export function drawTree({ path, entries, more }: WorkspaceListing, locale: Locale): Drawing {
  const name = path === "" || path === "." ? "." : escapeName(path);
  const tree = new Tree(locale);
  tree.lines.push(`${name}/`);
  tree.add(entries, more, "");
  const { lines, leftOut } = tree;
  const text = lines.slice(0, maxLines).map((line) => `${line}\n`);
  return { text: text.join(""), leftOut, isCut: lines.length > maxLines };
}

class Tree {
  readonly lines: string[] = [];
  leftOut = 0;
  readonly #locale: Locale;

  constructor(locale: Locale) {
    this.#locale = locale;
  }

  add(entries: readonly WorkspaceEntry[], more: number, indent: string): void {
    for (const [nth, entry] of entries.entries()) {
      const isLast = nth === entries.length - 1 && more === 0;
      this.lines.push(`${indent}${isLast ? "└── " : "├── "}${label(entry)}`);
      const { inside } = entry;
      if (inside !== undefined)
        this.add(inside.entries, inside.more, `${indent}${isLast ? "    " : "│   "}`);
    }
    if (more === 0) return;
    this.leftOut += more;
    const rest =
      this.#locale === "zh" ? `… 另有 ${more} 项` : `… ${more} more ${entriesWord(more)}`;
    this.lines.push(`${indent}└── ${rest}`);
  }
}

function entriesWord(count: number): string {
  return count === 1 ? "entry" : "entries";
}

function label({ name, kind, size }: WorkspaceEntry): string {
  const shown = escapeName(name);
  if (kind === "folder") return `${shown}/`;
  return size === undefined ? shown : `${shown} (${printSize(size)})`;
}

function escapeName(name: string): string {
  return name.replaceAll(unsafe, (sign) =>
    sign === "\\"
      ? "\\\\"
      : JSON.stringify(sign)
          .slice(1, -1)
          .replace(/^([^\\])$/, hexOf),
  );
}

function hexOf(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function printSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
