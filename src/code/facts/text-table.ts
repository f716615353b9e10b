/** Distinct texts, one behind the other. */
export interface PackedTexts {
  joined: string;
  /** Where each of them ends. */
  ends: Uint32Array<ArrayBuffer>;
}

/** Collects texts under numbers. */
export class TextTable {
  readonly #numbers = new Map<string, number>();

  /** The number of a text. */
  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  pack(): PackedTexts {
    const texts = [...this.#numbers.keys()];
    let end = 0;
    return {
      joined: texts.join(""),
      ends: Uint32Array.from(texts, ({ length }) => (end += length)),
    };
  }
}

export function textAt({ joined, ends }: PackedTexts, number: number): string {
  return joined.slice(ends[number - 1] ?? 0, ends[number]);
}
