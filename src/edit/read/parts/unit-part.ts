// A unit outside of tags.
import { withoutLineEnd } from "../../../base/text/lines.ts";
import { fullRule } from "../rule-line.ts";
import { UnitReader } from "../unit-reader.ts";
import type { Around, Part } from "./part.ts";

export class UnitPart implements Part {
  readonly isEdit = true;
  isDropped = true;
  readonly #around: Around;
  readonly #path: string | undefined;
  readonly #isSure: boolean;
  readonly #reader: UnitReader;
  readonly #raws: string[] = [];

  /** @param isSure its words are those of the format: that it cannot be read is a fault; else it is text then */
  constructor(around: Around, path: string | undefined, isSure: boolean) {
    this.#around = around;
    this.#path = path;
    this.#isSure = isSure;
    this.#reader = new UnitReader(isSure ? around.least : undefined);
  }

  take(raw: string, number: number): readonly string[] | undefined {
    this.#reader.push(withoutLineEnd(raw), number, true);
    const { error, units, isInside } = this.#reader;
    if (error !== undefined || units.length > 0 || !isInside) return this.#close([raw]);
    this.#raws.push(raw);
    return undefined;
  }

  end(): readonly string[] {
    this.#reader.end();
    return this.#close([]);
  }

  #close(next: readonly string[]): readonly string[] {
    const { edits } = this.#around;
    const {
      error,
      units: [unit],
    } = this.#reader;
    this.isDropped = this.#isSure || unit !== undefined;
    if (!this.isDropped) {
      this.#around.pass(this.#raws);
      return next;
    }
    this.#around.drop();
    const edit = edits.open(this.#path, "units");
    if (unit === undefined) {
      if (error !== undefined) edits.fail(edit, { ...error, unit: edit.units.length + 1 });
      return next;
    }
    if (unit.strict) this.#around.least = fullRule;
    const openingLine = (this.#raws[0] ?? "").trim();
    edits.add(edit, this.#isSure ? unit : { ...unit, openingLine }, "units");
    return next;
  }
}
