import { isPause, type Steps } from "../../edit/steps.ts";
import type { SearchHit } from "../workspace.ts";
import { maxSearchedLine, type PreparedSearch } from "./prepare-search.ts";

/** Of a line that is shown, in UTF-16 code units. */
const maxShownLine = 400;
/** Characters that are searched by an expression between two pauses. */
const searchedAtOnce = 2_000;

type TextSearch = Pick<PreparedSearch, "fits" | "literal">;

/** The hits in the text of a file, in order, at most so many. */
export function* findHits(
  file: string,
  text: string,
  { fits, literal }: TextSearch,
  most: number,
): Steps<SearchHit[]> {
  const hits: SearchHit[] = [];
  if (literal !== undefined && !text.includes(literal)) return hits;
  let searched = 0;
  let line = 0;
  for (let start = 0; start < text.length && hits.length < most; line += 1) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const content = text.slice(start, Math.min(end, start + maxSearchedLine));
    const trimmed = content.endsWith("\r") ? content.slice(0, -1) : content;
    if (fits(trimmed)) hits.push({ file, line: line + 1, content: showLine(trimmed) });
    start = end + 1;
    searched += trimmed.length;
    if (isPause(line) || searched > searchedAtOnce) {
      searched = 0;
      yield;
    }
  }
  return hits;
}

/** A line as it is shown: cut where it is long, but not in the middle of a character. */
function showLine(line: string): string {
  if (line.length <= maxShownLine) return line;
  const cut = line.slice(0, maxShownLine);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
