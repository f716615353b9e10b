import * as z from "zod";
import type { Message } from "../../base/errors/app-error.ts";
import { quoteName } from "../../base/errors/names.ts";
import type { SearchResult } from "../../workspace/workspace.ts";
import { defineTool, failFrom } from "../tool.ts";
import { explanation, sayNotes } from "./fields.ts";
import { cutText } from "../../base/text/lines.ts";

const maxHits = 50;
/** Characters of a line. */
const maxLine = 500;
/** In characters, and patterns of one list. */
const maxQuery = 2_000;
const maxPatterns = 50;

/** One pattern, or several with commas between. */
const pattern = z.string().max(maxQuery).optional();

/** @param isPlain the workspace has no engine for expressions */
export function createGrepSearch(isPlain = false): typeof grepSearch {
  return isPlain
    ? { ...grepSearch, fields: { ...grepSearch.fields, query: plainQuery } }
    : grepSearch;
}

const plainQuery: Message = {
  en: "Plain text to look for in single lines, exactly as it is in the files. Regular expressions do not work here, so escape nothing.",
  zh: "要在单行中查找的普通文本，与文件中的写法完全一致。此处不支持正则表达式，请不要转义。",
};

const grepSearch = defineTool({
  name: "grep_search",
  otherNames: ["grep", "grepTool", "search", "searchTool", "search_files", "searchFiles"],
  description: {
    en: "Searches the text of all files, line by line. Gives at most 50 lines, each with its file and line number.",
    zh: "逐行搜索所有文件的文本。最多给出 50 行，每行带有文件和行号。",
  },
  fields: {
    query: {
      schema: z.string().min(1).max(maxQuery),
      en: "Text or regular expression (RE2 syntax) to look for in single lines. Escape special characters to find them as they are.",
      zh: "要在单行中查找的文本或正则表达式（RE2 语法）。要查找特殊字符本身，请转义。",
      otherNames: "pattern regex text search",
    },
    case_sensitive: {
      schema: z.boolean().optional(),
      en: "Whether upper and lower case differ. Leave out to ignore case.",
      zh: "是否区分大小写。省略时不区分。",
      otherNames: "caseSensitive",
    },
    include_pattern: {
      schema: pattern,
      en: "Glob patterns of the files to search, with commas between them, as *.ts or src/**.",
      zh: "要搜索的文件的 glob 模式，多个模式以逗号分隔，例如 *.ts 或 src/**。",
      otherNames: "include includePattern file_pattern",
    },
    exclude_pattern: {
      schema: pattern,
      en: "Glob patterns of files to leave out, with commas between them.",
      zh: "要排除的文件的 glob 模式，多个模式以逗号分隔。",
      otherNames: "exclude excludePattern",
    },
    explanation,
  },
  effect: "read",
  async run(input, { workspace, locale, signal }) {
    const query = {
      query: input.query,
      isCaseSensitive: input.case_sensitive ?? false,
      include: toPatterns(input.include_pattern),
      exclude: toPatterns(input.exclude_pattern),
      maxHits,
    };
    const found = await workspace.search(query, { signal });
    if (!found.ok) return failFrom(locale, found.problem);
    const { hits, hasMore } = found.value;
    return {
      success: true,
      results: hits.slice(0, maxHits).map(({ file, line, content }) => ({
        file,
        line_number: line,
        content: cutText(content, maxLine),
      })),
      has_more: hasMore || hits.length > maxHits,
      ...sayNotes(locale, ...listNotes(found.value, workspace.searchesPlainText === true)),
    };
  },
});

/** Commas in braces are part of a pattern. */
export function toPatterns(list: string | undefined): string[] {
  const patterns: string[] = [""];
  let depth = 0;
  for (const sign of list ?? "") {
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (sign === "," && depth <= 0) patterns.push("");
    else patterns.push((patterns.pop() ?? "") + sign);
  }
  return patterns
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .slice(0, maxPatterns);
}

function listNotes(
  { hits, hasMore, isCut, isPlain, tooLarge = [] }: SearchResult,
  isAlwaysPlain: boolean,
): (Message | boolean | undefined)[] {
  return [
    (hasMore || hits.length > maxHits) && {
      en: `Only the first ${maxHits} lines are shown; there are more. Use a longer query or include_pattern to see others.`,
      zh: `只显示前 ${maxHits} 行，还有更多。请使用更具体的 query 或 include_pattern 查看其他结果。`,
    },
    isCut && {
      en: "The search took too long, so some files were not searched. Use include_pattern to search fewer files.",
      zh: "搜索时间过长，部分文件没有搜索。请用 include_pattern 缩小范围。",
    },
    tooLarge.length > 0 && {
      en: `The query is, or may be, in files that are too large to be searched line by line: ${tooLarge.map((path) => quoteName(path)).join(", ")}. Read parts of them with read_file and start_line.`,
      zh: `以下文件过大，没有逐行搜索，其中包含或可能包含 query：${tooLarge.map((path) => quoteName(path, "zh")).join("、")}。请用 read_file 和 start_line 分段读取。`,
    },
    isPlain &&
      isAlwaysPlain && {
        en: "Regular expressions do not work here, so the query was looked for as plain text. Send the text as it is in the file, without escapes.",
        zh: "此处不支持正则表达式，因此 query 按普通文本查找。请按文件中的原文书写，不要转义。",
      },
    isPlain &&
      !isAlwaysPlain && {
        en: "The query is not a valid regular expression, so it was looked for as plain text.",
        zh: "query 不是有效的正则表达式，因此按普通文本查找。",
      },
    hits.length === 0 && {
      en: "Nothing was found. Try a shorter query, without patterns, or look at the folders with list_dir.",
      zh: "没有找到任何结果。请尝试更短的 query，去掉模式，或用 list_dir 查看目录。",
    },
  ];
}
