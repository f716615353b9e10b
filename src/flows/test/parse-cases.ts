// Test cases in an answer: as JSON in whatever dress, else as Markdown, else as tests in code. Each is read into one tree
// of entries, which is judged in one way: each heading says whether cases, and of which category, are below it.
import { jsonrepair } from "jsonrepair";
import { readFence } from "../../base/text/fence.ts";
import { columnsOf } from "../../base/text/lines.ts";
import { JsonScan } from "../../base/text/mended-json.ts";
import { readFencedCode } from "../../turn/context/fenced-code.ts";
import {
  categoryOf,
  describeCase,
  caseFieldOf,
  type FoundCase,
  isAside,
  type KnownFields,
  TestNames,
} from "./case-words.ts";

/** A part of an answer: a heading with what is below it, an item, a row of a table, a key with its value. */
interface Entry {
  /** The heading, the key, or the known word before a colon; "" where there is none. */
  label: string;
  /** "" for a heading, and for an object. */
  text: string;
  inner: Entry[];
}

/** The cases that an answer lists, and the JSON values that list none. */
export function findCases(answer: string): { cases: FoundCase[]; others: unknown[] } {
  const values = jsonValues(answer);
  const read = values.map(readValue).filter(({ cases }) => cases.length > 0);
  const sure = read.filter(({ isSure }) => isSure).map(({ cases }) => cases);
  if (sure.length > 0) return { cases: joinLists(sure), others: [] };
  const listed = listCases(answer);
  const cases = listed.length > 0 ? listed : (read[0]?.cases ?? []);
  return { cases, others: cases.length > 0 ? [] : values };
}

/** What is far beyond the cases that are shown is not even looked at. */
const maxElements = 300;
const deepest = 6;

/**
 * The test cases that a JSON value lists, under whatever name, or by category; none if it is something else.
 *
 * @returns also whether its own words say that they are test cases
 */
export function readValue(value: unknown): { cases: FoundCase[]; isSure: boolean } {
  const reader = new CaseReader(true);
  reader.take(entriesOf(value, Array.isArray(value)));
  return { cases: reader.lists().flat(), isSure: reader.isSure };
}

/** @param isElement texts and numbers belong to a case; else only lists and objects count */
function entriesOf(value: unknown, isElement: boolean, depth = 0): Entry[] {
  if (depth > deepest || typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  const entries = Object.entries(value).slice(0, maxElements);
  const hasObjects = isList && value.slice(0, maxElements).some((one) => typeof one === "object");
  const all = entries.flatMap(([key, inner]): Entry[] => {
    const label = isList ? "" : key.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, " ");
    const isValue = isElement && /^(?:input|expected)$/.test(caseFieldOf(label) ?? "");
    if (typeof inner === "object" && inner !== null && !isValue) {
      const deeper = entriesOf(inner, isList || Array.isArray(inner), depth + 1);
      return [{ label, text: "", inner: deeper }];
    }
    // What comes behind a list of objects was mended into it.
    const isMeant = isElement && !hasObjects && (typeof inner === "string" || label !== "");
    const text = typeof inner === "string" ? inner : (JSON.stringify(inner) ?? "");
    return isMeant && typeof inner !== "boolean" ? [{ label, text, inner: [] }] : [];
  });
  const wrapped = all.filter(({ label }) => wrapper.test(label) || categoryOf(label) !== undefined);
  return isElement || wrapped.length === 0 ? all : wrapped;
}

/** Names of the list as a whole, which say nothing of the cases. */
const wrapper =
  /^(?:(?:unit ?)?(?:tests?|(?:test ?)?cases?)|data|results?|answer|items|list|recommended.*|用例|.*测试用例)$/i;
const topic =
  /test|case|scenario|checklist|\b(?:(?:worth|to) (?:covering|checking|verifying|cover|check|verify)|(?:['’]d|would|should|will) cover)\b|测试|用例|场景|清单|(?:需要|值得|应该?)(?:覆盖|验证|检查)/i;
const numbered =
  /^(?:test )?(?:(?:case|scenario|测试用例|用例|场景) ?#?(?:\d{1,3}|[A-Z])\s*(?:[-:：.)、–—]\s*|$)|\d{1,3}[.)、:：](?!\d)\s*)/i;

class CaseReader {
  isSure = false;
  readonly #isJson: boolean;
  #lists: { cases: FoundCase[]; isTold: boolean }[] = [];

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  /** What a sentence introduces that speaks of something else is no list of cases, where others have categories. */
  lists(): FoundCase[][] {
    const isSorted = ({ cases }: { cases: readonly FoundCase[] }): boolean =>
      cases.length > 0 && cases.every(({ category }) => category !== undefined);
    const isPlain = !this.#lists.some(isSorted);
    const meant = this.#lists.filter((list) => isPlain || !list.isTold || isSorted(list));
    return meant.map(({ cases }) => cases);
  }

  /** @param isTold by a sentence that speaks of something else */
  take(entries: readonly Entry[], category?: string, isTold = false): void {
    let own = this.#open(isTold);
    const areBare = category !== undefined && entries.length > 1 && entries.every(isBare);
    const items = entries.map(({ label, inner }) => ({ label: "", text: label, inner }));
    for (const entry of areBare ? items : entries) {
      const { label, text, inner } = entry;
      if (finalList.test(label)) this.#lists = [];
      if (isAside(label)) this.take(inner.filter(speaksOfCases));
      if (isAside(label) || /[?？]["”]?$/.test(text)) continue;
      const named = headingCategory(label);
      this.isSure ||= speaksOfCases(entry) || (named !== undefined && text !== "");
      const found = readCase(entry, category !== undefined);
      if (found !== undefined && found.description !== "") {
        if (found.category !== undefined || (label === "" && text === "")) this.isSure = true;
        own.push({ description: found.description, category: found.category ?? category });
        continue;
      }
      const group = this.#isJson && label !== "" && !wrapper.test(label) ? label : undefined;
      // An object that is no case may still hold some; its own texts are none.
      const below = label === "" ? inner.filter((one) => one.text === "") : inner;
      this.take(below, found?.category ?? named ?? group ?? category, isSentence(label));
      own = this.#open(isTold);
    }
  }

  #open(isTold: boolean): FoundCase[] {
    const cases: FoundCase[] = [];
    this.#lists.push({ cases, isTold });
    return cases;
  }
}

/** A line with nothing below it that is no sentence: below a category such lines are a list without marks. */
function isBare({ label, text, inner }: Entry): boolean {
  return text === "" && inner.length === 0 && label !== "" && !/[.!。！]$/.test(label);
}

function isSentence(label: string): boolean {
  const hasWords = label.split(/\s+/).length > 3 || /\p{Script=Han}{8}/u.test(label);
  return hasWords && !topic.test(label);
}

const finalList =
  /\bfinal\b(?:\s\w+){0,2}\s(?:list|version|cases|tests|set|answer)\b|最终(?:版|列表|清单|用例|的?测试)/i;

/** Of `Edge cases` and of `Edge case: the list is empty`. */
function headingCategory(label: string): string | undefined {
  return categoryOf(label) ?? categoryOf(readWords(label).label);
}

/** A heading that says that cases are below it. */
function speaksOfCases({ label, text, inner }: Entry): boolean {
  const isKnown = headingCategory(label) !== undefined || (topic.test(label) && !isAside(label));
  return isKnown && text === "" && inner.length > 0;
}

/** Undefined for a heading of others; without a description for an object that tells none. */
function readCase(entry: Entry, isInCategory: boolean): FoundCase | undefined {
  const { label, text, inner } = entry;
  const known: KnownFields = {};
  const details: string[] = [];
  const field = caseFieldOf(label);
  const named = categoryOf(label);
  if (text !== "") {
    known[field ?? "name"] = text.replace(numbered, "") || text;
    if (named !== undefined && field === undefined) known.category = named;
  } else if (label !== "") {
    if (named !== undefined || !isHeadedCase(entry, isInCategory)) return undefined;
    const title = readWords(label);
    const titled = categoryOf(title.label);
    known.name = titled === undefined ? label.replace(numbered, "") : title.text;
    if (titled !== undefined) known.category = titled;
  }
  for (const { label: key, text: value } of inner) {
    const name = caseFieldOf(key);
    if (value !== "" && name !== undefined && known[name] === undefined) known[name] = value;
    else if (isAside(key)) continue;
    else if (text !== "" || label !== "") {
      const category = categoryOf(value) ?? (value === "" ? categoryOf(key) : undefined);
      if (category !== undefined) known.category ??= category;
      else if (value !== "") details.push([key, value].filter(Boolean).join(": "));
    }
  }
  const description = describeCase({ ...known, input: known.input ?? details.join("; ") });
  return { description, category: known.category };
}

/** A heading that is itself a case: what is below it are its fields, or words about it. */
function isHeadedCase({ label, inner }: Entry, isInCategory: boolean): boolean {
  const isField = ({ label: key, text }: Entry): boolean =>
    text !== "" && /^(?:input|expected|category)$/.test(caseFieldOf(key) ?? "");
  if (inner.some(isField)) return true;
  const others = inner.filter((one) => one.text !== "" || one.inner.length > 0);
  const areAsides = others.every(({ label: key }) => isAside(key));
  const hasRemark = others.some(({ text }) => text !== "");
  const [number = ""] = numbered.exec(label) ?? [];
  const isNumbered = /\p{L}/u.test(number) || (number !== "" && isInCategory);
  const isTitled = headingCategory(label) !== undefined;
  const isToldBelow = isInCategory && inner.length > others.length;
  return (isNumbered || isTitled || isToldBelow || hasRemark) && areAsides;
}

/** Lists add up; one that repeats more than half of another takes its place. */
function joinLists(lists: readonly (readonly FoundCase[])[]): FoundCase[] {
  const foldWords = ({ description }: FoundCase): string =>
    description.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
  let joined: (readonly FoundCase[])[] = [];
  for (const list of lists) {
    const words = new Set(list.map(foldWords));
    joined = joined.filter(
      (one) => 2 * one.filter((each) => words.has(foldWords(each))).length <= one.length,
    );
    if (list.length > 0) joined.push(list);
  }
  return joined.flat();
}

/** What is nested so deep lists nothing. */
const tooDeep = /^(?:[[{]\s*){32}/;
const [maxBlocks, maxValues] = [20, 1_000];
/** Where an object of test cases begins, or else a value on a line of its own: brackets in a line are code. */
const beginning =
  /\{\s*["'“]?(?:test_?)?cases["'”]?\s*:|^[ \t]*(?:(?:const|let|var)[ \t]+)?(?:\w{1,40}[ \t]*=[ \t]*)?[{[]/gim;

/**
 * The JSON values of an answer in their order: those of its code blocks, else those between its words; objects that
 * follow one another are a list. Quotes, commas and escapes are mended, and what was left open is not closed.
 */
export function jsonValues(answer: string): unknown[] {
  const blocks = readFencedCode(answer).slice(0, maxBlocks);
  // What is in braces in tests is their data.
  const others = blocks.filter(
    ({ text }) => judge(readCode(text.split("\n", maxLines))).cases.length === 0,
  );
  const inside = others.flatMap(({ text }) => valuesIn(text));
  return inside.length > 0 || others.length < blocks.length ? inside : valuesIn(answer);
}

function valuesIn(text: string): unknown[] {
  const groups: unknown[][] = [];
  let end = -1;
  for (let count = 0; count < maxValues && end < text.length; count += 1) {
    beginning.lastIndex = Math.max(0, end);
    const { index, 0: found } = beginning.exec(text) ?? { index: -1, 0: "" };
    if (index === -1) break;
    const start = index + found.search(/[{[]/);
    if (tooDeep.test(text.slice(start, start + 200))) break;
    const scan = new JsonScan();
    const next = scan.take(text, start);
    const value = scan.value() ?? (count === 0 ? parseWords(text, start) : undefined);
    if (value === undefined) break;
    const isNext = end !== -1 && /^[\s,;]*$/.test(text.slice(end, start));
    if (isNext) groups.at(-1)?.push(value);
    else groups.push([value]);
    end = next === -1 ? text.length : next;
  }
  return groups.map((group) => (group.length === 1 ? group[0] : group));
}

/** Characters: what mending takes grows with the square of its faults. */
const maxWords = 16_384;

/** Quotes in a text are mended, too: the cases are words for a person, and no code that would be written to a file. */
function parseWords(text: string, start: number): unknown {
  const lineEnds = [...`${text}\n`.matchAll(/[}\]][ \t\r]*\n/g)];
  const json = text.slice(start, (lineEnds.at(-1)?.index ?? text.lastIndexOf("}")) + 1);
  const count = (sign: string): number => json.split(sign).length;
  if (json.length > maxWords || count("{") !== count("}") || count("[") !== count("]")) return;
  try {
    return JSON.parse(jsonrepair(json));
  } catch {
    return undefined;
  }
}

const [maxLines, maxLine] = [2_000, 2_000];
/** An answer that says why it lists nothing. */
const refusal =
  /\b(?:no code|no function|nothing to test|cannot|can't|unable|sorry)\b|没有(?:代码|可)|无法|不能|抱歉/i;

/** The cases of lists, tables and headings, else those of code. */
function listCases(answer: string): FoundCase[] {
  const { words, code } = splitLines(answer);
  const inCode = judge(readCode(code)).cases;
  const { entries, isAboutTests, isRefusal } = readWordLines(toMarkdown(words));
  const { cases, isSure } = isRefusal ? { cases: [], isSure: false } : judge(entries);
  if (inCode.length > 0 && (!isSure || cases.length === 0)) return inCode;
  // None where neither a category nor the words around them speak of tests.
  return isSure || isAboutTests ? cases : [];
}

function judge(entries: readonly Entry[]): { cases: FoundCase[]; isSure: boolean } {
  const reader = new CaseReader(false);
  reader.take(entries);
  return { cases: joinLists(reader.lists()), isSure: reader.isSure };
}

/** Code whose lines are words for a person. */
const textInfo = /^(?:ya?ml|md|markdown|te?xt|[ct]sv|xml|html|gherkin|feature|cucumber)?$/i;

/** The lines of an answer that are for people, and those of its code; an answer without blocks may be either. */
function splitLines(answer: string): { words: string[]; code: string[] } {
  const [words, code]: [string[], string[]] = [[], []];
  const lines = answer.split(/\r?\n/, maxLines).filter(({ length }) => length <= maxLine);
  const fences = lines.map(readFence);
  if (fences.every((fence) => fence === undefined)) return { words: lines, code: lines };
  let open: "" | "words" | "code" = "";
  for (const [nth, line] of lines.entries()) {
    const fence = fences[nth];
    if (fence === undefined) {
      if (open !== "code") words.push(line);
      if (open !== "") code.push(line);
    } else open = open !== "" ? "" : textInfo.test(fence.info) ? "words" : "code";
  }
  return { words, code };
}

/** Puts entries below each other: each belongs to the last one whose level is less. */
class Outline {
  readonly entries: Entry[] = [];
  readonly open: { level: number; entry: Entry }[] = [];

  /** What is open is one of several at a level, of which the first have a category, and none has anything below it. */
  areLines(level: number): boolean {
    const around = this.open.at(-2)?.entry.inner ?? this.entries;
    const isLine = ({ label, text }: Entry): boolean =>
      text !== "" && categoryOf(label) !== undefined;
    const isOpen = this.open.at(-1)?.level === level && around.length > 1;
    return (
      isOpen && around.slice(0, 2).every(isLine) && around.every((one) => one.inner.length === 0)
    );
  }

  add(level: number, { label, text, inner = [] }: Omit<Entry, "inner"> & Partial<Entry>): void {
    while ((this.open.at(-1)?.level ?? 0) >= level) this.open.pop();
    const entry = { label, text, inner };
    (this.open.at(-1)?.entry.inner ?? this.entries).push(entry);
    this.open.push({ level, entry });
  }
}

/** The tests of code. A comment covers what is below it at its column; a test with others inside is a group. */
function readCode(lines: readonly string[]): Entry[] {
  const outline = new Outline();
  const names = new TestNames();
  for (const line of lines) {
    const { kind = "comment", title = "" } = names.take(line) ?? {};
    const { label, text } = readWords(title);
    const named = categoryOf(label) === undefined ? "" : label;
    if (title === "" || (kind === "comment" && named === "")) continue;
    const level = 1 + 2 * columnsOf(line) + (kind === "comment" ? 0 : 1);
    const isTest = kind === "test";
    const told = named === "" || text === "" ? { label: "", text: title } : { label: named, text };
    outline.add(level, isTest ? told : { label: named || "tests", text: "" });
    const around = outline.open.at(-2)?.entry;
    if (!isTest || around === undefined || around.text === "") continue;
    around.label = [around.label, around.text].find((one) => categoryOf(one)) ?? "tests";
    around.text = "";
  }
  return outline.entries;
}

/** How far in an entry is: headings 1 to 6, what is like one, words, rows and fields; items by their columns. */
const [likeHeading, words, row, item] = [7, 8, 9, 10];

/** @param lines of Markdown, or of YAML */
function readWordLines(lines: readonly string[]) {
  const outline = new Outline();
  let columns: readonly string[] | undefined;
  let [isAboutTests, isRefusal, hasProse, hasItems] = [false, false, false, false];
  const takeText = (line: string, bare: string): void => {
    const [marks = ""] = /^#{1,7}(?=\s)/.exec(line) ?? [];
    const field = readWords(bare);
    if (marks === "" && field.label !== "" && field.text !== "") {
      isAboutTests ||= topic.test(field.label) && !isAside(field.label);
      const last = outline.open.find(({ level }) => level >= item);
      const isOfItem = /^(?:input|expected|category)$/.test(caseFieldOf(field.label) ?? "");
      return outline.add(last !== undefined && isOfItem ? last.level + 1 : row, field);
    }
    const isHeading = /[:：]$/.test(line) || categoryOf(bare) !== undefined;
    const label = bare.replace(/[:：]$/, "");
    outline.add(marks.length || (isHeading ? likeHeading : words), { label, text: "" });
    if (/^test_?cases$/i.test(label) || categoryOf(label) !== undefined) return;
    hasProse = true;
    isAboutTests ||= topic.test(bare) && !isAside(label);
    isRefusal ||= !hasItems && refusal.test(bare);
  };
  const takeRow = (cells: readonly string[]): void => {
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return;
    const inner = (columns ?? []).flatMap((label, nth): Entry[] => {
      const text = bareText(cells[nth] ?? "");
      return caseFieldOf(label) === undefined ? [] : [{ label, text, inner: [] }];
    });
    // Each column may have the cases of its category.
    for (const [nth, label] of (columns ?? []).entries())
      if (categoryOf(label) !== undefined && cells[nth])
        outline.add(row, { label, text: bareText(cells[nth]) });
    columns ??= cells.map(bareText);
    if (inner.some(({ label }) => caseFieldOf(label) !== "category"))
      outline.add(row, { label: "", text: "", inner });
  };
  for (const line of lines) {
    if (/^\s*\|/.test(line)) {
      takeRow(cellsOf(line));
      continue;
    }
    columns = undefined;
    const tag = tagAlone.exec(line.trim())?.groups?.["tag"];
    if (tag !== undefined) {
      // Between tags of one case are its fields, between those of several the cases.
      const label = tag.endsWith("s") ? tag.replaceAll(/[_-]+/g, " ") : "";
      if (topic.test(tag)) outline.add(label === "" ? words : 1, { label, text: "" });
      continue;
    }
    const indent = columnsOf(line);
    const found = /^\s*- (.*)$/.exec(line)?.[1];
    const bare = bareText(found ?? line);
    if (bare === "") continue;
    const around = outline.open.findLast(({ level }) => level >= item);
    const isInside = around !== undefined && item + indent > around.level;
    // The name of a category has what is below it, whatever it is marked with.
    const isTitle = !isInside && categoryOf(bare) !== undefined;
    if ((found !== undefined || isInside) && !isTitle) {
      hasItems = true;
      // Behind cases that stand on a line each, and of which none has items, it is one more.
      const isNext = !isInside && outline.areLines(row);
      outline.add(isNext ? row : item + indent, readWords(bare));
    } else takeText(found ?? line.trim(), bare);
  }
  return { entries: outline.entries, isAboutTests: isAboutTests || !hasProse, isRefusal };
}

// Lines of whatever dress as Markdown: `- ` before items, `#` before headings, `|` around rows.

/** An item is behind signs, or behind a counter: a number, or what neighbours have, too, with another count. */
const bullet =
  /^\s*(?:(?:\\item|\[[ xX✓]\]|(?![#>|"'“‘「『([{<\\])[^\p{L}\p{N}\s]{1,4})\s+){1,2}(?=\S)/u;
const counter =
  /^(?<open>[(（[【#]?)(?<label>(?:\p{L}{2,8} )?(?:\p{L}{2,8}|[A-Z])[ _#-]{0,2})?(?<count>\d{1,3}(?:\.\d{1,3})*|[０-９]{1,3}|[①-⑳]|[A-Za-z]|[ivxIVX]{2,4}|[一二三四五六七八九十]{1,3})(?<close>\uFE0F?\u20E3|\\?[.)）\]】、:：．]{1,2}|\s+[-–—:](?=\s)|(?=\s))\s*(?=\S)/u;
const sure = /^(?:\d+[.)）、]|[①-⑳])/;

/** @returns the counter with its count left out, the count, and what is behind them */
function readCounter(text: string) {
  const bare = text.slice(0, 60).replaceAll(/\*\*|__/g, "");
  const { 0: all = "", groups = {} } = counter.exec(bare) ?? {};
  const { label = "", open = "", count = "", close = "" } = groups;
  // A word before the count says that it counts tests, or is short for it.
  if (all === "" || (label !== "" && !topic.test(label) && !/^[A-Z]{1,4}\W*$/.test(label))) return;
  // Nothing closes it: it is a word, or an amount.
  if (close === "" && open !== "#" && !/[.①-⑳]/.test(count)) return;
  const kind = /\d/.test(count) ? "1" : /[a-z]/i.test(count) ? "a" : "一";
  const left = all.length + (text.slice(0, all.length + 4).match(/\*\*|__/g) ?? []).join("").length;
  const shape = `${open}${label && "case"}${kind}${close.trim()}`;
  return { shape, count: label + count, text: text.slice(left) };
}

function toMarkdown(given: readonly string[]): string[] {
  const lines = given.map(plainLine);
  const items = lines.map((line) => {
    const [mark = ""] = bullet.exec(line) ?? [];
    const text = line.slice(mark.length).trim();
    return { mark, text, counted: readCounter(text) };
  });
  const counts = new Map<string, Set<string>>();
  for (const { counted } of items)
    if (counted)
      counts.set(counted.shape, (counts.get(counted.shape) ?? new Set()).add(counted.count));
  let width = 0;
  let isTable = false;
  return lines.map((line, nth) => {
    const { mark = "", text = "", counted } = items[nth] ?? {};
    const values = valuesOf(line);
    const fields = new Set(values.flatMap((one) => caseFieldOf(one) ?? []));
    const isHead = fields.size > 1 && (fields.has("name") || fields.has("description"));
    width = isHead || values.length === width ? values.length : 0;
    if (width > 0) return `| ${values.map((value) => value.replaceAll("|", "\\|")).join(" | ")} |`;
    if (/^\s*(?:#{1,6}\s|[|<])/.test(line)) return line;
    isTable = line.includes("|") && (isTable || isRule(lines[nth + 1], "-|:"));
    if (isTable) return `|${line}|`;
    if (isRule(line, "=-*_~")) return "";
    const title = titleOf(line) ?? (isRule(lines[nth + 1], "=-") && mark === "" ? line : undefined);
    if (title !== undefined) return `####### ${title.trim()}`;
    const isCounted = counted && (sure.test(text) || (counts.get(counted.shape)?.size ?? 0) > 1);
    if (mark === "" && !isCounted) return line;
    return `${" ".repeat(columnsOf(line))}- ${isCounted ? counted.text : text}`;
  });
}

/** Whether a line is drawn with nothing but these signs. */
function isRule(line: string | undefined, signs: string): boolean {
  const drawn = line?.replaceAll(/\s/g, "") ?? "";
  return drawn.length > 2 && drawn.split("").every((sign) => signs.includes(sign));
}

/** What is between the signs at both ends of a line: `**Edge cases**`, `== Edge cases ==`, `[Edge cases]`. */
function titleOf(line: string): string | undefined {
  const [, before = "", title, after = ""] =
    /^\s*([^\p{L}\p{N}\s]{1,4} ?)([\p{L}\p{N}][^*_`[\]【】=]{0,120}?)[:：]?([^\p{L}\p{N}]{1,5})$/u.exec(
      line,
    ) ?? [];
  const closing = before.trim().split("").toReversed();
  const isClosed =
    closing.map((sign) => closings[sign] ?? sign).join("") === after.replace(/[:：\s]+/g, "");
  return isClosed ? title : undefined;
}

const closings: Readonly<Record<string, string>> = { "[": "]", "【": "】", "<": ">", "«": "»" };

/** A line of a quotation, or an element of XML or HTML, as Markdown has it. */
function plainLine(line: string): string {
  const bare = line.replace(/^(?:[ \t]*>)+ ?/, "");
  const { tag = "", attributes = "", text = "" } = element.exec(bare.trim())?.groups ?? {};
  if (text === "") return bare;
  const [, level = ""] = /^h([1-6])$/i.exec(tag) ?? [];
  if (level !== "") return `${"#".repeat(Number(level))} ${text}`;
  const given = [...attributes.matchAll(/\s([\w-]{1,40})=["']([^"']{0,200})["']/g)];
  const category = given.find(([, name = ""]) => caseFieldOf(name) === "category")?.[2];
  if (category !== undefined) return `- [${category}] ${text}`;
  return caseFieldOf(tag) === undefined ? `- ${text}` : `${tag}: ${text}`;
}

const element =
  /^<(?<tag>[A-Za-z][\w-]*)(?<attributes>(?:\s[^<>]*)?)>(?<text>[^<>]+)<\/[A-Za-z][\w-]*>$/;
const tagAlone = /^<\/?(?<tag>[A-Za-z][\w-]*)(?:\s[^<>]*)?>$/;

const ofCommas = /(?<=^|,)(?: *"((?:[^"]|"")*)" *(?=,|$)|([^,]*))/g;
const ofTabs = /(?<=^|\t)(?: *"((?:[^"]|"")*)" *(?=\t|$)|([^\t]*))/g;

/** The values of a line of CSV or TSV: between quotes a sign is text; a quote that nothing closes is text, too. */
function valuesOf(line: string): string[] {
  const sign = line.includes("\t") ? "\t" : ",";
  if (!line.includes(sign) || line.length > 1_000) return [];
  const value = sign === "," ? ofCommas : ofTabs;
  return [...line.matchAll(value)].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
}

/** A case on its line: its category may come before it or behind it, in brackets or divided from it by signs. */
const before =
  /^[(（[【{<]?(?<label>[^()（）[\]【】{}<>—–|→]{1,40}?)(?:[)）\]】}>]|\s*(?:[—–|→]|->|=>)|\s[-/~]\s)[:：]?\s*(?<name>\S.*)$/;
const behind =
  /^(?<name>\S.{0,1000}?)\s*(?:[*_]{0,2}[(（[【{<]|(?<=\s)(?:[-—–|/#~]|--|->|=>|→)\s*)(?<label>[^()（）[\]【】{}<>—–|→]{1,40})[)）\]】}>]?[*_]{0,2}[.。]?$/;

/** `Input: [1, 3]`, `Edge case: it is empty`, `it is empty (edge case)`: a label is one that is known. */
function readWords(bare: string): Entry {
  const isLabel = (text: string): boolean => categoryOf(text) !== undefined || isAside(text);
  const [, key = "", value = ""] = /^([^:：]{1,60})[:：]\s*(\S.*)$/.exec(bare) ?? [];
  if (key !== "" && (caseFieldOf(key) !== undefined || isLabel(key)))
    return { label: key, text: value.replace(/^"(.*)"$/, "$1"), inner: [] };
  if (isLabel(bare)) return { label: bare.replace(/[:：]$/, ""), text: "", inner: [] };
  for (const pattern of [before, behind]) {
    const { label = "", name = "" } = pattern.exec(bare)?.groups ?? {};
    if (categoryOf(label) !== undefined) return { label, text: name, inner: [] };
  }
  return { label: "", text: bare, inner: [] };
}

/** Without check boxes and heading marks, and without bold marks outside of code. */
function bareText(text: string): string {
  return text
    .trim()
    .replace(/^#{1,7}\s+/, "")
    .replace(/^\[[ xX]\]\s+/, "")
    .replaceAll(/(`[^`]*`)|\*\*|__/g, "$1")
    .trim();
}

/** The cells of a row of a Markdown table; a bar with a backslash before it, or in code, is text. */
function cellsOf(line: string): string[] {
  const inside = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  const cells = inside.match(/(?:`[^`]*`|\\\||[^|`]|`)+|(?<=\|)(?=\||$)/g) ?? [];
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}
