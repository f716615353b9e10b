import { estimateTokens } from "../context/tokens.ts";

/** Cuts text on a line border so that it costs at most `most` tokens, and says how much was cut. */
export function cutToTokens(text: string, most: number): string {
  if (!(most >= 0) || estimateTokens(text) <= most) return text;
  const lines = text.replace(/\n$/, "").split("\n");
  let kept = 0;
  for (let cost = 0; kept < lines.length; kept++) {
    cost += estimateTokens(`${lines[kept]}\n`);
    if (cost > most) break;
  }
  const left = lines.length - kept;
  const note = `[${left} ${left === 1 ? "line" : "lines"} cut]`;
  return [...lines.slice(0, kept), note].join("\n");
}
