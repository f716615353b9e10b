// What comes back in place of a state; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { button, send, user } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = "export function total(items) {\n  return items.length;\n}\n";
const contextVariables = [
  user,
  { name: "activeEditor", value: { filePath: "a.js", content: file } },
];

function nested(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("a state", () => {
  test.each<[string, unknown]>([
    ["too large", "v1.random.".padEnd(200_000, "A")],
    ["of megabytes", "v1.random.".padEnd(5_000_000, "A")],
    ["deep, but not too deep", nested(50)],
    ["a list", Array.from({ length: 10_000 }, () => 1)],
    ["a number", 7],
    ["null", null],
    ["of a key that nobody has", `v1.other.${"A".repeat(100)}`],
    ["of another version", `v2.random.${"A".repeat(100)}`],
    ["half a character", "v1.random.\ud800"],
  ])("that is %s is refused with 403 and a way on, and no model is asked", async (_, state) => {
    const { app, model } = createTestApp();
    const reply = await send(app, { action: "confirm", state, contextVariables });
    expect([reply.status, reply.finish]).toEqual([403, "error"]);
    expect(button(reply, "default").data.command).toBe("default");
    expect(model.requests).toEqual([]);
  });
});

test("ten thousand references and two hundred package files are taken, and cut for the prompt", async () => {
  const { app, model } = createTestApp();
  const references = Array.from({ length: 10_000 }, (_, nth) => ({
    score: nth / 10_000,
    chunk: `Passage ${nth}. ${"text ".repeat(40)}`,
    metadata: { fileName: `${nth}.md`, sourceType: "doc", source: "x", startPos: 1, endPos: 2 },
  }));
  const files = Array.from({ length: 200 }, (_, nth) => ({
    filepath: `packages/${nth}/package.json`,
    content: JSON.stringify({ name: `p-${nth}`, text: "x".repeat(10_000) }),
  }));
  const reply = await send(app, {
    command: "chat",
    contextVariables: [
      { name: "userInputPrompt", value: "What is it?" },
      { name: "knowledgeBase", value: [{ knowledgeBaseId: "kb", references }] },
      { name: "packageFiles", value: files },
    ],
  });
  expect([reply.status, reply.finish]).toEqual([200, "stop"]);
  const prompt = JSON.stringify(model.requests[0]?.messages);
  expect(prompt).toContain("Passage 9999.");
  expect(prompt).not.toContain("Passage 0.");
});
