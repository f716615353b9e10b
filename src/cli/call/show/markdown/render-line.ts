import type { Terminal } from "../../terminal.ts";
import { renderInline } from "./inline-markdown.ts";
import { widthOf, wrapLine } from "./wrap-line.ts";

export interface LineState {
  terminal: Terminal;
  /** Whether a list was begun above, to which indented lines belong. */
  isList: boolean;
}

export interface RenderedLine {
  lines: string[];
  isList: boolean;
}

const heading = /^ {0,3}(?<level>#{1,6})[ \t]+(?<text>\S.*)$/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const underline = /^ {0,3}=+$/;
const quote = /^ {0,3}>[ \t]?(?<text>.*)$/;
const item = /^(?<indentation>[ \t]*)(?<marker>[-*+]|\d{1,9}[.)])[ \t]+(?<text>\S.*)$/;
const task = /^\[(?<mark>[ xX])\][ \t]+/;
const tabWidth = 4;
const ruleWidth = 40;
/** Levels of quotes that get a bar. */
const maxQuotes = 20;
/** Columns of an indentation: all lines of a wrapped text repeat it. */
const maxIndentation = 200;

/** Renders one line that is neither code nor a table. It comes without its end, and becomes one or more. */
export function renderLine(line: string, state: LineState): RenderedLine {
  const { terminal, isList } = state;
  const width = terminal.outWidth();
  const title = heading.exec(line)?.groups;
  if (title !== undefined) return { lines: [renderHeading(title, terminal)], isList: false };
  if (rule.test(line)) {
    const dashes = "─".repeat(Math.min(ruleWidth, width));
    return { lines: [terminal.outStyle("dim", dashes)], isList: false };
  }
  // The line under a heading of the other kind; what is above it has been shown.
  if (underline.test(line.trimEnd())) return { lines: [], isList: false };
  if (quote.test(line)) return { lines: renderQuote(line, terminal), isList: false };
  const point = item.exec(line)?.groups;
  if (point !== undefined) return { lines: renderItem(point, terminal), isList: true };
  const indentation = indentationOf(line);
  if (isList && indentation !== "")
    return { lines: hang(indentation, renderInline(line.trim()), width), isList: true };
  // Four spaces make code, as in Markdown.
  if (indentation.length >= tabWidth) return { lines: [line], isList: false };
  return { lines: wrapLine(renderInline(line.trim()), width), isList: false };
}

function renderHeading(
  { level = "", text = "" }: Record<string, string | undefined>,
  terminal: Terminal,
): string {
  const title = renderInline(
    text
      .trim()
      .replace(/(?<=\s)#+$/, "")
      .trim(),
  );
  return terminal.outStyle(level.length === 1 ? ["bold", "underline"] : "bold", title);
}

function renderQuote(line: string, terminal: Terminal): string[] {
  let [text, level] = [line, 0];
  for (; level < maxQuotes; level += 1) {
    const quoted = quote.exec(text)?.groups?.["text"];
    if (quoted === undefined) break;
    text = quoted;
  }
  const bars = terminal.outStyle("dim", "│ ").repeat(level);
  const width = Math.max(1, terminal.outWidth() - 2 * level);
  return renderQuoted(text, { ...terminal, outWidth: () => width }).map((one) => bars + one);
}

function renderQuoted(text: string, terminal: Terminal): string[] {
  if (text.trim() === "") return [""];
  // Beyond the deepest level the signs are text.
  if (quote.test(text)) return wrapLine(renderInline(text.trim()), terminal.outWidth());
  return renderLine(text, { terminal, isList: false }).lines;
}

function renderItem(
  { indentation = "", marker = "", text = "" }: Record<string, string | undefined>,
  terminal: Terminal,
): string[] {
  const { mark } = task.exec(text)?.groups ?? {};
  const content = mark === undefined ? text : text.replace(task, "");
  const sign = mark !== undefined ? (mark === " " ? "☐" : "☑") : /^\d/.test(marker) ? marker : "•";
  const lead = `${expand(indentation)}${terminal.outStyle("cyan", sign)} `;
  return hang(lead, renderInline(content), terminal.outWidth());
}

/** Wraps a text behind a lead; the lines that follow begin below its first word. */
function hang(lead: string, text: string, width: number): string[] {
  const taken = widthOf(lead);
  // Deep inside of a narrow terminal some room is left all the same.
  const room = Math.max(20, width - taken);
  return wrapLine(text, room).map((line, nth) => (nth === 0 ? lead : " ".repeat(taken)) + line);
}

function indentationOf(line: string): string {
  return expand(/^[ \t]*/.exec(line)?.[0] ?? "");
}

function expand(indentation: string): string {
  return indentation.replaceAll("\t", " ".repeat(tabWidth)).slice(0, maxIndentation);
}
