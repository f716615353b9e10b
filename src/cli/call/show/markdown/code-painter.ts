import { type CommentMarks, commentMarksOf } from "../../../../code/comment-marks.ts";
import type { Terminal } from "../../terminal.ts";

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
export function createCodePainter(language: string, terminal: Terminal): (line: string) => string {
  const name = language.toLowerCase();
  const known = paintedFences.has(name) ? commentMarksOf(name) : undefined;
  if (known === undefined) return (line) => line;
  let isComment = false;
  return (line) => {
    let painted = "";
    let left = line;
    while (left !== "") {
      const length = isComment || startsComment(left, known) ? commentLength(left, known) : 0;
      if (length > 0) {
        isComment = staysComment(left.slice(0, length), known, isComment);
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

function startsComment(text: string, { line, block }: CommentMarks): boolean {
  return (
    (line !== undefined && text.startsWith(line)) ||
    (block !== undefined && text.startsWith(block[0]))
  );
}

/** To the end of the comment, or of the line. */
function commentLength(text: string, { line, block }: CommentMarks): number {
  if (block === undefined || (line !== undefined && text.startsWith(line))) return text.length;
  const end = text.indexOf(block[1], text.startsWith(block[0]) ? block[0].length : 0);
  return end === -1 ? text.length : end + block[1].length;
}

function staysComment(text: string, { line, block }: CommentMarks, wasComment: boolean): boolean {
  if (block === undefined) return false;
  if (!wasComment && line !== undefined && text.startsWith(line)) return false;
  return !text.endsWith(block[1]);
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
