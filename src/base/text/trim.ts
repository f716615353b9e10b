/**
 * The text without the signs at its end. Linear: a pattern such as `/[;:]+$/` starts anew at each sign of
 * a run that does not end the text.
 *
 * @param signs single characters
 */
export function trimEndSigns(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text without the signs at both of its ends. */
export function trimSigns(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start += 1;
  return trimEndSigns(text.slice(start), signs);
}

/** The text on one line: each run of white space is one space, and there is none at the ends. Of any length. */
export function foldSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
