// Where a line may be cut: between tokens, as any language has them.

const word = /[\p{L}\p{N}\p{M}_$]/u;
const digit = /\p{N}/u;
/** Signs that join two words to one name, path, number or call. */
const joins = "-.:/\\@#'~";
const operators = "=<>!&|+-*/%^~?:.#@";

/**
 * Whether a token ends and another begins at an offset: not inside of a word, a number (`1.2`), a name of
 * several words (`background-color`, `os.path`, `a::b`), a path or an operator, and not between a sign and
 * the name that it belongs to.
 *
 * @param isStart a part begins there, which may be the call of a method (`.then(x)`)
 */
export function isTokenBorder(text: string, offset: number, isStart: boolean): boolean {
  const before = signBefore(text, offset);
  const after = signAt(text, offset);
  if (isBlank(before) || isBlank(after)) return true;
  if (isInsideWord(text, offset)) return false;
  if (word.test(before)) {
    const isCall = isStart && after === "." && !digit.test(before);
    return isCall || !goesOn(text, offset, before);
  }
  if (word.test(after)) {
    return !joins.includes(before) || (before === "'" && !word.test(signBefore(text, offset - 1)));
  }
  return !(operators.includes(before) && operators.includes(after));
}

/** Whether a word or a number of one part goes on at an offset. */
export function isInsideWord(text: string, offset: number): boolean {
  const [before, after] = [signBefore(text, offset), signAt(text, offset)];
  return isUnseen(after) || isUnseen(before) || (word.test(before) && word.test(after));
}

/** A word goes on behind a sign that joins. */
function goesOn(text: string, offset: number, before: string): boolean {
  const [sign, next] = [text.charAt(offset), text.charAt(offset + 1)];
  if (digit.test(before) && (sign === "%" || (sign === "," && digit.test(next)))) return true;
  if (sign === "-" && next === ">") return true;
  if ((sign === "?" && next === ".") || (sign === ":" && next === ":")) return true;
  return joins.includes(sign) && word.test(signAt(text, offset + 1));
}

function signAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function signBefore(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && offset > 1;
  return isPair ? signAt(text, offset - 2) : text.charAt(offset - 1);
}

function isBlank(sign: string): boolean {
  return sign === "" || /^\s$/.test(sign);
}

/** Part of the character before it, or of one that was cut. */
function isUnseen(sign: string): boolean {
  return /^(?:\p{M}|\p{Cs}|\u200d)$/u.test(sign);
}
