// Habits of models that stand around or inside the quoted lines: code fences, line numbers, HTML entities.
import { decodeEntities } from "../read/file-edit-tag.ts";
import { withoutNumbers } from "./line-numbers.ts";
import { isCodeFence } from "../read/unit-reader.ts";
import { isSolid } from "../../base/text/lines.ts";

export interface Lines {
  search: readonly string[];
  replace: readonly string[];
}

type Decoration = "fence" | "line-numbers" | "entities";

export interface Undecorated {
  decoration: Decoration;
  lines: Lines;
  /** The number that each line of SEARCH bore. */
  numbers?: readonly (number | undefined)[];
}

/** The unit without each habit that SEARCH shows. */
export function undecorate(unit: Lines): Undecorated[] {
  const found: Undecorated[] = [];
  const unfenced = withoutFence(unit);
  if (unfenced !== undefined) found.push({ decoration: "fence", lines: unfenced });
  const unnumbered = withoutNumbers(unit.search, unit.replace);
  if (unnumbered !== undefined) {
    const { numbers, ...lines } = unnumbered;
    found.push({ decoration: "line-numbers", lines, numbers });
  }
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
