import { type Borders, anyBorder, blankBorder, isBlank } from "./cut-ranges.ts";

/** What stands further right than this is cut like what stands here. */
const deepest = 40;
/** Of the lines that begin something, the leftmost are the best to cut above: one less for each blank. */
const topBorder = deepest + blankBorder + 1;

/** What goes on with the lines above although it stands as far left. */
const continues =
  /^(?:[\])}>{.?:|&+=,]|(?:end|else|elif|elsif|except|finally|catch|then|fi|done|esac)\b|\*\/|"""|''')/;
/** What belongs to the lines below: comments, decorators, attributes. */
const leads = /^(?:\*|\/\/|\/\*|#|--|@|\[)/;

/**
 * Where code of any language may be cut, judged by blank lines and indentation: best above
 * top-level declarations with their comments, then above their members, then below blank lines.
 */
export function codeBorders(lines: readonly string[]): Borders {
  let above = "";
  let isAfterBlank = false;
  return lines.map((line) => {
    if (isBlank(line)) {
      isAfterBlank = true;
      return anyBorder;
    }
    const begins = !continues.test(line.trim()) && (isAfterBlank || endsAbove(above, line));
    above = line;
    isAfterBlank = false;
    return begins ? Math.max(topBorder - indentOf(line), blankBorder) : anyBorder;
  });
}

function endsAbove(above: string, line: string): boolean {
  const code = above.trim();
  const [outer, inner] = [indentOf(line), indentOf(above)];
  return !leads.test(code) && (inner > outer || (inner === outer && continues.test(code)));
}

export function indentOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}
