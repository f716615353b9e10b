import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { findIssues, sayIssue } from "../../../../src/base/errors/describe-issue.ts";

const schema = z.looseObject({
  name: z.string().min(1),
  count: z.int().min(1).nullish(),
  kind: z.enum(["a", "b"]).optional(),
  list: z.array(z.looseObject({ id: z.string(), tags: z.array(z.string()).nullish() })).min(1),
});

const leaf = fc.constantFrom<unknown>(undefined, null, "", "a", "x", 0, 1, 1.5, true, [], {}, [1]);
const item = fc.oneof(
  leaf,
  fc.record({ id: leaf, tags: fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })) }),
);
const value = fc.oneof(
  leaf,
  fc.record({
    name: leaf,
    count: leaf,
    kind: leaf,
    list: fc.oneof(leaf, fc.array(item, { maxLength: 3 })),
  }),
);

test("the issues are those of zod, with their paths, in our words", () => {
  fc.assert(
    fc.property(value, (input) => {
      const parsed = z.safeParse(schema, input);
      const expected = (parsed.error?.issues ?? []).map((issue) => ({
        path: issue.path,
        message: sayIssue(issue, input),
      }));
      const found = [...findIssues(schema, input)];
      expect(found.length === 0).toBe(expected.length === 0);
      for (const issue of found) expect(expected).toContainEqual(issue);
    }),
    { numRuns: 2_000 },
  );
});

test("whoever takes the first issues has no further item looked at", () => {
  let looked = 0;
  const items = Array.from({ length: 100_000 }, () => ({
    get id() {
      looked++;
      return 5;
    },
  }));
  const issues = findIssues(schema, { name: "x", list: items });
  // To see that the list has a bad item, then for each of three issues.
  for (let count = 0; count < 3; count++) {
    expect(issues.next().value).toEqual({
      path: ["list", count, "id"],
      message: { en: "must be a text, not a number", zh: "应为文本，不能是数字" },
    });
  }
  expect(looked).toBeLessThan(20);
});

test("what is checked once for all its good items is not parsed for each", () => {
  const good = Array.from({ length: 50_000 }, (_, nth) => ({ id: String(nth) }));
  const input = { name: "x", list: [...good, { id: 5 }] };
  expect([...findIssues(schema, input)].map(({ path }) => path)).toEqual([["list", 50_000, "id"]]);
});
