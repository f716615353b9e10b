/** In characters. */
const maxLine = 300;

/** A name as one bounded line: names stand outside of fences, where a line break could forge a heading. */
export function oneLine(name: string): string {
  const line = name.replace(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, " ");
  return line.length > maxLine ? `${line.slice(0, maxLine)}…` : line;
}

/**
 * What a screen does not show as a sign of its own, tab and line feed aside: controls, line separators, marks of format
 * and direction, whatever Unicode lets a program leave out, private signs, halves of characters.
 */
export const unseen =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]--[\t\n]]/gv;

/** A file's name as one bounded line on which every character is seen: the others are escaped as in JSON. */
export function showName(name: string): string {
  const line = name.replace(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1));
  const shown = line.replace(unseen, (sign) =>
    Array.from({ length: sign.length }, (_, nth) => escapeUnit(sign.charCodeAt(nth))).join(""),
  );
  return oneLine(shown);
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
