// Lines that fit the width of a terminal, where Chinese characters take two columns and colours none.

/** What takes no column: our own sequences that colour, marks that combine with the letter before, joiners. */
const invisible = /^(?:\p{Cc}\[[\d;]*m|[\p{M}\p{Cf}])/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Signs that must not begin a line. */
const closing =
  /^[\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\uff09\u300b\u300d\u300f\u3011\u201d\u2019\u2026)\]},.;:!?]/u;
const pieces = /\p{Cc}\[[\d;]*m|\s+|[\s\S]/gu;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const [piece] of text.matchAll(pieces))
    width += /^\s/.test(piece) ? piece.length : widthOfPiece(piece);
  return width;
}

/**
 * Breaks a line at spaces, and between wide characters. A word that is longer than the width stays whole.
 *
 * @param width in columns
 */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let columns = 0;
  for (const { word, gap } of splitWords(text)) {
    const needed = widthOf(word);
    if (columns > 0 && columns + gap.length + needed > width) {
      lines.push(line);
      line = "";
      columns = 0;
    }
    const space = columns === 0 && lines.length > 0 ? "" : gap;
    line += space + word;
    columns += space.length + needed;
  }
  return [...lines, line];
}

interface Word {
  word: string;
  /** The spaces before it. */
  gap: string;
}

function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let [word, gap, last] = ["", "", ""];
  const end = (): void => {
    if (word !== "") words.push({ word, gap });
    [word, gap, last] = ["", "", ""];
  };
  for (const [piece] of text.matchAll(pieces)) {
    if (/^\s/.test(piece)) {
      end();
      gap = piece;
    } else if (invisible.test(piece)) {
      word += piece;
    } else {
      // A wide character is a word of its own, with the signs that follow it.
      const isWide = wide.test(piece);
      const breaks = last !== "" && (isWide || wide.test(last)) && !closing.test(piece);
      if (breaks) end();
      word += piece;
      last = piece;
    }
  }
  end();
  return words;
}

function widthOfPiece(piece: string): number {
  return invisible.test(piece) ? 0 : wide.test(piece) ? 2 : 1;
}
