import { proseOf } from "../../code/prose-of.ts";
import { applyUnits, type EditResult, type ParsedUnit } from "../../edit.ts";
import { createCodeThreads } from "../../setup/threads/create-code-threads.node.ts";

/**
 * Applies units to the text of a file. Where a part of a line is meant, or may be, the file is parsed for its
 * comments and strings: that takes longer than any other edit.
 *
 * @param path tells the language
 */
export async function applyToFile(
  path: string,
  before: string | undefined,
  units: readonly ParsedUnit[],
): Promise<EditResult> {
  const guessed = applyUnits(before, units);
  if (before === undefined || !hangsOnProse(guessed)) return guessed;
  const code = createCodeThreads({ size: 1 });
  try {
    const prose = proseOf(await code.analyze(before, undefined, path));
    return applyUnits(before, units, { prose });
  } finally {
    code.close();
  }
}

function hangsOnProse(result: EditResult): boolean {
  if (result.ok) return result.units.some(({ level }) => level === "partial-line");
  const { error } = result;
  return [error, ...(error.others ?? [])].some(
    ({ code }) => code === "no-match" || code === "ambiguous",
  );
}
