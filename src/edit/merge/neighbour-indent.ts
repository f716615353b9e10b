// The indentation of new lines where no one rule explains the quoted lines: tabs and spaces are mixed, or SEARCH
// has lost its indentation.
import { findWidths, type IndentPair, render, single, widthOf } from "./indentation.ts";
import { countWhile } from "../../base/text/rising.ts";

/** The indentation of a line in SEARCH and in the file. */
export type QuotedLine = IndentPair;

/**
 * New lines take the style of the nearest kept line. How deep they are has to be clear: with some width of
 * a tab all quoted lines are shifted alike.
 */
export class NeighbourIndent {
  readonly #lines: readonly (QuotedLine | undefined)[];
  readonly #kept: ReadonlyMap<number, number>;
  readonly #widths: ReturnType<typeof findWidths>;
  readonly #numbers: number[];
  /** The number of lines of REPLACE. */
  readonly #length: number;

  /**
   * @param lines by the line of SEARCH
   * @param kept by the line of REPLACE its line of SEARCH
   * @param length the number of lines of REPLACE
   */
  constructor(
    lines: readonly (QuotedLine | undefined)[],
    kept: ReadonlyMap<number, number>,
    length: number,
  ) {
    this.#lines = lines;
    this.#kept = kept;
    this.#length = length;
    this.#widths = findWidths(lines.filter((line) => line !== undefined));
    this.#numbers = [...kept.keys()].sort((a, b) => a - b);
  }

  /** The indentation in the file of a line of REPLACE; undefined if it is not clear. */
  map(indent: string, number: number): string | undefined {
    const { above, below, place } = this.#around(number);
    const replaced = this.#lines.slice(above + 1, below).filter(isLine);
    // Lines that come together have one style: that of the line above them, if there is one.
    const neighbours = [above, below].map((line) => this.#lines[line]).filter(isLine);
    const known = [...replaced, ...neighbours];
    const alike = known.filter(({ search }) => search === indent);
    const [first] = alike;
    if (first !== undefined) {
      // Where some width of a tab explains all lines, they differ in their style alone.
      const isOne = this.#widths.length > 0 || alike.every(({ file }) => file === first.file);
      return isOne ? first.file : place?.file;
    }
    const models = neighbours.length > 0 ? neighbours : replaced;
    const model = models.find(({ file }) => file !== "") ?? models[0];
    if (model === undefined || this.#widths.length === 0) return undefined;
    return single(
      this.#widths.map(({ width, shift }) =>
        inStyleOf(model.file, widthOf(indent, width) + shift, width),
      ),
    );
  }

  /**
   * The kept lines above and below a line of REPLACE, by their numbers in SEARCH; and the line of SEARCH that it
   * takes the place of, where between these are as many lines as before.
   */
  #around(number: number): Around {
    const low = countWhile(this.#numbers.length, (nth) => (this.#numbers[nth] ?? 0) < number);
    const at = (place: number, search: number): number => {
      const line = this.#numbers[place];
      return (line === undefined ? undefined : this.#kept.get(line)) ?? search;
    };
    const [above, below] = [at(low - 1, -1), at(low, this.#lines.length)];
    const [from, to] = [this.#numbers[low - 1] ?? -1, this.#numbers[low] ?? this.#length];
    const isEven = to - from === below - above;
    return { above, below, place: isEven ? this.#lines[above + number - from] : undefined };
  }
}

interface Around {
  above: number;
  below: number;
  place: QuotedLine | undefined;
}

function isLine(line: QuotedLine | undefined): line is QuotedLine {
  return line !== undefined;
}

/** An indentation of a width, written as another one is. */
function inStyleOf(model: string, wanted: number, tabWidth: number): string | undefined {
  if (wanted < 0) return undefined;
  let [end, width] = [0, 0];
  while (end < model.length && width < wanted) {
    width += model.charAt(end) === "\t" ? tabWidth : 1;
    end += 1;
  }
  if (width > wanted) return undefined;
  if (width === wanted) return model.slice(0, end);
  const rest = render(wanted - width, tabWidth, model.endsWith("\t"));
  return rest === undefined ? undefined : model + rest;
}
