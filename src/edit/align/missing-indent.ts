// Text that was cut out in mid line: its first line lacks the indentation that the others have.
import { indentOf } from "../../base/text/lines.ts";
import { unitOf } from "../find/indentation.ts";
import { codeIn, deep, isCloser, sourceLines } from "./source-lines.ts";

const closing = /^(?:[)\]}]|end\b)/;
const mark = /^(?:@|#|"""|''')/;

/**
 * What the first line of a declaration, or of statements, has lost before it; "" if nothing shows that it has. The
 * closing line tells, and in Python, which has none, the lines of the body.
 */
export function missingIndent(lines: readonly string[]): string {
  const solid = lines.filter((line) => line.trim() !== "");
  // Blocks that a colon begins, and nothing that ends a statement or a block: Python.
  const isPython =
    solid.some((line) => /:\s*(?:#.*)?$/.test(line)) &&
    !solid.some((line) => /[;{}]$/.test(line.trimEnd()));
  const [first = "", ...below] = solid;
  const rest = below.filter((line) => !line.trimStart().startsWith("*"));
  if (indentOf(first) !== "" || rest.length === 0) return "";
  const indents = rest.map((line) => indentOf(line));
  const least = indents.reduce((some, one) => (one.length < some.length ? one : some));
  if (!indents.every((indent) => indent.startsWith(least))) return "";
  const last = rest.at(-1) ?? "";
  if (isComplete(first) && /^[\w$]/.test((rest[0] ?? "").trimStart())) return least;
  const isHead = first.trimEnd().endsWith(":");
  if (!isPython) {
    // Below a head with a colon, or what a name is bound to, the bracket ends a statement of the body.
    const opens = isHead || /(?:=|->)>?$/.test(first.trimEnd());
    const isEnd = !opens && indentOf(last) === least && closing.test(last.trimStart());
    return isEnd ? least : "";
  }
  if (mark.test(first)) return least;
  // As their own bodies are, or as is usual.
  const { all, numbers, columns } = sourceLines(lines);
  const code = numbers.slice(1).filter((_, nth) => columns[nth + 1] !== deep);
  const step =
    unitOf(code.map((line) => all[line] ?? "")) || (least.startsWith("\t") ? "\t" : "    ");
  return isHead ? least.slice(step.length) : "";
}

/** Words that begin a block which a word of its own ends, and those that begin the next part of one. */
const opening =
  /^(?:(?:local|private|public|protected|static|export|async) )*(?:function|def\w*|class|module|struct|macro|if|unless|for|while|until|case|begin)\b|\b(?:do|then)(?: \|[^|]*\|)?$/;
const between = /^(?:else|elsif|elseif|elif|when|rescue|ensure|catch)\b/;
const ending = /^(?:end|fi|done|esac)\b/;
/** A head whose one statement is in no brackets, and lines that go on with the one above. */
const headOfOne = /^(?:(?:\} ?)?else(?: if)?|if|for|while|foreach) ?(?:\(.*\))?$/;
const goesOn = /^(?:\.(?!\.)|\?\.|&&|\|\||\?|:(?!:))/;

/**
 * Code whose lines have all lost their indentation, with that which brackets, and words that end blocks, show; the lines as they
 * are where nothing has been lost, or nothing shows it.
 *
 * @param unit of the file
 * @param isOutermost whether the file has a line without indentation
 */
export function unflattened(
  lines: readonly string[],
  unit: string,
  isOutermost: (line: string) => boolean,
): readonly string[] {
  const solid = lines.filter((line) => line.trim() !== "");
  if (!areFlat(solid) || unit === "") return lines;
  const opens = (code: string): boolean => opening.test(code) && !/\bend$/.test(code);
  const ends = solid.filter((line) => ending.test(line));
  const hasEnds =
    ends.length > 0 &&
    solid.map((line) => codeIn(line).trim()).filter(opens).length === ends.length;
  let [depth, isOne] = [0, false];
  let isUneven = false;
  const depths = lines.map((line) => {
    const code = codeIn(line).trim();
    const signs = code.replaceAll(/"[^"]*"|'[^']*'/g, "").split("");
    const closers = signs.findIndex((sign) => !isCloser(sign));
    const isEnd = hasEnds && ending.test(code);
    const before = depth - (closers === -1 ? signs.length : closers) - (isEnd ? 1 : 0);
    const isMiddle = hasEnds && between.test(code);
    const isDeeper = (isOne && !/^[{}]/.test(code)) || goesOn.test(code);
    const opened = signs.filter((sign) => "([{".includes(sign)).length;
    const closes = signs.filter((sign) => ")]}".includes(sign)).length;
    const isOpening = hasEnds && opens(code);
    depth += opened - closes + (isOpening ? 1 : 0) - (isEnd ? 1 : 0);
    // What is below a label is deeper, and nothing ends it.
    isUneven ||= depth < 0 || (!hasEnds && /^(?:case\b|default:)/.test(code));
    isOne = !hasEnds && headOfOne.test(code);
    return before - (isMiddle ? 1 : 0) + (isDeeper ? 1 : 0);
  });
  const isLost = depths.some((one, nth) => one > 0 && lines[nth]?.trim() !== "");
  const isSo = lines.some((line, nth) => (depths[nth] ?? 0) > 0 && isOutermost(line));
  if (depth !== 0 || isUneven || !isLost || isSo) return lines;
  return lines.map((line, nth) =>
    line === "" ? "" : unit.repeat(Math.max(0, depths[nth] ?? 0)) + line,
  );
}

function areFlat(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.every((line) => indentOf(line) === "");
}

const pythonHead =
  /^(?:async |def |class |if |elif |else\b|for |while |with |try\b|except\b|finally\b).*:$/;

/** Whether no line is indented, and what is below a head of Python, other than a comment, would have to be. */
export function hasLostBlocks(lines: readonly string[]): boolean {
  const solid = lines.filter((line) => line.trim() !== "");
  return (
    areFlat(solid) &&
    solid.some((line, nth) => {
      const next = solid[nth + 1] ?? "#";
      return pythonHead.test(codeIn(line)) && !next.startsWith("#");
    })
  );
}

/** A statement that ends on its line: what comes next is not indented deeper. */
function isComplete(line: string): boolean {
  const end = line.trimEnd();
  const count = (signs: RegExp): number => end.match(signs)?.length ?? 0;
  return /[\w)\]}"';]$/.test(end) && count(/[([{]/g) === count(/[)\]}]/g);
}
