/** Finds where one JSON object or list ends, line by line. Brackets in texts do not count. */
export class JsonEnd {
  #depth = 0;
  #isText = false;

  /** @returns the index behind the last bracket; -1 if it does not end on this line */
  take(line: string): number {
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at];
      if (this.#isText && sign === "\\") at += 1;
      else if (sign === '"') this.#isText = !this.#isText;
      else if (!this.#isText && (sign === "{" || sign === "[")) this.#depth += 1;
      else if (!this.#isText && (sign === "}" || sign === "]")) {
        this.#depth -= 1;
        if (this.#depth <= 0) return at + 1;
      }
    }
    return -1;
  }
}
