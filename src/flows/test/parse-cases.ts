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
  fieldOf,
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
  const sure = read.filter(({ isSure }) => isSure);
  const lists = (sure.length > 0 ? sure : read.slice(0, 1)).map(({ cases }) => cases);
  if (lists.length > 0) return { cases: joinLists(lists), others: [] };
  return { cases: listCases(answer), others: values };
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
    const isValue = isElement && /^(?:input|expected)$/.test(fieldOf(label) ?? "");
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
const topic = /test|case|scenario|测试|用例|场景/i;
const numbered =
  /^(?:test )?(?:(?:case|scenario|测试用例|用例|场景) ?#?(?:\d{1,3}|[A-Z])\s*(?:[-:：.)、–—]\s*|$)|\d{1,3}[.)、:：]\s*)/i;

/** Judges entries. */
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
    for (const entry of areBare ? entries.map(toItem) : entries) {
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

function toItem({ label, inner }: Entry): Entry {
  return { label: "", text: label, inner };
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
  const field = fieldOf(label);
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
    const name = fieldOf(key);
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
    text !== "" && /^(?:input|expected|category)$/.test(fieldOf(key) ?? "");
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
  const others = blocks.filter(({ text }) => outlined(text, true).cases.length === 0);
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
  const inCode = outlined(answer, true).cases;
  const { cases, isSure } = outlined(answer, false);
  return inCode.length > 0 && (!isSure || cases.length === 0) ? inCode : cases;
}

/** None where neither a category nor the words around them speak of tests. */
function outlined(answer: string, ofCode: boolean): { cases: FoundCase[]; isSure: boolean } {
  const outline = new Outline(ofCode, ofCode && !/^[ \t]*(?:`{3}|~{3})/m.test(answer));
  for (const line of answer.split(/\r?\n/, maxLines)) {
    if (line.length <= maxLine && line.trim() !== "") outline.take(line);
  }
  const reader = new CaseReader(false);
  reader.take(outline.top.inner);
  const { isSure } = reader;
  const isMeant = ofCode || isSure || outline.isAboutTests || !outline.hasProse;
  const cases = outline.isRefusal || !isMeant ? [] : joinLists(reader.lists());
  return { cases: withoutCounters(cases), isSure };
}

const counter = /^(?<letters>[A-Z]{1,6})[-_ ]?(?<number>\d{1,4})\s*[-:：.)、–—]\s*(?=\S)/;

/** Without `TC-01:` and the like, where all have one and none has the same. */
function withoutCounters(cases: readonly FoundCase[]): FoundCase[] {
  const counted = cases.map(({ description }) => counter.exec(description)?.[0] ?? "");
  const areAll =
    cases.length > 1 && !counted.includes("") && new Set(counted).size === cases.length;
  return cases.map((each, nth) => {
    const { length } = areAll ? (counted[nth] ?? "") : "";
    return { ...each, description: each.description.slice(length) };
  });
}

/** Code whose lines are words for a person. */
const textInfo = /^(?:ya?ml|md|markdown|te?xt|[ct]sv|xml|html|gherkin|feature|cucumber)?$/i;

/** How far in an entry is: headings 1 to 6, what is like one, words, rows and fields; items and code by columns. */
const [likeHeading, words, row, item, code] = [7, 8, 9, 10, 10_000];

/** Puts lines of Markdown, or of YAML, below each other. */
class Outline {
  readonly top: Entry = { label: "", text: "", inner: [] };
  isAboutTests = false;
  isRefusal = false;
  hasProse = false;
  readonly #open: { level: number; entry: Entry }[] = [];
  #columns: readonly string[] | undefined;
  /** The table is one of values with commas between them. */
  #isOfValues = false;
  #hasItems = false;
  readonly #names = new TestNames();
  readonly #ofCode: boolean;
  #isInCode: boolean;

  /** @param ofCode takes the tests of code in place of lists */
  constructor(ofCode: boolean, isInCode: boolean) {
    this.#ofCode = ofCode;
    this.#isInCode = isInCode;
  }

  take(line: string): void {
    const fence = readFence(line);
    if (fence !== undefined)
      this.#isInCode = !this.#isInCode && (this.#ofCode || !textInfo.test(fence.info));
    if (fence === undefined && this.#isInCode && this.#ofCode) this.#takeCode(line);
    if (fence === undefined && !this.#isInCode) this.#takeWords(plainLine(line));
  }

  #takeWords(line: string): void {
    const tag = tagAlone.exec(line)?.groups?.["tag"];
    if (tag !== undefined) {
      this.#takeTag(tag, line.trimStart().startsWith("</"));
      return;
    }
    const isRow = /^\s*\|/.test(line);
    const values = isRow ? cellsOf(line) : valuesOf(line);
    const isHead = values.length > 1 && values.some(isName) && values.every((one) => fieldOf(one));
    if (isRow || isHead || (this.#isOfValues && values.length === this.#columns?.length)) {
      this.#isOfValues = !isRow;
      this.#takeRow(values);
      return;
    }
    this.#columns = undefined;
    this.#isOfValues = false;
    const indent = columnsOf(line);
    const found = itemPattern.exec(line)?.groups?.["text"];
    const bare = bareText(found ?? line);
    if (bare === "") return;
    const around = this.#open.findLast(({ level }) => level >= item);
    const isInside = around !== undefined && item + indent > around.level;
    if (found !== undefined || isInside) {
      this.#hasItems = true;
      this.#add(item + indent, readWords(bare));
    } else this.#takeText(line.trim(), bare);
  }

  /** Between tags of one case are its fields, between those of several the cases. */
  #takeTag(tag: string, isClosing: boolean): void {
    if (isClosing || !topic.test(tag)) return;
    const label = tag.endsWith("s") ? tag.replaceAll(/[_-]+/g, " ") : "";
    this.#add(label === "" ? words : 1, { label, text: "", inner: [] });
  }

  /** A comment covers what is below it at its column; a test with others inside is a group. */
  #takeCode(line: string): void {
    const { kind = "comment", title = "" } = this.#names.take(line) ?? {};
    const { label, text } = readWords(title);
    const named = categoryOf(label) === undefined ? "" : label;
    if (title === "" || (kind === "comment" && named === "")) return;
    const level = code + 2 * columnsOf(line) + (kind === "comment" ? 0 : 1);
    const isTest = kind === "test";
    this.#hasItems ||= isTest;
    const told = named === "" || text === "" ? { label: "", text: title } : { label: named, text };
    this.#add(level, { ...(isTest ? told : { label: named || "tests", text: "" }), inner: [] });
    const around = this.#open.at(-2)?.entry;
    if (!isTest || around === undefined || around.text === "") return;
    around.label = [around.label, around.text].find((one) => categoryOf(one)) ?? "tests";
    around.text = "";
  }

  #takeText(line: string, bare: string): void {
    const [marks = ""] = /^#{1,6}(?=\s)/.exec(line) ?? [];
    const field = readWords(bare);
    if (marks === "" && field.label !== "" && field.text !== "") {
      this.#add(row, field);
      return;
    }
    const isHeading = /^\*\*[^*]+\*\*[:：]?$|[:：]$/.test(line) || categoryOf(bare) !== undefined;
    const label = bare.replace(/[:：]$/, "");
    this.#add(marks.length || (isHeading ? likeHeading : words), { label, text: "", inner: [] });
    if (/^test_?cases$/i.test(label) || categoryOf(label) !== undefined) return;
    this.hasProse = true;
    this.isAboutTests ||= topic.test(bare) && !isAside(label);
    if (!this.#hasItems) this.isRefusal ||= refusal.test(bare);
  }

  #takeRow(cells: readonly string[]): void {
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return;
    if (this.#columns === undefined) {
      this.#columns = cells.map(bareText);
      return;
    }
    const inner = this.#columns.flatMap((label, nth): Entry[] => {
      const text = bareText(cells[nth] ?? "");
      return fieldOf(label) === undefined ? [] : [{ label, text, inner: [] }];
    });
    if (!this.#ofCode && inner.some(({ label }) => fieldOf(label) !== "category"))
      this.#add(row, { label: "", text: "", inner });
  }

  #add(level: number, entry: Entry): void {
    if (this.#ofCode && level < code && entry.text !== "") return;
    while ((this.#open.at(-1)?.level ?? 0) >= level) this.#open.pop();
    (this.#open.at(-1)?.entry ?? this.top).inner.push(entry);
    this.#open.push({ level, entry });
  }
}

/** A line of a quotation, or an element of XML or HTML, as Markdown has it. */
function plainLine(line: string): string {
  const bare = line.replace(/^(?:[ \t]*>)+ ?/, "");
  const { tag = "", attributes = "", text = "" } = element.exec(bare)?.groups ?? {};
  if (text === "") return bare;
  const [, level = ""] = /^h([1-6])$/i.exec(tag) ?? [];
  if (level !== "") return `${"#".repeat(Number(level))} ${text}`;
  const given = [...attributes.matchAll(/\s([\w-]{1,40})=["']([^"']{0,200})["']/g)];
  const category = given.find(([, name = ""]) => fieldOf(name) === "category")?.[2];
  if (category !== undefined) return `- [${category}] ${text}`;
  return fieldOf(tag) === undefined ? `- ${text}` : `${tag}: ${text}`;
}

const element =
  /^\s*<(?<tag>[A-Za-z][\w-]*)(?<attributes>(?:\s[^<>]*)?)>(?<text>[^<>]+)<\/[A-Za-z][\w-]*>\s*$/;
const tagAlone = /^\s*<\/?(?<tag>[A-Za-z][\w-]*)(?:\s[^<>]*)?>\s*$/;

function isName(column: string): boolean {
  return /^(?:name|description)$/.test(fieldOf(column) ?? "");
}

/** The values of a line of CSV or TSV. */
function valuesOf(line: string): string[] {
  const sign = line.includes("\t") ? "\t" : ",";
  if (!line.includes(sign) || line.length > 1_000) return [];
  const values = line.split(sign);
  // Commas between quotes are text.
  for (let at = 0; at < values.length - 1; at += 1) {
    const isOpen = (): boolean => (values[at] ?? "").split('"').length % 2 === 0;
    while (isOpen() && at < values.length - 1)
      values.splice(at, 2, `${values[at]}${sign}${values[at + 1]}`);
  }
  return values.map((value) =>
    value
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replaceAll('""', '"'),
  );
}

const itemPattern =
  /^\s*(?:[-*+•·]|\d{1,3}[.)、]|\(\d{1,3}\)|（\d{1,3}）|[①-⑳])(?:\s+|(?<=[、）①-⑳]))(?<text>\S.*)$/;
/** A case on its line: its category may come before it or behind it. */
const before =
  /^(?:\[(?<bracketed>[^\]]{1,40})\]|【(?<wide>[^】]{1,40})】|(?<plain>[^—–]{1,40}?)(?:\s*[—–]|\s-\s))\s*(?<name>\S.*)$/;
const behind =
  /^(?<name>\S.{0,1000}?)\s*(?:\((?<bracketed>[^()]{1,40})\)|（(?<wide>[^（）]{1,40})）|(?<=\s)(?:[-—–]|--)\s+(?<plain>[^—–]{1,40}))[.。]?$/;

/** `Input: [1, 3]`, `Edge case: it is empty`, `it is empty (edge case)`: a label is one that is known. */
function readWords(bare: string): Entry {
  const isLabel = (text: string): boolean => categoryOf(text) !== undefined || isAside(text);
  const [, key = "", value = ""] = /^([^:：]{1,60})[:：]\s*(\S.*)$/.exec(bare) ?? [];
  if (key !== "" && (fieldOf(key) !== undefined || isLabel(key)))
    return { label: key, text: value.replace(/^"(.*)"$/, "$1"), inner: [] };
  if (isLabel(bare)) return { label: bare.replace(/[:：]$/, ""), text: "", inner: [] };
  for (const pattern of [before, behind]) {
    const { bracketed = "", wide = "", plain = "", name = "" } = pattern.exec(bare)?.groups ?? {};
    const label = bracketed || wide || plain;
    if (categoryOf(label) !== undefined) return { label, text: name, inner: [] };
  }
  return { label: "", text: bare, inner: [] };
}

/** Without bold marks, check boxes and heading marks. */
function bareText(text: string): string {
  return text
    .trim()
    .replace(/^#{1,6}\s+/, "")
    .replace(/^\[[ xX]\]\s+/, "")
    .replaceAll("**", "")
    .replaceAll("__", "")
    .trim();
}

/** The cells of a row of a Markdown table; a bar with a backslash before it, or in code, is text. */
function cellsOf(line: string): string[] {
  const inside = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  const cells = inside.match(/(?:`[^`]*`|\\\||[^|`]|`)+|(?<=\|)(?=\||$)/g) ?? [];
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}
