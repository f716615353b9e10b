import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type KnowledgeReference,
  referencesOf,
  sourceOf,
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

test("a source is the file's name, else its origin, with the lines that are known", () => {
  const named = (metadata: KnowledgeReference["metadata"]): string =>
    sourceOf({ chunk: "", metadata });
  expect(named({ fileName: "/a.md", source: "b", startPos: 3, endPos: 5 })).toBe("/a.md:3-5");
  expect(named({ fileName: "", source: "src/b.ts", startPos: 3, endPos: 3 })).toBe("src/b.ts:3");
  expect(named({ fileName: "/a.md", startPos: 0 })).toBe("/a.md:0");
  expect(named({ fileName: "/a.md", endPos: 5 })).toBe("/a.md");
  expect(sourceOf({ chunk: "" })).toBe("(unnamed source)");
  expect(sourceOf({ chunk: "", metadata: null })).toBe("(unnamed source)");
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
