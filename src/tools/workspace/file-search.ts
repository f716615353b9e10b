import * as z from "zod";
import { breathe } from "../../base/wire/patient-timer.ts";
import { listFiles, maxFiles } from "../../workspace/list-files.ts";
import { createGlobTest } from "../../workspace/search/match-glob.ts";
import { defineTool, failFrom } from "../tool.ts";
import { explanation, path as pathSchema, sayNotes } from "./fields.ts";
import { toPatterns } from "./grep-search.ts";

const maxHits = 10;
/** In characters. */
const maxQuery = 1_000;
/** Paths that are compared before others have their turn. */
const atOnce = 50;

export const fileSearch = defineTool({
  name: "file_search",
  otherNames: (
    "search_file search_files find find_file find_files find_by_name findTool glob " +
    "globTool glob_search glob_file_search file_glob_search list_files_by_pattern"
  ).split(" "),
  description: {
    en: "Finds files by parts of their paths, in any case: `usr ctl` finds src/user/controller.ts. Takes glob patterns, too. Gives at most 10 paths, the best first.",
    zh: "按路径片段查找文件，不区分大小写：`usr ctl` 可找到 src/user/controller.ts。也可使用 glob 模式。最多给出 10 个路径，最匹配的在前。",
  },
  fields: {
    query: {
      schema: z.string().max(maxQuery),
      isPath: true,
      en: "Parts of a path in their order, or glob patterns with commas between, as **/*.test.ts.",
      zh: "按先后顺序写出的路径片段，或以逗号分隔的 glob 模式，例如 **/*.test.ts。",
      otherNames: "pattern patterns glob glob_pattern name file_name",
    },
    relative_workspace_path: {
      schema: pathSchema.optional(),
      isPath: true,
      en: "Path of the folder to search, relative to the working directory. Leave out for all files.",
      zh: "要查找的目录路径，相对于工作目录。省略时查找所有文件。",
      otherNames: "path dir directory search_directory target_directory folder",
    },
    explanation,
  },
  // A folder alone means all that is in it.
  fit: ({ query, relative_workspace_path: folder, ...others }) =>
    query !== undefined || folder === undefined
      ? undefined
      : { ...others, relative_workspace_path: folder, query: "" },
  effect: "read",
  async run(input, { workspace, locale, signal }) {
    // An empty name of a folder means the working directory.
    const wanted = input.relative_workspace_path || ".";
    const top = await workspace.list(wanted, { maxEntries: 1, depth: 0, signal });
    if (!top.ok) return failFrom(locale, top.problem);
    const folder = top.value.path === "." ? "" : top.value.path;
    const listed = await listFiles(workspace, signal, folder);
    const rank = createRank(input.query);
    const found: Found[] = [];
    for (const [nth, { path }] of listed.entries()) {
      if (nth % atOnce === atOnce - 1) {
        await breathe();
        signal.throwIfAborted();
      }
      // As the pattern means it: from the folder that is searched.
      const scores = rank(folder === "" ? path : path.slice(folder.length + 1), path);
      if (scores !== undefined) found.push({ path, scores });
    }
    found.sort((one, other) => compareScores(one.scores, other.scores));
    return {
      success: true,
      files: found.slice(0, maxHits).map(({ path }) => path),
      has_more: found.length > maxHits,
      ...sayNotes(locale, found.length === 0 && nothing, listed.length >= maxFiles && tooMany),
    };
  },
});

export const wildcard = /[*?{[]/;

interface Found {
  path: string;
  scores: Scores;
}

/** How well a path fits: the first that differs decides, and the lower one is better. */
type Scores = readonly number[];

function compareScores(one: Scores, other: Scores): number {
  const at = one.findIndex((score, nth) => score !== other[nth]);
  return (one[at] ?? 0) - (other[at] ?? 0);
}

/**
 * @returns what says how well a path fits; undefined where it does not. A query means the path of a file as it is
 *   written, or a pattern: names may have brackets.
 */
function createRank(query: string): (inFolder: string, path: string) => Scores | undefined {
  const folded = query.replaceAll("\\", "/").toLowerCase();
  const globs = toPatterns(folded).filter((each) => wildcard.test(each));
  const fits = globs.length === 0 ? () => false : createGlobTest(globs);
  const parts = folded.split(/[\s/,]+/).filter((part) => part !== "" && part !== ".");
  return (inFolder, path) => {
    const [inner, whole] = [inFolder.toLowerCase(), path.toLowerCase()];
    const scores = matchParts(whole, path, parts);
    if (scores !== undefined) return scores;
    return fits(inner) || fits(whole) ? [4, 0, 0, 0, path.length] : undefined;
  };
}

/** @param path in lower case; `written` as it is */
function matchParts(path: string, written: string, parts: readonly string[]): Scores | undefined {
  const name = path.lastIndexOf("/") + 1;
  const whole = findBackward(path, parts);
  const letters = whole ?? findBackward(path, Array.from(parts.join("")));
  if (letters === undefined) return undefined;
  const [start = path.length] = letters;
  const last = parts.at(-1) ?? "";
  const base = path.slice(name);
  const isName = base === last || base.slice(0, Math.max(0, base.lastIndexOf("."))) === last;
  const isWordStart = (at: number): boolean =>
    at === 0 ||
    /[^\p{L}\p{N}]/u.test(path[at - 1] ?? "") ||
    /^\p{Ll}\p{Lu}/u.test(written.slice(at - 1, at + 1));
  const starts = letters.filter(isWordStart).length;
  const span = (letters.at(-1) ?? start) - start;
  const kind = whole === undefined ? 2 : 0;
  return [
    kind + (start >= name || (whole && (letters.at(-1) ?? 0) >= name) ? 0 : 1),
    isName ? 0 : 1,
    whole === undefined ? span - 3 * starts : -starts,
    span,
    path.length,
  ];
}

/**
 * Where parts are in a path, one after the other: as far behind as they can be, where the name of the file is, and then
 * as near to each other.
 */
function findBackward(path: string, parts: readonly string[]): number[] | undefined {
  const places: number[] = [];
  let end = path.length;
  for (const part of parts.toReversed()) {
    const at = end < part.length ? -1 : path.lastIndexOf(part, end - part.length);
    if (at === -1) return undefined;
    places.unshift(at);
    end = at;
  }
  return places;
}

const nothing = {
  en: "No file has such a path. Try fewer letters, or look at the folders with list_dir.",
  zh: "没有匹配的文件。请减少字符，或用 list_dir 查看目录。",
};

const tooMany = {
  en: `There are more than ${maxFiles} files, and only those nearest to the top were looked at. Name a folder.`,
  zh: `文件超过 ${maxFiles} 个，只查找了最靠近顶层的部分。请指定目录。`,
};
