// How a model's indentation maps to the file's: found from lines that are in both, used for new lines.
import { columnsOf, indentOf, isSolid } from "../../base/text/lines.ts";

/** The blanks at the start of a line that is in SEARCH and in the file. */
export interface IndentPair {
  search: string;
  file: string;
}

export interface IndentRule {
  /** Levels are wider or narrower than in SEARCH. */
  isScale?: boolean;
  /** Nothing has to be changed. */
  isIdentity: boolean;
  /**
   * The indentation that a line of REPLACE has in the file; undefined if that is not clear.
   *
   * @param isFirst the line is the first of REPLACE
   */
  map(indent: string, isFirst: boolean): string | undefined;
}

export const identityRule: IndentRule = { isIdentity: true, map: (indent) => indent };
/** Widths of a tab, the most usual first. */
const tabWidths = [4, 2, 8, 3, 1, 5, 6, 7];

/** Finds the one rule that explains all pairs; undefined if there is none. */
export function findIndentRule(pairs: readonly IndentPair[]): IndentRule | undefined {
  return findUniformRule(pairs) ?? findTrimmedFirst(pairs);
}

function findUniformRule(pairs: readonly IndentPair[]): IndentRule | undefined {
  if (pairs.every(({ search, file }) => search === file)) return identityRule;
  return findShift(pairs) ?? findColumnRule(pairs);
}

/** The same blanks added to each line, or taken from each. */
function findShift(pairs: readonly IndentPair[]): IndentRule | undefined {
  const { search, file } = pairs[0] ?? { search: "", file: "" };
  const kept = Math.min(search.length, file.length);
  const taken = search.slice(0, search.length - kept);
  const added = file.slice(0, file.length - kept);
  const map = (indent: string): string | undefined =>
    indent.startsWith(taken) ? added + indent.slice(taken.length) : undefined;
  const isRule = pairs.every((pair) => map(pair.search) === pair.file);
  return isRule ? { isIdentity: false, map } : undefined;
}

/** Tabs written as blanks, or blanks as tabs, with or without a shift; or levels of another width: byte by byte as in the file. */
function findColumnRule(pairs: readonly IndentPair[]): IndentRule | undefined {
  const usesTabs = pairs.some(({ file }) => file.includes("\t"));
  const isOtherKind = usesTabs !== pairs.some(({ search }) => search.includes("\t"));
  if (usesTabs && !isOtherKind) return undefined;
  const toFile = (indent: string, { width, shift, scale: [to, from] = [1, 1] }: Width) => {
    const columns = (columnsOf(indent, width) * to) / from + shift;
    if (columns < 0 || !Number.isInteger(columns)) return undefined;
    if (!usesTabs) return " ".repeat(columns);
    return "\t".repeat(Math.floor(columns / width)) + " ".repeat(columns % width);
  };
  const rules = (isOtherKind ? findWidths(pairs) : findScale(pairs)).filter((rule) =>
    pairs.every(({ search, file }) => toFile(search, rule) === file),
  );
  const unshifted = rules.filter(({ shift }) => shift === 0);
  const [first, ...others] = unshifted.length > 0 ? unshifted : rules;
  if (first === undefined) return undefined;
  const map = (indent: string): string | undefined => {
    const mapped = toFile(indent, first);
    return others.every((rule) => toFile(indent, rule) === mapped) ? mapped : undefined;
  };
  return { isIdentity: false, isScale: first.scale !== undefined, map };
}

/** Levels of another width: two blanks where the file has four. */
function findScale(pairs: readonly IndentPair[]): Width[] {
  const depths = pairs.map(({ search, file }) => [file.length, search.length] as const);
  const [scale] = depths.toSorted((one, other) => other[1] - one[1]);
  return scale === undefined || scale.includes(0) ? [] : [{ width: 1, shift: 0, scale }];
}

/** A width of tabs with which all lines are shifted alike. */
export interface Width {
  width: number;
  shift: number;
  /** Columns of the file for so many of SEARCH. */
  scale?: readonly [number, number];
}

/** The widths of tabs with which all pairs are shifted alike, the most usual first. */
export function findWidths(pairs: readonly IndentPair[]): Width[] {
  return tabWidths.flatMap((width) => {
    const shifts = pairs.map(
      ({ search, file }) => columnsOf(file, width) - columnsOf(search, width),
    );
    const shift = shifts[0] ?? 0;
    return shifts.every((other) => other === shift) ? [{ width, shift }] : [];
  });
}

/** The blanks before the very first line were lost, the other lines follow a rule. */
function findTrimmedFirst(pairs: readonly IndentPair[]): IndentRule | undefined {
  const [first, ...others] = pairs;
  if (first?.search !== "" || first.file === "" || others.length === 0) return undefined;
  const rule = findUniformRule(others);
  return (
    rule && {
      isIdentity: false,
      map: (indent, isFirst) => (isFirst && indent === "" ? first.file : rule.map(indent, false)),
    }
  );
}

/**
 * Level by level below a line of both, where the lines are in levels of another unit than the file's: as many as in the file are
 * above that line, or none, or it is not to be told.
 *
 * @param own the unit by which the lines are indented
 * @param unit that of the file
 */
export function levelRule(
  all: readonly string[],
  { search, file }: IndentPair,
  own: string,
  unit: string,
): IndentRule | undefined {
  const lines = all.filter((line) => isSolid(line) && !isContinued(line));
  const isInLevels = (line: string): boolean =>
    line.startsWith(search) && (indentOf(line).length - search.length) % own.length === 0;
  const usesTabs = unit === "\t";
  const isOtherKind = file !== "" && search.includes("\t") !== usesTabs;
  const isAsDeep = isOtherKind || search.length * unit.length === file.length * own.length;
  const isShown = search === "" || (isAsDeep && /^(?: +|\t+)$/.test(search));
  const isOfFile = unit !== "" && (file === "" || file.includes("\t") === usesTabs);
  // What goes on under a word of the line above is as deep as that.
  const isLevel = /^(?:\t| {1,4}| {8})$/.test(own);
  if (own === unit || !isLevel || !isOfFile || !isShown || !lines.every(isInLevels))
    return undefined;
  const map = (indent: string): string => {
    const inner = indent.slice(search.length);
    const count = Math.floor(inner.length / own.length);
    return file + unit.repeat(count) + inner.slice(count * own.length);
  };
  return { isIdentity: false, map };
}

/**
 * Code with the levels of a file that is indented by tabs where the code is by blanks, or the other way round, or by half or twice
 * as many blanks. Left as it is where either is not in levels of one kind, or what is indented in both is so alike.
 */
export function inLevelsOf(file: readonly string[], given: readonly string[]): readonly string[] {
  const code = withFirstIndent(file, given);
  const [first = "", ...rest] = code.filter(isSolid);
  // A first line that opens nothing may have been cut out in mid line.
  const own = unitOf(isFirstBare(first, rest) && !opens.test(first.trimEnd()) ? rest : code);
  const unit = own === "" ? "" : unitOf(file);
  if (unit === "" || own === unit) return code;
  const areInLevels = (lines: readonly string[], level: string): boolean =>
    lines.every((line) => {
      const indent = indentOf(line);
      const count = Math.floor(indent.length / level.length);
      return !isSolid(line) || isContinued(line) || indent === level.repeat(count);
    });
  const isOtherKind = (own === "\t") !== (unit === "\t");
  if (!isOtherKind && ![own, unit].every(({ length }) => length === 2 || length === 4)) return code;
  const [all, texts] = [new Set(file), new Set(file.map((line) => line.trim()))];
  const shared = code.filter(
    (line) => indentOf(line) !== "" && line.trim().length > 3 && texts.has(line.trim()),
  );
  if (!isOtherKind && shared.length > 0 && shared.every((line) => all.has(line))) return code;
  if (!areInLevels(code, own) || !areInLevels(file, unit)) return code;
  return code.map((line) => {
    const count = Math.floor(indentOf(line).length / own.length);
    return unit.repeat(count) + line.slice(count * own.length);
  });
}

/** A line that leads into a block. */
const opens = /(?:[:{([]|\b(?:do|then))$/;

function isFirstBare(first: string, rest: readonly string[]): boolean {
  return indentOf(first) === "" && rest.every((line) => indentOf(line) !== "");
}

/** Code that was cut out in mid line, and is indented as in the file below its first line, with that line as deep as in the file. */
function withFirstIndent(file: readonly string[], code: readonly string[]): readonly string[] {
  const at = code.findIndex(isSolid);
  const first = (code[at] ?? "").trimEnd();
  const rest = code.slice(at + 1).filter(isSolid);
  if (!isFirstBare(first, rest) || rest.length === 0) return code;
  const all = new Set(file);
  const depths = new Set(file.filter((line) => line.trim() === first).map(indentOf));
  const [depth = "", ...others] = depths;
  const isAsDeep = rest.some((line) => line.trim().length > 3 && all.has(line));
  const isDeeper = indentOf(rest[0] ?? "").length > depth.length;
  const isOne = depth !== "" && others.length === 0 && isDeeper === opens.test(first);
  return isOne && isAsDeep ? code.with(at, depth + first) : code;
}

/** A line of a comment, or of a condition of SQL, that goes on: it is as deep as it likes. */
function isContinued(line: string): boolean {
  return /^\s*(?:\*|(?:AND|OR|ON)\b)/.test(line);
}

/** A line that goes on with the one above. */
const goesOn = /^\s*(?:and\b|or\b|[.?:&|+*/<]|->|-\s)/i;

/** The step by which lines are mostly indented deeper than the one before; below a comma one only goes on. */
export function unitOf(lines: readonly string[]): string {
  const steps = new Map<string, number>();
  let before: string | undefined;
  for (const line of lines) {
    if (!isSolid(line) || isContinued(line)) continue;
    const indent = indentOf(line);
    const step =
      before !== undefined && indent.startsWith(before) ? indent.slice(before.length) : "";
    // What goes on tells it only where nothing else does.
    const votes = !goesOn.test(line) ? 1 : step.length > 4 ? 0 : Number.EPSILON;
    if (step !== "" && votes > 0) steps.set(step, (steps.get(step) ?? 0) + votes);
    before = line.trimEnd().endsWith(",") ? undefined : indent;
  }
  const [most] = [...steps].toSorted(([a, one], [b, two]) => two - one || a.length - b.length);
  return most?.[0] ?? "";
}
