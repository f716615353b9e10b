import type { Prose } from "../edit/find/guess-prose.ts";
import type { CodeAnalysis } from "./code-analysis.ts";

/** The comments and strings of a text as the edit engine takes them; undefined where they are not known. */
export function proseOf({ areCommentsKnown, offsets }: CodeAnalysis): Prose | undefined {
  return areCommentsKnown ? offsets : undefined;
}
