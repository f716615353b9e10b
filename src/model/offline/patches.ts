import type { CodeAnalysis, CodeMatch } from "../../code/code-analysis.ts";
import { isInside } from "../../edit/find/guess-prose.ts";
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
    if (at === undefined) continue;
    const template = typeof written === "string" ? written : (written[textOf(name)] ?? "");
    if (losesProse(at, template, captures, analysis)) return undefined;
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

/** Whether a string would change, or a comment go that is in no capture of the new text. */
function losesProse(
  [from, to]: readonly [number, number],
  template: string,
  captures: CodeMatch["captures"],
  { source, offsets }: CodeAnalysis,
): boolean {
  if (isInside(offsets.strings, from, to)) return true;
  let at = from;
  let gone = "";
  const kept = Object.entries(captures).filter(([name]) => template.includes(`{${name}}`));
  const places = kept.map(([, place]) => place).toSorted(([a], [b]) => a - b);
  for (const [start, end] of [...places, [to, to] as const]) {
    gone += source.text.slice(at, start);
    at = end;
  }
  return /\/[/*]|#/.test(gone);
}
