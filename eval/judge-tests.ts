// Unittest-write: one block of code, which is to become the file whose path stands beside it.
import type { CodeParser } from "../src/code/code-analysis.ts";
import type { Answer } from "./read-answer.ts";
import type { Verdict } from "./verdict.ts";

interface CodeBlock {
  /** The word after the opening ticks. */
  language: string;
  text: string;
}

/** The tests can be used if they are one block that parses, with a path before or after it. */
export async function judgeTests(answer: Answer, code: CodeParser): Promise<Verdict> {
  const { blocks, rest } = splitBlocks(answer.text);
  const [block] = blocks;
  const path = /`([^`\s]+\.\w+)`/.exec(rest)?.[1];
  const reasons: string[] = [];
  if (block === undefined || blocks.length > 1)
    reasons.push(`The answer holds ${blocks.length} blocks of code, not one.`);
  if (path === undefined) reasons.push("No path of a file is beside the code.");
  if (answer.finishReason !== "stop")
    reasons.push(`The answer ended with "${answer.finishReason}".`);
  const isWhole = reasons.length === 0;
  const broken = block && (await findSyntaxError(block, path, code));
  if (broken) reasons.push(broken);
  return {
    isWhole,
    ...(broken === undefined ? {} : { isSyntaxKept: broken === "" }),
    reasons,
  };
}

/** Fenced blocks, and the text around them. A block that is not closed reaches to the end. */
function splitBlocks(markdown: string): { blocks: CodeBlock[]; rest: string } {
  const blocks: CodeBlock[] = [];
  const rest: string[] = [];
  let open: { ticks: string; language: string; lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push({ language: open.language, text: open.lines.join("\n") });
    open = undefined;
  };
  for (const line of markdown.split("\n")) {
    const [, ticks = "", word = ""] = /^(`{3,})\s*([^\s`]*)/.exec(line) ?? [];
    if (open === undefined && ticks !== "") open = { ticks, language: word, lines: [] };
    else if (open === undefined) rest.push(line);
    else if (ticks.length >= open.ticks.length && word === "") close();
    else open.lines.push(line);
  }
  close();
  return { blocks, rest: rest.join("\n") };
}

/** @returns "" if there is no error; undefined if no grammar reads the language */
async function findSyntaxError(
  { text, language }: CodeBlock,
  path: string | undefined,
  code: CodeParser,
): Promise<string | undefined> {
  const found = await code.analyze(text, language, path);
  if (found.language === undefined) return undefined;
  const [problem] = found.problems;
  if (problem === undefined) return "";
  return `The tests cannot be parsed, line ${problem.range.startLine}: ${problem.kind} ${problem.text}.`;
}
