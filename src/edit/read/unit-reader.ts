// Lines of one diff in, units out: what stands inside <file-edit>, or a diff on its own.
import { trimEndSigns } from "../../base/text/trim.ts";
import { describeDiff } from "../describe/describe-error.ts";
import type { EditError, ParsedUnit } from "../edit-unit.ts";
import {
  type Dress,
  isDressedClosing,
  readDressedRule,
  undressLine,
} from "./dress/dressed-rule.ts";
import { tidyUnit } from "./dress/tidy-unit.ts";
import { isWrapper } from "./dress/wrapper.ts";
import { type ClosedBlock, equalRule, OpenBlock } from "./open-block.ts";
import { fullRule, readRule, shortestRule } from "./rule-line.ts";

const codeFence = /^[ \t]*(?:`{3,}|~{3,})[\w.+#-]*$/;

export function isCodeFence(line: string): boolean {
  return codeFence.test(trimEndSigns(line, " \t"));
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
  /** Of the open unit, if its rules are not plain. */
  #dress: Dress | undefined;
  #filePath: string | undefined;

  /** @param least the shortest rule that counts; without it the first rule decides */
  constructor(least?: number) {
    this.#least = least;
  }

  get error(): EditError | undefined {
    return this.#error;
  }

  /** The path that the rule of the last unit names. */
  get filePath(): string | undefined {
    return this.#filePath;
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
    const text = this.#dress === undefined ? line : undressLine(line, this.#dress);
    const isCover = isCodeFence(text) || isWrapper(text);
    if (this.#block !== undefined) {
      const opensNext = this.#dress !== undefined && readDressedRule(line) !== undefined;
      const closed = this.#block.push(text, isEnd || isCover || opensNext);
      if (closed === undefined) return;
      this.#finish(closed);
      if (this.#error !== undefined) return;
    }
    if (this.#open(line, number) || isEnd || isCover || line.trim() === "") return;
    // What ends a unit once more, behind a fence.
    if (this.units.length > 0 && (isDressedClosing(line) || /^={5,}$/.test(line.trim()))) return;
    const quoted = JSON.stringify(line.trim().slice(0, 60));
    const message = `Line ${number} of the diff belongs to no unit: ${quoted}.`;
    this.#error = describeDiff("malformed", message);
  }

  /** Whether a unit begins with the line. */
  #open(line: string, number: number): boolean {
    const plain = readRule(line, this.#least ?? shortestRule);
    const dressed = plain === undefined ? readDressedRule(line) : undefined;
    const rule = plain ?? dressed?.rule;
    if (rule?.kind !== "search") return false;
    const own = Math.min(rule.length, fullRule);
    if (dressed === undefined) this.#least ??= own;
    this.#openRule = rule.length;
    this.#dress = dressed?.dress;
    this.#filePath = dressed?.filePath;
    this.#block = new OpenBlock(rule, number, dressed === undefined ? (this.#least ?? own) : own);
    return true;
  }

  /** The line that has begun so belongs to a unit: it does not end the diff. */
  takes(start: string): boolean {
    const rule = readRule(this.#dress === undefined ? start : undressLine(start, this.#dress), 0);
    if (!this.isInside) return rule?.kind === "search" || readDressedRule(start) !== undefined;
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
    const indent = this.#dress?.cover.indent ?? 0;
    this.#dress = undefined;
    if (closed.unit !== undefined) {
      // Whoever writes long rules means what stands between them.
      const isLiteral = this.#openRule >= equalRule;
      this.units.push(isLiteral ? closed.unit : tidyUnit(closed.unit, indent));
    } else this.#error = { ...closed.error, unit: this.units.length + 1 };
  }
}
