// Renders an answer's Markdown while it comes: line by line, and what was written is never touched again.
import { stripVTControlCharacters } from "node:util";
import { type Terminal, createDiffPainter, widthOf, wrapLine } from "../terminal.ts";
import { type Escaper, escapeControls } from "./escape-controls.ts";
import { type FenceLine, closesFence, readFence } from "../../../base/text/fence.ts";
import { indentOf } from "../../../base/text/lines.ts";
import { commentMarksOf } from "../../../code/comment-marks.ts";
import { type Theme, createMarkdownStreamer, render } from "markdansi";

/** Columns of the lines above and below of code, and of rules. */
const lineWidth = 40;

/**
 * A painter for a terminal that shows colours. It takes the text as the model wrote it: sequences that would
 * colour it or move the cursor are taken out, and other control characters are shown. A line waits for its
 * end, a table for its last row.
 */
export function createMarkdownPainter(terminal: Terminal): Escaper {
  let fence: Fence | undefined;
  let [line, wasEmpty, isList] = ["", true, false];
  const show = (fragment: string): string => {
    // What is more than a line is a table.
    if (fragment.includes("\n")) return renderTable(fragment, terminal.outWidth());
    const lines = renderLine(fragment, terminal, isList);
    // Indented lines belong to the list above them.
    isList = item.test(fragment) || (isList && /^[ \t]/.test(fragment));
    return lines.join("\n");
  };
  const prose = createMarkdownStreamer({ render: show });
  const showText = (text: string): string => {
    const isEmpty = text.trim() === "";
    const gap = isEmpty && !wasEmpty ? "\n" : "";
    wasEmpty = isEmpty;
    if (isEmpty) return prose.finish() + gap;
    fence = openFence(text, terminal);
    if (fence !== undefined)
      return `${prose.finish()}${fence.indent}${drawRule(terminal, fence.info)}\n`;
    if (underline.test(text.trimEnd())) return prose.finish();
    // The streamer would take it for a fence, and wait for its end.
    if (/^[ \t]*```/.test(text)) return `${prose.finish()}${show(text)}\n`;
    return prose.push(`${text}\n`);
  };
  const showCode = (text: string, within: Fence): string => {
    if (!closesFence(text, within)) return `${paintInside(text, within)}\n`;
    fence = undefined;
    return `${within.indent}${drawRule(terminal)}\n`;
  };
  const endLine = (): string => {
    const text = escapeControls(stripVTControlCharacters(line.replace(/\r$/, "")));
    line = "";
    return fence === undefined ? showText(text) : showCode(text, fence);
  };
  return {
    feed(piece) {
      let shown = "";
      const [first = "", ...others] = piece.split("\n");
      line += first;
      for (const next of others) {
        shown += endLine();
        line = next;
      }
      return shown;
    },
    finish() {
      return (line === "" ? "" : endLine()) + prose.finish();
    },
  };
}

interface Fence extends FenceLine {
  paint: (line: string) => string;
}

function openFence(line: string, terminal: Terminal): Fence | undefined {
  const found = readFence(line);
  if (found === undefined) return undefined;
  const [info = ""] = /^[^\s{]*/.exec(found.info) ?? [];
  const isDiff = info.toLowerCase() === "diff";
  const paint = isDiff ? createDiffPainter(terminal) : createCodePainter(info, terminal);
  return { ...found, info, paint };
}

function paintInside(line: string, { indent, paint }: Fence): string {
  return line.startsWith(indent) ? indent + paint(line.slice(indent.length)) : paint(line);
}

/** A line of the width of code; the one above it names its language. */
function drawRule(terminal: Terminal, language = ""): string {
  const name = language === "" ? "" : `── ${language} `;
  const width = Math.min(lineWidth, terminal.outWidth());
  return terminal.outStyle("dim", name + "─".repeat(Math.max(0, width - name.length)));
}

const keywords = new Set(
  (
    "abstract and as async await begin bool boolean break case catch char class const continue def default defer " +
    "delete do double elif else elsif end enum except export extends final finally float fn for foreach from func " +
    "function go if impl implements import in instanceof int interface is lambda let long match mod module mut " +
    "namespace new nil None not null or package pass private protected pub public raise readonly require rescue " +
    "return self static string struct super switch template then this throw throws trait true True try type typeof " +
    "undefined union unless until use using val var void when where while with yield false False select insert " +
    "update create table join on group by order"
  ).split(" "),
);

const token =
  /(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<other>[\s\S])/u;

/**
 * Paints the lines of one code block, one after the other; free of control characters they come and go
 * without their ends. What is not known to be code stays as it is.
 */
function createCodePainter(language: string, terminal: Terminal): (line: string) => string {
  const { line: toEnd, block: [start, end] = [] } = commentMarksOf(language) ?? {};
  // In pages and prose, words are no keywords, and an apostrophe begins no text.
  if (toEnd === undefined && start !== "/*") return (line) => line;
  let isComment = false;
  return (line) => {
    let [painted, left] = ["", line];
    while (left !== "") {
      const isRest = !isComment && toEnd !== undefined && left.startsWith(toEnd);
      const isBegun = isComment || (start !== undefined && left.startsWith(start));
      if (isRest || isBegun) {
        const from = isComment ? 0 : (start?.length ?? 0);
        const at = isRest || end === undefined ? -1 : left.indexOf(end, from);
        isComment = !isRest && at === -1;
        const length = at === -1 ? left.length : at + (end?.length ?? 0);
        painted += terminal.outStyle("dim", left.slice(0, length));
        left = left.slice(length);
      } else {
        const found = token.exec(left);
        painted += paintToken(found?.groups ?? {}, terminal);
        left = left.slice(found?.[0].length ?? left.length);
      }
    }
    return painted;
  };
}

function paintToken(
  { text, number, word, other = "" }: Record<string, string | undefined>,
  terminal: Terminal,
): string {
  if (text !== undefined) return terminal.outStyle("green", text);
  if (number !== undefined) return terminal.outStyle("yellow", number);
  if (word === undefined) return other;
  return keywords.has(word) ? terminal.outStyle("magenta", word) : word;
}

const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** The line under a heading of the other kind; what is above it has been shown. */
const underline = /^ {0,3}=+$/;
const quote = /^ {0,3}>[ \t]?/;
const heading = /^ {0,3}(?<level>#{1,6})[ \t]+(?<title>\S.*)$/;
const item = /^[ \t]*(?<marker>[-*+]|\d{1,9}[.)])[ \t]+(?<text>\S.*)$/;
const task = /^\[(?<tick>[ xX])\][ \t]+/;
const tabWidth = 4;
/** Levels of quotes that get a bar; beyond, the signs are text. */
const maxQuotes = 20;
/** Columns of an indentation: all lines of a wrapped text repeat it. */
const maxIndentation = 200;

/**
 * Renders one line that is neither code nor a table. It comes without its end, and becomes one or more, which begin
 * below its first word.
 *
 * @param isList whether a list was begun above, to which indented lines belong
 */
function renderLine(line: string, terminal: Terminal, isList = false): string[] {
  let [text, level] = [line, 0];
  for (; level < maxQuotes && quote.test(text); level += 1) text = text.replace(quote, "");
  const bars = terminal.outStyle("dim", "│ ").repeat(level);
  const width = Math.max(1, terminal.outWidth() - 2 * level);
  if (rule.test(text))
    return [bars + terminal.outStyle("dim", "─".repeat(Math.min(lineWidth, width)))];
  const { level: marks, title = "" } = heading.exec(text)?.groups ?? {};
  if (marks !== undefined) {
    const words = renderInline(title.trimEnd().replace(/\s#+$/, ""));
    return [bars + terminal.outStyle(marks === "#" ? ["bold", "underline"] : "bold", words)];
  }
  const { marker, text: content = text } = item.exec(text)?.groups ?? {};
  const indentation = indentOf(text)
    .replaceAll("\t", " ".repeat(tabWidth))
    .slice(0, maxIndentation);
  const isContinued = isList && level === 0;
  // Four spaces make code, as in Markdown.
  if (marker === undefined && !isContinued && indentation.length >= tabWidth) return [bars + text];
  const { tick } = task.exec(content)?.groups ?? {};
  const bullet = marker !== undefined && /^\d/.test(marker) ? marker : "•";
  const sign = tick === undefined ? bullet : tick === " " ? "☐" : "☑";
  const lead = isContinued || marker !== undefined ? indentation : "";
  const whole = marker === undefined ? lead : `${lead}${terminal.outStyle("cyan", sign)} `;
  const taken = widthOf(whole);
  // Deep inside of a narrow terminal some room is left all the same.
  const room = taken === 0 ? width : Math.max(20, width - taken);
  const words = marker === undefined ? content : content.replace(task, "");
  return wrapLine(renderInline(words.trim()), room).map(
    (one, nth) => bars + (nth === 0 ? whole : " ".repeat(taken)) + one,
  );
}

/** Colours that are readable on light and dark screens. */
const theme: Theme = {
  strong: { bold: true },
  emph: { italic: true },
  inlineCode: { color: "cyan" },
  blockCode: {},
  link: { color: "blue" },
  tableHeader: { bold: true },
  tableCell: {},
};
const shared = { color: true, hyperlinks: false, theme } as const;
/** With a sign before it, a text is one paragraph whatever it begins with. */
const guard = ".";

/** Longer texts stay as they are: some of them would take the parser seconds; in characters. */
const maxText = 4_000;
const maxTable = 40_000;
/** Signs that may begin or end something, of which the parser compares each with the others. */
const mark = /[*_~`[\]()<>&\\!:]/g;
const maxMarks = 400;

/** Renders what may be inside of a line: emphasis, code, links. No line ends come or go. */
function renderInline(text: string): string {
  if (isHard(text)) return text;
  const rendered = render(guard + text, { ...shared, wrap: false });
  return rendered.replace(guard, "").replaceAll("\n", " ").trimEnd();
}

/** Renders a whole table. @param width in columns; wider cells are wrapped */
function renderTable(markdown: string, width: number): string {
  if (markdown.length > maxTable || markdown.split("|").some(isHard)) return markdown;
  return render(markdown, { ...shared, width, wrap: true, tableTruncate: false }).trim();
}

function isHard(text: string): boolean {
  return text.length > maxText || (text.match(mark)?.length ?? 0) > maxMarks;
}
