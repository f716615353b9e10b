// Code blocks of an answer that holds no explicit edit: old code beside new code, and code with marks.
import { leavesOut } from "../../placeholder.ts";
import type { ParsedUnit } from "../../edit-unit.ts";
import { linesOf, trimSigns } from "../../../base/text/lines.ts";
import { pathOfLine } from "../dress/path-in-text.ts";
import type { CodeBlock, FileEdit } from "../file-edit.ts";
import { readSides } from "../forms/read-form.ts";
import { readDiff } from "../forms/unified-diff.ts";
import { type Side, labelOf } from "../side-words.ts";
import { readKeyChange } from "./key-change.ts";
import { announcesExample } from "./told-words.ts";
import { readQuotedCode, readToldChanges, type ToldChange } from "./quoted-change.ts";
import type { TextLine } from "./quoted-sentences.ts";

/** An edit, and the blocks that it was read from. */
export interface BlockEdit {
  edit: FileEdit;
  blocks: readonly CodeBlock[];
}

/** An answer with more blocks is not a set of edits, and each is looked at from many sides. */
const maxBlocks = 2_000;

/**
 * Reads pairs of blocks under the labels of both sides, or one block with both labels as comments; and
 * blocks with marks such as `... existing code ...`.
 *
 * @param lines those of the text
 * @param isExplicit only pairs under SEARCH and REPLACE count
 * @param file the text of the file that is meant, which tells the sides of what is told in words
 */
export function readBlocks(
  blocks: readonly CodeBlock[],
  lines: readonly TextLine[],
  isExplicit: boolean,
  file: string | undefined,
): BlockEdit[] {
  if (blocks.length > maxBlocks) return [];
  const found: BlockEdit[] = [];
  for (const [nth, block] of blocks.entries()) {
    if (!block.isClosed || found.at(-1)?.blocks.includes(block) === true) continue;
    const pair = readPair(block, blocks[nth + 1], isExplicit);
    const read = isExplicit ? pair : (pair ?? readBoth(block) ?? readSigned(block));
    if (read !== undefined) found.push(read);
  }
  if (isExplicit) return found;
  if (found.length > 0) return found;
  if (file !== undefined) {
    const known = new Set(linesOf(file).map((line) => line.trim()));
    const own = blocks.filter((block) => !isExample(block, known));
    const shown = [...own, ...readQuotedCode(lines, file)];
    const keyed = readKeyChange(lines, shown, file);
    const told = keyed === undefined ? readToldChanges(lines, own, file) : [keyed];
    if (told.length > 0) return told.map(toToldEdit);
  }
  return blocks.filter(holdsMarks).map(toCodeEdit);
}

/** A command to try the change with, or another use of it: the file has nothing of it. */
function isExample({ above, code }: CodeBlock, known: ReadonlySet<string>): boolean {
  return announcesExample(above) && !linesOf(code).some((line) => known.has(line.trim()));
}

function toToldEdit({ filePath, blocks, parts: _, ...unit }: ToldChange): BlockEdit {
  const path = filePath ?? blocks[0]?.filePath;
  const units = [{ ...unit, strict: false }];
  return { edit: { filePath: path, form: "before-after", units }, blocks };
}

/** A diff in a block that is not marked as one: every line bears a sign or a blank. */
function readSigned(block: CodeBlock): BlockEdit | undefined {
  const lines = linesOf(block.code);
  const isSigned = lines.every((text) => /^(?:[-+ \t@\\]|$)/.test(text));
  const hasBoth = ["-", "+"].every((sign) => lines.some((text) => text.startsWith(sign)));
  if (!isSigned || !hasBoth || /^(?:md|markdown|ya?ml)\b/i.test(block.info)) return undefined;
  const [edit] = readDiff("unified-diff", lines, block.line + 1);
  return edit && { edit: { ...edit, filePath: edit.filePath ?? block.filePath }, blocks: [block] };
}

function toEdit(units: ParsedUnit[], blocks: readonly CodeBlock[]): BlockEdit {
  const filePath = blocks.find((block) => block.filePath !== undefined)?.filePath;
  const isWords = labelOf(blocks[0]?.above ?? "") === "find";
  return { edit: { filePath, form: isWords ? "units" : "before-after", units }, blocks };
}

function readPair(
  old: CodeBlock,
  now: CodeBlock | undefined,
  isExplicit: boolean,
): BlockEdit | undefined {
  if (now?.isClosed !== true || old.option !== now.option) return undefined;
  const [above, below] = [labelOfBlock(old), labelOfBlock(now)];
  const isWords = above === "find" && (below === "replace" || below === "new");
  // "Find" and "Replace" name the two sides, and so do "Replace" and "With".
  const isOld = above !== undefined && above !== "new";
  const isNew = below === "new" || (below === "replace" && above !== "replace");
  if (isExplicit ? !isWords : !(isOld && isNew)) return undefined;
  const unit = { search: codeOf(old), replace: codeOf(now), line: old.line, strict: false };
  return toEdit([unit], [old, now]);
}

/** Without first lines that only name the file, and the side. */
function codeOf(block: CodeBlock): string {
  const code = withoutPath(block);
  return labelOfComment(firstLine(code)) === undefined ? code : belowFirst(code);
}

function withoutPath({ code, filePath }: CodeBlock): string {
  const isPath = filePath !== undefined && pathOfLine(firstLine(code)) === filePath;
  return isPath ? belowFirst(code) : code;
}

function firstLine(code: string): string {
  return code.slice(0, Math.max(0, code.indexOf("\n")));
}

function belowFirst(code: string): string {
  return code.slice(code.indexOf("\n") + 1).replace(/^\n+/, "");
}

function labelOfBlock(block: CodeBlock): Side | undefined {
  return labelOfComment(firstLine(withoutPath(block))) ?? labelOf(block.above);
}

function labelOfComment(line: string): "old" | "new" | undefined {
  const inner = commentOf(line);
  const side = inner === undefined ? undefined : labelOf(inner);
  return side === "old" || side === "new" ? side : undefined;
}

/** The text of a line that is a comment. */
function commentOf(line: string): string | undefined {
  const text = line.trim();
  if (text.length > 200 || !/^(?:\/[/*]|#|--|;|%|<!--)/.test(text)) return undefined;
  return trimSigns(text, "/*#-;%<!> \t");
}

/** Old and new code in one block, each under a comment that names it. */
function readBoth(block: CodeBlock): BlockEdit | undefined {
  const units = readSides(linesOf(block.code), block.line + 1, labelOfComment);
  const isEdit = units.length > 0 && units.every(({ search }) => search !== "");
  return isEdit ? toEdit(units, [block]) : undefined;
}

function holdsMarks({ code, isClosed }: CodeBlock): boolean {
  return isClosed && leavesOut(code, () => false);
}

function toCodeEdit(block: CodeBlock): BlockEdit {
  const { code, line, below = "" } = block;
  const codeEdit = { code, line: line + 1, ...(below === "" ? {} : { below }) };
  const edit: FileEdit = { filePath: block.filePath, form: "code-edit", units: [], codeEdit };
  return { edit, blocks: [block] };
}
