import type { CollectedEdits } from "../collected-edits.ts";
import type { FileEdit } from "../file-edit.ts";
import { UnitReader } from "../unit-reader.ts";
import { type Left, type Part } from "./part.ts";
import { withoutLineEnd } from "../../../base/text/lines.ts";

/** A unit whose words are not those of the format: if it cannot be read it is text, and no fault. */
export class GuessPart implements Part {
  readonly #edits: CollectedEdits;
  readonly #open: () => FileEdit;
  readonly #reader = new UnitReader();
  readonly #raws: string[] = [];

  /** @param open opens the file of the unit; called once it is sure that it is one */
  constructor(edits: CollectedEdits, open: () => FileEdit) {
    this.#edits = edits;
    this.#open = open;
  }

  take(raw: string, number: number): Left | undefined {
    const line = withoutLineEnd(raw);
    this.#reader.push(line, number, true);
    if (this.#reader.error !== undefined) return this.#toText(raw);
    if (this.#reader.isInside) {
      // The next unit has begun: the one before is read.
      if (this.#reader.units.length > 0) return this.#close([raw]);
      this.#raws.push(raw);
      return undefined;
    }
    return this.#reader.units.length > 0 ? this.#close([raw]) : this.#toText(raw);
  }

  end(): Left {
    this.#reader.end();
    return this.#reader.error === undefined ? this.#close([]) : this.#toText();
  }

  #close(lines: readonly string[]): Left {
    const edit = this.#open();
    const [openingLine = ""] = this.#raws.map(withoutLineEnd);
    for (const unit of this.#reader.units)
      this.#edits.add(edit, { ...unit, openingLine: openingLine.trim() }, "units");
    return { texts: [], lines };
  }

  #toText(next?: string): Left {
    const rest = next === undefined ? [] : [next];
    return { texts: this.#raws, lines: rest };
  }
}
