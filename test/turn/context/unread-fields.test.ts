// Values that fit their variable only because every field may be absent.
import { expect, test } from "vitest";
import { isUserUnclear, parseContext } from "../../../src/turn/context/context.ts";

const toldOf = (name: string, value: unknown) =>
  (parseContext([{ name, value }]).dropped ?? []).map(({ path, message }) => [path, message]);

test.each<[string, unknown, string]>([
  ["activeEditor", { path: "a.ts", text: "let a;" }, "filePath, language, content"],
  ["vcs", { branch: "main" }, "branchName"],
  ["userInfo", { userId: "u-1" }, "id, name, nickname"],
])(
  "a value of %s without a known field is told with the fields that are expected",
  (name, value, fields) => {
    const path = "contextVariables[0].value";
    expect(toldOf(name, value)).toEqual([[path, expect.stringContaining(fields)]]);
    expect(parseContext([{ name, value }])).toHaveProperty(name, value);
  },
);

test.each<[unknown]>([
  [{ chunk: "a", score: 1 }],
  [{ passages: ["a"] }],
  [{ content: "a" }],
  [{ knowledgeBaseId: "kb", chunks: [{ text: "a" }] }],
  [{ knowledgeBaseId: "kb", chunk: "a" }],
])("a base of knowledge without references is told: %j", (base) => {
  const value = [{ knowledgeBaseId: "kb", references: [] }, base];
  expect(toldOf("knowledgeBase", value)).toEqual([
    ["contextVariables[0].value[1]", expect.stringMatching(/references.*score, chunk, metadata/)],
  ]);
});

test.each<[string, unknown]>([
  ["activeEditor", {}],
  ["activeEditor", { filePath: null }],
  ["activeEditor", { content: "a", text: "b", path: "c" }],
  ["vcs", { type: "git", branch: "main" }],
  ["knowledgeBase", []],
  ["knowledgeBase", [{}]],
  ["knowledgeBase", [{ knowledgeBaseId: "kb" }]],
  ["knowledgeBase", [{ knowledgeBaseId: "kb", name: "Docs" }]],
  ["knowledgeBase", [{ knowledgeBaseId: "kb", references: null, chunks: [] }]],
])("nothing is told of %s where a known field came, or nothing: %j", (name, value) => {
  expect(toldOf(name, value)).toEqual([]);
});

test("a base without references is told beside one that does not fit, and at most a hundred are", () => {
  const value = [{ passages: [] }, 7];
  expect(toldOf("knowledgeBase", value).map(([path]) => path)).toEqual([
    "contextVariables[0].value[1]",
    "contextVariables[0].value[0]",
  ]);
  const many = Array.from({ length: 1_000 }, () => ({ passages: [] }));
  expect(toldOf("knowledgeBase", many)).toHaveLength(100);
});

test("fields that nobody reads do not make it unclear whose request it is", () => {
  expect(isUserUnclear(parseContext([{ name: "userInfo", value: { userId: "u-1" } }]))).toBe(false);
});
