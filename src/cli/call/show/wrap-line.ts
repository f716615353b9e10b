// Lines that fit the width of a terminal, where Chinese characters take two columns and colours none.

/** What takes no column: our own sequences that colour, marks that combine with the letter before, joiners. */
const invisible = /\p{Cc}\[[\d;]*m|[\p{M}\p{Cf}]/gu;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
/** Signs that must not begin a line. */
const closing =
  /^[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\uff09\u300b\u300d\u300f\u3011\u201d\u2019\u2026)\]},.;:!?]/u;
const pieces = /\p{Cc}\[[\d;]*m|\s+|[\s\S]/gu;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  const seen = text.replace(invisible, "");
  return (seen.match(/[\s\S]/gu)?.length ?? 0) + (seen.match(wide)?.length ?? 0);
}

/**
 * Breaks a line at spaces, and between wide characters. A word that is longer than the width stays whole.
 *
 * @param width in columns
 */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let [line, columns, word, gap, last] = ["", 0, "", "", ""];
  const endWord = (): void => {
    const needed = widthOf(word);
    if (columns > 0 && columns + gap.length + needed > width) {
      lines.push(line);
      [line, columns] = ["", 0];
    }
    const space = word === "" || (columns === 0 && lines.length > 0) ? "" : gap;
    line += space + word;
    columns += space.length + needed;
    [word, gap, last] = ["", "", ""];
  };
  for (const [piece] of text.matchAll(pieces)) {
    const isSpace = /^\s/.test(piece);
    const isSeen = piece.replace(invisible, "") !== "";
    // A wide character is a word of its own, with the signs that follow it.
    const isApart = last !== "" && !closing.test(piece) && (isWide(piece) || isWide(last));
    if (word !== "" && (isSpace || (isSeen && isApart))) endWord();
    if (isSpace) gap = piece;
    else word += piece;
    if (isSeen && !isSpace) last = piece;
  }
  endWord();
  return [...lines, line];
}

function isWide(sign: string): boolean {
  return sign.search(wide) === 0;
}
