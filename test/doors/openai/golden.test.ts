// Whole responses as clients get them, and what the model is asked; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import { type Script, truncated } from "../../../src/testing.ts";
import { post, printResponse } from "../../helpers/copilot-request.ts";
import { createTestApp, fewCommands } from "../../helpers/create-test-app.ts";
import { code, withCode } from "../../helpers/openai-client.ts";

const usage = { prompt_tokens: 210, completion_tokens: 9, total_tokens: 219 };
const answer: Script = ["It adds ", "the prices.\n", { type: "usage", usage }];
const question = withCode("What does it do?");
const cases: Script = [
  '{"test_cases":[{"description":"adds two prices","category":"happy path"},',
  '{"description":"gives 0 for no items","category":"edge case"},',
  '{"description":"takes a price of 0","category":"edge case"}]}',
];
const edit = [
  "The price is assigned, not added.\n\n",
  '<file-edit filePath="src/cart.js">\n------- SEARCH\n',
  "  for (const item of items) sum =+ item.price;\n=======\n",
  "  for (const item of items) sum += item.price;\n+++++++ REPLACE\n</file-edit>\n",
];

interface Talk {
  model: string;
  said: string[];
  more?: object;
  script?: Script;
  isAskShown?: boolean;
}

/** Models and what is said to them; the whole response is in the golden file. */
const talks: Record<string, Talk> = {
  default: { model: "rightseat/default", said: ["@rightseat"] },
  chat: { model: "rightseat", said: ["What is a copilot?"], more: { stream: true } },
  explain: {
    model: "rightseat/explain",
    said: [question],
    more: { stream: true },
    isAskShown: true,
  },
  "explain-whole": { model: "rightseat/explain", said: [question] },
  "explain-with-usage": {
    model: "rightseat/explain",
    said: [question],
    more: { stream: true, stream_options: { include_usage: true } },
  },
  "explain-broken-off": {
    model: "rightseat/explain",
    said: [question],
    more: { stream: true },
    script: ["It adds ", truncated()],
  },
  fix: { model: "rightseat/fix", said: [question], script: edit },
  unittest: { model: "rightseat/unittest", said: [question], script: cases },
  "unittest-write": {
    model: "rightseat/unittest",
    said: [question, "1. adds two prices\n2. gives 0 for no items", "/unittest-write 1 2"],
    isAskShown: true,
    script: ["`src/cart.test.js`\n\n```js\ntest();\n```\n"],
  },
};

function bodyOf({ model, said, more }: Talk): object {
  const messages = said.map((content, nth) => ({
    role: nth % 2 === 0 ? "user" : "assistant",
    content,
  }));
  return { model, messages, ...more };
}

const path = "/v1/chat/completions";

describe.each(["en", "zh"])("the whole response in %s", (language) => {
  const headers = { "accept-language": language };
  // The sentences of the flows in Chinese are those of the door copilot.
  const chinese = ["default", "explain-broken-off", "fix", "unittest"];
  const shown = Object.entries(talks).filter(
    ([name]) => language === "en" || chinese.includes(name),
  );

  test.each(shown)("to %s is as recorded", async (name, talk) => {
    const agents = name === "default" ? { agents: [fewCommands] } : {};
    const { app, model } = createTestApp({ models: [talk.script ?? answer], ...agents });
    const response = await post(app, bodyOf(talk), { path, headers });
    const file = `../../fixtures/openai/${name}.${language}.txt`;
    await expect(await printResponse(response)).toMatchFileSnapshot(file);
    if (talk.isAskShown !== true) return;
    for (const { messages } of model.requests.slice(0, 1)) {
      const asked = messages
        .slice(1)
        .map((message) => `--- ${message.role}\n${textOfMessage(message)}\n`);
      await expect(asked.join("")).toMatchFileSnapshot(
        `../../fixtures/openai/${name}-asks.${language}.txt`,
      );
    }
  });

  test("to a whole file by the offline model offers each function with its lines", async () => {
    const { app } = createTestApp({ models: offlineModel() });
    const two = `${code}\nexport function count(items) {\n  return items.length;\n}\n`;
    const content = `\`\`\`js\n${two}\`\`\``;
    const body = { model: "rightseat/explain", messages: [{ role: "user", content }] };
    const response = await post(app, body, { path, headers });
    await expect(await printResponse(response)).toMatchFileSnapshot(
      `../../fixtures/openai/explain-offline.${language}.txt`,
    );
  });
});
