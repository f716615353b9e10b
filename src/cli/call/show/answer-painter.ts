import type { Terminal } from "../terminal.ts";

export interface AnswerPainter {
  /** Paints the next piece of an answer. Inside a diff, a line is held back until it is complete. */
  feed(piece: string): string;
  /** The line that was held back, without an end; the answer may go on behind it, on a new line. */
  finish(): string;
}

/** Paints the lines of one block of code, one after the other, without their ends. */
export type PaintCode = (line: string) => string;

export interface Fence {
  indentation: string;
  /** Backticks or tildes, as many as the end has to have at least. */
  rule: string;
  language: string;
  paint: PaintCode | undefined;
}

const opening = /^(?<indentation>[ \t]*)(?<rule>`{3,}(?!`)(?!.*`)|~{3,})[ \t]*(?<language>[^\s{]*)/;
const closing = /^(?<indentation>[ \t]*)(?<rule>`{3,}|~{3,})$/;

/**
 * Colours the diffs of a Markdown answer, that is the blocks whose fence says `diff`, while it streams.
 * But for colours the text stays as it is, and outside of diffs nothing waits.
 *
 * A block ends as in CommonMark, with a rule at least as long as the one that began it. The end may
 * not be indented deeper than the beginning, since a diff indents the fences that it quotes.
 */
export function createAnswerPainter(terminal: Terminal): AnswerPainter {
  let fence: Fence | undefined;
  /** What has come of the line that is not complete. */
  let line = "";
  const endLine = (): string => {
    const isEnd = fence !== undefined && closes(line, fence);
    const shown = isEnd || fence === undefined ? line : paintInside(line, fence);
    fence = fence === undefined ? openFence(line, terminal) : isEnd ? undefined : fence;
    line = "";
    return shown;
  };
  return {
    feed(piece) {
      let shown = "";
      for (const part of piece.split(/(?<=\n)/)) {
        const isHeld = fence?.paint !== undefined;
        const isComplete = part.endsWith("\n");
        line += isComplete ? part.slice(0, -1) : part;
        if (!isHeld) shown += part;
        if (!isComplete) continue;
        const painted = endLine();
        if (isHeld) shown += `${painted}\n`;
      }
      return shown;
    },
    finish() {
      const isHeld = fence?.paint !== undefined && line !== "";
      const painted = endLine();
      return isHeld ? painted : "";
    },
  };
}

/**
 * The fence that a line opens; undefined for others.
 *
 * @param paintOf for languages other than `diff`
 */
export function openFence(
  line: string,
  terminal: Terminal,
  paintOf?: (language: string) => PaintCode,
): Fence | undefined {
  const { indentation = "", rule, language = "" } = opening.exec(line)?.groups ?? {};
  if (rule === undefined) return undefined;
  const isDiff = language.toLowerCase() === "diff";
  const paint = isDiff ? createDiffPainter(terminal) : paintOf?.(language);
  return { indentation, rule, language, paint };
}

export function closes(line: string, fence: Fence): boolean {
  const { indentation = "", rule = "" } = closing.exec(line.trimEnd())?.groups ?? {};
  return rule.startsWith(fence.rule) && indentation.length <= fence.indentation.length;
}

export function paintInside(line: string, { indentation, paint = (text) => text }: Fence): string {
  return line.startsWith(indentation)
    ? indentation + paint(line.slice(indentation.length))
    : paint(line);
}

const formats = [
  [/^(?:---|\+\+\+) /, "bold"],
  [/^@@/, "cyan"],
  [/^-/, "red"],
  [/^\+/, "green"],
] as const;

/**
 * Paints the lines of one unified diff for standard output, one after the other. Lines come and go
 * without their ends and free of control characters; a line gets colours and stays as it is otherwise.
 */
export function createDiffPainter(terminal: Terminal): PaintCode {
  let isHead = true;
  return (line) => {
    if (line.startsWith("@@")) isHead = false;
    // Behind the head, `--- x` is a line `-- x` that goes.
    const [, format] = formats.slice(isHead ? 0 : 1).find(([pattern]) => pattern.test(line)) ?? [];
    return format === undefined ? line : terminal.outStyle(format, line);
  };
}
