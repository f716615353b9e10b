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
  const left = lines.toReversed();
  let hold: Hold | undefined;
  for (let line = left.pop(); line !== undefined; line = left.pop()) {
    if (hold === undefined && /^[ \t]*(?:$|#|\/\/)/.test(line)) continue;
    hold ??= begin(line);
    if (hold === undefined) return undefined;
    const held = hold.take(line);
    if (held === undefined) continue;
    if (held.kind !== "calls") return undefined;
    for (const call of held.calls) calls.push(call);
    if (held.rest !== undefined) left.push(held.rest);
    hold = undefined;
  }
  return hold === undefined && calls.length > 0 ? calls : undefined;
}
