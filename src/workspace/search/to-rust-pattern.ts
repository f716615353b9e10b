// Expressions of RE2 as ripgrep reads them: what is spelled alike and means something else is spelled otherwise.

const classes: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: String.raw`\t\n\f\r `,
};

/** A carriage return before the line feed is no part of a line. */
const lineEnd = String.raw`(?:\r?$)`;

/**
 * Translates an expression that RE2 takes.
 *
 * @returns undefined where that is not sure; then ripgrep is not asked
 */
export function toRustPattern(pattern: string): string | undefined {
  // A quoted stretch, one byte, and a repetition without a lower bound, which each reads in its own way.
  if (/\\[QEC]|\{,/.test(pattern)) return undefined;
  let result = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    const next = pattern[at + 1] ?? "";
    if (character === "\\") {
      result += translateEscape(next, inClass);
      at += 1;
    } else if (inClass) {
      const isNamed = character === "[" && next === ":";
      const end = isNamed ? pattern.indexOf(":]", at + 2) : -1;
      if (isNamed && end !== -1) {
        result += pattern.slice(at, end + 2);
        at = end + 1;
      } else if (character === "]") {
        inClass = false;
        result += character;
      } else result += "[&~".includes(character) ? `\\${character}` : character;
    } else if (character === "[") {
      inClass = true;
      const [start] = /^\[\^?\]?/.exec(pattern.slice(at, at + 3)) ?? ["["];
      result += start;
      at += start.length - 1;
    } else if (character === "{" && !/^\{\d+(?:,\d*)?\}/.test(pattern.slice(at, at + 16))) {
      result += String.raw`\{`;
    } else result += character === "$" ? lineEnd : character;
  }
  return result;
}

function translateEscape(letter: string, inClass: boolean): string {
  // A line is searched alone, so that it is the whole text.
  if (letter === "A") return "^";
  if (letter === "z") return lineEnd;
  const inside = classes[letter.toLowerCase()];
  if (inside === undefined)
    return letter === "b" || letter === "B" ? `(?-u:\\${letter})` : `\\${letter}`;
  const isNegated = letter !== letter.toLowerCase();
  if (isNegated) return `[^${inside}]`;
  return inClass ? inside : `[${inside}]`;
}
