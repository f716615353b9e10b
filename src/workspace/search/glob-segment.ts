// One name against one wildcard pattern: with stars alone in time that grows with the name, else with the product of
// their lengths, which has a limit.
import { type CharacterSet, hasCharacter, readSet } from "./glob-set.ts";

type Token =
  | { kind: "star" }
  | { kind: "any" }
  | { kind: "one"; character: string }
  | { kind: "set"; set: CharacterSet; isNegated: boolean };

/** Tokens times characters: no real pattern and name have as many, and all may have to be compared. */
const maxWork = 200_000;

export interface SegmentPattern {
  /** Set if there is no wildcard: the name itself. */
  literal?: string;
  /** Set where stars are the only wildcards: the texts between them. */
  chunks?: readonly string[];
  tokens: readonly Token[];
  /** Characters that a name must have at least. */
  least: number;
}

/** Reads `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a character that means itself. */
export function parseSegment(written: string): SegmentPattern {
  const characters = Array.from(written);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const read = character === "[" ? readSet(characters, at) : undefined;
    if (read !== undefined) {
      tokens.push({ kind: "set", set: read.set, isNegated: read.isNegated });
      at = read.end;
    } else if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") tokens.push({ kind: "any" });
    else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      tokens.push({ kind: "one", character: characters[at] ?? "" });
    }
  }
  return simplify(tokens);
}

/** Most patterns have no wildcards but stars, and need no tokens. */
function simplify(tokens: readonly Token[]): SegmentPattern {
  const least = tokens.filter(({ kind }) => kind !== "star").length;
  const chunks = [""];
  for (const token of tokens) {
    if (token.kind === "star") chunks.push("");
    else if (token.kind === "one") chunks.push((chunks.pop() ?? "") + token.character);
    else return { tokens, least };
  }
  const [literal = ""] = chunks;
  return chunks.length === 1 ? { literal, tokens: [], least } : { chunks, tokens: [], least };
}

export function matchSegment(pattern: SegmentPattern, name: string): boolean {
  const { literal, chunks, tokens, least } = pattern;
  if (literal !== undefined) return name === literal;
  if (chunks !== undefined) return matchChunks(chunks, name);
  if (least > name.length || tokens.length * name.length > maxWork) return false;
  const characters = isPlain(name) ? name : Array.from(name);
  return matchWithStars(
    tokens.length,
    characters.length,
    (nth) => tokens[nth]?.kind === "star",
    (nth, at) => accepts(tokens[nth], characters[at] ?? ""),
  );
}

function accepts(token: Token | undefined, character: string): boolean {
  if (token === undefined || token.kind === "star") return false;
  if (token.kind === "any") return true;
  if (token.kind === "one") return token.character === character;
  return hasCharacter(token.set, character.codePointAt(0) ?? -1) !== token.isNegated;
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
