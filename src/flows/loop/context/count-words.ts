// How often the words of a request are in a text, and how well texts match it for that.
import { stemOf } from "./request-terms.ts";

export interface CountedWords {
  /** By stem; 1 and more. */
  counts: ReadonlyMap<string, number>;
  /** All words of the text. */
  length: number;
}

/** The parts of `parseHTTPHeader_v2` are words of their own; a longer one is data. */
const parts = /[A-Z]?[a-z\d]{2,40}|[A-Z]{2,40}(?![a-z])/g;
/** Of BM25: how soon more of a word says no more, and how much of a long text is expected to have more of all. */
const [saturation, lengthShare] = [1.2, 0.6];

/** @param stems those that are counted */
export function countWords(text: string, stems: ReadonlySet<string>): CountedWords {
  const counts = new Map<string, number>();
  const known = new Map<string, string | undefined>();
  let length = 0;
  for (const [part] of text.matchAll(parts)) {
    length += 1;
    let stem = known.get(part);
    if (stem === undefined && !known.has(part)) {
      const found = stemOf(part.toLowerCase());
      stem = stems.has(found) ? found : undefined;
      known.set(part, stem);
    }
    if (stem !== undefined) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length };
}

export interface TextMatch {
  /** From 0 to 1, the best of all texts. */
  score: number;
  /** The stem that says most. */
  stem: string;
}

/**
 * How well texts match, by BM25: a word counts the more the fewer texts have it. Those that have none are left out.
 *
 * @param stems with a weight each
 */
export function matchTexts(
  texts: ReadonlyMap<string, CountedWords>,
  stems: ReadonlyMap<string, number>,
): Map<string, TextMatch> {
  const weights = weighStems([...texts.values()], stems);
  const lengths = Array.from(texts.values(), ({ length }) => length);
  const average = lengths.reduce((sum, length) => sum + length, 1) / Math.max(1, texts.size);
  const matches = new Map<string, TextMatch>();
  let best = 0;
  for (const [path, { counts, length }] of texts) {
    const expected = saturation * (1 - lengthShare + (lengthShare * length) / average);
    const match = { score: 0, stem: "", most: 0 };
    for (const [stem, count] of counts) {
      const gain = ((weights.get(stem) ?? 0) * count) / (count + expected);
      match.score += gain;
      if (gain > match.most) Object.assign(match, { stem, most: gain });
    }
    best = Math.max(best, match.score);
    if (match.score > 0) matches.set(path, match);
  }
  return new Map(
    Array.from(matches, ([path, { score, stem }]) => [path, { score: score / best, stem }]),
  );
}

/** What each stem counts in these texts: little where most have it. */
function weighStems(
  texts: readonly CountedWords[],
  stems: ReadonlyMap<string, number>,
): Map<string, number> {
  const holders = new Map<string, number>();
  for (const { counts } of texts)
    for (const stem of counts.keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  return new Map(
    Array.from(stems, ([stem, weight]) => {
      const held = holders.get(stem) ?? 0;
      return [stem, weight * Math.log1p((texts.length - held + 0.5) / (held + 0.5))];
    }),
  );
}
