// Text that was cut out in mid line: its first line lacks the indentation that the others have.
import { indentOf } from "../../base/text/lines.ts";
import { unitOf } from "../find/indentation.ts";
import { deep, sourceLines } from "./source-lines.ts";

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

/** A statement that ends on its line: what comes next is not indented deeper. */
function isComplete(line: string): boolean {
  const end = line.trimEnd();
  const count = (signs: RegExp): number => end.match(signs)?.length ?? 0;
  return /[\w)\]}"';]$/.test(end) && count(/[([{]/g) === count(/[)\]}]/g);
}
