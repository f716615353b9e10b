// Renders an answer's Markdown while it comes: line by line, and what was written is never touched again.
import { stripVTControlCharacters } from "node:util";
import { type Terminal, createDiffPainter, widthOf, wrapLine } from "../terminal.ts";
import { type Escaper, escapeControls } from "./escape-controls.ts";
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
      return `${prose.finish()}${fence.indentation}${drawRule(terminal, fence.language)}\n`;
    if (underline.test(text.trimEnd())) return prose.finish();
    // The streamer would take it for a fence, and wait for its end.
    if (/^[ \t]*```/.test(text)) return `${prose.finish()}${show(text)}\n`;
    return prose.push(`${text}\n`);
  };
  const showCode = (text: string, within: Fence): string => {
    if (!closes(text, within)) return `${paintInside(text, within)}\n`;
    fence = undefined;
    return `${within.indentation}${drawRule(terminal)}\n`;
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

/** Of a block of code, whose lines are painted one after the other, without their ends. */
interface Fence {
  indentation: string;
  /** Backticks or tildes, as many as the end has to have at least. */
  rule: string;
  language: string;
  paint: (line: string) => string;
}

const opening = /^(?<indentation>[ \t]*)(?<rule>`{3,}(?!`)(?!.*`)|~{3,})[ \t]*(?<language>[^\s{]*)/;
const closing = /^(?<indentation>[ \t]*)(?<rule>`{3,}|~{3,})$/;

/** The fence that a line opens; undefined for others. */
function openFence(line: string, terminal: Terminal): Fence | undefined {
  const { indentation = "", rule, language = "" } = opening.exec(line)?.groups ?? {};
  if (rule === undefined) return undefined;
  const isDiff = language.toLowerCase() === "diff";
  const paint = isDiff ? createDiffPainter(terminal) : createCodePainter(language, terminal);
  return { indentation, rule, language, paint };
}

/**
 * A block ends as in CommonMark, with a rule at least as long as the one that began it. The end may not be indented
 * deeper than the beginning, since a diff indents the fences that it quotes.
 */
function closes(line: string, fence: Fence): boolean {
  const { indentation = "", rule = "" } = closing.exec(line.trimEnd())?.groups ?? {};
  return rule.startsWith(fence.rule) && indentation.length <= fence.indentation.length;
}

function paintInside(line: string, { indentation, paint }: Fence): string {
  return line.startsWith(indentation)
    ? indentation + paint(line.slice(indentation.length))
    : paint(line);
}

/** A line of the width of code; the one above it names its language. */
function drawRule(terminal: Terminal, language = ""): string {
  const name = language === "" ? "" : `── ${language} `;
  const width = Math.min(lineWidth, terminal.outWidth());
  return terminal.outStyle("dim", name + "─".repeat(Math.max(0, width - name.length)));
}

/** The names of fences whose code is painted: strings and numbers look alike nearly everywhere. */
const paintedFences = new Set(
  (
    "js javascript mjs cjs jsx ts typescript tsx java kotlin kt scala c h cpp c++ cc cs csharp go rust rs swift dart " +
    "php json jsonc css scss groovy py python rb ruby sh bash zsh shell yaml yml toml ini dockerfile make makefile " +
    "r perl sql lua"
  ).split(" "),
);

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

/** The parts of a line that get a colour of their own. */
const token =
  /(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<other>[\s\S])/u;

/**
 * Paints the lines of one code block, one after the other; free of control characters they come and go
 * without their ends. A language that is not known stays as it is.
 */
function createCodePainter(language: string, terminal: Terminal): (line: string) => string {
  const name = language.toLowerCase();
  const known = paintedFences.has(name) ? commentMarksOf(name) : undefined;
  if (known === undefined) return (line) => line;
  const { line: toEnd, block: [start, end] = [] } = known;
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

const heading = /^ {0,3}(?<level>#{1,6})[ \t]+(?<title>\S.*)$/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** The line under a heading of the other kind; what is above it has been shown. */
const underline = /^ {0,3}=+$/;
const quote = /^ {0,3}>[ \t]?(?<text>.*)$/;
const item = /^(?<indentation>[ \t]*)(?<marker>[-*+]|\d{1,9}[.)])[ \t]+(?<text>\S.*)$/;
const task = /^\[(?<mark>[ xX])\][ \t]+/;
const tabWidth = 4;
/** Levels of quotes that get a bar. */
const maxQuotes = 20;
/** Columns of an indentation: all lines of a wrapped text repeat it. */
const maxIndentation = 200;

/**
 * Renders one line that is neither code nor a table. It comes without its end, and becomes one or more.
 *
 * @param isList whether a list was begun above, to which indented lines belong
 */
function renderLine(line: string, terminal: Terminal, isList = false): string[] {
  const width = terminal.outWidth();
  if (rule.test(line)) return [terminal.outStyle("dim", "─".repeat(Math.min(lineWidth, width)))];
  if (quote.test(line)) return renderQuote(line, terminal);
  const { level, title = "" } = heading.exec(line)?.groups ?? {};
  if (level !== undefined) {
    const text = renderInline(
      title
        .trim()
        .replace(/(?<=\s)#+$/, "")
        .trim(),
    );
    return [terminal.outStyle(level === "#" ? ["bold", "underline"] : "bold", text)];
  }
  const { marker = "", text } = item.exec(line)?.groups ?? {};
  const indentation = expand(/^[ \t]*/.exec(line)?.[0] ?? "");
  if (text !== undefined) {
    const { mark } = task.exec(text)?.groups ?? {};
    const ticked = mark === " " ? "☐" : "☑";
    const sign = mark !== undefined ? ticked : /^\d/.test(marker) ? marker : "•";
    const lead = `${indentation}${terminal.outStyle("cyan", sign)} `;
    return hang(lead, renderInline(text.replace(task, "")), width);
  }
  if (isList && indentation !== "") return hang(indentation, renderInline(line.trim()), width);
  // Four spaces make code, as in Markdown.
  if (indentation.length >= tabWidth) return [line];
  return wrapLine(renderInline(line.trim()), width);
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
  // Beyond the deepest level the signs are text.
  const lines = quote.test(text)
    ? wrapLine(renderInline(text.trim()), width)
    : renderLine(text, { ...terminal, outWidth: () => width });
  return lines.map((one) => bars + one);
}

/** Wraps a text behind a lead; the lines that follow begin below its first word. */
function hang(lead: string, text: string, width: number): string[] {
  const taken = widthOf(lead);
  // Deep inside of a narrow terminal some room is left all the same.
  const room = Math.max(20, width - taken);
  return wrapLine(text, room).map((line, nth) => (nth === 0 ? lead : " ".repeat(taken)) + line);
}

function expand(indentation: string): string {
  return indentation.replaceAll("\t", " ".repeat(tabWidth)).slice(0, maxIndentation);
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

/**
 * Renders a whole table.
 *
 * @param width in columns; wider cells are wrapped
 */
function renderTable(markdown: string, width: number): string {
  if (markdown.length > maxTable || markdown.split("|").some(isHard)) return markdown;
  return render(markdown, { ...shared, width, wrap: true, tableTruncate: false }).trim();
}

function isHard(text: string): boolean {
  return text.length > maxText || (text.match(mark)?.length ?? 0) > maxMarks;
}
