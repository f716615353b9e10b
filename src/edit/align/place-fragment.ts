// Code that shows only what changes: no line at its ends has to be in the file, if one place is clearly the nearest.
import { type LineRange, encloses } from "../edit-unit.ts";
import { type AlignedFile, type Alignment, alignSegment } from "./align-segment.ts";
import { isEven, type SourceLines } from "./source-lines.ts";
import { findVeto, fragmentVetoes } from "./vetoes.ts";

export interface FragmentHints {
  /** The lines that the answer names for the code. */
  near?: LineRange | undefined;
  /** Where nothing else is named, code that has half as many lines takes the place of all of these. */
  selected?: LineRange | undefined;
  /** Something says that the code is a new version of what is there; else it shows lines of that, or adds to each. */
  isChange?: boolean | undefined;
}

/** What a place may cost, for the first line and for each. */
const [most, mostLine] = [1.1, 0.9];
/** In lines. */
const maxCode = 150;

/**
 * The lines of a file of which the code is a new version: each line of both is the same, is like the other one, or is
 * new or gone between two that are.
 */
export function placeFragment(
  code: SourceLines,
  file: AlignedFile,
  { near, selected, isChange = false }: FragmentHints,
): Alignment | undefined {
  const { texts } = code;
  const { source } = file;
  // Where a block begins or ends in mid code, it is not clear what else belongs to it.
  if (texts.length > maxCode || (texts.length > 1 && !isEven(texts))) return undefined;
  const lineOf = (solid: number): number => (source.numbers[solid] ?? source.all.length) + 1;
  const isMeant = ({ start, end }: Alignment): boolean => {
    const range = { startLine: lineOf(start), endLine: lineOf(end - 1) };
    if (near !== undefined) return encloses(near, range);
    const size = selected === undefined ? 0 : selected.endLine - selected.startLine + 1;
    const isPart =
      selected !== undefined && encloses(selected, range) && !encloses(range, selected);
    return !isPart || size > 2 * texts.length;
  };
  const borders = { from: 0, to: source.texts.length, isTop: false, isBottom: false };
  const ways = alignSegment(code, file, { ...borders, isLoose: true }).filter(isMeant);
  const [best] = ways;
  if (best === undefined) return undefined;
  const mostCost = (near === undefined ? 1 : 2) * most + mostLine * texts.length;
  const candidate = { best, others: ways, lines: code, file, mostCost, isChange };
  return findVeto(fragmentVetoes, candidate) === undefined ? best : undefined;
}
