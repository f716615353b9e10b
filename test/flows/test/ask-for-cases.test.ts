import { expect, test } from "vitest";
import { parseCases } from "../../../src/flows/unittest/unittest.ts";

const answer = (cases: readonly unknown[]) => JSON.stringify({ test_cases: cases });
const caseOf = (nth: number) => ({ description: `case ${nth}`, category: "happy path" });

test("of a long list the first cases are read", () => {
  const parsed = parseCases(answer(Array.from({ length: 100_000 }, (_, nth) => caseOf(nth))));
  expect("cases" in parsed && parsed.cases.length).toBe(30);
});

test("what is wrong far beyond the cases that are shown does no harm", () => {
  const cases = Array.from({ length: 400 }, (_, nth) => (nth < 350 ? caseOf(nth) : nth));
  expect(parseCases(answer(cases))).toHaveProperty("cases");
});

test("a fault that a long list repeats is described a few times", () => {
  const parsed = parseCases(answer(Array.from({ length: 100_000 }, () => 1)));
  const problem = "problem" in parsed ? parsed.problem : "";
  expect(problem).toContain("test_cases[0]");
  expect(problem.split("\n").length).toBeLessThanOrEqual(20);
});
