// One name against one wildcard pattern, in time that grows with the product of their lengths, never faster.

type Token =
  | { kind: "star" }
  | { kind: "any" }
  | { kind: "one"; accepts(character: string): boolean };

export interface SegmentPattern {
  /** Set where there is no wildcard: the name itself. */
  literal?: string;
  tokens: readonly Token[];
}

/** Reads `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a character that means itself. */
export function parseSegment(written: string): SegmentPattern {
  const characters = Array.from(written);
  const tokens: Token[] = [];
  let literal: string | undefined = "";
  for (let at = 0; at < characters.length; at += 1) {
    let character = characters[at] ?? "";
    const set = character === "[" ? readSet(characters, at) : undefined;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") tokens.push({ kind: "any" });
    else if (set !== undefined) {
      tokens.push(set.token);
      at = set.end;
    } else {
      if (character === "\\" && at + 1 < characters.length) character = characters[(at += 1)] ?? "";
      const wanted = character;
      tokens.push({ kind: "one", accepts: (given) => given === wanted });
      literal &&= literal + wanted;
      if (tokens.length === 1) literal = wanted;
      continue;
    }
    literal = undefined;
  }
  return literal === undefined || tokens.length === 0 ? { tokens } : { literal, tokens };
}

export function matchSegment({ literal, tokens }: SegmentPattern, name: string): boolean {
  if (literal !== undefined) return name === literal;
  const characters = name.length < 128 && isPlain(name) ? name : Array.from(name);
  return matchWithStars(
    tokens.length,
    characters.length,
    (nth) => tokens[nth]?.kind === "star",
    (nth, at) => {
      const token = tokens[nth];
      return (
        token?.kind === "any" || (token?.kind === "one" && token.accepts(characters[at] ?? ""))
      );
    },
  );
}

/**
 * Whether a row of tokens fits a row of items, where a star fits any number of them. Only the last star is ever
 * tried again, which suffices: what stands before it has been matched as early as possible.
 */
export function matchWithStars(
  tokens: number,
  items: number,
  isStar: (token: number) => boolean,
  fits: (token: number, item: number) => boolean,
): boolean {
  let [token, item] = [0, 0];
  let star = -1;
  let restart = 0;
  while (item < items) {
    if (token < tokens && isStar(token)) {
      star = token;
      token += 1;
      restart = item;
    } else if (token < tokens && fits(token, item)) {
      token += 1;
      item += 1;
    } else if (star !== -1) {
      restart += 1;
      item = restart;
      token = star + 1;
    } else return false;
  }
  while (token < tokens && isStar(token)) token += 1;
  return token === tokens;
}

function isPlain(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) > 0xd7ff) return false;
  return true;
}

/** @returns undefined if the bracket is never closed, and so means itself */
function readSet(
  characters: readonly string[],
  start: number,
): { token: Token; end: number } | undefined {
  let at = start + 1;
  const isNegated = characters[at] === "!" || characters[at] === "^";
  if (isNegated) at += 1;
  const ranges: [from: string, to: string][] = [];
  for (let first = true; at < characters.length; first = false) {
    if (characters[at] === "]" && !first) {
      const accepts = (given: string): boolean =>
        ranges.some(([from, to]) => from <= given && given <= to) !== isNegated;
      return { token: { kind: "one", accepts }, end: at };
    }
    if (characters[at] === "\\") at += 1;
    const from = characters[at] ?? "";
    const isRange = characters[at + 1] === "-" && ![undefined, "]"].includes(characters[at + 2]);
    if (isRange) at += characters[at + 2] === "\\" ? 3 : 2;
    ranges.push([from, characters[at] ?? ""]);
    at += 1;
  }
  return undefined;
}
