// A request without a command; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { AgentDefinition } from "../../../src/turn/agent-definition.ts";
import { button, prompted, send, user } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = {
  name: "activeEditor",
  value: { filePath: "cart.js", content: "export function total() {\n  throw 1;\n}\n" },
};

describe("a request without a command", () => {
  test.each(["why does total() crash?", "@rightseat why does total() crash?", "@ada 你好"])(
    "that asks something is answered by the model, with the context: %s",
    async (question) => {
      const { app, model } = createTestApp({ models: [["It throws."], ["It throws."]] });
      const contextVariables = [user, file, prompted(question)];
      const reply = await send(app, { contextVariables });
      expect(reply.text).toBe("It throws.");
      const [asked] = model.requests;
      const prompt = asked?.messages.map(textOfMessage).join("\n") ?? "";
      expect(prompt).toContain("throw 1;");
      expect(prompt).toContain(question);
      await send(app, { command: "chat", contextVariables });
      expect(asked?.messages).toEqual(model.requests[1]?.messages);
    },
  );

  test.each([undefined, "", "  ", "@rightseat", "@rightseat ", "@helper"])(
    "that asks nothing is greeted: %j",
    async (question) => {
      const { app, model } = createTestApp();
      const asked = question === undefined ? [] : [prompted(question)];
      const reply = await send(app, { contextVariables: [user, file, ...asked] });
      expect(reply.text).toContain("Hello, Ada!");
      expect(reply.actions.length).toBeGreaterThan(5);
      expect(model.requests).toEqual([]);
    },
  );

  test("is answered by the templates that the definition gives chat", async () => {
    const agentDefinition = AgentDefinition.parse({
      name: "helper",
      commands: [
        { name: "default" },
        {
          name: "chat",
          messageTemplates: [{ role: "user", template: "Q: {{ userInputPrompt }}" }],
        },
      ],
    });
    const { app, model } = createTestApp();
    await send(app, { agentDefinition, contextVariables: [prompted("Why?")] });
    expect(model.requests[0]?.messages.map(textOfMessage)).toEqual(["Q: Why?"]);
  });

  test("is answered by templates of its own first", async () => {
    const template = { role: "user", template: "D: {{ userInputPrompt }}" };
    const agentDefinition = {
      name: "helper",
      commands: [{ name: "default", messageTemplates: [template] }],
    };
    const { app, model } = createTestApp();
    await send(app, { agentDefinition, contextVariables: [prompted("Why?")] });
    expect(model.requests[0]?.messages.map(textOfMessage)).toEqual(["D: Why?"]);
  });
});

test("an agent is found by its name as people mention it", async () => {
  const { app } = createTestApp();
  expect((await send(app, { agent: "@rightseat", command: "version" })).status).toBe(200);
});

test("to start over sends no prompt, so that it is greeted", async () => {
  const { app } = createTestApp();
  const state = "v1.other.AAAA";
  const refused = await send(app, { action: "confirm", state, contextVariables: [user] });
  const { command, prompt } = button(refused, "default").data;
  expect([command, prompt]).toEqual(["default", ""]);
  const reply = await send(app, { command, contextVariables: [user, prompted(prompt)] });
  expect(reply.text).toContain("Hello, Ada!");
});

describe("the buttons of a greeting", () => {
  const commands = [
    { name: "default" },
    { name: "both", description: { en: "Do both", zh: "两者都做" } },
    { name: "english", description: { en: "Do it" } },
    { name: "plain", description: "As it is" },
    { name: "none", description: {} },
    { name: "odd", description: null },
  ];

  test.each([
    ["en", ["Do both", "Do it", "As it is", "Run none", "Run odd"]],
    ["zh-CN", ["两者都做", "Do it", "As it is", "执行 none", "执行 odd"]],
  ])("speak the person's language where the definition does: %s", async (language, messages) => {
    const { app } = createTestApp();
    const agentDefinition = { name: "helper", description: { zh: "助手" }, commands };
    const { actions } = await send(app, { language, agentDefinition });
    expect(actions.map((action) => action.data)).toMatchObject(
      messages.map((message) => ({ message, prompt: message })),
    );
  });
});
