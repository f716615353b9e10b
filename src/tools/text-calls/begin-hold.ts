import { beginsJson } from "../../edit/read/forms/json-edits.ts";
import type { Toolbox } from "../toolbox.ts";
import { beginsFence, endOfFence, FenceHold } from "./holds/fence-hold.ts";
import { FunctionHold, readHead } from "./holds/function-hold.ts";
import type { Held, Hold } from "./holds/hold.ts";
import { JsonHold } from "./holds/json-hold.ts";
import { beginsTag, TagHold } from "./holds/tag-hold.ts";

/** What announces an example, at the end of a line with a colon. */
const example =
  /\b(?:for example|e\.g\.|for instance|(?:an|this|the following) example|would look like)(?![\w./-])|例如|比如|举例|示例如下/i;

/**
 * Takes the lines from this one on if a call may begin with it.
 *
 * @param above the last line of text before it
 */
export function pickHold(line: string, above: string, toolbox: Toolbox): Hold | undefined {
  if (beginsTag(line)) return new TagHold(toolbox);
  if (/[:：][*_`]{0,4}$/.test(above.trimEnd()) && example.test(above))
    return beginsFence(line) ? showFence(line) : undefined;
  if (beginsFence(line)) return new FenceHold(line, toolbox);
  if (beginsJson(line)) return new JsonHold(toolbox);
  const head = readHead(line, toolbox);
  return head && new FunctionHold(head);
}

/** A code block that is a quotation to its end. */
function showFence(first: string): Hold {
  const held: Held = { kind: "quote", lines: 1, until: endOfFence(first) };
  return { take: () => held, end: () => held };
}

/** The beginning of a line may yet become that of a call, or of something quoted. */
export function mayBeginCall(start: string): boolean {
  const text = start.slice(0, 400).trimStart();
  return (
    text === "" ||
    /^[<{[`~]/.test(text) ||
    /^(?:print\()?(?:await {0,8})?[\w.]{0,200}(?:\(|$)/.test(text)
  );
}
