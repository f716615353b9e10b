import { bareCode } from "../../code/plain/bare-code.ts";
import { isSameCode } from "../../code/same-code.ts";
import type { Turn } from "../../turn/turn.ts";
import { docStyleOf } from "../edit/doc-style.ts";
import { editCommand } from "../edit/edit-command.ts";
import type { CheckChange, Refusal } from "../edit/edit-scene.ts";
import type { EditTarget } from "../edit/edit-target.ts";
import type { Services } from "../flow.ts";
import { printDefinitions } from "../edit/print-definitions.ts";

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
