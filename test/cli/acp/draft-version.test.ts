import type { AnyMessage } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { speakDraft } from "../../../src/cli/acp/draft-version.ts";

test("what two sessions say at once, and what one says to two prompts, are messages of their own", async () => {
  const told: AnyMessage[] = [];
  const writable = new WritableStream<AnyMessage>({ write: (message) => void told.push(message) });
  const asked = new TransformStream<AnyMessage, AnyMessage>();
  const draft = speakDraft({ readable: asked.readable, writable });
  const [editor, heard, agent] = [
    asked.writable.getWriter(),
    draft.readable.getReader(),
    draft.writable.getWriter(),
  ];
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    const message = { jsonrpc: "2.0", id, method, params } as const;
    await Promise.all([editor.write(message), heard.read()]);
  };
  const say = async (sessionId: string): Promise<unknown> => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } };
    await agent.write({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
    return Reflect.get(Object(told.at(-1)), "params").update.messageId;
  };
  await ask(0, "initialize", { protocolVersion: 2 });
  await ask(1, "session/prompt", { sessionId: "a", prompt: [] });
  await ask(2, "session/prompt", { sessionId: "b", prompt: [] });
  const [first, other, more] = [await say("a"), await say("b"), await say("a")];
  await agent.write({ jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } });
  await ask(3, "session/prompt", { sessionId: "a", prompt: [] });
  expect(more).toBe(first);
  expect(new Set([first, other, await say("a")]).size).toBe(3);
});
