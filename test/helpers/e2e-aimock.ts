// The product in front of a mock model server that others wrote, and what a flow's client sees of it.
import { type ChatCompletionRequest, LLMock, type MockServerOptions } from "@copilotkit/aimock";
import { expect, onTestFinished } from "vitest";
import { type Action, Action as ActionSchema } from "../../src/turn/action.ts";
import { createFrameReader } from "../../src/base/wire/sse-frames.ts";
import { type ReadAnswer, type TestServer, ask, readAnswer, startRightseat } from "./e2e-server.ts";

export interface Mocked {
  mock: LLMock;
  server: TestServer;
}

/** Starts both on free ports of loopback, until the test is over. */
export async function startMocked(
  add: (mock: LLMock) => void,
  options: MockServerOptions = {},
): Promise<Mocked> {
  const mock = await startAimock(add, options);
  const server = await startRightseat({
    RIGHTSEAT_OPENAI_BASE_URL: `${mock.url}/v1`,
    RIGHTSEAT_OPENAI_API_KEY: "mock",
    retryBackoff: 20,
    // A slow machine must not turn a refusal into an error chunk.
    firstByteHold: 9_000,
  });
  onTestFinished(() => server.close());
  return { mock, server };
}

export async function startAimock(
  add: (mock: LLMock) => void,
  options: MockServerOptions = {},
): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent", ...options });
  add(mock);
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

/** What the model was sent, request by request. */
export function messagesSeen(mock: LLMock): { role: string; content: string }[][] {
  return mock.getRequests().map(({ body }) => {
    // aimock's journal holds what was posted to its chat route.
    const { messages } = body as ChatCompletionRequest;
    return messages.map(({ role, content }) => ({
      role,
      content: typeof content === "string" ? content : JSON.stringify(content),
    }));
  });
}

/** The last message of the n-th request, from 0. */
export function lastMessage(mock: LLMock, nth = 0): string {
  return messagesSeen(mock)[nth]?.at(-1)?.content ?? "";
}

export const path = "src/cart.js";

/** The fault is in line 4. */
export const cart = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum =+ item.price;
  }
  return sum;
}

export function count(items) {
  return items.length;
}
`;

const packageJson = '{ "name": "shop", "devDependencies": { "vitest": "5.0.0" } }';

export interface FlowOptions {
  /** What the person has written; without it the flow's own request counts. */
  prompt?: string;
  language?: string;
  /** `total` is selected where this says nothing. */
  isSelected?: boolean;
}

/** What an IDE posts for a command on `cart`. */
export function flowRequest(command: string, options: FlowOptions = {}): string {
  const { prompt, language = "en", isSelected = true } = options;
  const selected = cart.split("\n").slice(0, 7).join("\n");
  const range = { content: selected, startLine: 1, startColumn: 1, endLine: 7, endColumn: 2 };
  const activeEditor = {
    filePath: path,
    language: "javascript",
    content: cart,
    selectedRanges: isSelected ? [range] : [],
  };
  const contextVariables = [
    { name: "activeEditor", value: activeEditor },
    { name: "packageFiles", value: [{ filepath: "package.json", content: packageJson }] },
    ...(prompt === undefined ? [] : [{ name: "userInputPrompt", value: prompt }]),
  ];
  return JSON.stringify({ agent: "rightseat", command, language, contextVariables });
}

export interface FlowAnswer extends ReadAnswer {
  /** As it stood on the wire. */
  text: string;
  actions: Action[];
}

/** Runs a flow whose answer is a stream, and reads that strictly. */
export async function runFlow(
  { server }: Mocked,
  command: string,
  options: FlowOptions = {},
): Promise<FlowAnswer> {
  const { status, text } = await ask(server.url, { body: flowRequest(command, options) });
  expect({ status, text }).toEqual({ status: 200, text });
  return { ...readAnswer(text), text, actions: actionsIn(text) };
}

function actionsIn(text: string): Action[] {
  const frames = createFrameReader(text.length + 1).feed(text);
  return frames
    .filter(({ event }) => event === "copilot_action")
    .map(({ data }) => ActionSchema.parse(JSON.parse(data)));
}

/** The commands of the buttons, in their order. */
export function buttonsOf({ actions }: FlowAnswer): (string | undefined)[] {
  return actions.flatMap((action) => (action.action === "confirm" ? [action.data.command] : []));
}

/** Fails if anything that a client could write to a file was shown or offered. */
export function expectNothingToWrite({ said, actions }: FlowAnswer): void {
  expect(said).not.toContain("**New code**");
  expect(said).not.toContain("+++ b/");
  expect(JSON.stringify(actions)).not.toContain("REPLACE");
}
