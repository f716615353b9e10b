import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type KnowledgeReference,
  referencesOf,
  variables,
} from "../../../src/turn/context/variables.ts";

test("references of all bases come by score, equal scores in the order in which they came", () => {
  const score = fc.option(fc.constantFrom(-1, 0, 0.1, 0.5, 0.9), { nil: null });
  const base = fc.record({
    references: fc.option(fc.array(fc.record({ score, chunk: fc.string() }))),
  });
  fc.assert(
    fc.property(fc.array(base), (bases) => {
      const found = referencesOf(bases);
      const all: KnowledgeReference[] = bases.flatMap(({ references }) => references ?? []);
      expect(found).toHaveLength(all.length);
      const order = found.map((reference) => ({
        score: reference.score ?? 0,
        at: all.indexOf(reference),
      }));
      for (const [index, { score: own, at }] of order.entries()) {
        const next = order[index + 1];
        if (next === undefined) continue;
        expect(next.score < own || (next.score === own && next.at > at)).toBe(true);
      }
    }),
  );
});

test("references are numbered from the best, each fenced under its source", () => {
  expect(
    variables.knowledgeBase.print(
      [
        { references: [{ score: 0, chunk: "low", metadata: { fileName: "low.md" } }] },
        { knowledgeBaseId: "empty" },
        {
          references: [
            { score: 0.9, chunk: "```\nhigh\n```", metadata: { fileName: "high.md" } },
            { chunk: "none" },
          ],
        },
      ],
      {},
    ),
  ).toBe(
    [
      "[1] high.md (score 0.9)\n````\n```\nhigh\n```\n````",
      "[2] low.md (score 0)\n```\nlow\n```",
      "[3] (unnamed source)\n```\nnone\n```",
    ].join("\n\n"),
  );
});
