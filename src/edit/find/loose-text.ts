// Lines compared as a reader sees them: blanks at the ends do not count, blanks inside count as one,
// typographic quotes and dashes count as the plain ones.

const space = 32;
const fnvPrime = 0x01000193;

/** The plain form of a character code; -1 for a character that nobody sees. */
function foldCode(code: number): number {
  if (code < 0x80) return code === 9 || code === 11 || code === 12 || code === 13 ? space : code;
  if (code < 0x2000) return code === 0xa0 || code === 0x1680 ? space : code;
  if (code > 0x3000) return code === 0xfeff ? -1 : code;
  if (code === 0x3000 || code === 0x202f || code === 0x205f || code <= 0x200a) return space;
  if (code === 0x2028 || code === 0x2029) return space;
  if (code >= 0x2018 && code <= 0x201b) return 39;
  if (code >= 0x201c && code <= 0x201f) return 34;
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return 45;
  return code >= 0x200b && code <= 0x200d ? -1 : code;
}

/** A hash of a line's loose form; 0 for a line that looks blank, and for no other. */
export function looseHash(text: string, start: number, end: number): number {
  let hash = 0;
  let isEmpty = true;
  let isAfterSpace = false;
  for (let at = start; at < end; at += 1) {
    const code = foldCode(text.charCodeAt(at));
    if (code === space) isAfterSpace = !isEmpty;
    else if (code !== -1) {
      if (isAfterSpace) hash = Math.imul(hash ^ space, fnvPrime);
      hash = Math.imul(hash ^ code, fnvPrime) ^ (hash >>> 15);
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
  const plain = nonAscii.test(line) ? line.replaceAll(everyNonAscii, foldCharacter) : line;
  return plain.replaceAll(blanks, " ").trim();
}

const nonAscii = /[^\0-\x7f]/;
const everyNonAscii = /[^\0-\x7f]/g;
const blanks = /[ \t\v\f\r]+/g;

function foldCharacter(character: string): string {
  const code = foldCode(character.charCodeAt(0));
  return code === -1 ? "" : String.fromCharCode(code);
}
