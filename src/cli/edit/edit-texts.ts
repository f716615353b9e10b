import type { AppliedUnit, EditError, LineRange } from "../../edit.ts";
import type { Locale } from "../../base/errors/locale.ts";
import { textsFor } from "../../flows/texts.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import type { Terminal } from "../call/terminal.ts";

/** What is said of an edit, to the person at the terminal. */
const en = {
  /** Why the edit was refused. */
  refusal: ({ code, message }: Pick<EditError, "code" | "message" | "unit">): string =>
    `${code}: ${message}`,
  /** What the signs before the lines of the nearest place mean. */
  legend: "- only in SEARCH, + only in the file",
  unchanged: (file: string) => `${file} was not changed.`,
  /** `line 3`, `lines 3 to 5`, or `before line 3` if the range is empty. */
  lines({ startLine, endLine }: LineRange): string {
    if (endLine < startLine) return `before line ${startLine}`;
    return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  },
  /** How a unit was found, and where; lines are those before the edit. */
  applied(nth: number, unit: AppliedUnit, isNewFile: boolean): string {
    const { level } = unit;
    if (level === "new-file")
      return `Unit ${nth}: new-file, ${isNewFile ? "creates the file" : "fills the empty file"}`;
    const where = en.lines(unit);
    if (level === "whole-file")
      return `Unit ${nth}: whole-file, replaces the whole file (${where})`;
    return `Unit ${nth}: ${level}, ${where}`;
  },
  leftOut: (file: string) => `Left out: the edit of ${file}.`,
  dryRun: (file: string) => `Dry run: ${file} was not written.`,
  created: (file: string) => `${file} was created.`,
  written: (file: string) => `${file} was written.`,
};
export type EditTexts = typeof en;

const zh: EditTexts = {
  refusal({ code, unit }) {
    const which = unit === undefined ? "" : `第 ${unit} 处修改：`;
    return `${code}：${which}${textsFor("zh").refusals[code]}`;
  },
  legend: "- 仅在修改中，+ 仅在文件中",
  unchanged: (file) => `${file} 未被修改。`,
  lines({ startLine, endLine }) {
    if (endLine < startLine) return `第 ${startLine} 行之前`;
    return startLine === endLine ? `第 ${startLine} 行` : `第 ${startLine} 至 ${endLine} 行`;
  },
  applied(nth, unit, isNewFile) {
    if (unit.level === "new-file")
      return `第 ${nth} 处修改：${isNewFile ? "新建文件" : "写入空文件"}`;
    return `第 ${nth} 处修改：${zh.lines(unit)}（${textsFor("zh").levels[unit.level]}）`;
  },
  leftOut: (file) => `未处理：对 ${file} 的修改。`,
  dryRun: (file) => `试运行：${file} 未写入。`,
  created: (file) => `${file} 已创建。`,
  written: (file) => `${file} 已写入。`,
};

export function editTexts(locale: Locale): EditTexts {
  return { en, zh }[locale];
}

interface AppliedEdit {
  name: string;
  before: string | undefined;
  /** Files that the answer also edits, and that were left alone. */
  others: readonly string[];
  dryRun: boolean;
}

/** Says on standard error how each unit was found, a line each, and what became of the file. */
export function printApplied(
  units: readonly AppliedUnit[],
  { name, before, others, dryRun }: AppliedEdit,
  terminal: Terminal,
  texts = editTexts("en"),
): void {
  for (const [nth, unit] of units.entries()) {
    const line = texts.applied(nth + 1, unit, before === undefined);
    terminal.err(`${unit.level === "whole-file" ? terminal.errStyle("yellow", line) : line}\n`);
  }
  for (const other of others) terminal.err(`${texts.leftOut(escapeLine(other))}\n`);
  const done = dryRun ? "dryRun" : before === undefined ? "created" : "written";
  terminal.err(`${texts[done](name)}\n`);
}
