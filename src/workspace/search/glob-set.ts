// A set of characters in a glob pattern, as `[a-z]`, read as git reads it (wildmatch.c).

/** Code points from and to, both included; sorted, and none touches another. */
export type CharacterSet = readonly (readonly [from: number, to: number])[];

export interface ReadSet {
  set: CharacterSet;
  isNegated: boolean;
  /** Where its last bracket is. */
  end: number;
}

/** The classes of ASCII, each as pairs of its first and last characters. */
const classes: Readonly<Record<string, readonly string[]>> = {
  alnum: ["09", "AZ", "az"],
  alpha: ["AZ", "az"],
  blank: ["  ", "\t\t"],
  cntrl: ["\0\u001f", "\u007f\u007f"],
  digit: ["09"],
  graph: ["!~"],
  lower: ["az"],
  print: [" ~"],
  punct: ["!/", ":@", "[`", "{~"],
  space: ["\t\r", "  "],
  upper: ["AZ"],
  xdigit: ["09", "AF", "af"],
};

/** @returns undefined if the bracket at `start` is never closed, or names a class that does not exist */
export function readSet(characters: readonly string[], start: number): ReadSet | undefined {
  let at = start + 1;
  const isNegated = characters[at] === "!" || characters[at] === "^";
  if (isNegated) at += 1;
  const ranges: [number, number][] = [];
  /** What a dash would begin a range with; undefined after a range and a class. */
  let last: number | undefined;
  for (let isFirst = true; at < characters.length; isFirst = false, at += 1) {
    const character = characters[at] ?? "";
    const next = characters[at + 1];
    if (character === "]" && !isFirst) return { set: mergeRanges(ranges), isNegated, end: at };
    if (character === "-" && last !== undefined && next !== undefined && next !== "]") {
      at += next === "\\" ? 2 : 1;
      ranges.push([last, codeOf(characters[at])]);
      last = undefined;
      continue;
    }
    const named = character === "[" && next === ":" ? readClass(characters, at) : undefined;
    if (named !== undefined) {
      const pairs = classes[named.name];
      if (pairs === undefined) return undefined;
      for (const [from, to] of pairs) ranges.push([codeOf(from), codeOf(to)]);
      at = named.end;
      last = undefined;
      continue;
    }
    if (character === "\\") at += 1;
    last = codeOf(characters[at]);
    ranges.push([last, last]);
  }
  return undefined;
}

export function hasCharacter(set: CharacterSet, code: number): boolean {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [from, to] = set[middle] ?? [0, 0];
    if (code < from) high = middle;
    else if (code > to) low = middle + 1;
    else return true;
  }
  return false;
}

/** `[:name:]`; undefined where there is no such end, and the bracket means itself. */
function readClass(
  characters: readonly string[],
  start: number,
): { name: string; end: number } | undefined {
  const end = characters.indexOf("]", start + 2);
  if (end === -1 || end === start + 2 || characters[end - 1] !== ":") return undefined;
  return { name: characters.slice(start + 2, end - 1).join(""), end };
}

function mergeRanges(ranges: readonly [number, number][]): CharacterSet {
  const merged: [number, number][] = [];
  const sorted = ranges.filter(([from, to]) => from <= to).sort(([one], [other]) => one - other);
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** -1 where the pattern has ended: no character is that. */
function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? -1;
}
