// Talks in an app of a test: what a door that keeps conversations asks of the house.
import type { AppError } from "../../src/base/errors/app-error.ts";
import type { DoorHost } from "../../src/doors/http/door.ts";
import type { Talk } from "../../src/index.ts";
import type { ChatMessage } from "../../src/turn/chat-message.ts";
import type { ChatModel } from "../../src/turn/chat-model.ts";
import type { EndReason, ModelAnswer, TurnEvent } from "../../src/turn/turn-event.ts";
import type { Tool, CommonUse } from "../../src/tools/tool.ts";
import { type TestAppOptions, createTestApp } from "./create-test-app.ts";

export interface TalkRun {
  events: TurnEvent[];
  answers: ModelAnswer[];
  results: { id: string; content: unknown }[];
  failure: AppError | undefined;
  end: EndReason | undefined;
}

export interface TestTalk extends Partial<Omit<Talk, "messages">> {
  messages: readonly ChatMessage[];
  signal?: AbortSignal;
}

/** The house as a door sees it. */
export function openHost(options: TestAppOptions<ChatModel> & { models: ChatModel }): DoorHost {
  let host: DoorHost | undefined;
  const door = { name: "probe", mount: (_: unknown, given: DoorHost) => void (host = given) };
  createTestApp({ ...options, doors: [door] });
  if (host === undefined) throw new Error("The door was not mounted.");
  return host;
}

/** The events of a talk, as they come. */
export async function* talkEvents(
  host: DoorHost,
  { messages, signal = new AbortController().signal, ...given }: TestTalk,
): AsyncGenerator<TurnEvent, void, void> {
  const caller = { forward: () => ({}) };
  const admission = host.admit(caller);
  const turn = host.resolve({
    id: admission.id,
    agent: "rightseat",
    definition: undefined,
    command: undefined,
    variables: [],
    history: [],
    models: [],
    languages: ["en"],
    caller,
    signal,
    extra: {},
  });
  const limits = { maxRounds: 25, maxTurnTokens: 1_000_000, maxTurnTime: 1_800_000 };
  yield* host.converse(admission, turn, { tools: [], parameters: {}, limits, ...given, messages });
}

/** Runs a talk to its end. */
export async function runTalk(host: DoorHost, given: TestTalk): Promise<TalkRun> {
  const run: TalkRun = { events: [], answers: [], results: [], failure: undefined, end: undefined };
  for await (const event of talkEvents(host, given)) {
    run.events.push(event);
    if (event.type === "model-answer") run.answers.push(event.answer);
    if (event.type === "tool-result")
      run.results.push({ id: event.result.id, content: JSON.parse(event.result.content) });
    if (event.type === "turn-error") run.failure = event.error;
    if (event.type === "turn-end") run.end = event.reason;
  }
  return run;
}

/** A tool that answers by what it is given. */
export function anyTool<Input>(
  parts: Pick<Tool<Input, CommonUse>, "name" | "input" | "run"> & Partial<Tool<Input, CommonUse>>,
): Tool<Input, CommonUse> {
  const text = `The tool ${parts.name}.`;
  return { description: { en: text, zh: text }, fields: {}, effect: "read", ...parts };
}
