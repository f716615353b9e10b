import { expect, test } from "vitest";
import { estimateTokens } from "../../../src/turn/tokens.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import type { ChatRequest, Subject } from "../../../src/turn/chat-model.ts";
import { ask, askBare, subjectOf } from "./ask-offline.ts";

const file = `import { round } from "./money.ts";

/** Adds up. It rounds. */
export function total(items: Item[]): number {
  // TODO: taxes
  return round(items.reduce((sum, item) => sum + item.price, 0));
}

export class Cart {
  add(item: Item): void {}
}
`;
/** As a client sends it that sends the selection only. */
const subject: Subject = subjectOf("src/cart.ts", file, { startLine: 11 });

test("the code of the turn is described in whole", async () => {
  const [notice, ...rest] = (await ask(subject)).split("\n");
  expect(notice).toMatch(
    /offline model.*repairs a few known faults.*skeletons of tests.*`OPENAI_API_KEY`.*`OPENAI_BASE_URL`.*`models`.*`rightseat\.json`.*`COPILOT_SERVER_ENDPOINT`/,
  );
  expect(rest.join("\n")).toBe(`
**\`src/cart.ts\`** (\`typescript\`), lines 11 to 21.

11 lines, of which 2 blank.

**Declarations:**

- function \`total\`, lines 14 to 17: \`export function total(items: Item[]): number\`, documented as \`Adds up.\`
- class \`Cart\`, lines 19 to 21: \`export class Cart\`
  - method \`Cart.add\`, line 20: \`add(item: Item): void\`

**Imports:**

- \`./money.ts\`
`);
});

test("without a parser, lines and indentation are what is described", async () => {
  let text = "";
  const stream = offlineModel().stream({ messages: [], subject: () => subject }, options());
  for await (const event of stream) if (event.type === "text-delta") text += event.text;
  expect(text).toContain("11 lines, of which 2 blank.\n");
  expect(text).toContain(
    "**Declarations**, as far as their first lines show them:\n\n- function `total`, ",
  );
});

test("the answer comes in lines, then the usage, and ends with stop", async () => {
  const messages: ChatRequest["messages"] = [{ role: "user", content: "Explain this code." }];
  const stream = offlineModel().stream({ messages, subject: () => subject }, options());
  const texts: string[] = [];
  let last;
  let next = await stream.next();
  for (; next.done !== true; next = await stream.next()) {
    if (next.value.type === "text-delta") texts.push(next.value.text);
    last = next.value;
  }
  expect(texts.length).toBeGreaterThan(8);
  expect(texts.every((text) => text.endsWith("\n"))).toBe(true);
  const prompt = estimateTokens("Explain this code.");
  const completion = estimateTokens(texts.join(""));
  expect(last).toEqual({
    type: "usage",
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  });
  expect(next.value).toBe("stop");
});

test("an abort between two pieces ends the answer with the signal's reason", async () => {
  const controller = new AbortController();
  const stream = offlineModel().stream(
    { messages: [], subject: () => subject },
    { ...options(), signal: controller.signal },
  );
  expect((await stream.next()).done).toBe(false);
  const reason = new Error("The client left.");
  controller.abort(reason);
  await expect(stream.next()).rejects.toBe(reason);
  expect((await stream.next()).done).toBe(true);
});

test("with nothing open the answer says what to do, and nothing of the prompt", async () => {
  const messages: ChatRequest["messages"] = [
    { role: "system", content: "Be kind." },
    { role: "user", content: "# Request\n\nWhat is a monad?" },
  ];
  const answer = await ask(undefined, { messages });
  expect(answer).toMatch(/^> .+\n\nNo file is open and no code is selected\. Open a file, .+\n$/);
  expect(answer).not.toMatch(/Request|monad|kind/);
  expect(await ask(undefined, { messages, locale: "zh" })).toMatch(/\n\n没有打开文件，.+\n$/);
});

test("a question with code is told that it needs a real model", async () => {
  const chat = { ...subject, command: "chat" };
  expect(await ask(chat)).toContain("Free questions need a real model;");
  expect(await ask(chat)).toContain("- class `Cart`, lines 19 to 21");
});

test.each(["explain", "fix", "optimize", "docstring", "unittest", "unittest-write", "review"])(
  "%s of a blank file says that there is no code, in one sentence",
  async (command) => {
    const blank = subjectOf("emp ty/空.py", " \n", { command });
    const answer = await ask(blank);
    expect(answer).toMatch(/^> .+\n\n\*\*`emp ty\/空\.py`\*\*: there is no code .+\n$/);
    expect(await ask({ ...blank, path: "" })).toContain("**An unnamed text**: there is no code");
  },
);

test.each(["unittest", "unittest-write"])(
  "%s of comments only has nothing to test",
  async (command) => {
    const answer = await ask(subjectOf("a.py", "# Nothing.\n", { command }));
    expect(answer).toMatch(/^> .+\n\n\*\*`a\.py`\*\*: there is no code in it\. .+\n$/);
  },
);

test("names and paths of any kind stay inside their backticks", async () => {
  const path = "a`b``c\n# heading.ts";
  const text = `function f() {\n  return "\`\`\` <b> ${"x".repeat(400)}"; }`;
  const answer = await ask({ ...subjectOf(path, text, { startLine: 11 }), language: "c`" });
  expect(answer).toContain("**``` a`b``c # heading.ts ```** (`` c` ``), lines 11 to 12.");
  expect(answer).toMatch(/- line 12: return ```` "``` <b> x+… ````\n/);
});

const cart = `import { round } from "./money.ts";
import { log } from "./log.ts";

export class Cart {
  /** Empties it. */
  clear() {}

  total(items) {
    if (items.length === 0) return 0;
    // TODO: taxes
    return round(items.length);
  }
}

export function other() {
  log("TODO: no comment");
}
`;

test("lines inside of a function are described as a part of it", async () => {
  const text = "    return round(items.length);";
  const answer = await askBare(subjectOf("cart.js", cart, { text, startLine: 11 }));
  expect(answer).toContain("**`cart.js`** (`javascript`), line 11.");
  expect(answer).toContain("**Part of** method `Cart.total`, lines 8 to 12.");
  expect(answer).toContain("- line 11: return `round(items.length)`\n");
  expect(answer).not.toMatch(/Declarations|clear|other|TODO/);
});

test("branches are named in Chinese", async () => {
  const chosen = subjectOf("cart.js", cart, { place: { startLine: 8, endLine: 12 } });
  expect(await askBare(chosen, { locale: "zh" })).toContain(
    "**分支与出口**：\n\n- 第 9 行：条件 `items.length === 0`\n- 第 9 行：返回 `0`\n",
  );
});

function options() {
  return {
    signal: new AbortController().signal,
    caller: { forward: () => ({}) },
  } as const;
}
