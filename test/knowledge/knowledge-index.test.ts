import * as fc from "fast-check";
import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { chunkFile } from "../../src/knowledge/chunk-file.ts";
import {
  type KnowledgeIndex,
  createKnowledgeIndex,
  parseKnowledgeIndex,
} from "../../src/knowledge/knowledge-index.ts";
import { queryTermsOf } from "../../src/knowledge/tokenize.ts";
import type { FoundPassage } from "../../src/knowledge/retriever.ts";
import { addFile, indexFixtures, readFixture } from "./fixtures.ts";

const { signal } = new AbortController();

function find(
  index: KnowledgeIndex,
  query: string,
  limit = 5,
  knowledgeBaseIds?: readonly string[],
): Promise<FoundPassage[]> {
  return index.retrieve(query, { limit, signal, knowledgeBaseIds });
}

async function findPlaces(
  index: KnowledgeIndex,
  query: string,
  limit?: number,
  knowledgeBaseIds?: readonly string[],
): Promise<string[]> {
  const found = await find(index, query, limit, knowledgeBaseIds);
  return found.map(({ fileName, startLine, endLine }) => `${fileName}:${startLine}-${endLine}`);
}

test.each([
  ["How do I deploy a new version?", "shop/guide.md:41-45"],
  ["what happens when a payment times out", "shop/guide.md:31-34"],
  ["who reviews my code", "handbook.md:5-8"],
  ["refund_order", "shop/refund.py:1-25"],
  ["refnd of an order", "shop/refund.py:1-25"],
  ["RebuildInd", "shop/catalogue.go:1-21"],
  ["怎么退款？", "商店/指南.md:16-21"],
  ["搜索索引什么时候重建", "商店/指南.md:27-29"],
  ["如何部署到机器", "商店/指南.md:31-33"],
  ["サーバーの設定を変えるには", "商店/規則.md:1-5"],
])("%s finds the right passage first", async (query, place) => {
  const [first] = await findPlaces(indexFixtures(), query);
  expect(first).toBe(place);
});

test("a Chinese question finds Chinese text and the code that has its identifiers", async () => {
  const places = await findPlaces(indexFixtures(), "refund_order 怎么用？金额的单位是什么");
  expect(places).toContain("商店/指南.md:16-21");
  expect(places).toContain("shop/refund.py:1-25");
  const rebuild = await findPlaces(indexFixtures(), "如何调用 rebuildIndex 重建索引");
  expect(rebuild[0]).toBe("商店/指南.md:27-29");
  expect(rebuild).toContain("shop/catalogue.go:1-21");
});

test("a word in a heading or in a file's name counts more than one in the text", async () => {
  const index = createKnowledgeIndex();
  addFile(index, "a.md", "# Notes\n\nHow tea is brewed here, in short.");
  addFile(index, "b.md", "# Tea\n\nHow something is brewed here, in short.");
  addFile(index, "c.md", "# Coffee\n\nHow something is brewed here, in short.");
  addFile(index, "mocha.md", "# Notes\n\nHow something is brewed here, in short.");
  addFile(index, "d.md", "# Notes\n\nHow mocha is brewed here, in short.");
  expect(await findPlaces(index, "tea")).toEqual(["b.md:1-3", "a.md:1-3"]);
  expect(await findPlaces(index, "mocha")).toEqual(["mocha.md:1-3", "d.md:1-3"]);
});

test("the best come first, and no more than the limit", async () => {
  const all = await find(indexFixtures(), "payment refund index server", 100);
  const scores = all.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((left, right) => right - left));
  expect(all.length).toBeGreaterThan(3);
  for (const limit of [0, 1, 2, 3])
    expect(await find(indexFixtures(), "payment refund index server", limit)).toHaveLength(limit);
});

test("passages that score the same come in the order of file and line", async () => {
  const index = createKnowledgeIndex();
  for (const fileName of ["c/x.md", "a/x.md", "b/x.md"])
    addFile(index, fileName, "# T\n\nthe same");
  expect(await findPlaces(index, "same")).toEqual(["a/x.md:1-3", "b/x.md:1-3", "c/x.md:1-3"]);
});

test("passages that follow one another come as one, with the blank lines between them", async () => {
  const text =
    "# Guide\n\nintro\n\n## Oolong\n\noolong one\n\n\n## More oolong\n\noolong two\n\n## Other\n\nelse";
  const index = createKnowledgeIndex();
  addFile(index, "a.md", text);
  addFile(index, "b.md", "# Far\n\nnothing");
  const found = await find(index, "oolong");
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ startLine: 5, endLine: 12, heading: "Guide > Oolong" });
  expect(found[0]?.text).toBe(text.split("\n").slice(4, 12).join("\n"));
});

test("places that joining makes free are filled with the next best", async () => {
  const index = createKnowledgeIndex();
  addFile(index, "a.md", "# One\n\noolong oolong\n\n# Two\n\noolong oolong");
  addFile(index, "b.md", "# Far\n\nsome words before one oolong and some words after it");
  expect(await findPlaces(index, "oolong", 2)).toEqual(["a.md:1-7", "b.md:1-3"]);
});

test("only the knowledge bases that are asked for are searched", async () => {
  const index = indexFixtures();
  const filesIn = async (ids?: readonly string[]): Promise<string[]> => {
    const found = await find(index, "payment review 退款 npm", 50, ids);
    return [...new Set(found.map(({ fileName }) => fileName.replace(/[^/]*$/, "")))].toSorted();
  };
  expect(await filesIn()).toEqual(["", "shop/", "商店/"]);
  expect(await filesIn(["shop"])).toEqual(["shop/"]);
  expect(await filesIn(["商店", "default"])).toEqual(["", "商店/"]);
  expect(await filesIn(["unknown", "sho", "shop/"])).toEqual([]);
  expect(await filesIn([])).toEqual([]);
});

test("a knowledge base is found however its name is composed", async () => {
  const index = createKnowledgeIndex();
  addFile(index, "cafe\u0301/a.md", "tea");
  expect(await findPlaces(index, "tea", 5, ["caf\u00E9"])).toHaveLength(1);
});

test("a question without words finds nothing", async () => {
  for (const query of ["", " ", "?!", "。。。"])
    expect(await find(indexFixtures(), query)).toEqual([]);
});

test("an empty index finds nothing", async () => {
  expect(await find(createKnowledgeIndex(), "tea")).toEqual([]);
});

test("retrieval ends with the signal's reason once it is aborted", async () => {
  const reason = new Error("left");
  const retrieval = indexFixtures().retrieve("tea", {
    limit: 1,
    signal: AbortSignal.abort(reason),
  });
  await expect(retrieval).rejects.toBe(reason);
});

test("instructions in a passage are found as the text that they are", async () => {
  const [found] = await find(indexFixtures(), "ignore previous instructions admin password");
  expect(found).toMatchObject({ fileName: "shop/comment.txt", startLine: 1, endLine: 6 });
  expect(found?.text).toBe(readFixture("shop/comment.txt").trimEnd());
});

test("names of the language itself are words like others", async () => {
  const index = createKnowledgeIndex();
  addFile(
    index,
    "a.ts",
    "class A {\n  constructor() {}\n}\nconst it = { __proto__: null, hasOwnProperty };",
  );
  for (const word of ["constructor", "__proto__", "hasOwnProperty", "toString"])
    expect(await find(index, word)).toHaveLength(word === "toString" ? 0 : 1);
});

const word = fc.constantFrom(
  ..."tea milk sugar 茶叶 brewTea 牛奶".split(" "),
  "\n\n# tea\n\n",
  "\n",
);
const texts = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));
const names = ["a.md", "b/a.md", "b/c.ts"];

test("an index that changed finds the same as one that was built afresh", async () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), fc.option(texts)), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(changes, async (steps) => {
      const changed = createKnowledgeIndex();
      const files = new Map<string, string>();
      for (const [fileName, text] of steps) {
        if (text === null) changed.replaceFile(fileName, []);
        else addFile(changed, fileName, text);
        if (text === null) files.delete(fileName);
        else files.set(fileName, text);
      }
      const fresh = createKnowledgeIndex(
        [...files].flatMap(([name, text]) => chunkFile(name, text)),
      );
      for (const query of ["tea", "brewTea milk", "茶叶 suga"])
        expect(await find(changed, query)).toEqual(await find(fresh, query));
    }),
    { numRuns: 60 },
  );
});

test("a search word by word scores like one for all words at once", async () => {
  const queries = fc.array(fc.oneof(word, fc.constantFrom("teas", "sugr", "brew", "milks")), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { maxLength: 8 }), queries, async (files, words) => {
      const index = createKnowledgeIndex();
      // One passage each, so that nothing is joined.
      for (const [nth, text] of files.entries())
        addFile(index, `${nth}.md`, text.replace(/\s+/g, " "));
      const query = words.join(" ");
      const { terms, beginnings, misspelt } = queryTermsOf(query);
      const atOnce = MiniSearch.loadJS(index.toJSON().terms, {
        fields: ["text", "heading", "file"],
        processTerm: (term) => term,
        searchOptions: { boost: { heading: 2, file: 1.5 } },
      }).search(query, {
        tokenize: () => terms,
        fuzzy: (term) => misspelt.has(term) && 0.15,
        prefix: (term) => beginnings.has(term),
      });
      const scores = (found: readonly { score: number }[]): number[] =>
        found.map(({ score }) => score).toSorted((left, right) => left - right);
      const byWord = scores(await find(index, query, 100));
      expect(byWord).toHaveLength(atOnce.length);
      for (const [nth, score] of scores(atOnce).entries())
        expect(byWord[nth]).toBeCloseTo(score, 3);
    }),
    { numRuns: 100 },
  );
});

test("an index read from its JSON finds the same, and can be changed as well", async () => {
  const index = indexFixtures();
  const read = parseKnowledgeIndex(JSON.parse(JSON.stringify(index)));
  expect([read.fileCount, read.passageCount]).toEqual([index.fileCount, index.passageCount]);
  const queries = [
    "refund order",
    "how to deploy",
    "退款 refund_order",
    "rebuildIn",
    "サーバー",
    "servr",
  ];
  for (const query of queries) expect(await find(read, query)).toEqual(await find(index, query));
  for (const one of [index, read]) {
    one.replaceFile("shop/guide.md", []);
    addFile(one, "shop/new.md", "# New\n\nA refund takes marmalade.");
  }
  for (const query of queries) expect(await find(read, query)).toEqual(await find(index, query));
});

test.each([
  ["nothing", undefined],
  ["another version", { ...indexFixtures().toJSON(), version: 2 }],
  ["no index", { version: 1, passages: [], terms: {} }],
  ["a list", []],
])("JSON with %s is refused with what to do", (_, json) => {
  expect(() => parseKnowledgeIndex(json)).toThrow(/Build it again with npm run build:knowledge/);
});
