// Repairs that a rule can make: the offline model's answer to "fix".
import { encloses } from "../../edit/line-range.ts";
import type { EditUnit, LineRange } from "../../edit/edit-unit.ts";
import { isPause, type Steps } from "../../edit/steps.ts";
import type { CodeAnalysis, CodeMatch } from "../../code/code-analysis.ts";
import { isInside } from "../../edit/find/guess-prose.ts";
import type { Repair } from "./repairs/repair.ts";
import { repairsOf } from "./repairs/repairs-of.ts";
import { type LineChange, toUnits } from "./units.ts";

/** In characters: longer lines were written by programs. */
const maxLine = 2000;

export interface FoundFault {
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

/** A new text in place of an old one, as offsets; of no width, it is put in. */
interface Patch {
  start: number;
  end: number;
  text: string;
}

type FoundRepair = LineRange & Pick<Repair, "says"> & { patches: readonly Patch[] };

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
    if (encloses(range, lines) && analysis.source.line(lines.startLine).length <= maxLine)
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

/** What a rule writes where its pattern fits; undefined where a comment would be lost, or lines have no place. */
function patchesOf(
  { writes, above }: Repair,
  { captures }: CodeMatch,
  analysis: CodeAnalysis,
): Patch[] | undefined {
  const { text } = analysis.source;
  const textOf = (name: string): string => text.slice(...(captures[name] ?? [0, 0]));
  const fill = (template: string): string =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name !== "not") return textOf(name);
      return textOf("operator").startsWith("!") ? "!" : "";
    });
  const patches: Patch[] = [];
  for (const [name, written] of Object.entries(writes)) {
    const at = captures[name];
    if (at === undefined) continue;
    const template = typeof written === "string" ? written : (written[textOf(name)] ?? "");
    if (losesProse(at, template, captures, analysis)) return undefined;
    patches.push(apart({ start: at[0], end: at[1], text: fill(template) }, text));
  }
  if (above === undefined) return patches;
  const { whole: [outer] = [0], first: [start] = [0] } = captures;
  const [outside, inside] = [lineBefore(text, outer), lineBefore(text, start)];
  const indent = /^[ \t]*/.exec(outside)?.[0] ?? "";
  if (inside.trim() !== "" || !inside.startsWith(indent)) return undefined;
  const step = inside.slice(indent.length);
  const lines = above.split("\n").map((line) => `${fill(line.replace("\t", step))}\n${inside}`);
  return [...patches, { start, end: start, text: lines.join("") }];
}

/** A word stays apart from the words beside it. */
function apart({ start, end, text }: Patch, source: string): Patch {
  const isJoined = (sign = "", other = ""): boolean => /\w/.test(sign) && /\w/.test(other);
  const before = isJoined(source[start - 1], text[0]) ? " " : "";
  const after = isJoined(text.at(-1), source[end]) ? " " : "";
  return { start, end, text: `${before}${text}${after}` };
}

/** What is before an offset on its line. */
function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

/** Whether a string would change, or a comment go that is in no capture of the new text. */
function losesProse(
  [from, to]: readonly [number, number],
  template: string,
  captures: CodeMatch["captures"],
  { source, offsets }: CodeAnalysis,
): boolean {
  if (isInside(offsets.strings, from, to)) return true;
  let at = from;
  let gone = "";
  const kept = Object.entries(captures).filter(([name]) => template.includes(`{${name}}`));
  const places = kept.map(([, place]) => place).toSorted(([a], [b]) => a - b);
  for (const [start, end] of [...places, [to, to] as const]) {
    gone += source.text.slice(at, start);
    at = end;
  }
  return /\/[/*]|#/.test(gone);
}
