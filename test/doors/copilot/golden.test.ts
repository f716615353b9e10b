import { describe, expect, test } from "vitest";
import type { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { type Script, truncated } from "../../../src/testing.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import {
  contextVariables,
  copilotRequest,
  knowledgeBase,
  post,
  printResponse,
} from "../../helpers/copilot-request.ts";
import { createTestApp, fewCommands } from "../../helpers/create-test-app.ts";

const withKnowledge = { contextVariables: [...contextVariables, knowledgeBase] };
const usage = { prompt_tokens: 210, completion_tokens: 9, total_tokens: 219 };
const answer: Script = ["It counts ", "the lines.\n", { type: "usage", usage }];

const definition = {
  name: "helper",
  version: "2.0.0",
  commands: [
    { name: "default" },
    {
      name: "review",
      description: "Review the selection",
      messageTemplates: [
        { role: "system", template: "You review {{ activeEditor.language }}." },
        { role: "user", content: "{{ activeEditor.selectedRanges[0].content }}" },
      ],
    },
  ],
};

/** Sealed states are random. */
function withoutStates(response: string): string {
  return response.replaceAll(/"state":"v1\.[^"]+"/g, '"state":"(sealed)"');
}

interface Case {
  body: Record<string, unknown>;
  script?: Script;
  agents?: readonly AgentDefinition[];
}

/** What a client posts, and what the model does; the whole response stands in the golden file. */
const cases: Record<string, Case> = {
  default: { body: copilotRequest("default"), script: answer },
  "default-without-command": {
    body: { agent: "rightseat", contextVariables: [contextVariables[1]] },
    agents: [fewCommands],
  },
  "default-of-a-published-agent": {
    body: { ...copilotRequest(""), agent: "helper", agentDefinition: definition },
    script: answer,
  },
  version: { body: copilotRequest("version") },
  explain: { body: copilotRequest("explain"), script: answer },
  "explain-with-knowledge": { body: copilotRequest("explain", withKnowledge), script: answer },
  "explain-with-reasoning": {
    body: copilotRequest("explain"),
    script: [{ type: "reasoning-delta", text: "Let me see." }, "It counts."],
  },
  "explain-cut-by-length": {
    body: copilotRequest("explain"),
    script: ["It cou", { end: "length" }],
  },
  "explain-broken-off": { body: copilotRequest("explain"), script: ["It counts ", truncated()] },
  "explain-refused-by-the-model": {
    body: copilotRequest("explain"),
    script: [
      new AppError("rate_limited", 'Model "scripted" takes no more requests at the moment.', {
        retryAfter: 7,
      }),
    ],
  },
  chat: { body: copilotRequest("chat"), script: answer },
  "chat-with-knowledge": { body: copilotRequest("chat", withKnowledge), script: answer },
  fix: {
    body: copilotRequest("fix"),
    script: [
      "The last, empty line is counted.\n\n",
      '<file-edit filePath="src/count-lines.ts">\n------- SEARCH\n',
      "  return text.split('\\n').length;\n=======\n",
      "  return text.split('\\n').length - 1;\n+++++++ REPLACE\n</file-edit>\n",
      { type: "usage", usage },
    ],
  },
  "fix-without-an-edit": { body: copilotRequest("fix"), script: answer },
  unittest: {
    body: copilotRequest("unittest"),
    script: [
      '{"test_cases":[{"description":"counts two lines","category":"happy path"},',
      '{"description":"gives 0 for an empty file","category":"edge case"}]}',
    ],
  },
  "unittest-write": {
    body: copilotRequest("unittest-write"),
    script: ["`src/count-lines.test.ts`\n\n```ts\ntest();\n```\n"],
  },
  docstring: {
    body: copilotRequest("docstring"),
    script: [
      "<file-edit>\n------- SEARCH\nexport async function countLines(path: string): Promise<number> {\n",
      "=======\n/** Counts the lines of a file. */\n",
      "export async function countLines(path: string): Promise<number> {\n+++++++ REPLACE\n</file-edit>\n",
    ],
  },
  templated: {
    body: copilotRequest("review", { agent: "helper", agentDefinition: definition }),
    script: answer,
  },
};

describe.each(["en", "zh"])("the whole response in %s", (language) => {
  test.each(Object.entries(cases))(
    "to %s is as recorded",
    async (name, { body, script, agents }) => {
      const { app } = createTestApp({
        ...(script === undefined ? {} : { models: [script] }),
        ...(agents === undefined ? {} : { agents }),
      });
      const response = await post(app, { ...body, language });
      const file = `../../fixtures/copilot/${name}.${language}.sse`;
      await expect(withoutStates(await printResponse(response))).toMatchFileSnapshot(file);
    },
  );

  test("to explain by the offline model is as recorded", async () => {
    const { app } = createTestApp({ models: offlineModel() });
    const response = await post(app, copilotRequest("explain", { language }));
    const file = `../../fixtures/copilot/explain-offline.${language}.sse`;
    await expect(withoutStates(await printResponse(response))).toMatchFileSnapshot(file);
  });

  test("what the model is asked by explain is as recorded", async () => {
    const { app, model } = createTestApp();
    await (await post(app, copilotRequest("explain", { ...withKnowledge, language }))).text();
    const asked = model.requests[0]?.messages.map(
      (message) => `--- ${message.role}\n${textOfMessage(message)}\n`,
    );
    await expect(asked?.join("")).toMatchFileSnapshot(
      `../../fixtures/copilot/explain-asks.${language}.txt`,
    );
  });
});
