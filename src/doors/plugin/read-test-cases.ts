import { foldSpaces } from "../../base/text/lines.ts";
import { unfenced } from "../../base/text/fence.ts";
import { casesOfValue } from "../../flows/test/cases/cases-of-value.ts";
import { type FoundCase, categoryOf } from "../../flows/test/cases/case-fields.ts";
import { jsonValues } from "../../flows/test/cases/json-values.ts";

/** Longer texts are left as they are; in characters. */
const maxText = 64 * 1_024;
const deepest = 10;

/**
 * The cases of `test_cases_str` as the flow reads them, a line each, where that says all that the text says: JSON,
 * and lists with other marks than numbers. All else stays as it is: our own list, edited or not, and plain words,
 * which say themselves what to test.
 */
export function readTestCases(text: string): string {
  const plain = text.trim();
  if (plain.length > maxText) return plain;
  return readJson(unfenced(plain)) ?? readItems(plain) ?? plain;
}

function readJson(text: string): string | undefined {
  const isWhole = /^[[{]/.test(text) && /[\]}]$/.test(text);
  if (!isWhole) return undefined;
  for (const value of jsonValues(text)) {
    const cases = casesOfValue(value);
    const lines = cases.map(printCase).join("\n");
    if (cases.length > 0 && saysAll(lines, value)) return lines;
  }
  return undefined;
}

function printCase({ category, description }: FoundCase, nth: number): string {
  const group = category === undefined ? "" : `${categoryOf(category) ?? asLine(category)}: `;
  return `${nth + 1}. ${group}${asLine(description)}`;
}

/** Whether no text and no number of a value is missing; categories have names of their own in the lines. */
function saysAll(lines: string, value: unknown, depth = 0): boolean {
  if (typeof value === "string")
    return categoryOf(value) !== undefined || lines.includes(asLine(value));
  if (typeof value !== "object" || value === null) return lines.includes(String(value));
  if (depth > deepest) return false;
  return Object.entries(value).every(
    ([name, inner]) => isNumbering(name, inner) || saysAll(lines, inner, depth + 1),
  );
}

/** The lines are numbered anew. */
function isNumbering(name: string, value: unknown): boolean {
  return typeof value === "number" && /^(?:id|no|nr|number|index|编号|序号)$/i.test(name);
}

const item = /^(?:[-*+•·]\s|\d{1,4}[、．])\s*(?=\S)/;

/** The items of a list that is nothing else, numbered as the flow numbers them. */
function readItems(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0 || !lines.every((line) => item.test(line))) return undefined;
  return lines.map((line, nth) => `${nth + 1}. ${line.replace(item, "").trimEnd()}`).join("\n");
}

function asLine(text: string): string {
  return foldSpaces(text);
}
