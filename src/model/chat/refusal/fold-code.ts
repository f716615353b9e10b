/** White space as {@link foldCode} gives it. */
export const gapCode = 0x20;

/** White space, control characters, and invisible signs; common letters are recognized at once. */
export function isGap(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return false;
  if (code <= 0xa0 || code === 0xad || code === 0x1680 || code === 0x180e) return true;
  if (code < 0x2000 || code > 0x3000) return code === 0xfeff;
  return (
    code <= 0x200f ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x3000
  );
}

/** Nearly all letters that have a case are before it. */
const tableSize = 0x2000;
const table = Uint16Array.from({ length: tableSize }, (_, code) => fold(code));

/** A character without its case, a gap as a space, a quotation mark of ASCII as `"`. */
export function foldCode(code: number): number {
  if (code < tableSize) return table[code] ?? code;
  if (code < 0x3001 || code === 0xfeff) return isGap(code) ? gapCode : code;
  return code;
}

function fold(code: number): number {
  if (isGap(code)) return gapCode;
  if (code === 0x27 || code === 0x60) return 0x22;
  const upper = String.fromCharCode(code).toUpperCase();
  const single = upper.length === 1 ? upper : String.fromCharCode(code);
  return single.toLowerCase().charCodeAt(0);
}
