// Lines that give a diff its shape, and were left in the text that is to be written.
import type { EditUnit, GivenUnit } from "./edit-unit.ts";
import { fullRule, readRule, shortestRule } from "./read/rule-line.ts";
import { hasText } from "../base/text/count-text.ts";
import { linesOf } from "../base/text/lines.ts";
import { isCodeFence } from "../base/text/fence.ts";

const conflict = /^(?:<{7}|>{7})(?:\s|$)|^(?:<{5,9}|>{5,9}) ?[A-Z]{4,}$/;
const tag = /^<\/?file-edit[\s>]/;

/**
 * The first line of the text to be written that looks like a rule of the diff that it was read from.
 * Undefined where there is none, where the unit's own rules are longer than the line, and for units that
 * were not read from a diff.
 *
 * @param isKnown the file has the line as well: then it is text
 */
export function findMarker(
  unit: GivenUnit,
  written: readonly string[],
  isKnown: (line: string) => boolean,
): string | undefined {
  if (unit.strict === undefined) return undefined;
  const { ruleLength = fullRule } = unit;
  const marker = written.find(
    (line) =>
      isMarker(line.trim(), ruleLength) && !isKnown(line) && !isInsideText(unit, line.trim()),
  );
  return marker ?? (ruleLength > fullRule ? undefined : findFence(unit, isKnown));
}

function isMarker(line: string, ruleLength: number): boolean {
  const rule = readRule(line, shortestRule);
  if (rule?.kind === "separator") return rule.length === ruleLength;
  if (rule !== undefined) return rule.length >= ruleLength || ruleLength === fullRule;
  return ruleLength === fullRule && looksLikeTag(line);
}

/** As a tag around units, or an end of a merge conflict: rules that are longer say that it is text. */
export function looksLikeTag(line: string): boolean {
  return conflict.test(line) || tag.test(line);
}

/**
 * A separator in the middle of REPLACE is text, if the lines above it begin as SEARCH does and break off, and
 * those below it do not begin so again: neither part is a REPLACE by itself.
 */
function isInsideText({ search, replace }: EditUnit, marker: string): boolean {
  const quoted = solidLines(search);
  const lines = solidLines(replace);
  const at = lines.indexOf(marker);
  if (!/^=+$/.test(marker) || at !== lines.lastIndexOf(marker)) return false;
  const [above, below] = [lines.slice(0, at), lines.slice(at + 1)];
  const [first] = above;
  if (first === undefined || below.length === 0 || !quoted.includes(first)) return false;
  return above.at(-1) !== quoted.at(-1) && below[0] !== quoted[0];
}

/** A code fence in REPLACE that opens or closes nothing, or is around all of it. */
function findFence(
  { search, replace }: EditUnit,
  isKnown: (line: string) => boolean,
): string | undefined {
  const [quoted, lines] = [solidLines(search), solidLines(replace)];
  const fences = lines.filter(isCodeFence);
  const [fence] = fences;
  if (fence === undefined || [...fences, "```"].some(isKnown)) return undefined;
  const isOdd = (fences.length - quoted.filter(isCodeFence).length) % 2 !== 0;
  const isAround = isCodeFence(lines[0] ?? "") && isCodeFence(lines.at(-1) ?? "");
  return isOdd || (isAround && !isCodeFence(quoted[0] ?? "")) ? fence : undefined;
}

function solidLines(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

// Lines of a unit that look like its own rules: whether they are text shows in the file.

/** The unit as it reads beside this text: what looks like its rules is text where the text has such lines. */
export function settleMarkers(unit: GivenUnit, before: string): GivenUnit {
  const { asText, markers, ...plain } = unit;
  if (markers === undefined) return unit;
  if (!markers.some((marker) => holdsLine(before, marker)))
    return asText === undefined ? unit : plain;
  if (asText === undefined) return plain;
  const { readings: _, ...rest } = plain;
  return { ...rest, ...asText };
}

/**
 * The line with which a merge conflict begins that the answer quotes from the file: it looks like a unit.
 *
 * @returns undefined if the unit is none
 */
export function quotedConflict({ openingLine }: GivenUnit, before: string): string | undefined {
  return openingLine !== undefined && holdsLine(before, openingLine) ? openingLine : undefined;
}

/** A line of REPLACE that looks like a rule of its unit, and is neither in SEARCH nor in the file. */
export function strayMarker({ markers = [] }: GivenUnit, reading: EditUnit): string | undefined {
  const quoted = new Set(linesOf(reading.search));
  const strays = new Set(markers.filter((marker) => !quoted.has(marker)));
  return linesOf(reading.replace).find(
    (line) => strays.has(line) && !isInsideText(reading, line.trim()),
  );
}

/** But for blanks around it. */
function holdsLine(text: string, line: string): boolean {
  const marker = line.trim();
  return hasText(text, marker) && linesOf(text).some((each) => each.trim() === marker);
}
