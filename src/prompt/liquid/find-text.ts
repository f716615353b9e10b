// Searches that are linear whatever is looked for: the engine's own takes minutes for a long pattern that
// nearly fits everywhere.
import type { Fuel } from "./fuel.ts";

/** Up to this length the engine's own search is linear enough, and the fastest. */
const shortPattern = 32;

/** What a character costs in a search of ours. */
const searched = 2;

/** Where a pattern that is not empty stands in a text, from the first place; places do not overlap. */
export function* placesOf(
  text: string,
  pattern: string,
  fuel: Fuel,
): Generator<number, void, void> {
  if (pattern.length > text.length) return;
  if (pattern.length > shortPattern) {
    fuel.use((pattern.length + text.length) * searched);
    yield* search(text, pattern);
    return;
  }
  fuel.use(text.length * (pattern.length < 2 ? 0.2 : 0.7));
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + pattern.length)) {
    fuel.use(10);
    yield at;
  }
}

/** As `text.includes(pattern)`. */
export function includesText(text: string, pattern: string, fuel: Fuel): boolean {
  return pattern === "" || placesOf(text, pattern, fuel).next().done === false;
}

/** The last place of a pattern, which may overlap the one before; -1 if there is none. */
export function lastPlaceOf(text: string, pattern: string, fuel: Fuel): number {
  if (pattern.length <= shortPattern) {
    fuel.use(text.length * (0.3 + 0.1 * pattern.length));
    return text.lastIndexOf(pattern);
  }
  fuel.use((pattern.length + text.length) * searched);
  let last = -1;
  for (const at of search(text, pattern, true)) last = at;
  return last;
}

/** By the algorithm of Knuth, Morris and Pratt. */
function* search(text: string, pattern: string, mayOverlap = false): Generator<number, void, void> {
  const borders = bordersOf(pattern);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === code) matched += 1;
    if (matched < pattern.length) continue;
    yield at - pattern.length + 1;
    matched = mayOverlap ? (borders[matched - 1] ?? 0) : 0;
  }
}

/** For each beginning of the pattern, the length of its longest beginning that is its end, too. */
function bordersOf(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    const code = pattern.charCodeAt(at);
    while (length > 0 && pattern.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(length) === code) length += 1;
    borders[at] = length;
  }
  return borders;
}
