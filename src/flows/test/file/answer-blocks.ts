/** A fenced block of an answer. */
export interface AnswerBlock {
  /** What stands behind the opening fence. */
  info: string;
  /** Whole lines, ended by "\n"; without blank lines at its end. */
  text: string;
  isClosed: boolean;
}

export interface AnswerParts {
  blocks: AnswerBlock[];
  /** The lines around the blocks: one list more than there are blocks. */
  around: string[][];
}

const opening = /^ {0,3}(?<rule>`{3,}(?!`)|~{3,}(?!~))(?<info>.*)$/;

/** Takes an answer apart into its fenced blocks and the lines around them. */
export function splitAnswer(answer: string): AnswerParts {
  const blocks: AnswerBlock[] = [];
  const around: string[][] = [[]];
  let open: { rule: string; info: string; lines: string[] } | undefined;
  for (const line of answer.split(/\r?\n/)) {
    const { rule = "", info = "" } = opening.exec(line)?.groups ?? {};
    if (open === undefined) {
      if (rule === "" || (rule.startsWith("`") && info.includes("`"))) around.at(-1)?.push(line);
      else open = { rule, info: info.trim(), lines: [] };
    } else if (rule.startsWith(open.rule)) {
      // A fence that opens in an open block says that the end of that one is missing.
      blocks.push(toBlock(open, info.trim() === ""));
      around.push([]);
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) {
    blocks.push(toBlock(open, false));
    around.push([]);
  }
  return { blocks, around };
}

function toBlock(
  { info, lines }: { info: string; lines: string[] },
  isClosed: boolean,
): AnswerBlock {
  const text = lines.join("\n").trimEnd();
  return { info, text: text === "" ? "" : `${text}\n`, isClosed };
}
