const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/**
 * Tells whether JSON text nests objects and arrays deeper than `limit`, without parsing it: a
 * parsed giant would already have cost the memory, and later copies of it overflow the stack.
 * Text that is no JSON gets some answer and is refused by the parser afterwards.
 */
export function isDeeperThan(json: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = endOfString(json, at);
    } else if (code === openBrace || code === openBracket) {
      depth++;
      if (depth > limit) return true;
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
    }
  }
  return false;
}

/** Jumps from quote to quote, since most of a request is the text of files. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}
