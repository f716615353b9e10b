// Where code branches, by the words that its lines begin with: they are much the same in all languages.
import type { Stretches } from "../edit/find/guess-prose.ts";
import { countWhile, trimEndSigns } from "../base/text/lines.ts";
import { type CodeRange, type SourceText, shorten } from "./source-text.ts";

export interface CodeBranch {
  /** 1-based. */
  line: number;
  kind: (typeof kinds)[number];
  /** The condition or expression on one line, at most 120 characters; of the last case `default`. */
  text: string;
}

const kinds = ["if", "guard", "else", "case", "loop", "catch", "throw", "return"] as const;
const branching =
  /^\s*(?:\} ?)?(?:(?<if>else ?if|elif|elsif|elseif|if|unless)|(?<guard>guard)|(?<else>else)|(?<case>case|when|default(?= ?:))|(?<loop>for|foreach|while|until|loop|repeat)|(?<catch>catch|except|rescue)|(?<throw>throw|raise)|(?<return>return))\b(?<text>.*)/;
/** What goes on behind a part of a condition in parentheses. */
const goesOn = /^\s*(?:[^\w\s{]|(?:and|or|in|is|not|if|as|instanceof)\b)/;
/** Characters of a line that are looked at, and branches of a range that are told. */
const [maxLine, maxBranches] = [500, 20_000];

/** The branches that begin on the lines of a range, outside of comments and strings. */
export function findBranches(
  source: SourceText,
  { comments, strings }: Readonly<Record<"comments" | "strings", Stretches>>,
  { startLine, endLine, endColumn }: CodeRange,
): CodeBranch[] {
  const found: CodeBranch[] = [];
  const last = Math.min(endColumn > 1 ? endLine : endLine - 1, source.lineCount);
  for (let line = startLine; line <= last && found.length < maxBranches; line += 1) {
    const start = source.startOf(line);
    if (isInside(strings, start) || isInside(comments, start)) continue;
    const written = source.line(line).slice(0, maxLine);
    const nth = countWhile(comments.count, (at) => comments.start(at) < start);
    const end = nth < comments.count ? comments.start(nth) - start : written.length;
    for (let left = written.slice(0, end); left !== "";) {
      const { rest, ...branch } = readBranch(left) ?? { rest: "" };
      if ("kind" in branch) found.push({ line, ...branch });
      left = rest;
    }
  }
  return found;
}

function isInside(stretches: Stretches, offset: number): boolean {
  const last = countWhile(stretches.count, (nth) => stretches.start(nth) < offset) - 1;
  return last >= 0 && stretches.end(last) > offset;
}

/** @returns with what comes behind the condition on the line */
function readBranch(line: string): (Omit<CodeBranch, "line"> & { rest: string }) | undefined {
  const { text = "", ...words } = branching.exec(line)?.groups ?? {};
  const kind = kinds.find((name) => words[name] !== undefined);
  if (kind === undefined) return undefined;
  const whole = trimEndSigns(text.trim(), "{:;").replace(/\b(?:then|do)$/, "");
  const isCase = kind === "case";
  const [tested = "", rest = ""] = isCase ? whole.split(/ (?:->|=>) |: /) : splitCondition(whole);
  const condition = trimEndSigns(tested, " {:;");
  if (kind === "else") return { kind, text: "", rest: whole };
  const isDefault = isCase && (condition === "" || words["case"] === "default");
  return { kind, text: isDefault ? "default" : shorten(condition), rest };
}

/** What is in the parentheses that a statement begins with, if they hold all of the condition; and what follows. */
function splitCondition(words: string): readonly [condition: string, rest?: string] {
  let depth = 0;
  for (let at = 0; at < words.length && words.startsWith("("); at += 1) {
    if (words[at] === "(") depth += 1;
    else if (words[at] === ")") depth -= 1;
    if (depth > 0) continue;
    const rest = words.slice(at + 1);
    return goesOn.test(rest) ? [words] : [words.slice(1, at), rest];
  }
  return [words];
}
