import { endOfObject } from "../../../base/wire/json/json-depth.ts";
import { casesOfValue } from "./cases-of-value.ts";
import type { FoundCase } from "./case-fields.ts";

/** Where the list begins that the model was asked for, or a list alone. */
const listStart = /["'](?:test_?)?cases["']\s*:\s*\[|^[ \t]*\[(?=\s*\{)/im;
/** Characters of an answer that is looked at while it comes, and of one case. */
const [maxAnswer, maxCase] = [65_536, 8_192];

/** Finds the cases of a JSON answer while it comes, each as soon as it is complete; of all other forms none. */
export class ComingCases {
  /** Behind the last case; -1 where the list has not begun. */
  #at = -1;
  #found: FoundCase[] = [];

  /** @param answer all that has come; it may begin anew, when it turns out that what came was thought aloud */
  read(answer: string): readonly FoundCase[] {
    if (answer.length > maxAnswer) return this.#found;
    if (answer.length < this.#at) [this.#at, this.#found] = [-1, []];
    if (this.#at === -1) {
      const start = listStart.exec(answer);
      if (start === null) return this.#found;
      this.#at = start.index + start[0].length;
    }
    for (;;) {
      const start = this.#at + (/^[\s,]*/.exec(answer.slice(this.#at))?.[0].length ?? 0);
      if (answer[start] !== "{") return this.#found;
      const end = endOfObject(answer, start, start + maxCase);
      const cases = end === -1 ? [] : readCase(answer.slice(start, end));
      if (cases.length === 0) return this.#found;
      this.#found.push(...cases);
      this.#at = end;
    }
  }
}

/** None where it is not valid JSON: only the whole answer tells what was meant. */
function readCase(json: string): FoundCase[] {
  try {
    return casesOfValue([JSON.parse(json)]);
  } catch {
    return [];
  }
}
