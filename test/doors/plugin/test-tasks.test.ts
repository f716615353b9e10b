// What is remembered of recommendations: for whom, how long, and how much.
import { expect, test } from "vitest";
import { createTestTasks, type TestTask } from "../../../src/doors/plugin/test-tasks.ts";

const task = (content: string): TestTask => ({
  path: "a.py",
  content,
  functionName: "total",
  location: undefined,
  definitions: "",
  userPrompt: "",
  model: "",
});

test("a task is found by its owner for half an hour, and by nobody else", () => {
  let now = 0;
  const tasks = createTestTasks(() => now);
  tasks.keep("a", "1", task("x"));
  expect(tasks.find("a", "1")?.content).toBe("x");
  expect(tasks.find("b", "1")).toBeUndefined();
  now = 30 * 60_000;
  expect(tasks.find("a", "1")).toBeUndefined();
});

test("of one key the oldest go when they are more than twenty, or too large", () => {
  const tasks = createTestTasks(() => 0);
  for (let nth = 0; nth <= 20; nth += 1) tasks.keep("a", String(nth), task("x"));
  expect(tasks.find("a", "0")).toBeUndefined();
  expect(tasks.find("a", "1")).toBeDefined();
  tasks.keep("a", "large", task("x".repeat(1_000_000)));
  expect(tasks.find("a", "large")).toBeDefined();
  tasks.keep("a", "larger", task("x".repeat(1_000_000)));
  expect(tasks.find("a", "large")).toBeUndefined();
});

test("of many keys with large tasks, those that were not used for longest are forgotten", () => {
  const tasks = createTestTasks(() => 0);
  const owners = Array.from({ length: 60 }, (_, nth) => `owner-${nth}`);
  for (const owner of owners) tasks.keep(owner, "1", task("x".repeat(1_000_000)));
  const known = owners.filter((owner) => tasks.find(owner, "1") !== undefined);
  expect(known.length).toBeLessThan(40);
  expect(known.at(-1)).toBe("owner-59");
  expect(known).not.toContain("owner-0");
});
