import { expect, test } from "vitest";
import { createApprovals } from "../../src/workspace/approvals.ts";
import type { FileChange } from "../../src/workspace/workspace.ts";

const change = (path: string): FileChange => ({
  path,
  before: { text: "a", hash: "1" },
  after: "b",
});

test("an approval of two changes is spent once for each, in any order", async () => {
  const approvals = createApprovals({ now: () => 0 });
  const approval = await approvals.approve([change("a"), change("b")]);
  expect(await approvals.spend(change("b"), approval)).toBe(true);
  expect(await approvals.spend(change("b"), approval)).toBe(false);
  expect(await approvals.spend(change("a"), approval)).toBe(true);
  expect(await approvals.spend(change("a"), approval)).toBe(false);
});

test("of many who spend one approval at once, one gets it", async () => {
  const approvals = createApprovals({ now: () => 0 });
  const approval = await approvals.approve([change("a")]);
  const spent = await Promise.all(
    Array.from({ length: 20 }, () => approvals.spend(change("a"), approval)),
  );
  expect(spent.filter(Boolean)).toHaveLength(1);
});

test("an approval expires", async () => {
  let now = 0;
  const approvals = createApprovals({ now: () => now, lifetime: 1_000 });
  const [one, other] = [
    await approvals.approve([change("a")]),
    await approvals.approve([change("a")]),
  ];
  now = 1_000;
  expect(await approvals.spend(change("a"), one)).toBe(true);
  now = 1_001;
  expect(await approvals.spend(change("a"), other)).toBe(false);
});

test("more changes than were shown are not approved, and spend nothing", async () => {
  const approvals = createApprovals({ now: () => 0 });
  const approval = await approvals.approve([change("a")]);
  expect(await approvals.spend(change("b"), approval)).toBe(false);
  expect(await approvals.spend(change("a"), approval)).toBe(true);
});

test("an approval is for each part of what was shown", async () => {
  const approvals = createApprovals({ now: () => 0 });
  const base = change("a");
  const approval = await approvals.approve([base]);
  for (const other of [
    change("b"),
    { ...base, after: "c" },
    { ...base, after: undefined },
    { ...base, before: { text: "a", hash: "2" } },
    { ...base, before: undefined },
  ])
    expect(await approvals.spend(other, approval)).toBe(false);
  expect(await approvals.spend(base, { ...approval })).toBe(false);
  expect(await approvals.spend(base, approval)).toBe(true);
});

test("approvals of two makers do not pass for each other's", async () => {
  const [one, other] = [createApprovals({ now: () => 0 }), createApprovals({ now: () => 0 })];
  const approval = await one.approve([change("a")]);
  expect(await other.spend(change("a"), approval)).toBe(false);
});
