// The examples for library users; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { todos } from "../../examples/own-command.ts";
import { linesDoor } from "../../examples/own-door.ts";
import { editor, send } from "../helpers/copilot-client.ts";
import { post } from "../helpers/copilot-request.ts";
import { createTestApp } from "../helpers/create-test-app.ts";
import { doorSuite } from "./door-suite.ts";

interface Line {
  text?: string;
  error?: { code: string; message: string };
  end?: string;
}

function readLines(stream: string): Line[] {
  return stream.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
}

doorSuite("lines", {
  door: linesDoor,
  question: (agent) => ({
    path: `/lines/${agent}`,
    body: { command: "chat", question: "What?" },
  }),
  unknownAgent: "unknown_agent",
  read(stream) {
    const lines = readLines(stream);
    const error = lines.flatMap((line) => line.error ?? [])[0];
    return {
      text: lines.map(({ text }) => text ?? "").join(""),
      isWhole: lines.findIndex(({ end }) => end !== undefined) === lines.length - 1,
      error: error === undefined ? undefined : { code: error.code, sentence: error.message },
    };
  },
});

describe("a command of one's own", () => {
  const file = "// TODO: round\nlet a;\n// TODO: test\n";

  test("answers at the platform's door with text, the model's answer and a button", async () => {
    const { app, model } = createTestApp({ models: [["The first one."]], commands: [todos] });
    const reply = await send(app, { command: "todos", contextVariables: [editor(file)] });
    expect(reply.text).toBe(
      "**src/cart.js**\n\n- line 1: // TODO: round\n- line 3: // TODO: test\n\nThe first one.",
    );
    expect(reply.actions).toMatchObject([{ action: "confirm", data: { command: "explain" } }]);
    expect(reply.finish).toBe("stop");
    expect(model.requests[0]?.messages[0]?.content).toContain("line 3: // TODO: test");
  });

  test("asks no model where there is nothing to ask", async () => {
    const { app, model } = createTestApp({ commands: [todos] });
    const reply = await send(app, { command: "todos", contextVariables: [editor("let a;\n")] });
    expect([reply.text, reply.finish, model.requests.length]).toEqual([
      "There is nothing to do in this file.\n",
      "stop",
      0,
    ]);
  });

  test("is a model for OpenAI clients, and gets the code of a fence", async () => {
    const { app } = createTestApp({ models: [["The first one."]], commands: [todos] });
    const messages = [{ role: "user", content: `\`\`\`js\n${file}\`\`\`` }];
    const body = { model: "rightseat/todos", messages };
    const response = await post(app, body, { path: "/v1/chat/completions" });
    expect(await response.text()).toContain("line 3: // TODO: test");
  });

  test("answers at a door of one's own", async () => {
    const { app } = createTestApp({ commands: [todos], doors: [linesDoor] });
    const body = { command: "todos", question: "" };
    const response = await post(app, body, { path: "/lines/rightseat" });
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(readLines(await response.text())).toEqual([
      { text: "There is nothing to do in this file.\n" },
      { end: "stop" },
    ]);
  });
});
