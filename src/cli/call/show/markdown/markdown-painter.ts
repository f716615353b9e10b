// Renders an answer's Markdown while it comes: line by line, and what was written is never touched again.
import { stripVTControlCharacters } from "node:util";
import { createDiffPainter } from "../../../diff-painter.ts";
import type { Terminal } from "../../terminal.ts";
import type { AnswerPainter } from "../answer-painter.ts";
import { escapeControls } from "../escape-controls.ts";
import { createCodePainter } from "./code-painter.ts";
import { renderTable } from "./inline-markdown.ts";
import { renderLine } from "./render-line.ts";

interface Fence {
  indentation: string;
  /** Backticks or tildes, as many as the end has to have at least. */
  rule: string;
  paint: (line: string) => string;
}

const opening = /^(?<indentation>[ \t]*)(?<rule>`{3,}(?!`)(?!.*`)|~{3,})[ \t]*(?<language>[^\s{]*)/;
const closing = /^(?<indentation>[ \t]*)(?<rule>`{3,}|~{3,})$/;
/** Columns of the lines above and below of code. */
const ruleWidth = 40;

/**
 * A painter for a terminal that shows colours. It takes the text as the model wrote it: sequences that would
 * colour it or move the cursor are taken out, and other control characters are shown. A line waits for its
 * end, a table for its last row.
 */
export function createMarkdownPainter(terminal: Terminal): AnswerPainter {
  let fence: Fence | undefined;
  let [line, wasEmpty, isList] = ["", true, false];
  /** Lines that are, or may become, a table. */
  let table: string[] = [];

  const flushTable = (): string => {
    const rows = table;
    table = [];
    if (rows.length > 1) return `${renderTable(rows.join("\n"), terminal.outWidth())}\n`;
    return rows.map(showLine).join("");
  };
  const showLine = (text: string): string => {
    const shown = renderLine(text, { terminal, isList });
    isList = shown.isList;
    return shown.lines.map((one) => `${one}\n`).join("");
  };
  const showText = (text: string): string => {
    if (text.trim() === "") {
      const shown = `${flushTable()}${wasEmpty ? "" : "\n"}`;
      wasEmpty = true;
      return shown;
    }
    wasEmpty = false;
    if (table.length > 0) {
      const belongs = table.length === 1 ? isSeparator(text) : text.includes("|");
      if (!belongs) return flushTable() + showText(text);
      table.push(text);
      return "";
    }
    fence = openFence(text, terminal);
    if (fence !== undefined) return `${fence.indentation}${ruleOf(text, terminal)}\n`;
    if (text.includes("|")) {
      table = [text];
      return "";
    }
    return showLine(text);
  };
  const showCode = (text: string, within: Fence): string => {
    if (!closes(text, within)) return `${paintInside(text, within)}\n`;
    fence = undefined;
    return `${within.indentation}${ruleOf("", terminal)}\n`;
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
      return (line === "" ? "" : endLine()) + flushTable();
    },
  };
}

/** `| --- | :-: |`, the line below the heads of a table. */
function isSeparator(line: string): boolean {
  const cells = line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function openFence(line: string, terminal: Terminal): Fence | undefined {
  const { indentation = "", rule, language = "" } = opening.exec(line)?.groups ?? {};
  if (rule === undefined) return undefined;
  const isDiff = language.toLowerCase() === "diff";
  const paint = isDiff ? createDiffPainter(terminal) : createCodePainter(language, terminal);
  return { indentation, rule, paint };
}

/** The line above code, which names its language, or the one below. */
function ruleOf(opened: string, terminal: Terminal): string {
  const { language = "" } = opening.exec(opened)?.groups ?? {};
  const name = language === "" ? "" : `── ${language} `;
  const width = Math.min(ruleWidth, terminal.outWidth());
  return terminal.outStyle("dim", name + "─".repeat(Math.max(0, width - name.length)));
}

function closes(line: string, fence: Fence): boolean {
  const { indentation = "", rule = "" } = closing.exec(line.trimEnd())?.groups ?? {};
  return rule.startsWith(fence.rule) && indentation.length <= fence.indentation.length;
}

function paintInside(line: string, { indentation, paint }: Fence): string {
  return line.startsWith(indentation)
    ? indentation + paint(line.slice(indentation.length))
    : paint(line);
}
