import { expect, test } from "vitest";
import { printCase } from "../../eval/print-case.ts";
import { printSummary } from "../../eval/print-summary.ts";
import type { CaseResult } from "../../eval/run-case.ts";
import { summarize } from "../../eval/summarize.ts";

const one = { path: "src/a.ts", symbol: "f", calls: 1, seconds: 0.5, reasons: [] };
const results: CaseResult[] = [
  { ...one, command: "fix", edit: "first", isSyntaxKept: true, isDefectGone: true },
  {
    ...one,
    command: "fix",
    edit: "repaired",
    isSyntaxKept: false,
    isDefectGone: false,
    calls: 2,
    seconds: 1.5,
    promptTokens: 200,
    completionTokens: 30,
  },
  { ...one, command: "fix", edit: "refused", isDefectGone: false },
  { ...one, command: "fix", edit: "none", reasons: ["Nothing is wrong."] },
  { ...one, command: "fix", failure: "rate_limited:\nToo\u001b[2J many." },
  { ...one, command: "docstring", edit: "first", isSyntaxKept: true, isCodeSame: false },
  { ...one, command: "docstring", edit: "first", isSyntaxKept: true, isCodeSame: true },
  { ...one, command: "unittest", json: "first", isWhole: true },
  { ...one, command: "unittest", json: "repaired", isWhole: true },
  { ...one, command: "unittest", json: "invalid", isWhole: false },
  { ...one, command: "explain", isWhole: false, reasons: ["The answer is empty."] },
];

test("the table has a row for each flow, and their total", () => {
  expect(`\n${printSummary(summarize(results))}\n`).toMatchInlineSnapshot(`
    "
                         applied   after             no  syntax  code      JSON   JSON  defect  context   whole          model  prompt  answer  seconds
      flow       cases  at first  repair  refused  edit    kept  same  at first  valid    gone     held  answer  failed  calls  tokens  tokens   a turn
      fix            5         1       1        1     1     1/2     -         -      -     1/3        -       -       1      6     200      30     0.70
      docstring      2         2       0        0     0     2/2   1/2         -      -       -        -       -       0      2       -       -     0.50
      unittest       3         -       -        -     -       -     -       1/3    2/3       -        -     2/3       0      3       -       -     0.50
      explain        1         -       -        -     -       -     -         -      -       -        -     0/1       0      1       -       -     0.50
      total         11         3       1        1     1     3/4   1/2       1/3    2/3     1/3        -     2/4       1     12     200      30     0.59
    "
  `);
});

test("a case is one line that says what became of it and why", () => {
  expect(`\n${results.map(printCase).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    ok fix src/a.ts f: applied at the first try
    BAD fix src/a.ts f: applied after repair
    ok fix src/a.ts f: refused
    ok fix src/a.ts f: no edit. Nothing is wrong.
    BAD fix src/a.ts f: failed. rate_limited: Too\\x1b[2J many.
    BAD docstring src/a.ts f: applied at the first try
    ok docstring src/a.ts f: applied at the first try
    ok unittest src/a.ts f: JSON at the first try
    ok unittest src/a.ts f: JSON after repair
    BAD unittest src/a.ts f: no valid JSON
    BAD explain src/a.ts f: not whole. The answer is empty.
    "
  `);
});
