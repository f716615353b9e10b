// Lines of one diff in, units out: what stands inside <file-edit>, or a diff on its own.
import { describeDiff } from "../describe/describe-error.ts";
import type { EditError, ParsedUnit } from "../edit-unit.ts";
import { type ClosedBlock, OpenBlock } from "./open-block.ts";
import { fullRule, readRule, shortestRule } from "./rule-line.ts";

const codeFence = /^[ \t]*(?:`{3,}|~{3,})[\w.+#-]*[ \t]*$/;

export function isCodeFence(line: string): boolean {
  return codeFence.test(line);
}

/**
 * Reads units; between them blank lines and code fences may stand, any other text is a fault. After a
 * fault nothing more is read: a diff is taken as a whole or not at all.
 */
export class UnitReader {
  readonly units: ParsedUnit[] = [];
  #error: EditError | undefined;
  #least: number | undefined;
  #openRule = 0;
  #block: OpenBlock | undefined;

  /** @param least the shortest rule that counts; without it the first rule decides */
  constructor(least?: number) {
    this.#least = least;
  }

  get error(): EditError | undefined {
    return this.#error;
  }

  /** A unit has begun and not ended. */
  get isInside(): boolean {
    return this.#block !== undefined;
  }

  /**
   * Takes one line without its line end.
   *
   * @param number of the line, 1-based
   * @param isEnd the line ends the diff unless it belongs to a unit
   */
  push(line: string, number: number, isEnd = false): void {
    if (this.#error !== undefined) return;
    const isFence = isCodeFence(line);
    if (this.#block !== undefined) {
      const closed = this.#block.push(line, isEnd || isFence);
      if (closed === undefined) return;
      this.#finish(closed);
      if (this.#error !== undefined) return;
    }
    const rule = readRule(line, this.#least ?? shortestRule);
    if (rule?.kind === "search") {
      this.#least ??= Math.min(rule.length, fullRule);
      this.#openRule = rule.length;
      this.#block = new OpenBlock(rule, number, this.#least);
      return;
    }
    if (isEnd || isFence || line.trim() === "") return;
    const quoted = JSON.stringify(line.trim().slice(0, 60));
    const message = `Line ${number} of the diff belongs to no unit: ${quoted}.`;
    this.#error = describeDiff("malformed", message);
  }

  /** The line that has begun so belongs to a unit: it does not end the diff. */
  takes(start: string): boolean {
    const rule = readRule(start, 0);
    if (!this.isInside) return rule?.kind === "search";
    return rule?.kind !== "replace" || rule.length < this.#openRule;
  }

  /** The diff ends here. */
  end(): void {
    if (this.#block !== undefined) this.#finish(this.#block.end());
    if (this.#error !== undefined || this.units.length > 0) return;
    this.#error = describeDiff("malformed", "The diff holds no unit: it has no SEARCH rule.");
  }

  #finish(closed: ClosedBlock): void {
    this.#block = undefined;
    if (closed.unit !== undefined) this.units.push(closed.unit);
    else this.#error = { ...closed.error, unit: this.units.length + 1 };
  }
}
