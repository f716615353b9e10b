// SEARCH quotes lines of one depth only, and not as deep as the file: then the file's own unit of indentation
// decides how deep new lines are.
import type { FileIndex } from "../find/file-index.ts";
import { type IndentPair, type IndentRule } from "./indentation.ts";
import { indentOf } from "../../base/text/lines.ts";

/** Widths that people indent by. */
const usualWidths = [2, 3, 4, 8];

/**
 * The rule for the new lines of REPLACE; undefined if SEARCH quotes several depths or if the widths of the
 * new lines do not tell a unit.
 *
 * @param added the lines of REPLACE that SEARCH lacks
 */
export function findOneDepthRule(
  pairs: readonly IndentPair[],
  added: readonly string[],
  index: FileIndex,
): IndentRule | undefined {
  const [first] = pairs;
  if (first === undefined || first.search === first.file) return undefined;
  const { search, file } = first;
  if (!pairs.every((pair) => pair.search === search && pair.file === file)) return undefined;
  const unit = index.indentUnit(file.includes("\t"));
  const steps = added
    .filter((line) => !line.trimStart().startsWith("*"))
    .map((line) => stepOf(indentOf(line), search));
  if (unit === undefined || steps.includes(undefined)) return undefined;
  const sizes = steps.map((step) => Math.abs(step ?? 0)).filter((size) => size > 0);
  const isTabs = added.some((line) => indentOf(line).includes("\t")) || search.includes("\t");
  const step = isTabs ? 1 : stepWidth(sizes, { search, file, unit });
  if (step === undefined || !isExplained({ search, file, unit }, step)) return undefined;
  return {
    isIdentity: false,
    map(indent) {
      const size = stepOf(indent, search);
      if (size === undefined) return undefined;
      // The star of a comment that goes on stands one blank further in.
      if (size === 1 && step !== 1) return `${file} `;
      const count = size / step;
      if (!Number.isInteger(count)) return undefined;
      if (count >= 0) return file + unit.repeat(count);
      const taken = unit.repeat(-count);
      return file.endsWith(taken) ? file.slice(0, file.length - taken.length) : undefined;
    },
  };
}

/** The quoted lines lost their indentation, or have as many steps as in the file; else they are shifted. */
function isExplained(
  { search, file, unit }: { search: string; file: string; unit: string },
  step: number,
): boolean {
  if (search === "") return true;
  const isPure = !search.includes("\t") || !search.includes(" ");
  if (!isPure || unit === "\t") return isPure;
  if (search.includes("\t")) return file !== "";
  return search.length * unit.length === file.length * step;
}

/** How much deeper than the quoted lines, in blanks or tabs; undefined where these are mixed. */
function stepOf(indent: string, search: string): number | undefined {
  const [long, short] = indent.length < search.length ? [search, indent] : [indent, search];
  const rest = long.slice(short.length);
  const isUniform = !(rest.includes("\t") && rest.includes(" "));
  if (!long.startsWith(short) || !isUniform) return undefined;
  if (short.includes("\t") ? rest.includes(" ") : short !== "" && rest.includes("\t"))
    return undefined;
  return indent.length - search.length;
}

/** The width of one step of the model; undefined if the steps do not show one. */
function stepWidth(
  sizes: readonly number[],
  { search, file, unit }: { search: string; file: string; unit: string },
): number | undefined {
  const isMultiple = (width: number) => sizes.every((size) => size % width === 0);
  if (unit !== "\t" && isMultiple(unit.length)) return unit.length;
  const shown = unit === "\t" && file !== "" ? search.length / file.length : 0;
  if ((shown === 4 || shown === 8) && isMultiple(shown)) return shown;
  const least = Math.min(...sizes);
  return usualWidths.includes(least) && isMultiple(least) ? least : undefined;
}
