/** Counts the open brackets of JSON line by line, those in strings aside. */
export class JsonDepth {
  #depth = 0;
  #isString = false;
  #isEscaped = false;

  /** How many brackets are open after the line. */
  takes(line: string): number {
    for (const sign of line) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (sign === "\\") this.#isEscaped = true;
      else if (sign === '"') this.#isString = !this.#isString;
      else if (!this.#isString && (sign === "{" || sign === "[")) this.#depth += 1;
      else if (!this.#isString && (sign === "}" || sign === "]")) this.#depth -= 1;
    }
    this.#isEscaped = false;
    return this.isOpen ? Math.max(this.#depth, 1) : 0;
  }

  /** A bracket or a string is open. */
  get isOpen(): boolean {
    return this.#isString || this.#depth > 0;
  }
}
