import { bareCode } from "../../code/plain/bare-code.ts";
import { isSameCode } from "../../code/same-code.ts";
import type { Turn } from "../../turn/turn.ts";
import { editCommand } from "../edit/edit-command.ts";
import type { CheckChange, Refusal } from "../edit/edit-scene.ts";
import { type EditTarget, analyzeTarget } from "../edit/edit-target.ts";
import type { Services } from "../flow.ts";
import { overlaps } from "../../edit/line-range.ts";
import { fence } from "../../turn/context/fence.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { findDefinitions } from "../../code/find-definitions.ts";
import { listPassages, printOtherDefinitions } from "../ask/other-files.ts";
import { textOfLines } from "../place/lines-within.ts";

/**
 * Writes or replaces the doc comment of the code in focus. A change of anything but comments is
 * refused, and so is any change where comments cannot be told from code.
 */
export const docstring = editCommand((turn, services, target) => ({
  example: "docstring",
  facts: async (lines) => ({
    docStyle: docStyleOf(target.language),
    // The plan of a built-in prompt shows them.
    ...(turn.messageTemplates === undefined
      ? {}
      : { definitions: await printDefinitions(turn, services, target, lines) }),
  }),
  check: commentsOnly(turn, services, target),
}));

function commentsOnly(
  { signal }: Turn,
  { code }: Services,
  { language, path }: EditTarget,
): CheckChange {
  return async (before, after) => {
    const was = await code.analyze(before, language, path, { signal });
    const is = await code.analyze(after, language, path, { signal });
    if (!was.areCommentsKnown || !is.areCommentsKnown)
      return refuse(
        "unknown-comments",
        `Comments of ${language || "this language"} and code look alike here, so the change cannot be checked.`,
      );
    if (isSameCode(bareCode(was), bareCode(is))) return undefined;
    return refuse("touches-code", "The change touches code, and only comments may change.");
  };
}

function refuse(code: Refusal["code"], message: string): Refusal {
  const forModel = `${message} Nothing was changed. Send units that keep to that.`;
  return { code, message, forModel };
}

const styles: ReadonlyMap<string, string> = new Map([
  ["javascript", "JSDoc"],
  ["javascriptreact", "JSDoc"],
  ["typescript", "JSDoc (TSDoc), without types"],
  ["typescriptreact", "JSDoc (TSDoc), without types"],
  ["python", "Python docstring (PEP 257)"],
  ["go", "Go doc comment"],
  ["java", "Javadoc"],
  ["kotlin", "KDoc"],
  ["scala", "Scaladoc"],
  ["swift", "Swift documentation comment (///)"],
  ["dart", "dartdoc (///)"],
  ["rust", "rustdoc (///)"],
  ["c", "Doxygen"],
  ["cpp", "Doxygen"],
  ["csharp", "C# XML documentation (///)"],
  ["ruby", "YARD"],
  ["php", "PHPDoc"],
  ["r", "roxygen2 (#')"],
]);

/** How doc comments are written in a language, by the editor's language id, in any case. */
export function docStyleOf(language: string): string {
  return styles.get(language.toLowerCase()) ?? "the usual doc comment of the language";
}

const maxImports = 100;
const maxDefinitions = 10;
const maxDefinition = 4_000;

/**
 * What the code uses, as far as the editor's file or a passage of the knowledge defines it, after the
 * imports of the file: for templates of a definition, which see no plan of the file.
 *
 * @param lines of the target that use it
 */
async function printDefinitions(
  turn: Turn,
  services: Services,
  target: EditTarget,
  lines: LineRange,
): Promise<string> {
  const analysis = await analyzeTarget(turn, services, target);
  const used = analysis.identifiersIn({ ...lines, startColumn: 1, endColumn: Infinity });
  const found = findDefinitions(used, [{ analysis }])
    .filter(({ symbol }) => !overlaps(symbol.range, lines))
    .slice(0, maxDefinitions);
  const shown = [...analysis.imports.slice(0, maxImports), ...found.map(({ symbol }) => symbol)];
  const texts = shown.map(({ range }) =>
    textOfLines(analysis.source, range.startLine, range.endLine).slice(0, maxDefinition),
  );
  const own = texts.length === 0 ? [] : [fence(texts.join("\n\n"), target.language)];
  const others = await printOtherDefinitions(turn, services, used, listPassages(turn));
  return [...own, ...(others === "" ? [] : [others])].join("\n\n");
}
