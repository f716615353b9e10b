// What the rules of this model say of a change that the question holds.
import { encloses } from "../../edit/line-range.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { hasText } from "../../edit/count-text.ts";
import { EditSession } from "../../edit/edit-session.ts";
import type { EditUnit, LineRange } from "../../edit/edit-unit.ts";
import { isSameFile } from "../../edit/read/is-same-file.ts";
import { parseInSteps } from "../../edit/read/parse-answer.ts";
import type { Steps } from "../../edit/steps.ts";
import type { Subject } from "../../turn/chat-model.ts";
import { findMechanicalFixes, type FoundFault } from "./fix.ts";

/** A change of the file. */
export interface KnownChange {
  /** The file as it was. */
  before: string;
  /** The lines of it that the change replaces, and by what. */
  parts: readonly (LineRange & { text: string })[];
}

/** In characters; in longer questions no change is looked for. */
const maxQuestion = 100_000;
/** Faults of one change that are looked up. */
const maxFaults = 100;

/** The change that a question holds, if the file is as it was before it, or has it already. */
export function* readChange({
  file,
  path,
  question = "",
}: Subject): Steps<KnownChange | undefined> {
  if (file === "" || question.length > maxQuestion) return undefined;
  const { files } = yield* parseInSteps(question);
  const units = files.flatMap((one) => (isSameFile(one.filePath, path) ? one.units : []));
  if (units.length === 0) return undefined;
  const undone = units.map(({ search, replace }) => ({ search: replace, replace: search }));
  const before = (yield* change(file, undone))?.text ?? file;
  const done = yield* change(before, units);
  const parts = done?.places.map((place, nth) => ({ ...place, text: units[nth]?.replace ?? "" }));
  return parts && { before, parts };
}

function* change(
  file: string,
  units: readonly EditUnit[],
): Steps<{ text: string; places: LineRange[] } | undefined> {
  const session = new EditSession(file);
  for (const unit of units) yield* session.addInSteps(unit);
  const result = yield* session.endInSteps();
  return result.ok ? { text: result.text, places: result.units } : undefined;
}

/**
 * The faults that a change repairs by the rules.
 *
 * @param analysis of the file as it was, searched for the rules
 */
export function* findRulesOf({ parts }: KnownChange, analysis: CodeAnalysis): Steps<FoundFault[]> {
  const { faults } = yield* findMechanicalFixes({ startLine: 1, endLine: Infinity }, analysis);
  const found: FoundFault[] = [];
  for (const fault of faults) {
    const part = parts.find((one) => encloses(one, fault.change));
    if (part === undefined || found.length === maxFaults) continue;
    yield;
    if (hasText(`\n${part.text}`, `\n${fault.change.lines.join("\n")}\n`)) found.push(fault);
  }
  return found;
}
