// What we send and print, held against OpenAI's own types; the product does without them.
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import { RefusedParameters, toCall } from "../../../src/model/chat/chat-api.ts";
import type { ChatRequest } from "../../../src/turn/chat-model.ts";
import {
  printChunk,
  printCompletion,
  printUsageChunk,
} from "../../../src/model/chat/chat-chunk.ts";

const head = { id: "chatcmpl-1", created: 1, model: "m" };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

test("parameters of a request are those of the API", () => {
  const request: ChatRequest = {
    messages: [{ role: "user", content: "Why?" }],
    temperature: 0.5,
    topP: 1,
    tools: [{ name: "f", description: "", parameters: { type: "object" } }],
    toolChoice: { name: "f" },
  };
  const refused = new RefusedParameters(Date.now);
  const target = { name: "m", baseUrl: "", headers: {}, model: "m", refused } as const;
  const { body } = toCall(request, { ...target, maxTokensField: "max_tokens" });
  const parameters = body satisfies Omit<
    ChatCompletionCreateParamsStreaming,
    "messages" | "model" | "response_format"
  >;
  expect(Object.keys(parameters).sort()).toEqual(
    "messages model stream temperature tool_choice tools top_p".split(" "),
  );
});

test("chunks and completions have every field that the API requires", () => {
  const chunk: Required<
    Pick<ChatCompletionChunk, "id" | "object" | "created" | "model" | "choices">
  > = { ...head, object: "chat.completion.chunk", choices: [] };
  const choice: ChatCompletionChunk.Choice = {
    index: 0,
    delta: { content: "a" },
    logprobs: null,
    finish_reason: null,
  };
  expect(JSON.parse(printChunk(head, { content: "a" }))).toEqual({ ...chunk, choices: [choice] });
  expect(JSON.parse(printUsageChunk(head, usage))).toEqual({ ...chunk, usage });
  const completion: ChatCompletion = {
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "a", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage,
  };
  const printed = printCompletion(head, { text: "a", reasoning: "", calls: [] }, "stop", usage);
  expect(JSON.parse(printed)).toEqual(completion);
});
