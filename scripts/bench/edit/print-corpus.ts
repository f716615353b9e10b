import { type Grade, grades } from "./grade.ts";
import { printTable } from "../../../eval/print-table.ts";
import type { GradedCase } from "./run-corpus.ts";

/** The figures of a corpus: grades, shares that are right, levels, and the classes that are not all right. */
export function printCorpus(graded: readonly GradedCase[]): string {
  const counts = countBy(graded.map((one) => one.grade));
  const levels = [...countBy(graded.flatMap((one) => one.levels))].toSorted(
    ([, a], [, b]) => b - a,
  );
  const slowest = Math.max(...graded.map((one) => one.milliseconds));
  const right = (counts.get("C") ?? 0) + (counts.get("N") ?? 0);
  const names = Object.keys(grades) as Grade[];
  return [
    printTable(
      names.map((name) => [name, String(counts.get(name) ?? 0), grades[name]]),
      (column) => column === 1,
    ),
    "",
    `  right (C and N): ${share(right, graded.length)}, byte by byte (C): ${share(counts.get("C") ?? 0, graded.length)}`,
    `  slowest case: ${slowest.toFixed(1)} ms`,
    `  levels: ${levels.map(([level, count]) => `${level} ${count}`).join(", ")}`,
    ...printClasses(graded),
  ].join("\n");
}

function printClasses(graded: readonly GradedCase[]): string[] {
  const classes = Map.groupBy(graded, ({ wanted }) => wanted.cls);
  const faulty = [...classes].filter(([, cases]) => cases.some((one) => one.grade !== "C"));
  if (faulty.length === 0) return [`  all ${classes.size} classes are all right (C)`];
  const rows = faulty.map(([cls, cases]) => {
    const counts = [...countBy(cases.map((one) => one.grade))];
    return [cls, counts.map(([name, count]) => `${name} ${count}`).join(", ")];
  });
  const cases = graded.filter(({ grade }) => grade !== "C");
  return [
    `  ${faulty.length} of ${classes.size} classes are not all right:`,
    printTable(rows, () => false),
    "  cases:",
    printTable(
      cases.map(({ wanted, grade, error }) => [grade, wanted.id, error ?? ""]),
      () => false,
    ),
  ];
}

function countBy<Name extends string>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Rounded down, since 99.99 % is not all. */
function share(count: number, all: number): string {
  return `${count} of ${all} = ${(Math.floor((count / all) * 10_000) / 100).toFixed(2)} %`;
}
