// What people see of the offline model in the flows.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { offlineModel } from "../helpers/offline-model.ts";
import { scriptedModel } from "../../src/testing.ts";
import { button, type Reply, send } from "../helpers/copilot-client.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import { code } from "../helpers/code-parser.ts";

const { app } = createTestApp({ models: offlineModel(code), code });
const before =
  "export function mean(sum, count) {\n  const value = sum / count;\n  if (value === NaN) return 0;\n  return value;\n}\n";
const after = before.replace("value === NaN", "Number.isNaN(value)");

function ask(command: string, content?: string, prompt?: string, language = "en"): Promise<Reply> {
  const variables: Record<string, unknown> = {
    ...(content === undefined ? {} : { activeEditor: { filePath: "src/mean.js", content } }),
    ...(prompt === undefined ? {} : { userInputPrompt: prompt }),
  };
  const contextVariables = Object.entries(variables).map(([name, value]) => ({ name, value }));
  return send(app, { command, language, contextVariables });
}

test("a comparison with NaN is repaired, and who asks for an explanation of the change is told what the code consists of", async () => {
  const reply = await ask("fix", before);
  expect(reply.text).toContain("- Line 3: NaN is not equal to anything, not even to itself.");
  expect(reply.text).toContain("+  if (Number.isNaN(value)) return 0;");
  const { prompt } = button(reply, "explain").data;
  for (const content of [before, after]) {
    const { text } = await ask("explain", content, prompt);
    expect(text).toContain("**Declarations:**\n\n- function `mean`");
  }
});

test("a diff of another file leaves the explanation one of the file", async () => {
  const diff = "```diff\n--- a/src/other.js\n+++ b/src/other.js\n@@ -1 +1 @@\n-a\n+b\n```";
  expect((await ask("explain", before, diff)).text).toContain("**Declarations:**");
});

test("where no rule applies, that is all that is claimed, and nobody is offered to ask again", async () => {
  const { text, actions } = await ask("fix", after);
  expect(text).toContain("None of the rules of the offline model applies here.");
  expect(actions).toEqual([]);
  const chinese = await ask("fix", after, undefined, "zh");
  expect(chinese.text).toContain("离线模型的规则在这里都不适用。");
  expect(chinese.actions).toEqual([]);
});

test.each([
  ["fix", true, []],
  ["fix", false, ["Try again"]],
  ["unittest", true, []],
  ["unittest", false, ["Try again"]],
])(
  "after %s without a result, a model that always answers alike (%s) gives %j",
  async (command, isDeterministic, titles) => {
    const models = { ...scriptedModel([["No."], ["No."]]), isDeterministic };
    const value = { filePath: "src/mean.js", content: before };
    const reply = await send(createTestApp({ models, code }).app, {
      command,
      contextVariables: [{ name: "activeEditor", value }],
    });
    expect(reply.actions.map(({ data }) => ("title" in data ? data.title : ""))).toEqual(titles);
  },
);

const references = [
  { score: 0.2, chunk: "Fourth.", metadata: { fileName: "d.md" } },
  {
    score: 0.9,
    chunk: "Deploy with `make`.\n```\nmake\n```",
    metadata: { fileName: "guide.md", startPos: 3, endPos: 5 },
  },
  { score: 0.5, chunk: "Second.", metadata: { fileName: "b.md" } },
  { score: 0.4, chunk: "Third.", metadata: { fileName: "c.md" } },
];

test.each([[undefined], [before]])(
  "a question with knowledge gets the best passages with their sources, with %j",
  async (content) => {
    const contextVariables = [
      { name: "userInputPrompt", value: "How do I deploy?" },
      { name: "knowledgeBase", value: [{ knowledgeBaseId: "docs", references }] },
      ...(content === undefined
        ? []
        : [{ name: "activeEditor", value: { filePath: "a.js", content } }]),
    ];
    const { text } = await send(app, { command: "chat", contextVariables });
    expect(text).toContain(
      "**From the knowledge base**, the best passages first:\n\n`guide.md:3-5`\n\n````\nDeploy with `make`.\n```\nmake\n```\n````\n\n`b.md`\n\n```\nSecond.\n```\n\n`c.md`\n",
    );
    expect(text).not.toContain("Fourth");
    expect(text.includes("**Declarations:**")).toBe(content !== undefined);
  },
);

test("wherever the code that was sent begins in its file, it is repaired and explained there", async () => {
  const above = fc.nat({ max: 400 });
  const around = fc.constantFrom("", "// One.\n", "// One.\n\n// Two.\n");
  await fc.assert(
    fc.asyncProperty(above, around, around, async (count, front, back) => {
      const startLine = count + front.split("\n").length;
      const selection = {
        content: before.trimEnd(),
        startLine,
        startColumn: 1,
        endLine: startLine + 4,
        endColumn: 2,
        contentBeforeSelection: front,
        contentAfterSelection: `\n${back}`,
      };
      const value = { filePath: "src/mean.js", selectedRanges: [selection] };
      const contextVariables = [{ name: "activeEditor", value }];
      const { text } = await send(app, { command: "fix", contextVariables });
      expect(text).toContain(`- Line ${startLine + 2}: NaN is not equal`);
      expect(text).toContain("+  if (Number.isNaN(value)) return 0;");
      const told = await send(app, { command: "explain", contextVariables });
      expect(told.text).toContain(`function \`mean\`, lines ${startLine} to ${startLine + 4}`);
    }),
    { numRuns: 25 },
  );
}, 60_000);
