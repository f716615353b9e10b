import MiniSearch, { type AsPlainObject, type Options } from "minisearch";
import * as z from "zod";
import {
  type FoundPassage,
  KnowledgePassage,
  type Retriever,
  knowledgeBaseOf,
} from "./retriever.ts";
import { joinNeighbours } from "./cut-ranges.ts";
import { queryTermsOf, tokenize } from "./tokenize.ts";

/** Raise the version whenever terms or passages are cut another way. */
const KnowledgeJson = z.object({
  version: z.literal(1),
  passages: z.array(KnowledgePassage.extend({ id: z.int() })),
  /** MiniSearch's own business; it was built by its toJSON. */
  terms: z.custom<AsPlainObject>(
    (value) => z.object({ serializationVersion: z.literal(2) }).safeParse(value).success,
  ),
});
type KnowledgeJson = z.infer<typeof KnowledgeJson>;

/** What MiniSearch indexes. Fields are never absent: their average lengths would be wrong. */
interface Entry {
  id: number;
  text: string;
  heading: string;
  file: string;
}

const options: Options<Entry> = {
  fields: ["text", "heading", "file"],
  tokenize,
  processTerm: (term) => term,
  searchOptions: { boost: { heading: 2, file: 1.5 } },
};

/** BM25 sums fractions in an order that a rebuilt index need not keep; so many digits are the same. */
const scoreDigits = 10_000;
const fuzziness = 0.15;

/** Indexes passages; those of one file must come in their order. */
export function createKnowledgeIndex(passages: Iterable<KnowledgePassage> = []): KnowledgeIndex {
  const index = new KnowledgeIndex(new MiniSearch<Entry>(options), []);
  for (const passage of passages) index.add(passage);
  return index;
}

/** Reads what an index gave as JSON, so that it need not be built again. @throws Error if it is of another version */
export function parseKnowledgeIndex(json: unknown): KnowledgeIndex {
  const parsed = KnowledgeJson.safeParse(json);
  if (!parsed.success)
    throw new Error(
      "This is not a knowledge index of this version. Build it again with npm run build:knowledge.",
    );
  const { passages, terms } = parsed.data;
  return new KnowledgeIndex(MiniSearch.loadJS<Entry>(terms, options), passages);
}

/** A full-text index of passages. Changes are seen by the next retrieval. */
export class KnowledgeIndex implements Retriever {
  readonly #search: MiniSearch<Entry>;
  readonly #passages = new Map<number, KnowledgePassage>();
  readonly #files = new Map<string, number[]>();
  #nextId = 0;

  constructor(search: MiniSearch<Entry>, known: KnowledgeJson["passages"]) {
    this.#search = search;
    for (const { id, ...passage } of known) this.#keep(id, passage);
  }

  get fileCount(): number {
    return this.#files.size;
  }

  get passageCount(): number {
    return this.#passages.size;
  }

  add(passage: KnowledgePassage): void {
    const id = this.#nextId;
    this.#keep(id, passage);
    this.#search.add(toEntry(id, passage));
  }

  /** Puts passages in place of those that a file has. Without passages the file is removed. */
  replaceFile(fileName: string, passages: readonly KnowledgePassage[]): void {
    const ids = this.#files.get(fileName) ?? [];
    // From the end, so that those that are left keep their places.
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const passage = this.#passages.get(id);
      // MiniSearch's `discard` would leave the terms, which count in scores until they are cleaned up.
      if (passage !== undefined) this.#search.remove(toEntry(id, passage));
      this.#passages.delete(id);
    }
    this.#files.delete(fileName);
    for (const passage of passages) this.add(passage);
  }

  // A failure must be a rejection, as it is with any other retriever.
  async retrieve(
    query: string,
    { knowledgeBaseIds, limit, signal }: Parameters<Retriever["retrieve"]>[1],
  ): Promise<FoundPassage[]> {
    signal.throwIfAborted();
    const bases = knowledgeBaseIds && new Set(knowledgeBaseIds.map((id) => id.normalize("NFC")));
    const found = this.#find(query);
    const candidates = found.filter(
      ({ fileName }) => bases === undefined || bases.has(knowledgeBaseOf(fileName)),
    );
    return mergeAdjacent(candidates, Math.max(0, Math.floor(limit))).map(
      ({ from, to, ...passage }) => passage,
    );
  }

  /** What {@link parseKnowledgeIndex} takes; plain JSON. */
  toJSON(): KnowledgeJson {
    const passages = [...this.#passages].map(([id, passage]) => ({ id, ...passage }));
    return { version: 1, passages, terms: this.#search.toJSON() };
  }

  #keep(id: number, passage: KnowledgePassage): void {
    this.#passages.set(id, passage);
    const ids = this.#files.get(passage.fileName);
    if (ids === undefined) this.#files.set(passage.fileName, [id]);
    else ids.push(id);
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /** A word at a time, with the scores that MiniSearch gives for all words together. */
  #find(query: string): Candidate[] {
    const { terms, beginnings, misspelt } = queryTermsOf(query);
    const found = new Map<number, { sum: number; words: number }>();
    for (const term of terms) {
      const results = this.#search.search(term, {
        tokenize: () => [term],
        fuzzy: misspelt.has(term) && fuzziness,
        prefix: beginnings.has(term),
      });
      for (const result of results) {
        // Ids of entries are numbers; MiniSearch does not know it.
        const id = result.id as number;
        const { sum, words } = found.get(id) ?? { sum: 0, words: 0 };
        found.set(id, { sum: sum + result.score, words: words + 1 });
      }
    }
    return [...found]
      .flatMap(([id, { sum, words }]): Candidate[] => {
        const passage = this.#passages.get(id);
        if (passage === undefined) return [];
        const place = this.#files.get(passage.fileName)?.indexOf(id) ?? 0;
        const score = Math.round(sum * words * scoreDigits) / scoreDigits;
        return [{ ...passage, score, from: place, to: place }];
      })
      .sort(byRank);
  }
}

function toEntry(id: number, { text, heading, fileName }: KnowledgePassage): Entry {
  return { id, text, heading: heading ?? "", file: fileName };
}

interface Candidate extends FoundPassage {
  /** The places of its first and its last part among the passages of its file. */
  from: number;
  to: number;
}

/** Lines up to which passages that follow one another become one. */
const maxLines = 120;
/** A neighbour that fits much worse stays out of a good passage. */
const leastShare = 0.4;

/**
 * Takes the best candidates, which come first, and joins those that follow one another in their file, until `limit`
 * are left. What was joined has the score and the heading of its best part.
 */
function mergeAdjacent(candidates: readonly Candidate[], limit: number): Candidate[] {
  let taken = 0;
  let merged: Candidate[] = [];
  while (merged.length < limit && taken < candidates.length) {
    taken = Math.min(taken + limit - merged.length, candidates.length);
    const inOrder = candidates.slice(0, taken).toSorted(byPlace);
    merged = joinNeighbours(inOrder, join).sort(byRank);
  }
  return merged.slice(0, limit);
}

/** The best first; where scores are equal by file name and line, so that the order never changes. */
function byRank(left: FoundPassage, right: FoundPassage): number {
  return right.score - left.score || byPlace(left, right);
}

function byPlace(left: FoundPassage, right: FoundPassage): number {
  if (left.fileName !== right.fileName) return left.fileName < right.fileName ? -1 : 1;
  return left.startLine - right.startLine;
}

/** Undefined where they do not belong together. */
function join(above: Candidate, below: Candidate): Candidate | undefined {
  const scores = [below.score, above.score];
  const isNext = below.fileName === above.fileName && below.from === above.to + 1;
  const isAlike = Math.min(...scores) >= leastShare * Math.max(...scores);
  if (!isNext || !isAlike || below.endLine - above.startLine >= maxLines) return undefined;
  const best = below.score > above.score ? below : above;
  // Between two passages that follow one another there is nothing but blank lines.
  const gap = "\n".repeat(below.startLine - above.endLine);
  return {
    ...best,
    text: `${above.text}${gap}${below.text}`,
    startLine: above.startLine,
    endLine: below.endLine,
    from: above.from,
    to: below.to,
  };
}
