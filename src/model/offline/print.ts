// Markdown of names and quotes from files, which may hold anything.
import { foldSpaces } from "../../edit/fold-spaces.ts";
import { fence } from "../../turn/context/fence.ts";

/** Characters of a quote that are shown. */
const maxQuote = 120;
/** Characters of a passage that are shown. */
const maxPassage = 1200;
/** Items of a list that are shown. */
const maxItems = 40;

/** Prints text as inline code, whatever it holds: one line, of bounded length, that cannot break out. */
export function code(text: string): string {
  const line = cut(foldSpaces(text), maxQuote);
  const runs = line.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/**
 * A list below its title; nothing where there are no items.
 *
 * @param more says how many items are left out
 */
export function list(
  title: string,
  items: readonly string[],
  more: (count: number) => string,
): string {
  if (items.length === 0) return "";
  const left = items.length - maxItems;
  const shown = items.slice(0, maxItems).map((item) => item.replace(/^ */, "$&- "));
  return [`${title}\n`, ...shown, ...(left > 0 ? [`- ${more(left)}`] : [])].join("\n");
}

/** Paragraphs of an answer; those without text are left out. */
export function paragraphs(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => (part.endsWith("\n") ? part : `${part}\n`))
    .join("\n");
}

/** A text of any lines as a quote, of bounded length. */
export function quote(text: string): string {
  return fence(cut(text.trim(), maxPassage));
}

/** Counts characters, so that none is cut in two. */
function cut(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.length <= most && text.length <= 2 * most
    ? text
    : `${characters.slice(0, most).join("")}…`;
}
