import type { BareCode, Gap } from "./plain/bare-code.ts";

const nothing: Gap = {
  raw: "",
  hasComment: false,
  hasLongComment: false,
  hasBreak: false,
  indent: "",
};

/**
 * Whether two texts differ in nothing but comments, blank lines and blanks at line ends. Where a comment
 * came, went or changed, the blanks beside it may differ as well, as long as it joins and splits no
 * words, signs or lines of code. Indentation is code.
 */
export function isSameCode(before: BareCode, after: BareCode): boolean {
  if (before.text !== after.text || before.isGuess !== after.isGuess) return false;
  let line = 0;
  for (const place of mergePlaces(before.gaps.keys(), after.gaps.keys())) {
    const absent = place === 0 ? { ...nothing, hasBreak: true } : nothing;
    const [was, is] = [before.gaps.get(place) ?? absent, after.gaps.get(place) ?? absent];
    if (was.hasBreak) line = place;
    if (!isSameGap(was, is, { ...before, place, line })) return false;
  }
  return true;
}

/** Two rising rows of numbers as one, each number once. */
function* mergePlaces(one: Iterator<number>, other: Iterator<number>): Iterable<number> {
  let [a, b] = [one.next(), other.next()];
  while (a.done !== true || b.done !== true) {
    const place = Math.min(
      a.done === true ? Infinity : a.value,
      b.done === true ? Infinity : b.value,
    );
    yield place;
    if (a.done !== true && a.value === place) a = one.next();
    if (b.done !== true && b.value === place) b = other.next();
  }
}

/** The code as text, for people and for patterns: without comments, blank lines and blanks at line ends. */
export function printBareCode(code: BareCode): string {
  let printed = "";
  let at = 0;
  for (const [place, gap] of code.gaps) {
    printed += code.text.slice(at, place);
    at = place;
    if (place < code.text.length) printed += printGap(gap, { ...code, place, line: 0 });
  }
  return printed + code.text.slice(at);
}

interface Place extends BareCode {
  place: number;
  /** Where the line begins. */
  line: number;
}

function isSameGap(was: Gap, is: Gap, place: Place): boolean {
  const [left, right] = around(place);
  // Nothing comes after the last line.
  if (right === "") return true;
  // A backslash needs the line to end right behind it; blanks before a tag of markup are text.
  if (left === "\\" || (left === "" && right === "<")) return was.raw === is.raw;
  if (was.hasBreak || is.hasBreak) return was.hasBreak === is.hasBreak && was.indent === is.indent;
  if (was.hasLongComment !== is.hasLongComment) return false;
  if (!was.hasComment && !is.hasComment) return was.raw === is.raw;
  return (was.raw === "") === (is.raw === "") || !isBorder(place);
}

function printGap(gap: Gap, place: Place): string {
  if (gap.hasBreak) return (place.place === 0 ? "" : "\n") + gap.indent;
  if (!gap.hasComment) return gap.raw;
  return /^[ \t]|[ \t]$/.test(gap.raw) || isBorder(place) ? " " : "";
}

function around({ text, place }: Place): readonly [left: string, right: string] {
  return [text.charAt(place - 1), text.charAt(place)];
}

/** Whether it can matter that something stands between the two characters, such as `a` and `b`. */
function isBorder(place: Place): boolean {
  const [left, right] = around(place);
  // `#define A (x)` is a value, `#define A(x)` a macro with a parameter.
  if (right === "(" && place.text.charAt(place.line) === "#") return true;
  const [one, other] = [kindOf(left), kindOf(right)];
  if (one === "bracket" || other === "bracket") return false;
  return place.isGuess || one === other || left === "." || right === ".";
}

function kindOf(character: string): "bracket" | "sign" | "word" {
  if (/[()[\]{},;]/.test(character)) return "bracket";
  return /[-+*/%<>=!&|^~?:.]/.test(character) ? "sign" : "word";
}
