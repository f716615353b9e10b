// Lines compared as a reader sees them: blanks at the ends do not count, blanks inside count as one,
// any quotes count as one kind, typographic dashes and full-width signs as the plain ones, and letters with
// marks the same whether they are written as one character or as two.

const space = 32;
const fnvPrime = 0x01000193;

const dot = 46;
const ellipsis = 0x2026;

/** The plain form of a character code; -1 for a character that nobody sees. */
function foldCode(code: number): number {
  if (code < 0x80) {
    if (code === 9 || code === 11 || code === 12 || code === 13) return space;
    return code === 34 ? 39 : code;
  }
  if (code < 0x2000) return code === 0xa0 || code === 0x1680 ? space : code;
  if (code >= 0x3000) return foldWide(code);
  if (code === 0x202f || code === 0x205f || code <= 0x200a) return space;
  if (code === 0x2028 || code === 0x2029) return space;
  if (code >= 0x2018 && code <= 0x201f) return 39;
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return 45;
  return code >= 0x200b && code <= 0x200d ? -1 : code;
}

/** Full-width signs as the plain ones; what only chooses how a character is drawn cannot be seen. */
function foldWide(code: number): number {
  if (code >= 0xff01 && code <= 0xff5e) return foldCode(code - 0xfee0);
  if (code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f)) return -1;
  if (code > 0x3011) return code;
  if (code === 0x3000) return space;
  if (code === 0x3001) return 44;
  if (code === 0x3002) return dot;
  if (code === 0x300a) return 60;
  if (code === 0x300b) return 62;
  if (code === 0x3010) return 91;
  return code === 0x3011 ? 93 : code;
}

/** Marks that are written after the letter that they belong to. */
function isCombining(code: number): boolean {
  return (code >= 0x300 && code <= 0x36f) || code === 0x3099 || code === 0x309a || isVowel(code);
}

/** A part of a Korean syllable. */
function isVowel(code: number): boolean {
  return code >= 0x1160 && code <= 0x11ff;
}

/** A hash of a line's loose form; 0 for a line that looks blank, and for no other. */
export function looseHash(text: string, start: number, end: number): number {
  let hash = 0;
  let isEmpty = true;
  let isAfterSpace = false;
  for (let at = start; at < end; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign >= 0x300 && isCombining(sign)) {
      const composed = text.slice(start, end).normalize("NFC");
      if (composed.length < end - start) return looseHash(composed, 0, composed.length);
    }
    const code = foldCode(sign);
    if (code === space) isAfterSpace = !isEmpty;
    else if (code !== -1) {
      if (isAfterSpace) hash = Math.imul(hash ^ space, fnvPrime);
      const count = code === ellipsis ? 3 : 1;
      const folded = code === ellipsis ? dot : code;
      for (let nth = 0; nth < count; nth += 1)
        hash = Math.imul(hash ^ folded, fnvPrime) ^ (hash >>> 15);
      isAfterSpace = false;
      isEmpty = false;
    }
  }
  return hash === 0 && !isEmpty ? 1 : hash;
}

/** Nothing of the line can be seen. */
export function isBlank(line: string): boolean {
  return looseHash(line, 0, line.length) === 0;
}

/** The loose form itself: for comparing what hashes alike. */
export function looseText(line: string): string {
  const plain = nonAscii.test(line)
    ? line.normalize("NFC").replaceAll(everyNonAscii, foldCharacter)
    : line;
  return plain.replaceAll(blanks, " ").replaceAll('"', "'").trim();
}

const nonAscii = /[^\0-\x7f]/;
const everyNonAscii = /[^\0-\x7f]/g;
const blanks = /[ \t\v\f\r]+/g;

function foldCharacter(character: string): string {
  const code = foldCode(character.charCodeAt(0));
  if (code === ellipsis) return "...";
  return code === -1 ? "" : String.fromCharCode(code);
}
