// The official clients over real sockets: what the house does for doors that answer whole, and with
// parts of a library user.
import OpenAI7 from "openai";
import OpenAI6 from "openai6";
import { describe, expect, test } from "vitest";
import { todos } from "../../examples/own-command.ts";
import { linesDoor } from "../../examples/own-door.ts";
import { startServer } from "../../src/start-server.node.ts";

const clients = [
  { name: "openai 7", OpenAI: OpenAI7 },
  { name: "openai 6", OpenAI: OpenAI6 as unknown as typeof OpenAI7 },
];
const messages = [{ role: "user" as const, content: "What?" }];

describe.each(clients)("the client of $name", ({ OpenAI }) => {
  const clientOf = (url: string): OpenAI7 =>
    new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0 });

  test("finds a command of a library user among the models", async () => {
    const server = await startServer({
      environment: { RIGHTSEAT_PORT: "0" },
      commands: [todos],
      doors: [linesDoor],
    });
    try {
      const model = "rightseat/todos";
      const { choices } = await clientOf(server.url).chat.completions.create({ model, messages });
      expect(choices[0]?.message.content).toBe("There is nothing to do in this file.\n");
      const response = await fetch(`${server.url}/lines/rightseat`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ command: "todos", question: "" }),
      });
      expect(await response.text()).toMatch(/\{"end":"stop"\}\n$/);
    } finally {
      await server.close();
    }
  });
});
