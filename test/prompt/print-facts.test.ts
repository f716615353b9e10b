import { expect, test } from "vitest";
import { Scopes, noCut } from "../../src/prompt/scope.ts";
import { noFocus, type PromptFacts } from "../../src/turn/focus.ts";

/** Facts as templates see them. */
function printFacts(facts: PromptFacts): Map<string, unknown> {
  const reading = { used: new Set<string>(), isDynamic: true, options: new Map<string, unknown>() };
  return new Map(Object.entries(new Scopes({ others: new Map() }, reading, facts).under(noCut)));
}

const happy = { line: "1. happy path: adds", description: "adds" };
const edge = { line: "edge case: no items", description: "no items" };

test("facts have their variable's name, and what is blank is left out", () => {
  const printed = printFacts({ place: "total, line 3", diagnostics: "", framework: "vitest" });
  expect([...printed]).toEqual([
    ["place", "total, line 3"],
    ["framework", "vitest"],
  ]);
});

test("chosen cases are a line each, and stand before what is to be tested otherwise", () => {
  expect(printFacts({ chosenCases: [happy, edge], openCases: "All." }).get("cases")).toBe(
    "1. happy path: adds\nedge case: no items",
  );
  expect(printFacts({ chosenCases: [], openCases: "All." }).get("cases")).toBe("All.");
});

test("known cases, which the person's request names, are not printed again", () => {
  expect([...printFacts({ knownCases: [happy] })]).toEqual([]);
});

test("without facts nothing is made", () => {
  expect(printFacts(noFocus.facts).size).toBe(0);
});
