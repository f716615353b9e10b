// Repairs that a rule can make: the offline model's answer to "fix".
import type { EditUnit, LineRange } from "../../edit/edit-unit.ts";
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { type Patch, patchesOf } from "./patches.ts";
import type { Repair } from "./repairs/repair.ts";
import { repairsOf } from "./repairs/repairs-of.ts";
import { type LineChange, toUnits } from "./units.ts";

/** In characters: longer lines were written by programs. */
const maxLine = 2000;

export interface FoundFault {
  /** 1-based line of the text. */
  line: number;
  says: Repair["says"];
  /** The lines that repair it; those of faults beside it are the same object. */
  change: LineChange;
}

export interface MechanicalFix {
  faults: FoundFault[];
  /** What the units leave as it is: its lines look like others, or there are too many. */
  left: ReadonlySet<LineChange>;
  units: EditUnit[];
}

/**
 * What the rules find in some lines, and the units that repair it. Comments and strings stay as they are.
 *
 * @param analysis of a text that was searched for the rules of its language
 */
export function* findMechanicalFixes(
  range: LineRange,
  analysis: CodeAnalysis,
): Steps<MechanicalFix> {
  const faults = toFaults(yield* findRepairs(range, analysis), analysis);
  const changes = [...new Set(faults.map(({ change }) => change))];
  yield;
  const { units, left } = yield* toUnits(analysis.source.text, changes);
  return { faults, left: new Set(left), units };
}

interface FoundRepair extends LineRange {
  says: Repair["says"];
  patches: readonly Patch[];
}

/** In the order of the text; of two that overlap the one that begins first. */
function* findRepairs(range: LineRange, analysis: CodeAnalysis): Steps<FoundRepair[]> {
  const repairs = repairsOf(analysis.language);
  const found: FoundRepair[] = [];
  for (const [nth, match] of analysis.matches.entries()) {
    if (isPause(nth)) yield;
    const repair = repairs[match.pattern];
    const patches = repair && patchesOf(repair, match, analysis);
    if (repair === undefined || patches === undefined) continue;
    const lines = linesAround(patches, analysis);
    const isMeant = lines.startLine >= range.startLine && lines.endLine <= range.endLine;
    if (isMeant && analysis.source.line(lines.startLine).length <= maxLine)
      found.push({ ...lines, says: repair.says, patches });
  }
  yield;
  const dropped = findOverlapping(found);
  return found.filter((one) => !dropped.has(one)).toSorted((a, b) => a.startLine - b.startLine);
}

function linesAround(patches: readonly Patch[], { source }: CodeAnalysis): LineRange {
  const all = patches.map(({ start, end }) => source.rangeOf(start, end));
  const lines = all.flatMap(({ startLine, endLine }) => [startLine, endLine]);
  return { startLine: Math.min(...lines), endLine: Math.max(...lines) };
}

function findOverlapping(found: readonly FoundRepair[]): Set<FoundRepair> {
  const all = found.flatMap((of) => of.patches.map((patch) => ({ of, ...patch })));
  const dropped = new Set<FoundRepair>();
  let last = 0;
  for (const { of, start, end } of all.toSorted(byPlace)) {
    if (start < last) dropped.add(of);
    else last = end;
  }
  return dropped;
}

/** What is put in comes before what is replaced there. */
function byPlace(a: Patch, b: Patch): number {
  return a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start);
}

/** Repairs that share lines are one change. */
function toFaults(found: readonly FoundRepair[], { source }: CodeAnalysis): FoundFault[] {
  const groups: (LineRange & { repairs: FoundRepair[] })[] = [];
  for (const repair of found) {
    const { startLine, endLine } = repair;
    let last = groups.at(-1);
    if (last === undefined || startLine > last.endLine)
      groups.push((last = { startLine, endLine, repairs: [] }));
    last.endLine = Math.max(last.endLine, endLine);
    last.repairs.push(repair);
  }
  return groups.flatMap(({ startLine, endLine, repairs }) => {
    const columns = { startColumn: 1, endColumn: source.line(endLine).length + 1 };
    const at = source.offsetsOf({ startLine, endLine, ...columns });
    const text = apply(
      source.text,
      at,
      repairs.flatMap(({ patches }) => patches),
    );
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    const change: LineChange = { startLine, endLine, lines };
    return repairs.map(({ startLine: line, says }) => ({ line, says, change }));
  });
}

function apply(text: string, [from, to]: readonly [number, number], patches: Patch[]): string {
  let patched = "";
  let at = from;
  for (const { start, end, text: written } of patches.toSorted(byPlace)) {
    patched += text.slice(at, start) + written;
    at = end;
  }
  return patched + text.slice(at, to);
}
