import { type LineRange, overlaps } from "../../edit/edit-unit.ts";
import { fence } from "../../base/text/fence.ts";
import { findDefinitions } from "../../code/symbols.ts";
import type { Turn } from "../../turn/turn.ts";
import { listPassages, printOtherDefinitions } from "../ask/other-files.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Services } from "../flow.ts";
import { textOfLines } from "../place/lines-within.ts";

const maxImports = 100;
const maxDefinitions = 10;
const maxDefinition = 4_000;

/**
 * What the code uses, as far as the editor's file or a passage of the knowledge defines it, after the
 * imports of the file: for templates of a definition, which see no plan of the file.
 *
 * @param lines of the target that use it
 */
export async function printDefinitions(
  turn: Turn,
  services: Services,
  { text, language, path }: EditTarget,
  lines: LineRange,
): Promise<string> {
  const { signal } = turn;
  const analysis = await services.code.analyze(text, language, path, { signal });
  const used = analysis.identifiersIn({ ...lines, startColumn: 1, endColumn: Infinity });
  const found = findDefinitions(used, [{ analysis }])
    .filter(({ symbol }) => !overlaps(symbol.range, lines))
    .slice(0, maxDefinitions);
  const shown = [...analysis.imports.slice(0, maxImports), ...found.map(({ symbol }) => symbol)];
  const texts = shown.map(({ range }) =>
    textOfLines(analysis.source, range.startLine, range.endLine).slice(0, maxDefinition),
  );
  const own = texts.length === 0 ? [] : [fence(texts.join("\n\n"), language)];
  const others = await printOtherDefinitions(turn, services, used, listPassages(turn));
  return [...own, ...(others === "" ? [] : [others])].join("\n\n");
}
