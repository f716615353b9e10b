// One name against one wildcard pattern: with stars alone in time that grows with the name, else with the product of
// their lengths, of which both have a limit.

type Token =
  | { kind: "star" }
  | { kind: "any" }
  | { kind: "one"; accepts(character: string): boolean };

/** Of a pattern with other wildcards than stars. */
const maxTokens = 200;

export interface SegmentPattern {
  /** Set if there is no wildcard: the name itself. */
  literal?: string;
  /** Set where stars are the only wildcards: the texts between them. */
  chunks?: readonly string[];
  tokens: readonly Token[];
}

/** Reads `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a character that means itself. */
export function parseSegment(written: string): SegmentPattern {
  const characters = Array.from(written);
  const tokens: Token[] = [];
  let literal: string | undefined = "";
  let chunks: string[] | undefined = [""];
  for (let at = 0; at < characters.length; at += 1) {
    let character = characters[at] ?? "";
    const set = character === "[" ? readSet(characters, at) : undefined;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") {
        tokens.push({ kind: "star" });
        chunks?.push("");
      }
    } else if (character === "?") {
      tokens.push({ kind: "any" });
      chunks = undefined;
    } else if (set !== undefined) {
      tokens.push(set.token);
      at = set.end;
      chunks = undefined;
    } else {
      if (character === "\\" && at + 1 < characters.length) character = characters[(at += 1)] ?? "";
      const wanted = character;
      tokens.push({ kind: "one", accepts: (given) => given === wanted });
      literal &&= literal + wanted;
      chunks?.push((chunks.pop() ?? "") + wanted);
      if (tokens.length === 1) literal = wanted;
      continue;
    }
    literal = undefined;
  }
  if (literal !== undefined && tokens.length > 0) return { literal, tokens };
  return chunks === undefined || tokens.length === 0 ? { tokens } : { chunks, tokens };
}

export function matchSegment({ literal, chunks, tokens }: SegmentPattern, name: string): boolean {
  if (literal !== undefined) return name === literal;
  if (chunks !== undefined) return matchChunks(chunks, name);
  // No real pattern has as many, and each may cost as much as the name is long.
  if (tokens.length > maxTokens) return false;
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

/** The texts in their order, the first and the last at the ends of the name. */
function matchChunks(chunks: readonly string[], name: string): boolean {
  const [first = "", ...rest] = chunks;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const chunk of rest) {
    const found = name.indexOf(chunk, at);
    if (found === -1) return false;
    at = found + chunk.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/**
 * Whether a row of tokens fits a row of items, where a star fits any number of them. Only the last star is ever
 * tried again, which suffices: what comes before it has been matched as early as possible.
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
