import type { CodeAnalysis, CodeMatch, Stretches } from "../../code/code-analysis.ts";
import type { Repair } from "./repairs/repair.ts";

/** A new text in place of an old one, as offsets; of no width, it is put in. */
export interface Patch {
  start: number;
  end: number;
  text: string;
}

/** What a rule writes where its pattern fits; undefined where a comment would be lost, or lines have no place. */
export function patchesOf(
  { writes, above }: Repair,
  { captures }: CodeMatch,
  analysis: CodeAnalysis,
): Patch[] | undefined {
  const { text } = analysis.source;
  const textOf = (name: string): string => text.slice(...(captures[name] ?? [0, 0]));
  const fill = (template: string): string =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name !== "not") return textOf(name);
      return textOf("operator").startsWith("!") ? "!" : "";
    });
  const patches: Patch[] = [];
  for (const [name, written] of Object.entries(writes)) {
    const at = captures[name];
    const template = typeof written === "string" ? written : written[textOf(name)];
    if (at === undefined || template === undefined || losesProse(at, template, captures, analysis))
      return undefined;
    patches.push(apart({ start: at[0], end: at[1], text: fill(template) }, text));
  }
  if (above === undefined) return patches;
  const { whole: [outer] = [0], first: [start] = [0] } = captures;
  const [outside, inside] = [lineBefore(text, outer), lineBefore(text, start)];
  const indent = /^[ \t]*/.exec(outside)?.[0] ?? "";
  if (inside.trim() !== "" || !inside.startsWith(indent)) return undefined;
  const step = inside.slice(indent.length);
  const lines = above.split("\n").map((line) => `${fill(line.replace("\t", step))}\n${inside}`);
  return [...patches, { start, end: start, text: lines.join("") }];
}

/** A word stays apart from the words beside it. */
function apart({ start, end, text }: Patch, source: string): Patch {
  const isJoined = (sign = "", other = ""): boolean => /\w/.test(sign) && /\w/.test(other);
  const before = isJoined(source[start - 1], text[0]) ? " " : "";
  const after = isJoined(text.at(-1), source[end]) ? " " : "";
  return { start, end, text: `${before}${text}${after}` };
}

/** What is before an offset on its line. */
function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

/** Whether a string would change, or a comment or string would go that is in no capture of the new text. */
function losesProse(
  [from, to]: readonly [number, number],
  template: string,
  captures: CodeMatch["captures"],
  { offsets: { comments, strings } }: CodeAnalysis,
): boolean {
  const kept = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => {
    const place = captures[name];
    return place === undefined ? [] : [place];
  });
  return [comments, strings].some((prose) => {
    const first = firstFrom(prose, from);
    if (first > 0 && prose.end(first - 1) > from) return true;
    for (let nth = first; nth < prose.count && prose.start(nth) < to; nth += 1) {
      const [start, end] = [prose.start(nth), prose.end(nth)];
      if (!kept.some((place) => place[0] <= start && place[1] >= end)) return true;
    }
    return false;
  });
}

/** The first stretch that starts there or further on. */
function firstFrom(stretches: Stretches, offset: number): number {
  let low = 0;
  let high = stretches.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches.start(middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
