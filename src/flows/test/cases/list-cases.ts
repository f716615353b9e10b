// Test cases that are written as Markdown: lists and tables, under headings that may name a category.
import {
  type CaseField,
  type FoundCase,
  categoryOf,
  describeCase,
  fieldOf,
} from "./case-fields.ts";
import { columnsOf } from "../../../base/text/lines.ts";
import { isFence } from "../../../base/text/fence.ts";

const maxLines = 2_000;
const maxLine = 2_000;

/** An answer that says why it lists nothing. */
const refusal =
  /\b(?:no code|no function|nothing to test|cannot|can't|unable|sorry)\b|没有(?:代码|可)|无法|不能|抱歉/i;
const topic = /test|case|scenario|测试|用例|场景/i;

/**
 * The cases of the lists and tables of an answer, in their order.
 *
 * @returns none for lists of something else: neither a category nor the words around them speak of tests
 */
export function listCases(answer: string): FoundCase[] {
  const reader = new ListReader();
  for (const line of answer.split(/\r?\n/, maxLines)) {
    if (line.length <= maxLine) reader.take(line);
  }
  return reader.end();
}

interface OpenItem {
  indent: number;
  known: Partial<Record<CaseField, string>>;
  /** What deeper items say of it. */
  details: string[];
}

class ListReader {
  readonly #cases: FoundCase[] = [];
  #category: { name: string; indent: number } | undefined;
  #item: OpenItem | undefined;
  /** The fields of the columns of the table. */
  #columns: (CaseField | undefined)[] | undefined;
  #isAboutTests = false;
  #isRefusal = false;
  #hasProse = false;

  take(line: string): void {
    if (line.trim() === "") return;
    if (/^\s*\|/.test(line)) this.#takeRow(cellsOf(line));
    else {
      this.#columns = undefined;
      const item = itemPattern.exec(line);
      if (item === null) this.#takeText(line);
      else this.#takeItem(columnsOf(line), item.groups?.["text"] ?? "");
    }
  }

  end(): FoundCase[] {
    this.#close();
    const isMeant = this.#isAboutTests || !this.#hasProse;
    return this.#isRefusal || !isMeant ? [] : this.#cases;
  }

  #takeText(line: string): void {
    const bare = bareText(line);
    if (bare === "" || isFence(bare) || /^test_?cases:$/i.test(bare)) return;
    if (this.#item !== undefined && columnsOf(line) > this.#item.indent) {
      this.#takeDetail(bare);
      return;
    }
    this.#close();
    const category = categoryOf(bare);
    const isHeading = /^#|^\*\*[^*]+\*\*[:：]?$|[:：]$/.test(line.trim());
    if (category !== undefined) this.#enter(category, -1);
    else {
      if (isHeading) this.#category = undefined;
      this.#hasProse = true;
      this.#isAboutTests ||= topic.test(bare);
      if (this.#cases.length === 0) this.#isRefusal ||= refusal.test(bare);
    }
  }

  #takeItem(indent: number, text: string): void {
    const bare = bareText(text);
    if (this.#item !== undefined && indent > this.#item.indent) {
      this.#takeDetail(bare);
      return;
    }
    this.#close();
    if (this.#category !== undefined && indent <= this.#category.indent) this.#category = undefined;
    const category = categoryOf(bare);
    if (category !== undefined) {
      this.#enter(category, indent);
      return;
    }
    this.#item = { indent, known: {}, details: [] };
    const field = readField(bare);
    if (field === undefined) this.#item.known = readInline(bare);
    else this.#item.known[field.name] = field.value;
  }

  #takeDetail(bare: string): void {
    const item = this.#item;
    if (item === undefined) return;
    const field = readField(bare);
    if (field !== undefined && item.known[field.name] === undefined) {
      item.known[field.name] = field.value;
      return;
    }
    const category = categoryOf(bare);
    if (category === undefined) item.details.push(bare);
    else item.known.category ??= category;
  }

  #takeRow(cells: readonly string[]): void {
    this.#close();
    if (isTableRule(cells)) return;
    if (this.#columns === undefined) {
      this.#columns = cells.map((cell) => fieldOf(bareText(cell)));
      if (this.#columns.some((field) => field !== undefined && field !== "category")) {
        this.#isAboutTests = true;
      }
      return;
    }
    const known: Partial<Record<CaseField, string>> = {};
    for (const [nth, field] of this.#columns.entries()) {
      if (field !== undefined) known[field] ??= bareText(cells[nth] ?? "");
    }
    const description = describeCase(known);
    const category = known.category ?? this.#category?.name;
    if (description !== "") this.#cases.push({ description, category });
  }

  #enter(category: string, indent: number): void {
    this.#category = { name: category, indent };
    this.#isAboutTests = true;
  }

  #close(): void {
    const item = this.#item;
    if (item === undefined) return;
    this.#item = undefined;
    const { known, details } = item;
    const description = describeCase({ ...known, input: known.input ?? details.join("; ") });
    if (known.category !== undefined) this.#isAboutTests = true;
    if (description === "") return;
    this.#cases.push({ description, category: known.category ?? this.#category?.name });
  }
}

const itemPattern =
  /^\s*(?:[-*+•·]|\d{1,3}[.)、]|\(\d{1,3}\)|（\d{1,3}）)(?:\s+|(?<=[、）]))(?<text>\S.*)$/;

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

/** `Input: [1, 3]`; a name of anything but a field is no such thing. */
function readField(text: string): { name: CaseField; value: string } | undefined {
  const [, key = "", value = ""] = /^([^:：]{1,30})[:：]\s*(\S.*)$/.exec(text) ?? [];
  const name = key === "" ? undefined : fieldOf(key);
  if (name === undefined) return undefined;
  return { name, value: value.replace(/^"(.*)"$/, "$1") };
}

/** A case on its line: its category may stand before or behind it. */
function readInline(text: string): Partial<Record<CaseField, string>> {
  for (const pattern of [before, behind]) {
    const { category = "", bracketed = "", name = "" } = pattern.exec(text)?.groups ?? {};
    const found = categoryOf(category || bracketed);
    if (found !== undefined && name !== "") return { name, category: found };
  }
  return { name: text.replace(/^(?:test )?(?:case|用例|测试用例)\s*\d{1,3}\s*[:：.]\s*/i, "") };
}

const before =
  /^(?:(?:\[(?<bracketed>[^\]]{1,40})\]|【[^】]{1,40}】)\s*|(?<category>[^:：—–]{1,40}?)\s*(?:[:：—–]|\s-\s)\s*)(?<name>\S.*)$/;
const behind =
  /^(?<name>\S.{0,1000}?)\s*(?:\((?<category>[^()]{1,40})\)|（(?<bracketed>[^（）]{1,40})）)[.。]?$/;

/** The cells of a row of a Markdown table; a bar with a backslash before it, or in code, is text. */
function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isCode = false;
  const text = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === "`") isCode = !isCode;
    if (sign === "\\" && text.charAt(at + 1) === "|") {
      cell += "|";
      at += 1;
    } else if (sign === "|" && !isCode) {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}

/** The row of dashes below the heads. */
function isTableRule(cells: readonly string[]): boolean {
  return cells.every((cell) => /^:?-+:?$/.test(cell));
}
