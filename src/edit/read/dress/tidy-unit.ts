// What models write inside of a unit that belongs to its dress, not to the code.
import type { EditUnit, ParsedUnit } from "../../edit-unit.ts";
import { linesOf, joinLines } from "../../../base/text/lines.ts";
import { withoutIndent } from "./cover.ts";

const lineHeader = /^:(?:start|end)_line:[ \t]*\d*$/;
const headerEnd = /^-{5,}$/;
/** A rule in the text of a unit, made none by a backslash. */
const escapedRule = /^(?<blanks>[ \t]*)\\(?<rule>(?:={5,}|-{5,}|<{5,}|>{5,}|\+{5,})(?:[ \t].*)?)$/;
const fence = /^(?:`{3,}|~{3,})[\w.+#-]*$/;

/**
 * The unit without headers such as `:start_line:12`, without backslashes before its own rules, without a code
 * fence that opens or closes on one side only, and without the indentation of its rules.
 */
export function tidyUnit(unit: ParsedUnit, indent: number): ParsedUnit {
  const tidy = (pair: EditUnit): EditUnit => dedent(unescape(withoutHeader(pair)), indent);
  const { readings, asText, ...rest } = unit;
  const plain: ParsedUnit = { ...rest, ...tidy(unit) };
  if (readings !== undefined) plain.readings = readings.map(tidy);
  if (asText !== undefined) plain.asText = { ...asText, ...dedent(asText, indent) };
  return asText === undefined && readings === undefined ? withoutHalfFence(plain) : plain;
}

function withoutHeader({ search, replace }: EditUnit): EditUnit {
  if (!/^\s*:/.test(search)) return { search, replace };
  const lines = linesOf(search);
  let from = 0;
  while (lineHeader.test((lines[from] ?? "").trim())) from += 1;
  if (from === 0) return { search, replace };
  if (headerEnd.test((lines[from] ?? "").trim())) from += 1;
  return { search: joinLines(lines.slice(from)), replace };
}

function unescape({ search, replace }: EditUnit): EditUnit {
  if (!search.includes("\\") && !replace.includes("\\")) return { search, replace };
  const bare = (text: string) =>
    joinLines(linesOf(text).map((line) => line.replace(escapedRule, "$<blanks>$<rule>")));
  return { search: bare(search), replace: bare(replace) };
}

function dedent({ search, replace }: EditUnit, indent: number): EditUnit {
  if (indent === 0) return { search, replace };
  const old = linesOf(search);
  const lines = withoutIndent([...old, ...linesOf(replace)], indent);
  return {
    search: joinLines(lines.slice(0, old.length)),
    replace: joinLines(lines.slice(old.length)),
  };
}

/** Whether a unit reads as it is, whatever its dress. */
export function isTidy({ search, replace }: EditUnit): boolean {
  const tidied = tidyUnit({ search, replace, line: 1, strict: true }, 0);
  return tidied.search === search && tidied.replace === replace;
}

/** A fence that REPLACE ends with closes what REPLACE never opens: SEARCH does, or the fence around the unit. */
function withoutHalfFence(unit: ParsedUnit): ParsedUnit {
  const [search, replace] = [linesOf(unit.search), linesOf(unit.replace)];
  const last = replace.at(-1) ?? "";
  const isHalf = isFence(last) && countFences(replace) % 2 === 1;
  if (!isHalf) return unit;
  const opens = isFence(search[0] ?? "") && countFences(search) % 2 === 1;
  if (!opens && countFences(search) % 2 === 1) return unit;
  const asText = { search: unit.search, replace: unit.replace };
  const markers = [...(unit.markers ?? []), last];
  const old = joinLines(opens ? search.slice(1) : search);
  return {
    ...unit,
    search: old,
    replace: joinLines(replace.slice(0, -1)),
    strict: false,
    markers,
    asText,
  };
}

function countFences(lines: readonly string[]): number {
  return lines.filter(isFence).length;
}

function isFence(line: string): boolean {
  return fence.test(line.trim());
}
