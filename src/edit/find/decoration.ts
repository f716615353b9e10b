// Habits of models that stand around or inside the quoted lines: code fences, line numbers, HTML entities.
import { decodeEntities } from "../read/file-edit-tag.ts";
import { isCodeFence } from "../read/unit-reader.ts";

export interface Lines {
  search: readonly string[];
  replace: readonly string[];
}

export type Decoration = "fence" | "line-numbers" | "entities";

const numbered = /^[ \t]*(\d+)(?:[ \t]*[|│→](?: |$)|:[ \t]|\t|[ \t]*[|│:→]$)/;

/** The unit without each habit that SEARCH shows. */
export function undecorate(unit: Lines): { decoration: Decoration; lines: Lines }[] {
  const found: { decoration: Decoration; lines: Lines }[] = [];
  const unfenced = withoutFence(unit);
  if (unfenced !== undefined) found.push({ decoration: "fence", lines: unfenced });
  const unnumbered = withoutNumbers(unit);
  if (unnumbered !== undefined) found.push({ decoration: "line-numbers", lines: unnumbered });
  const hasEntity = unit.search.some((line) => decodeEntities(line) !== line);
  if (hasEntity) found.push({ decoration: "entities", lines: decodeUnit(unit) });
  return found;
}

export function decodeUnit({ search, replace }: Lines): Lines {
  return { search: search.map(decodeEntities), replace: replace.map(decodeEntities) };
}

function withoutFence({ search, replace }: Lines): Lines | undefined {
  const inner = insideFence(search);
  return inner && { search: inner, replace: insideFence(replace) ?? replace };
}

function insideFence(lines: readonly string[]): readonly string[] | undefined {
  const first = lines.findIndex(isSolid);
  const last = lines.findLastIndex(isSolid);
  const isFenced =
    first < last && isCodeFence(lines[first] ?? "") && isCodeFence(lines[last] ?? "");
  return isFenced ? lines.slice(first + 1, last) : undefined;
}

/** Every line of SEARCH bears a number, and the numbers rise. */
function withoutNumbers({ search, replace }: Lines): Lines | undefined {
  let last = -1;
  for (const line of search.filter(isSolid)) {
    const number = Number(numbered.exec(line)?.[1] ?? Number.NaN);
    if (!(number > last)) return undefined;
    last = number;
  }
  if (last === -1) return undefined;
  const strip = (line: string) => line.replace(numbered, "");
  return { search: search.map(strip), replace: replace.map(strip) };
}

function isSolid(line: string): boolean {
  return line.trim() !== "";
}
