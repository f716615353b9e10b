import type { CodeAnalysis, CodeRange } from "../symbols/code-analysis.ts";
import { flattenSymbols } from "../symbols/flatten-symbols.ts";
import { docStyleOf } from "./doc-style.ts";
import { editCommand } from "./edit-command.ts";
import type { CheckChange } from "./edit-scene.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Services } from "./flow.ts";
import { printDefinitions } from "./print-definitions.ts";

/** Writes or replaces the doc comment of the code in focus. A change of anything but comments is refused. */
export const docstring = editCommand((turn, services, target) => ({
  variables: async (lines) => ({
    docStyle: docStyleOf(target.language),
    definitions: await printDefinitions(turn, services, target, lines),
  }),
  check: commentsOnly(services, target),
}));

/** The code without comments, doc strings and blanks at line borders has to stay as it is. */
function commentsOnly({ code }: Services, { language, path }: EditTarget): CheckChange {
  const codeOf = async (text: string): Promise<string> =>
    withoutComments(text, await code.analyze(text, language, path));
  return async (before, after) => {
    if ((await codeOf(before)) === (await codeOf(after))) return undefined;
    const message = "The change touches code, and only comments may change.";
    const forModel = `${message} Nothing was changed. Send units that keep to that.`;
    return { code: "touches-code", message, forModel };
  };
}

function withoutComments(text: string, { comments, symbols }: CodeAnalysis): string {
  const docs = flattenSymbols(symbols).flatMap(({ docComment }) =>
    docComment === undefined ? [] : [docComment],
  );
  const lines = text.split(/\r?\n/);
  for (const range of [...comments, ...docs]) blankOut(lines, range);
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function blankOut(lines: string[], range: CodeRange): void {
  for (let line = range.startLine; line <= range.endLine; line += 1) {
    const text = lines[line - 1] ?? "";
    const from = line === range.startLine ? range.startColumn - 1 : 0;
    const to = line === range.endLine ? range.endColumn - 1 : text.length;
    lines[line - 1] = text.slice(0, from) + " ".repeat(Math.max(0, to - from)) + text.slice(to);
  }
}
