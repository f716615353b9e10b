import { PieceLoop } from "../../../base/text/progress.ts";
import type { NamedCall } from "../named-calls.ts";
import type { Hold } from "./hold.ts";

/**
 * The calls of lines that hold nothing else but blank lines and comments.
 *
 * @param begin takes the lines of the call that begins with this one
 * @returns undefined if there is anything else, or no call
 */
export function readAll(
  lines: readonly string[],
  begin: (line: string) => Hold | undefined,
): NamedCall[] | undefined {
  const calls: NamedCall[] = [];
  let hold: Hold | undefined;
  let isOther = false;
  const loop = new PieceLoop((line) => {
    if (hold === undefined && /^[ \t]*(?:$|#|\/\/)/.test(line)) return [];
    hold ??= begin(line);
    const held = hold?.take(line);
    if (hold !== undefined && held === undefined) return undefined;
    hold = undefined;
    if (held?.kind !== "calls") {
      isOther = true;
      return [];
    }
    for (const call of held.calls) calls.push(call);
    return held.rest === undefined ? [] : [held.rest];
  });
  for (const line of lines) {
    loop.read(line);
    if (isOther) return undefined;
  }
  return hold === undefined && calls.length > 0 ? calls : undefined;
}
