import type { WireRange } from "./schema.ts";
import { BoundedMap } from "../../base/wire/known-member.ts";
import { foldSpaces } from "../../base/text/lines.ts";
import { unfenced } from "../../base/text/fence.ts";
import { type FoundCase, categoryOf } from "../../flows/test/case-words.ts";
import { jsonValues, readValue } from "../../flows/test/parse-cases.ts";

/** What a recommendation was about: all that writing the tests needs. */
export interface TestTask {
  path: string;
  content: string;
  functionName: string;
  location: WireRange | undefined;
  /** For the prompt. */
  definitions: string;
  userPrompt: string;
  model: string;
}

interface KeptTask {
  task: TestTask;
  /** Milliseconds. */
  until: number;
  /** In characters. */
  size: number;
}

const lifetime = 30 * 60_000;
/** Of one key; each counts for its part of the size at least. */
const maxTasks = 20;
/** Of one key, in characters of two bytes: 2 MiB. */
const maxSize = 1_024 * 1_024;
/** Of all keys, in characters; of the key that has asked for nothing for longest the tasks go first. */
const maxTotal = 32 * maxSize;

export type TestTasks = ReturnType<typeof createTestTasks>;

/** Remembers recommendations for those who asked for them, for half an hour. @param now milliseconds */
export function createTestTasks(now: () => number) {
  type OfOwner = BoundedMap<string, KeptTask>;
  const owners = new BoundedMap<string, OfOwner>(maxTotal, ({ weight }) => weight);
  return {
    /** Remembers a task under an id that only its owner can use. */
    keep(owner: string, id: string, task: TestTask): void {
      const tasks: OfOwner =
        owners.get(owner) ??
        new BoundedMap(maxSize, ({ size }) => Math.max(size, Math.floor(maxSize / maxTasks)));
      const size = JSON.stringify(task).length;
      tasks.set(id, { task, until: now() + lifetime, size });
      owners.set(owner, tasks);
    },
    /** Undefined for tasks of others, and for those that are over or were never here. */
    find(owner: string, id: string): TestTask | undefined {
      const kept = owners.get(owner)?.get(id);
      if (kept === undefined || kept.until > now()) return kept?.task;
      owners.get(owner)?.delete(id);
      return undefined;
    },
  };
}

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
    const { cases } = readValue(value);
    const lines = cases.map(printCase).join("\n");
    if (cases.length > 0 && saysAll(lines, value)) return lines;
  }
  return undefined;
}

function printCase({ category, description }: FoundCase, nth: number): string {
  const group = category === undefined ? "" : `${categoryOf(category) ?? foldSpaces(category)}: `;
  return `${nth + 1}. ${group}${foldSpaces(description)}`;
}

/** Whether no text and no number of a value is missing; categories have names of their own in the lines. */
function saysAll(lines: string, value: unknown, depth = 0): boolean {
  if (typeof value === "string")
    return categoryOf(value) !== undefined || lines.includes(foldSpaces(value));
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
