import { countLineFeeds } from "../turn/context/text-lines.ts";
import { estimateTokens } from "../turn/context/tokens.ts";

/**
 * Cuts text on a line border so that it costs at most `most` tokens, and says how much was cut.
 *
 * @param onLine called for each line that is looked at
 */
export function cutToTokens(text: string, most: number, onLine?: () => void): string {
  if (!(most >= 0) || estimateTokens(text) <= most) return text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  let kept = 0;
  for (let cost = 0; kept <= end;) {
    onLine?.();
    const feed = text.indexOf("\n", kept);
    const next = feed === -1 || feed > end ? end + 1 : feed + 1;
    cost += estimateTokens(`${text.slice(kept, Math.min(next - 1, end))}\n`);
    if (cost > most) break;
    kept = next;
  }
  if (kept > end) return text.slice(0, end);
  const left = countLineFeeds(text.slice(kept, end)) + 1;
  const note = `[${left} ${left === 1 ? "line" : "lines"} cut]`;
  return kept === 0 ? note : `${text.slice(0, kept)}${note}`;
}
