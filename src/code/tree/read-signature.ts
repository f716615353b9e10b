import { foldSpaces } from "../../edit/fold-spaces.ts";
import type { Comments } from "./doc-comments.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

/** In characters as written: what one reads at a glance is far shorter. */
const maxSignature = 4_000;

/** The text up to an offset, on one line, without the comments and decorators inside. */
export function readSignature(
  whole: SyntaxNode,
  end: number,
  { source, rules }: Pick<Comments, "source" | "rules">,
): string {
  const left = [...rules.comments, ...rules.decorators];
  const last = Math.min(end, whole.start + maxSignature);
  let text = "";
  let place = whole.start;
  // With a stack of its own: types and default values may nest deeper than calls can.
  const nodes = whole.children.toReversed();
  for (let node = nodes.pop(); node !== undefined && node.start < last; node = nodes.pop()) {
    if (left.includes(node.type)) {
      text += `${source.text.slice(place, node.start)} `;
      place = node.end;
    } else if (!rules.strings.includes(node.type)) {
      for (let at = node.children.length - 1; at >= 0; at--) {
        const child = node.children[at];
        if (child !== undefined && child.start < last) nodes.push(child);
      }
    }
  }
  text += source.text.slice(place, Math.max(place, last));
  return foldSpaces(text)
    .replace(/(?:=>|=|\{|:|;|,)$/, "")
    .trimEnd();
}
