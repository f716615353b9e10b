// A true edit in the forms in which models write edits.
import { structuredPatch } from "diff/lib/patch/create.js";
import { languageOf } from "../../../src/turn/context/language.ts";

/** A file before and after a commit; `id` begins with the name of its repository and a slash. */
export interface Pair {
  id: string;
  path: string;
  before: string;
  after: string;
}

interface Hunk {
  search: string[];
  replace: string[];
  /** With the sign of each. */
  lines: string[];
  header: string;
  isTop: boolean;
  isBottom: boolean;
}

/** What a model writes: `edit` for a tool, `answer` for a flow. */
export interface Written {
  edit?: string;
  answer?: string;
}

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");
const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;
/** How much of their indentation is the same, tabs and spaces told apart. */
function columnOf(lines: readonly string[]): number {
  const code = lines.filter((line) => line.trim() !== "");
  const [first = ""] = code;
  let by = indentOf(first);
  while (!code.every((line) => line.startsWith(first.slice(0, by)))) by -= 1;
  return by;
}
const dedent = (lines: readonly string[], by = columnOf(lines)): string[] =>
  lines.map((line) => line.slice(Math.min(by, indentOf(line))));

function hunksOf({ before, after }: Pair, context: number): Hunk[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context });
  return hunks.map(({ lines: all, oldStart, oldLines, newStart, newLines }) => {
    const lines = all.filter((line) => !line.startsWith("\\"));
    const side = (sign: string): string[] =>
      lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
    return {
      search: side("+"),
      replace: side("-"),
      lines,
      header: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      isTop: oldStart <= 1,
      isBottom: oldStart + oldLines > linesOf(before).length,
    };
  });
}

/** How often lines follow each other in others. */
const countOf = (part: readonly string[], all: readonly string[]): number =>
  all.filter((_, at) => part.every((line, nth) => all[at + nth] === line)).length;

type Clear = (hunk: Hunk, file: readonly string[]) => boolean;

const isOnce: Clear = ({ search }, file) => countOf(search, file) === 1;

const isOnceTrimmed: Clear = ({ search }, file) => {
  const [part = [], all = []] = [search, file].map((lines) => lines.map((line) => line.trim()));
  return countOf(part, all) === 1;
};

/** Without signs, lines that stand in the file as they are change nothing; blank ones say nothing. */
const isNew: Clear = ({ search, replace }, file) => {
  const [old = [], now = [], all = []] = [search, replace, file].map((lines) =>
    lines.map((line) => line.trimEnd()).filter((line) => line !== ""),
  );
  return countOf(old, all) === 1 && countOf(now, all) === 0;
};

/** Hunks with as much around them that it is clear where each belongs. */
function clearHunks(pair: Pair, least = 2, isClear = isOnce): Hunk[] | undefined {
  const file = linesOf(pair.before);
  for (let context = least; context <= 12; context += 1) {
    const hunks = hunksOf(pair, context);
    if (hunks.every((hunk) => isClear(hunk, file))) return hunks;
  }
  return undefined;
}

/** Edits whose own lines look like rules or fences have to be written otherwise. */
function hasRules(pair: Pair): boolean {
  return hunksOf(pair, 0).some(({ lines }) =>
    lines.some((line) => /^(?:[-<=+>]{3,}|`{3,}|~{3,}|\*\*\* )/.test(line.slice(1).trim())),
  );
}

const hash = /(?:\.(?:py|rb|sh|bash|ya?ml|toml|tf|hcl)|Dockerfile[^/]*)$/;

function markOf(path: string): string | undefined {
  const text = "... existing code ...";
  if (hash.test(path)) return `# ${text}`;
  if (path.endsWith(".sql") || path.endsWith(".lua")) return `-- ${text}`;
  if (path.endsWith(".css")) return `/* ${text} */`;
  if (/\.(?:md|vue|svelte|html)$/.test(path)) return `<!-- ${text} -->`;
  return path.endsWith(".json") ? undefined : `// ${text}`;
}

function withMarks(pair: Pair, context: number): string | undefined {
  const mark = markOf(pair.path);
  const hunks = mark === undefined ? undefined : clearHunks(pair, context, isNew);
  if (mark === undefined || hunks === undefined) return undefined;
  const parts = hunks.flatMap(({ replace, isTop }) => [...(isTop ? [] : [mark]), ...replace]);
  return [...parts, ...(hunks.at(-1)?.isBottom === true ? [] : [mark])].join("\n");
}

const control =
  /^(?:if|for|while|switch|catch|except|else|match|loop|do|try|elif|with|guard|foreach|\w*FOREACH\w*|using|lock|synchronized|return|new|go|defer)\b|^@(?:include|media|supports|container|if|else|for|each|while)\b|^(?:static |async )*(?:function|fn)\b *\(/;
/** Languages in which a name with parameters and a body is a call, unless a word says otherwise. */
const worded = /\.(?:kts?|swift|rs|go)$/;
/** Languages in which the type of what a function returns may have a line of its own. */
const hasTypes = /\.(?:[ch]|[ch]pp)$/;

/** A line that begins a function: a name with parameters, or a call that one is given to, and what opens the body. */
function isHead(lines: readonly string[], at: number, path: string): boolean {
  const text = lines[at]?.trim() ?? "";
  if (worded.test(path) && !/\b(?:fun|func|fn|init|constructor)\b/.test(text)) return false;
  if (path.endsWith(".lua"))
    return /^(?:local )?function [\w.:]+\(.*\)$|^[\w.]+ = function\(.*\)$/.test(text);
  const name = text.slice(0, text.indexOf("(")).split(" ").at(-1) ?? "";
  const isNamed = text.includes("(") && /^[\w@]/.test(text) && !name.includes(".");
  const isWhole = text.split("(").length === text.split(")").length;
  const isBody = isWhole
    ? /[{:]$/.test(text) || isBrace(lines, at + 1)
    : /(?:=>|\bfunction\b.*\)) *\{$/.test(text);
  return /^(?:async )?def /.test(text) || (isNamed && isBody && !control.test(text));
}

/** What opens a body, on a line of its own below the head. */
const isBrace = (lines: readonly string[], at: number): boolean =>
  lines[at]?.trim() === "{" && indentOf(lines[at]) === indentOf(lines[at - 1] ?? "");

/** The last line before one that is indented no further than a head. */
function bodyEnd(lines: readonly string[], from: number, indent: number): number {
  const count = lines
    .slice(from)
    .findIndex((line) => line.trim() !== "" && indentOf(line) <= indent);
  return count === -1 ? lines.length - 1 : from + count - 1;
}

/** First line, last line, and the last line of the head. */
type Place = [from: number, to: number, head: number];

/** The nearest function around a line, by indentation, with its closing line. */
function functionAt(lines: readonly string[], line: number, path: string): Place | undefined {
  let least = Infinity;
  for (let at = line; at >= 0; at -= 1) {
    const text = lines[at] ?? "";
    if (["", "{"].includes(text.trim()) || indentOf(text) >= least) continue;
    least = at === line ? Infinity : indentOf(text);
    if (!isHead(lines, at, path)) continue;
    const indent = indentOf(text);
    let head = isBrace(lines, at + 1) ? at + 1 : at;
    let end = bodyEnd(lines, head + 1, indent);
    // The parameters had lines of their own.
    if (/^\s*\).*:$/.test(lines[end + 1] ?? "")) {
      head = end + 1;
      end = bodyEnd(lines, head + 1, indent);
    }
    const closer = lines[end + 1] ?? "";
    const isCloser = /^\s*(?:[})\]]|end\b)/.test(closer) && !/[({[]$/.test(closer);
    if (isCloser && indentOf(closer) === indent) end += 1;
    else if (!/:\s*$/.test(lines[head] ?? "")) return undefined;
    while ((lines[end] ?? "").trim() === "") end -= 1;
    const isTyped = head > at && /^\w[\w *]*$/.test(lines[at - 1] ?? "") && hasTypes.test(path);
    return end >= line ? [isTyped ? at - 1 : at, end, head] : undefined;
  }
  return undefined;
}

/** The functions that a commit changed, if it changed nothing else and no head. */
function functionsOf(pair: Pair): string[][] | undefined {
  const sides = [linesOf(pair.before), linesOf(pair.after)] as const;
  const found = sides.map(() => new Map<number, Place>());
  const { hunks } = structuredPatch("", "", pair.before, pair.after, "", "", { context: 0 });
  for (const { oldStart, oldLines, newStart, newLines } of hunks) {
    for (const [nth, [start, count]] of [
      [oldStart, oldLines] as const,
      [newStart, newLines] as const,
    ].entries()) {
      const place = functionAt(sides[nth] ?? [], count === 0 ? start - 2 : start - 1, pair.path);
      if (place === undefined || start - 2 + count > place[1]) return undefined;
      found[nth]?.set(place[0], place);
    }
  }
  // What is in another changed function is shown with that.
  const [old = [], now = []] = found.map((one) => {
    const all = [...one.values()].toSorted((a, b) => a[0] - b[0]);
    return all.filter(([from], nth) => all.slice(0, nth).every(([, to]) => to < from));
  });
  const rest = (lines: readonly string[], places: readonly Place[]): string =>
    lines
      .map((line, at) => (places.some(([, to, head]) => at > head && at <= to) ? "" : line))
      .filter((line) => line !== "")
      .join("\n");
  const isSame = old.length === now.length && rest(sides[0], old) === rest(sides[1], now);
  return isSame ? now.map(([from, to]) => sides[1].slice(from, to + 1)) : undefined;
}

const fence = (info: string, text: string): string => {
  let rule = "```";
  while (text.includes(rule)) rule += "`";
  return `${rule}${info}\n${text}\n${rule}`;
};
const units = (hunks: readonly Hunk[], [from, rule, to]: readonly string[]): string =>
  hunks.map(({ search, replace }) => [from, ...search, rule, ...replace, to].join("\n")).join("\n");
const standard = ["------- SEARCH", "=======", "+++++++ REPLACE"];
const git = ["<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"];
const diff = (hunks: readonly Hunk[], header?: string): string =>
  hunks.map((hunk) => [header ?? hunk.header, ...hunk.lines].join("\n")).join("\n");
const files = ({ path }: Pair): string => `--- a/${path}\n+++ b/${path}\n`;
const isMarkdown = ({ path }: Pair): boolean => path.endsWith(".md");
const info = ({ path }: Pair): string => languageOf(path);

/** Code for the tool, and in a fence for a flow; a fence of Markdown in Markdown says nothing of its end. */
function asCode(pair: Pair, edit: string | undefined): Written | undefined {
  if (edit === undefined) return undefined;
  return isMarkdown(pair) ? { edit } : { edit, answer: `Updated:\n\n${fence(info(pair), edit)}` };
}

export type Form = (pair: Pair) => Written | undefined;

const oneFunction = (pair: Pair): string[] | undefined => {
  const [only, ...more] = functionsOf(pair) ?? [];
  return more.length === 0 ? only : undefined;
};
const inUnits = (pair: Pair, rules: readonly string[], least?: number): string | undefined => {
  const hunks = hasRules(pair) ? undefined : clearHunks(pair, least);
  return hunks && units(hunks, rules);
};

export const forms: Readonly<Record<string, Form>> = {
  units: (pair) => {
    const edit = inUnits(pair, standard);
    const tag = `<file-edit filePath="${pair.path}">\n${edit}\n</file-edit>`;
    return edit === undefined ? undefined : { edit, answer: `The change:\n\n${tag}` };
  },
  "units git": (pair) => {
    const edit = inUnits(pair, git, 1);
    return edit === undefined || isMarkdown(pair)
      ? undefined
      : { edit, answer: `${pair.path}\n${fence(info(pair), edit)}` };
  },
  "units dedented": (pair) => {
    const hunks = hasRules(pair) ? [] : (clearHunks(pair, 3, isOnceTrimmed) ?? []);
    const cut = hunks.map((hunk) => {
      const by = columnOf([...hunk.search, ...hunk.replace]);
      return { ...hunk, search: dedent(hunk.search, by), replace: dedent(hunk.replace, by), by };
    });
    return cut.length > 0 && cut.every(({ by }) => by > 0)
      ? { edit: units(cut, standard) }
      : undefined;
  },
  udiff: (pair) => {
    const edit = files(pair) + diff(hunksOf(pair, 3));
    return isMarkdown(pair) ? { edit } : { edit, answer: fence("diff", edit) };
  },
  "udiff @@": (pair) => {
    const hunks = clearHunks(pair, 3);
    const edit = hunks && diff(hunks, "@@ ... @@");
    if (edit === undefined) return undefined;
    return isMarkdown(pair) ? { edit } : { edit, answer: fence("diff", edit) };
  },
  patch: (pair) => {
    const hunks = hasRules(pair) ? undefined : clearHunks(pair, 3);
    const body = hunks && `*** Update File: ${pair.path}\n${diff(hunks, "@@")}`;
    const edit = `*** Begin Patch\n${body}\n*** End Patch`;
    return body === undefined ? undefined : { edit, answer: edit };
  },
  json: (pair) => {
    const edits = clearHunks(pair)?.map(({ search, replace }) => ({
      old_string: search.join("\n"),
      new_string: replace.join("\n"),
    }));
    const answer = fence("json", JSON.stringify({ file_path: pair.path, edits }, null, 2));
    return edits && { answer };
  },
  "before/after": (pair) => {
    const hunks = isMarkdown(pair) ? [] : (clearHunks(pair) ?? []);
    const block = (lines: readonly string[]): string => fence(info(pair), lines.join("\n"));
    const answer = hunks
      .map(
        ({ search, replace }) => `**Before:**\n${block(search)}\n\n**After:**\n${block(replace)}`,
      )
      .join("\n\n");
    const isAll = hunks.length > 0 && hunks.every(({ replace }) => replace.length > 0);
    return isAll ? { answer } : undefined;
  },
  "marks, 3 lines": (pair) => asCode(pair, withMarks(pair, 3)),
  "marks, 1 line": (pair) => asCode(pair, withMarks(pair, 1)),
  "whole file": (pair) => asCode(pair, pair.after.replace(/\n$/, "")),
  function: (pair) => asCode(pair, oneFunction(pair)?.join("\n")),
  "function dedented": (pair) => {
    const lines = oneFunction(pair);
    return lines && columnOf(lines) > 0 ? asCode(pair, dedent(lines).join("\n")) : undefined;
  },
  "function, marks around": (pair) => {
    const [lines, mark] = [oneFunction(pair), markOf(pair.path)];
    const isAll = lines?.length === linesOf(pair.after).length;
    const around = lines && mark !== undefined && [mark, "", ...dedent(lines), "", mark];
    return around && !isAll ? asCode(pair, around.join("\n")) : undefined;
  },
  functions: (pair) => {
    const all = functionsOf(pair) ?? [];
    const answer = all.map((lines) => fence(info(pair), lines.join("\n"))).join("\n\n");
    const edit = all.map((lines) => lines.join("\n")).join("\n\n");
    return all.length > 1 ? { edit, answer } : undefined;
  },
  "lines around": (pair) => asPieces(pair, hunksOf(pair, 2)),
  "changed lines": (pair) => {
    const hunks = hunksOf(pair, 0);
    const areChanged = hunks.every(({ search, replace }) => search.length * replace.length > 0);
    return areChanged ? asPieces(pair, hunks) : undefined;
  },
  // Nothing says where these belong.
  "new lines": (pair) => {
    const hunks = hunksOf(pair, 0);
    const areNew = hunks.every(({ search, replace }) => search.length === 0 && replace.length > 0);
    return areNew ? asPieces(pair, hunks) : undefined;
  },
};

/** The new side of each place, and nothing else. */
function asPieces(pair: Pair, hunks: readonly Hunk[]): Written | undefined {
  const pieces = hunks.map(({ replace }) => replace.join("\n"));
  if (isMarkdown(pair) || pieces.some((piece) => piece.trim() === "")) return undefined;
  const answer = pieces.map((piece) => fence(info(pair), piece)).join("\n\n");
  return {
    answer: `Updated:\n\n${answer}`,
    ...(pieces.length === 1 ? { edit: pieces.join("") } : {}),
  };
}

/** How many places a commit changed, and how many lines there. */
export function countChanged(pair: Pair): { hunks: number; lines: number } {
  const hunks = hunksOf(pair, 0);
  return { hunks: hunks.length, lines: hunks.flatMap(({ lines }) => lines).length };
}
