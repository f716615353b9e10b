import { expect, test } from "vitest";
import type { EvalCase } from "../../eval/eval-case.ts";
import type { CaseResult } from "../../eval/run-case.ts";
import { runCases } from "../../eval/run-cases.ts";

const cases: EvalCase[] = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"].map((path) => ({
  command: "explain",
  path,
  content: "export function f(a: number): void {}\n",
}));

const resultOf = ({ path, command }: EvalCase): CaseResult => ({
  path,
  command,
  symbol: "f",
  calls: 1,
  seconds: 0,
  reasons: [],
});

test("results keep the order of the cases, and no more than so many run at once", async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  const results = await runCases(cases, {
    async run(asked) {
      running += 1;
      most = Math.max(most, running);
      // The first one ends last.
      for (let turn = asked.path === "a.ts" ? 20 : 1; turn > 0; turn -= 1) await Promise.resolve();
      running -= 1;
      return resultOf(asked);
    },
    concurrency: 2,
    signal: new AbortController().signal,
    progress: (done) => seen.push(done),
  });
  expect(results.map(({ path }) => path)).toEqual(cases.map(({ path }) => path));
  expect(most).toBe(2);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});
