export interface RecentAnswersParts<Answer> {
  /** Milliseconds; need not be the time of day. */
  now: () => number;
  maxKept: number;
  /** Whether an answer is small enough to be kept. */
  isSmall: (answer: Answer) => boolean;
  /** How long an answer is taken for what is there now, in milliseconds. */
  maxAge: () => number;
}

/** What was asked a moment ago is not asked again: a tool looks at one file several times until it has changed it. */
export class RecentAnswers<Answer> {
  readonly #parts: RecentAnswersParts<Answer>;
  /** The oldest first. */
  readonly #kept = new Map<string, { time: number; answer: Promise<Answer> }>();

  constructor(parts: RecentAnswersParts<Answer>) {
    this.#parts = parts;
  }

  async get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { now, maxKept, isSmall, maxAge } = this.#parts;
    const known = this.#kept.get(key);
    if (known !== undefined && now() - known.time < maxAge()) return known.answer;
    const kept = { time: now(), answer: ask() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const old of [...this.#kept.keys()].slice(0, -maxKept)) this.#kept.delete(old);
    let isKept = false;
    try {
      const answer = await kept.answer;
      isKept = isSmall(answer);
      return answer;
    } finally {
      if (!isKept && this.#kept.get(key) === kept) this.#kept.delete(key);
    }
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}
