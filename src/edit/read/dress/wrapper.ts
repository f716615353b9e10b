// Tags of XML that models write around edits: they say nothing but, sometimes, which file is meant.
import { isSolid } from "../../../base/text/lines.ts";
import { isCodeFence, readFence } from "../../../base/text/fence.ts";

const names: ReadonlySet<string> = new Set(
  (
    "apply_diff apply_patch answer arg args arguments block change changes code code_change code_changes content diff " +
    "diffs edit edit_file edits file file_edit files function_calls invoke modification modifications operation " +
    "operations output parameter parameters patch replace_in_file response result search_replace str_replace tool_call " +
    "tool_use unit units update updates"
  ).split(" "),
);
const pathNames: ReadonlySet<string> = new Set(
  "path file filepath file_path filename file_name target_file".split(" "),
);
const maxLine = 400;
const tag = /^<\/?(?<name>[A-Za-z_]+)(?<attributes>[ \t][^<>]*)?>$/;
const attribute =
  /\b(?<key>file_?path|path|file|name|target)[ \t]*=[ \t]*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/i;
const other = /^(?:<!\[CDATA\[|\]\]>|<\?xml[^<>]*\?>)$/;
const element =
  /^<(?<name>[A-Za-z_]+)(?:[ \t]+name="(?<attribute>\w+)")?>(?<path>[^<>]+)<\/(?<end>[A-Za-z_]+)>$/;

/** A line that holds nothing but such a tag, or the beginning or end of CDATA. */
export function isWrapper(line: string): boolean {
  if (line.length > maxLine || !/[<\]]/.test(line)) return false;
  const { name = "" } = tag.exec(line.trim())?.groups ?? {};
  return (
    names.has(name.toLowerCase()) || other.test(line.trim()) || pathOfElement(line) !== undefined
  );
}

/** Whether it closes what another has opened. */
export function isClosingWrapper(line: string): boolean {
  return /^[ \t]*(?:<\/|\]\]>)/.test(line) && isWrapper(line);
}

/** A line without such a tag at its start. */
export function withoutWrapper(line: string): string {
  if (!line.startsWith("<") || line.length > maxLine) return line;
  const [whole = "", name = ""] = /^<([A-Za-z_]+)(?:[ \t][^<>]*)?>/.exec(line) ?? [];
  return names.has(name.toLowerCase()) ? line.slice(whole.length) : line;
}

/** The path that it names. */
export function pathOfWrapper(line: string): string | undefined {
  const named = pathOfElement(line);
  if (named !== undefined) return named;
  const { attributes = "" } = tag.exec(line.trim())?.groups ?? {};
  const { key = "", double, single } = attribute.exec(attributes)?.groups ?? {};
  const path = double ?? single;
  // The name of something may be that of a parameter.
  const isPath = path !== undefined && (/path|file/i.test(key) || /[./\\]/.test(path));
  return isPath ? path : undefined;
}

/** Whether a tag of the name, in whatever case, may be around edits. */
export function isWrapperName(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || pathNames.has(lower) || lower === "cdata" || lower === "xml";
}

function pathOfElement(line: string): string | undefined {
  const {
    name = "",
    attribute: named = name,
    path,
    end = "",
  } = element.exec(line.trim())?.groups ?? {};
  return name === end && pathNames.has(named.toLowerCase()) ? path?.trim() : undefined;
}

/**
 * The lines inside of a fence that holds all of a file's text; undefined if there is none. Markdown may begin and end with
 * fences of its own.
 *
 * @param path of the file
 */
export function withoutFence(lines: readonly string[], path: string): string[] | undefined {
  const [first, last] = [lines.findIndex(isSolid), lines.findLastIndex(isSolid)];
  const [opening = "", closing = ""] = [lines[first]?.trim(), lines[last]?.trim()];
  const isClosed = first < last && readFence(closing)?.info === "";
  if (!isClosed || !isCodeFence(opening) || !opening.startsWith(closing)) return undefined;
  const inside = lines.slice(first + 1, last);
  const isOne = !inside.some((line) => line.trim().startsWith(closing));
  return /\.(?:md|mdx|markdown)$/i.test(path) && !isOne ? undefined : inside;
}

/**
 * The text that a command of a shell is given between two lines, as `cat > src/a.ts <<'EOF'` has it, and the file into
 * which it goes; undefined for anything else.
 */
export function heredocOf(
  lines: readonly string[],
): { filePath: string | undefined; lines: readonly string[] } | undefined {
  const from = lines.findIndex((line) => line.length <= maxLine && heredoc.test(line));
  const command = lines[from] ?? "";
  const { word } = heredoc.exec(command)?.groups ?? {};
  const end = lines.findIndex((line, at) => at > from && line.trim() === word);
  // Nothing but commands may be around it.
  const others = lines.filter((line, at) => (at < from || at > end) && isSolid(line));
  if (from === -1 || end === -1 || others.length > 5) return undefined;
  const filePath = /(?:>|\btee\b(?: -a)?)\s*["']?([^\s"'<>|&;]+)/.exec(command)?.[1];
  return { filePath, lines: lines.slice(from + 1, end) };
}

const heredoc = /<<-?\s*(?<quote>["'\\]?)(?<word>[A-Za-z_]\w*)/;

/** A line that begins or ends CDATA. */
export function isCdata(line: string): boolean {
  return /^(?:<!\[CDATA\[|\]\]>)$/.test(line.trim());
}

/** The text of a file without what is around it: CDATA, a tag, a fence. */
export function coveredCode(lines: readonly string[], path: string): readonly string[] {
  let inside = lines;
  for (let depth = 0; depth < 3; depth += 1) {
    const [first, last] = [inside.findIndex(isSolid), inside.findLastIndex(isSolid)];
    if (first === last || !isPair(inside[first] ?? "", inside[last] ?? "", path)) break;
    inside = inside.slice(first + 1, last);
  }
  return withoutFence(inside, path) ?? inside;
}

/** In files of markup a tag is text. */
function isPair(opening: string, closing: string, path: string): boolean {
  if (isCdata(opening)) return isCdata(closing);
  const isMarkup = /\.(?:html?|xml|xsl|xsd|svg|vue|svelte|jsx|tsx|astro|md|mdx)$/i.test(path);
  const name = /^<([A-Za-z_]+)/.exec(opening.trim())?.[1];
  return !isMarkup && name !== undefined && isWrapper(opening) && closing.trim() === `</${name}>`;
}
