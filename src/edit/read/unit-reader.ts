// Lines of one diff in, units out: what is inside <file-edit>, or a diff on its own.
import { describeDiff, quoteStart } from "../describe-error.ts";
import type { EditError, EditUnit, ParsedUnit } from "../edit-unit.ts";
import { type Dress, readDressedRule, undressLine, withoutIndent } from "./dress/dressed-rule.ts";
import { isWrapper } from "./dress/tags.ts";
import { OpenUnit, equalRule } from "./open-unit.ts";
import { type Rule, fullRule, readRule, shortestRule } from "./rule-line.ts";
import { joinLines, linesOf } from "../../base/text/lines.ts";
import { isCodeFence } from "../../base/text/fence.ts";

/**
 * Reads units; between them blank lines and code fences may stand, any other text is a fault. After a
 * fault nothing more is read: a diff is taken as a whole or not at all.
 */
export class UnitReader {
  readonly units: ParsedUnit[] = [];
  error: EditError | undefined;
  #least: number | undefined;
  #opening: Rule | undefined;
  #open: OpenUnit | undefined;
  /** Of the open unit, if its rules are not plain. */
  #dress: Dress | undefined;
  readonly #tell: (found: ParsedUnit | EditError) => void;

  /**
   * @param least the shortest rule that counts; without it the first rule decides
   * @param tell takes each unit as it ends, and the fault
   */
  constructor(least?: number, tell: (found: ParsedUnit | EditError) => void = () => {}) {
    this.#least = least;
    this.#tell = tell;
  }

  /** A unit has begun and not ended. */
  get isInside(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Takes one line without its line end.
   *
   * @param number of the line, 1-based
   * @param isEnd the line ends the diff unless it belongs to a unit
   */
  push(line: string, number: number, isEnd = false): void {
    if (this.error !== undefined) return;
    const text = this.#dress === undefined ? line : undressLine(line, this.#dress);
    const isCover = isCodeFence(text) || isWrapper(text);
    if (this.#open !== undefined) {
      const opensNext = this.#dress !== undefined && readDressedRule(line) !== undefined;
      const closed = this.#open.push(text, isEnd || isCover || opensNext);
      if (closed === undefined) return;
      this.#finish(closed);
      if (this.error !== undefined) return;
    }
    if (this.#begin(line, number) || isEnd || isCover || line.trim() === "") return;
    const message = `Line ${number} of the diff belongs to no unit: ${quoteStart(line)}.`;
    this.#fail(describeDiff("malformed", message));
  }

  #fail(error: EditError): void {
    this.error = error;
    this.#tell(error);
  }

  /** Whether a unit begins with the line. */
  #begin(line: string, number: number): boolean {
    const plain = readRule(line, this.#least ?? shortestRule);
    const dressed = plain === undefined ? readDressedRule(line) : undefined;
    const rule = plain ?? dressed?.rule;
    if (rule?.kind !== "search") return false;
    const own = Math.min(rule.length, fullRule);
    if (dressed === undefined) this.#least ??= own;
    this.#opening = rule;
    this.#dress = dressed?.dress;
    this.#open = new OpenUnit(rule, number, dressed === undefined ? (this.#least ?? own) : own);
    return true;
  }

  /** The line that has begun so belongs to a unit: it does not end the diff. */
  takes(start: string): boolean {
    const rule = readRule(this.#dress === undefined ? start : undressLine(start, this.#dress), 0);
    if (!this.isInside) return rule?.kind === "search" || readDressedRule(start) !== undefined;
    return rule?.kind !== "replace" || rule.length < (this.#opening?.length ?? 0);
  }

  /** The diff ends here. */
  end(): void {
    if (this.#open !== undefined) this.#finish(this.#open.end());
    if (this.error !== undefined || this.units.length > 0) return;
    this.#fail(describeDiff("malformed", "The diff holds no unit: it has no SEARCH rule."));
  }

  #finish(closed: ParsedUnit | EditError): void {
    this.#open = undefined;
    const indent = this.#dress?.cover.indent ?? 0;
    this.#dress = undefined;
    if ("code" in closed) {
      this.#fail({ ...closed, unit: this.units.length + 1 });
      return;
    }
    // Whoever writes long rules means what is between them.
    const { length = 0, everywhere } = this.#opening ?? {};
    const tidy = length >= equalRule ? closed : tidyUnit(closed, indent);
    const unit = everywhere === undefined ? tidy : { ...tidy, everywhere };
    this.units.push(unit);
    this.#tell(unit);
  }
}

// What models write inside of a unit that belongs to its dress, not to the code.

const lineHeader = /^\s*(?::(?:start|end)_line:[ \t]*(?:\d+[ \t]*)?\n\s*)+(?:-{5,}[ \t]*\n)?/;
/** A rule in the text of a unit, made none by a backslash. */
const escapedRule = /^([ \t]*)\\(?=(?:={5,}|-{5,}|<{5,}|>{5,}|\+{5,})(?:[ \t].*)?$)/gm;

/**
 * The unit without headers such as `:start_line:12`, without backslashes before its own rules, without a code
 * fence that opens or closes on one side only, and without the indentation of its rules.
 */
function tidyUnit(unit: ParsedUnit, indent: number): ParsedUnit {
  const { readings, asText, ...rest } = unit;
  const plain: ParsedUnit = { ...rest, ...tidySides(unit, indent) };
  if (readings === undefined && asText === undefined) return withoutHalfFence(plain);
  if (readings !== undefined) plain.readings = readings.map((each) => tidySides(each, indent));
  if (asText !== undefined) plain.asText = { ...asText, ...dedent(asText, indent) };
  return plain;
}

function tidySides({ search, replace }: EditUnit, indent: number): EditUnit {
  const bare = (text: string): string => {
    const body = text.includes("_line:") ? text.replace(lineHeader, "") : text;
    return body.includes("\\") ? body.replace(escapedRule, "$1") : body;
  };
  return dedent({ search: bare(search), replace: bare(replace) }, indent);
}

function dedent({ search, replace }: EditUnit, indent: number): EditUnit {
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
  const isHalf = (lines: readonly string[]): boolean => lines.filter(isCodeFence).length % 2 === 1;
  const last = replace.at(-1) ?? "";
  const opens = isCodeFence(search[0] ?? "");
  if (!isCodeFence(last) || !isHalf(replace) || (isHalf(search) && !opens)) return unit;
  return {
    ...unit,
    search: joinLines(isHalf(search) ? search.slice(1) : search),
    replace: joinLines(replace.slice(0, -1)),
    strict: false,
    markers: [...(unit.markers ?? []), last],
    asText: { search: unit.search, replace: unit.replace },
  };
}
