import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createConnections } from "../../src/run/admissions.ts";

const by = (keyId: string) => ({ keyId, forward: () => ({}) });

test("a key holds as many connections as allowed, and a place that is given back can be taken again", async () => {
  const connections = createConnections(2);
  const first = await connections.open(by("a"));
  await connections.open(by("a"));
  expect(await connections.open(by("a"))).toBeUndefined();
  expect(await connections.open(by("b"))).toBeDefined();
  first?.();
  first?.();
  expect(await connections.open(by("a"))).toBeDefined();
  expect(await connections.open(by("a"))).toBeUndefined();
});

test("callers that nobody knows are not counted", async () => {
  const connections = createConnections(1);
  const nobody = { forward: () => ({}) };
  await connections.open(nobody);
  expect(await connections.open(nobody)).toBeDefined();
});

test("whatever is opened and closed, no key holds more than allowed, and each gets what is free", async () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), closes: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 100 }), fc.nat(4), async (steps, most) => {
      const connections = createConnections(most);
      const held: Record<string, (() => void)[]> = { a: [], b: [], c: [] };
      for (const { key, closes } of steps) {
        const own = held[key] ?? [];
        if (closes) {
          own.pop()?.();
          continue;
        }
        const close = await connections.open(by(key));
        expect(close !== undefined).toBe(own.length < most);
        if (close !== undefined) own.push(close);
      }
    }),
  );
});
