// A corpus of edits: its cases, what the engine makes of them, and the figures of that.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { applyDiff } from "../../../src/edit.ts";
import { printTable } from "../figures.ts";

/** One case: a file, a diff for it, and what has to become of both. */
const EditCase = z.looseObject({
  id: z.string(),
  /** The class: what is special about the diff, such as `crlf-file`. */
  cls: z.string(),
  before: z.string(),
  diff: z.string(),
  /** `either`: the text of `after`, or a refusal. */
  want: z.enum(["apply", "refuse", "either"]),
  after: z.string().nullish(),
  /** Texts that are right though a refusal is wanted. */
  allow: z.array(z.string()).nullish(),
});
export type EditCase = z.infer<typeof EditCase>;

/** What each grade means, the good ones first. */
const grades = {
  C: "right, byte by byte or refused as due",
  N: "right but for line ends, empty lines, spaces",
  R: "refused though applicable",
  Z: "reported success, changed nothing",
  P: "reported failure, carries a text",
  W: "wrong text reported as success",
  X: "threw, or took too long",
} as const;
type Grade = keyof typeof grades;

/** What the engine made of a case; undefined if it threw or took too long. */
export type Answer = { ok: true; text: string } | { ok: false; text?: string } | undefined;

export interface GradedCase {
  wanted: EditCase;
  grade: Grade;
  /** How its units were found; empty if it was refused. */
  levels: string[];
  /** Why it was refused, or what was thrown. */
  error: string | undefined;
  milliseconds: number;
}

/** Milliseconds: who needs longer has crashed. */
const longest = 20_000;

/**
 * Reads a corpus of JSON lines, packed with gzip if its name ends with `.gz`.
 *
 * @throws Error that names the file and the line that is no case, or a file without any case
 */
export function readCorpus(path: string): EditCase[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const cases = text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [EditCase.parse(JSON.parse(line))];
    } catch (thrown) {
      const why = thrown instanceof z.ZodError ? z.prettifyError(thrown) : String(thrown);
      throw new Error(`${path}, line ${at + 1} is no case: ${why}`, { cause: thrown });
    }
  });
  if (cases.length === 0) throw new Error(`${path} holds no case.`);
  return cases;
}

/** Applies every diff of a corpus with the engine, in this process, and grades what came out. */
export function runCorpus(cases: readonly EditCase[]): GradedCase[] {
  return cases.map((wanted) => {
    const start = performance.now();
    const { answer, levels, error } = applyCase(wanted);
    const milliseconds = performance.now() - start;
    const graded = grade(wanted, milliseconds < longest ? answer : undefined);
    return { wanted, grade: graded, levels, error, milliseconds };
  });
}

function applyCase({ before, diff }: EditCase) {
  let answer: Answer;
  let levels: string[] = [];
  let error: string | undefined;
  try {
    const result = applyDiff(before, diff);
    answer = result;
    if (result.ok) levels = result.units.map(({ level }) => level);
    else error = `${result.error.code}: ${result.error.message}`;
  } catch (thrown) {
    error = String(thrown);
  }
  return { answer, levels, error };
}

export function grade({ want, before, after, allow }: EditCase, answer: Answer): Grade {
  if (answer === undefined) return "X";
  if (!answer.ok) {
    if (answer.text !== undefined) return "P";
    return want === "apply" ? "R" : "C";
  }
  const { text } = answer;
  if (want === "refuse" ? allow?.includes(text) : text === after) return "C";
  if (text === before) return "Z";
  return want !== "refuse" && nearKey(text) === nearKey(after ?? "") ? "N" : "W";
}

/** Equal for texts that differ in line ends, empty lines, trailing spaces, and the width of spaces inside lines. */
function nearKey(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd().replaceAll(/(\S)[ \t]+/g, "$1 "))
    .filter((line) => line !== "")
    .join("\n");
}

/** Whether a text was wrong, half a text came with an error, a success changed nothing, or the engine threw. */
export function isHarmful({ grade: given }: GradedCase): boolean {
  return "WPZX".includes(given);
}

/** The figures of a corpus: grades, shares that are right, levels, and the classes that are not all right. */
export function printCorpus(graded: readonly GradedCase[]): string {
  const all = countBy(graded.map((one) => one.grade));
  const count = (name: string): number => all.get(name) ?? 0;
  const levels = [...countBy(graded.flatMap((one) => one.levels))];
  const slowest = Math.max(...graded.map((one) => one.milliseconds));
  return [
    printTable(Object.entries(grades).map(([name, text]) => [name, String(count(name)), text])),
    "",
    `  right (C and N): ${share(count("C") + count("N"), graded.length)}, byte by byte (C): ${share(count("C"), graded.length)}`,
    `  slowest case: ${slowest.toFixed(1)} ms`,
    `  levels: ${printCounts(levels.toSorted(([, a], [, b]) => b - a))}`,
    ...printClasses(graded),
  ].join("\n");
}

function printClasses(graded: readonly GradedCase[]): string[] {
  const classes = Map.groupBy(graded, ({ wanted }) => wanted.cls);
  const cases = graded.filter((one) => one.grade !== "C");
  const faulty = [...classes].filter(([, them]) => them.some((one) => one.grade !== "C"));
  if (faulty.length === 0) return [`  all ${classes.size} classes are all right (C)`];
  return [
    `  ${faulty.length} of ${classes.size} classes are not all right:`,
    printTable(
      faulty.map(([cls, them]) => [cls, printCounts([...countBy(them.map((one) => one.grade))])]),
    ),
    "  cases:",
    printTable(cases.map((one) => [one.grade, one.wanted.id, one.error ?? ""])),
  ];
}

function printCounts(counts: readonly (readonly [name: string, count: number])[]): string {
  return counts.map(([name, count]) => `${name} ${count}`).join(", ");
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Rounded down, since 99.99 % is not all. */
function share(count: number, all: number): string {
  return `${count} of ${all} = ${(Math.floor((count / all) * 10_000) / 100).toFixed(2)} %`;
}
