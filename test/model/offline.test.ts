import { expect, test } from "vitest";
import { estimateTokens } from "../../src/context/tokens.ts";
import { offlineModel } from "../../src/model/offline.ts";
import type { ChatRequest, Subject } from "../../src/turn/chat-model.ts";
import type { EndReason, ModelEvent } from "../../src/turn/turn-event.ts";

const subject: Subject = {
  command: "explain",
  file: "",
  variables: new Map(),
  path: "src/cart.ts",
  language: "typescript",
  startLine: 11,
  text: `import { round } from "./money.ts";

/** Adds up. */
export function total(items: Item[]): number {
  // TODO: taxes
  return round(items.reduce((sum, item) => sum + item.price, 0));
}

export class Cart {
  add(item: Item): void {}
}
`,
};

async function ask(
  request: Partial<ChatRequest>,
  signal = new AbortController().signal,
): Promise<{ texts: string[]; events: ModelEvent[]; reason: EndReason }> {
  const events: ModelEvent[] = [];
  const stream = offlineModel().stream(
    { messages: [], ...request },
    { signal, caller: { forward: () => ({}) }, as: "frames" },
  );
  for (;;) {
    const { done, value } = await stream.next();
    if (done) {
      const texts = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
      return { texts, events, reason: value };
    }
    events.push(value);
  }
}

test("the code of the turn is described in whole", async () => {
  const { texts } = await ask({ subject: () => subject });
  const [notice, ...rest] = texts.join("").split("\n");
  expect(notice).toMatch(
    /offline model.*`OPENAI_API_KEY`.*`OPENAI_BASE_URL`.*`models`.*`rightseat\.json`.*`COPILOT_SERVER_ENDPOINT`/,
  );
  expect(rest.join("\n")).toBe(`
**\`src/cart.ts\`** (\`typescript\`), lines 11 to 21.

11 lines, of which 2 blank and 2 with a comment only.

**Declarations**, as far as their first lines show them:

- function \`total\`, line 14
- class \`Cart\`, line 19
  - method \`add\`, line 20

**Longest function**, judging by indentation: \`total\`, 4 lines (14 to 17).

**Imports:**

- \`./money.ts\`

**To-dos:**

- line 15: \`TODO: taxes\`
`);
});

test("the same description comes in Chinese", async () => {
  const { texts } = await ask({ subject: () => subject, locale: "zh" });
  const [notice, ...rest] = texts.join("").split("\n");
  expect(notice).toMatch(
    /离线模型.*`OPENAI_API_KEY`.*`OPENAI_BASE_URL`.*`rightseat\.json`.*`COPILOT_SERVER_ENDPOINT`/,
  );
  expect(rest.join("\n")).toBe(`
**\`src/cart.ts\`**（\`typescript\`），第 11 至 21 行。

共 11 行，其中空行 2 行，纯注释 2 行。

**声明**（根据声明的首行识别）：

- 函数 \`total\`，第 14 行
- 类 \`Cart\`，第 19 行
  - 方法 \`add\`，第 20 行

**最长的函数**（按缩进判断）：\`total\`，4 行（第 14 至 17 行）。

**导入：**

- \`./money.ts\`

**待办：**

- 第 15 行：\`TODO: taxes\`
`);
});

test("the answer comes in pieces, then the usage, and ends with stop", async () => {
  const messages: ChatRequest["messages"] = [{ role: "user", content: "Explain this code." }];
  const { texts, events, reason } = await ask({ messages, subject: () => subject });
  expect(texts.length).toBeGreaterThan(8);
  expect(texts.every((text) => text.endsWith("\n"))).toBe(true);
  const prompt = estimateTokens("Explain this code.");
  const completion = estimateTokens(texts.join(""));
  expect(events.at(-1)).toEqual({
    type: "usage",
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  });
  expect(events.filter(({ type }) => type === "usage")).toHaveLength(1);
  expect(reason).toBe("stop");
});

test("the same request gets the same answer", async () => {
  expect(await ask({ subject: () => subject })).toEqual(await ask({ subject: () => subject }));
});

test("an abort between two pieces ends the answer with the signal's reason", async () => {
  const controller = new AbortController();
  const stream = offlineModel().stream(
    { messages: [], subject: () => subject },
    { signal: controller.signal, caller: { forward: () => ({}) }, as: "deltas" },
  );
  expect((await stream.next()).done).toBe(false);
  const reason = new Error("The client left.");
  controller.abort(reason);
  await expect(stream.next()).rejects.toBe(reason);
  expect((await stream.next()).done).toBe(true);
});

test("without code the last question is quoted, and what is known about the chat is said", async () => {
  const messages: ChatRequest["messages"] = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "First?" },
    { role: "assistant", content: "Yes." },
    { role: "user", content: "What is\n```js\na monad?" },
  ];
  const text = (await ask({ messages })).texts.join("");
  expect(text).toContain("````text\nWhat is\n```js\na monad?\n````\n");
  expect(text).not.toContain("First?");
  const tokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  expect(text).toContain(`There are 4 messages of about ${tokens} tokens`);
  expect(text).toContain("Free questions need a real model");
  expect((await ask({ messages, locale: "zh" })).texts.join("")).toContain(
    `共有 4 条消息，约 ${tokens} 个 token`,
  );
});

test("a quote ends after two hundred characters and splits none of them", async () => {
  const content = "😀".repeat(150) + "问".repeat(200);
  const text = (await ask({ messages: [{ role: "user", content }] })).texts.join("");
  expect(text).toContain(`\n${"😀".repeat(150)}${"问".repeat(50)}…\n`);
});

test("a chat without any message from a person is told as that", async () => {
  expect((await ask({})).texts.join("")).toContain("There is no message from a person.");
  expect((await ask({ locale: "zh" })).texts.join("")).toContain("没有用户消息。");
});

test("an editor without code is told as that", async () => {
  const text = (
    await ask({
      subject: () => ({ ...subject, path: "", language: "", text: " \n", startLine: 1 }),
    })
  ).texts.join("");
  expect(text).toContain("**An unnamed text**: the editor sent no code.");
  expect(text).not.toContain("lines");
});

test("long lists are cut and say how much is left", async () => {
  const text = Array.from({ length: 100 }, (_, index) => `function f${index}() {}`).join("\n");
  const answer = (await ask({ subject: () => ({ ...subject, text, startLine: 1 }) })).texts.join(
    "",
  );
  expect(answer).toContain("- function `f39`, line 40\n- and 60 more\n");
  expect(answer).not.toContain("`f40`, line");
});

test("counts speak of the lines that were read", async () => {
  const text = `${"let a;\n".repeat(20_000)}${"\n".repeat(9_999)}let b;\n`;
  const answer = (await ask({ subject: () => ({ ...subject, text, startLine: 1 }) })).texts.join(
    "",
  );
  expect(answer).toContain("lines 1 to 30000.\n\nOnly the first 20000 lines were looked at");
  expect(answer).toContain("20000 lines, of which 0 blank");
});

test("names and paths of any kind stay inside their backticks", async () => {
  const path = "a`b``c\n# heading.ts";
  const text = `// TODO: \`\`\` <b> ${"x".repeat(400)}`;
  const answer = (
    await ask({ subject: () => ({ ...subject, path, text, language: "c`" }) })
  ).texts.join("");
  expect(answer).toContain("**``` a`b``c # heading.ts ```** (`` c` ``), line 11.");
  expect(answer).toMatch(/- line 11: ```` TODO: ``` <b> x+… ````\n/);
});
