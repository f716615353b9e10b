import { isSolid, trimEndSigns } from "../base/text/lines.ts";
import { type Borders, type LineSpan, textBorders } from "./cut-ranges.ts";
import { findFenced } from "../base/text/fence.ts";

export interface Section extends LineSpan {
  /** The headings above, from the outermost; empty above the first heading. */
  path: readonly string[];
}

export interface Heading {
  /** The index of its line. */
  start: number;
  level: number;
  text: string;
}

/** Where a Markdown file has its headings, and where it may be cut; never inside of a code fence. */
export function readMarkdown(lines: readonly string[]): { sections: Section[]; borders: Borders } {
  const inside = findFenced(lines);
  const matter = frontMatterEnd(lines);
  for (let at = 1; at < matter; at++) inside[at] = true;
  const borders = textBorders(lines).map((border, at) => (inside[at] ? 0 : border));
  return { sections: readSections(lines, findHeadings(lines, inside)), borders };
}

/** The index behind the `---` that ends the front matter; 0 where there is none. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)$/.test(line.trimEnd()));
  return end + 1;
}

export function findHeadings(lines: readonly string[], inside = findFenced(lines)): Heading[] {
  const headings: Heading[] = [];
  for (const [at, line] of lines.entries()) {
    if (inside[at]) continue;
    const [opening = "", marks = ""] = /^ {0,3}(#{1,6})(?:[ \t]+|$)/.exec(line) ?? [];
    if (marks !== "") {
      const title = line.slice(opening.length).trimEnd();
      headings.push({ start: at, level: marks.length, text: title.replace(/(?:^|[ \t])#+$/, "") });
      continue;
    }
    const above = lines[at - 1] ?? "";
    const [, rule = ""] = /^ {0,3}(=+|-{2,})$/.exec(trimEndSigns(line, " \t")) ?? [];
    if (rule !== "" && at > 0 && !inside[at - 1] && isParagraph(above)) {
      headings.push({ start: at - 1, level: rule.startsWith("=") ? 1 : 2, text: above });
    }
  }
  return headings;
}

/** Whether a rule below the line makes it a heading. */
function isParagraph(line: string): boolean {
  return isSolid(line) && !/^(?: {4}|\t| {0,3}(?:[-*+>|#=]|\d+[.)]|`{3}|~{3}))/.test(line);
}

function readSections(lines: readonly string[], headings: readonly Heading[]): Section[] {
  const sections: Section[] = [];
  const [path, levels]: [string[], number[]] = [[], []];
  let open = { start: 0, path, levels, text: 0 };
  for (const { start, level, text } of headings) {
    const depth = open.levels.findIndex((outer) => outer >= level);
    const kept = depth === -1 ? open.levels.length : depth;
    // A heading with nothing below it goes with its first subsection.
    const isEmpty = kept === open.levels.length && !lines.slice(open.text, start).some(isSolid);
    if (!isEmpty) sections.push({ start: open.start, end: start, path: open.path });
    const rule = /^ {0,3}#/.test(lines[start] ?? "") ? 1 : 2;
    open = {
      start: isEmpty ? open.start : start,
      path: [...open.path.slice(0, kept), plainText(text)],
      levels: [...open.levels.slice(0, kept), level],
      text: start + rule,
    };
  }
  return [...sections, { start: open.start, end: lines.length, path: open.path }];
}

/** A heading without its links and marks. */
function plainText(text: string): string {
  return text
    .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replace(/[`*]+/g, "")
    .trim();
}
