import type { CodeAnalysis, CodeRange } from "../symbols/code-analysis.ts";
import { flattenSymbols } from "../symbols/flatten-symbols.ts";
import type { Turn } from "../turn/turn.ts";
import { docStyleOf } from "./doc-style.ts";
import { applyPrompt, type CheckChange, offerNext, proposeEdit } from "./edit-file.ts";
import { type EditTarget, targetOf } from "./edit-target.ts";
import type { Flow, Services } from "./flow.ts";
import { placeVariables } from "./place.ts";
import { templated } from "./templated.ts";
import { textsFor } from "./texts.ts";
import { withVariables } from "./with-variables.ts";

/** Writes or replaces the doc comment of the code in focus. A change of anything but comments is refused. */
export const docstring: Flow = async function* (turn, services) {
  const target = targetOf(turn.context.activeEditor);
  if (target === undefined) return yield* templated(turn, services);
  const outcome =
    (yield* applyPrompt(turn, services, target)) ??
    (yield* proposeEdit(turn, services, {
      asked: withVariables(turn, {
        ...(await placeVariables(turn, services, target)),
        docStyle: docStyleOf(target.language),
      }),
      target,
      refuse: commentsOnly(turn, services, target),
    }));
  yield* offerNext(turn, services, target, outcome);
  yield { type: "turn-end", reason: outcome.reason };
};

/** The code without comments, doc strings and blanks at line borders has to stay as it is. */
function commentsOnly(turn: Turn, services: Services, target: EditTarget): CheckChange {
  const codeOf = async (text: string): Promise<string> => {
    const analysis = await services.code.analyze(text, target.language, target.path);
    return withoutComments(text, analysis);
  };
  return async (before, after) =>
    (await codeOf(before)) === (await codeOf(after))
      ? undefined
      : textsFor(turn.locale).changesCode;
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
