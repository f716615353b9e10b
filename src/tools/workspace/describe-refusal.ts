// Why an edit was refused, in words for the model, with the places of the file that it needs to do better.
import type { EditError, EditErrorCode, LineRange } from "../../edit/edit-unit.ts";
import { FileIndex } from "../../edit/find/file-index.ts";
import { findNearest } from "../../edit/describe-error.ts";
import { linesOf, isSolid } from "../../base/text/lines.ts";
import { isSurePlaceholder, placeholderOf } from "../../edit/placeholder.ts";
import type { Locale } from "../../base/errors/locale.ts";
import type { ToolOutcome } from "../tool.ts";

/** Lines around a place, lines of one place, and places that are shown. */
const around = 3;
const maxLines = 40;
const maxPlaces = 5;

/**
 * @param before the file as it is; "" if it does not exist
 * @param codeEdit what was refused
 */
export function describeRefusal(
  error: EditError,
  before: string,
  codeEdit: string,
  locale: Locale,
): ToolOutcome {
  const lines = linesOf(before);
  const candidates = (error.candidates ?? []).slice(0, maxPlaces);
  const nearest =
    candidates.length > 0 ? undefined : (error.nearest ?? nearestOf(error, before, codeEdit));
  return {
    success: false,
    code: error.code,
    error: textOf(error, locale),
    ...(isDone(error) ? { is_done: true } : {}),
    ...(error.others && { more_errors: error.others.map((other) => textOf(other, locale)) }),
    ...(candidates.length > 0 && { candidates: candidates.map((range) => show(range, lines)) }),
    ...(nearest && { nearest_place: show(nearest, lines) }),
  };
}

/** All that the edit was for is in the file already. */
function isDone({ code, isDone: isMade, others = [] }: EditError): boolean {
  return (code === "no-change" || isMade === true) && others.every(isDone);
}

/** For code without a place: where the lines of the segment that was refused come nearest. */
function nearestOf(
  { code, unit = 1 }: EditError,
  before: string,
  codeEdit: string,
): LineRange | undefined {
  if (!["no-match", "whole-file", "elision"].includes(code) || before === "") return undefined;
  const segments: string[][] = [[]];
  for (const line of linesOf(codeEdit)) {
    if (isSurePlaceholder(placeholderOf(line))) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  const segment = [segments[unit - 1] ?? [], ...segments].find((each) => each.some(isSolid));
  if (segment === undefined) return undefined;
  const index = new FileIndex(before);
  return findNearest(segment.slice(0, 200), index);
}

/** Lines of the file as they are, to copy from. */
function show({ startLine, endLine }: LineRange, lines: readonly string[]) {
  const from = Math.max(1, startLine - around);
  const to = Math.min(lines.length, endLine + around, from + maxLines - 1);
  return { start_line: from, end_line: to, content: `${lines.slice(from - 1, to).join("\n")}\n` };
}

const reasons: Readonly<Record<EditErrorCode, string>> = {
  malformed:
    "code_edit 的格式无法读取。每个修改单元依次为：一行 `------- SEARCH`、要查找的行、一行 `=======`、新的行、一行 `+++++++ REPLACE`，单元之间不要有其他文本。",
  truncated: "code_edit 不完整，在中途被截断。请重新发送完整的修改，可以拆成更少或更小的单元。",
  "no-match":
    "在文件中找不到要修改的内容。请从文件原文复制 SEARCH（包括空格和缩进）后重新发送；如果不确定，请先用 read_file 读取。",
  ambiguous:
    "要修改的内容在文件中有多处同样符合的位置。请在前后多引用几行，使其只符合想修改的那一处。",
  overlap: "有两个修改单元改动了相同的行。请把它们合并为一个单元。",
  unquoted: "这个修改会删除没有引用的行。请完整引用要删除的每一行，包括注释。",
  indentation: "位置是明确的，但新行的缩进不明确。请按文件中的写法保留每行开头的空格。",
  elision:
    "修改省略了一部分代码，但不清楚省略的是哪些行。请在省略标记前后写出未改动的行，或写出完整的内容。",
  "whole-file":
    "这个修改会替换整个文件，但写法不符合要求。请只引用要修改的行；如果确实要替换整个文件，请只发送一个 SEARCH 为空的单元。",
  "no-change": "这个修改不会改变任何内容：文件中已经是这样。请继续下一步。",
  "missing-file":
    "文件不存在，所以没有可以引用或保留的内容。要新建文件，请在 code_edit 中写出完整内容；要修改其他文件，请更正路径。",
  "too-large": "文件和代码太大，无法在这里逐行比对。请改用 SEARCH/REPLACE 单元，只引用要修改的行。",
  "line-range": "修改计划中的行号不在文件范围内。",
};

function textOf({ forModel, code, unit, nearest }: EditError, locale: Locale): string {
  if (locale === "en") return forModel;
  const number = unit === undefined ? "" : `第 ${unit} 个单元：`;
  const diff =
    nearest === undefined
      ? ""
      : `最接近的位置是第 ${nearest.startLine} 至 ${nearest.endLine} 行，其中带“-”的行只在 SEARCH 中，带“+”的行只在文件中：\n${nearest.diff}\n`;
  return `${number}${reasons[code]}${diff}没有修改任何内容。`;
}
