import { cliTexts } from "../../../src/cli/texts.ts";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createTerminal } from "../../../src/cli/call/terminal.ts";
import type { AnswerPart } from "../../../src/cli/call/show/print-answer.ts";
import { type Heard, type TalkOptions, createTalk } from "../../../src/cli/ws/talk.ts";
import { scriptedSocket } from "./scripted-socket.ts";

const request = { request_id: 1, cmd: "exec_explain" };

function start(given: Partial<TalkOptions> = {}) {
  const socket = scriptedSocket();
  const [out, err] = [new PassThrough(), new PassThrough()];
  const options: TalkOptions = {
    socket,
    answerIde: async (path) => ({ result: path }),
    answerModel: () => undefined,
    signal: new AbortController().signal,
    texts: cliTexts("en"),
    terminal: createTerminal(out, err),
    command: "explain",
    root: "/shop",
    ...given,
  };
  const heard: Heard = { text: "", taskId: undefined };
  return { socket, out, err, heard, parts: createTalk(options)(request, heard) };
}

async function readAll(parts: AsyncIterable<AnswerPart>): Promise<AnswerPart[]> {
  const read: AnswerPart[] = [];
  for await (const part of parts) read.push(part);
  return read;
}

const failed = (message: unknown): object => ({ type: "failure", sentence: "", message });
const text = (content: string): object => ({ type: "text-delta", text: content });
const piece = (msg: string, isEnd: boolean, more: object = {}): object => ({
  request_id: 1,
  msg,
  stream_seq_id: 0,
  stream_finsh: isEnd,
  ...more,
});

describe("an answer", () => {
  test("is the text of its frames up to the last one, with the id of its task", async () => {
    const { socket, heard, parts } = start();
    socket.say(piece("one ", false), piece("two", false), piece("", true, { task_id: "t1" }));
    socket.say(piece("never", false));
    expect(await readAll(parts)).toEqual([text("one "), text("two")]);
    expect(socket.sent).toEqual([request]);
    expect(heard).toEqual({ text: "one two", taskId: "t1" });
  });

  test("may come in one frame, with an empty error as the document allows", async () => {
    const { socket, parts } = start();
    socket.say({ request_id: 1, msg: "all", error: "" });
    expect(await readAll(parts)).toEqual([text("all")]);
  });

  test("may be a list of models", async () => {
    const { socket, parts } = start();
    socket.say({ request_id: 1, models: ["a", "b"] });
    expect(await readAll(parts)).toEqual([text("a\n"), text("b\n")]);
  });

  test("goes on after a place in the queue and after frames of another request", async () => {
    const { socket, out, err, parts } = start({ raw: true });
    const told = start();
    const queued = { request_id: 1, queue_place: 2 };
    socket.say(queued, { request_id: 0, error: "old" }, piece("x", true));
    expect(await readAll(parts)).toEqual([text("x")]);
    expect(String(out.read()).split("\n")).toHaveLength(4);
    expect(err.read()).toBeNull();
    told.socket.say(queued, piece("x", true));
    await readAll(told.parts);
    expect(String(told.err.read())).toBe("Number 2 in the queue.\n");
  });
});

describe("a failure", () => {
  test.each<[string, unknown, RegExp]>([
    ["of the agent", { request_id: 1, error: "The model is gone." }, /^The model is gone\.$/],
    ["without an id", { error: "The message is not valid JSON." }, /not valid JSON/],
    ["of a full queue", { request_id: 1, error: "queue_full", queue_length: 7 }, /7 tasks wait/],
    ["of a task that was replaced", { request_id: 1, error: "cancelled" }, /Another task/],
    ["that is no JSON", "<html>", /does not have/],
    ["that is no object", "[1]", /does not have/],
    ["with fields of other types", { request_id: 1, msg: 7 }, /does not have/],
  ])("%s ends the answer", async (_, message, why) => {
    const { socket, parts } = start();
    socket.say(piece("begun ", false), message);
    expect(await readAll(parts)).toEqual([text("begun "), failed(expect.stringMatching(why))]);
  });

  test("tells how the connection was closed", async () => {
    const { socket, parts } = start();
    socket.say(piece("begun", false));
    socket.hangUp(1012, "The server restarts.");
    expect(await readAll(parts)).toEqual([
      text("begun"),
      failed(expect.stringContaining("(1012: The server restarts.)")),
    ]);
  });
});

test("an abort ends the answer without a word", async () => {
  const stop = new AbortController();
  const { socket, parts } = start({ signal: stop.signal });
  socket.say(piece("begun", false));
  expect(await parts.next()).toMatchObject({ value: text("begun") });
  stop.abort();
  await socket.close();
  expect(await parts.next()).toEqual({ done: true, value: undefined });
});

describe("a question of the agent", () => {
  const ask = (id: string): object => ({
    ide_request_id: id,
    path: "/p",
    params: { abspath: "/shop/a" },
  });

  test("is answered while the answer is awaited", async () => {
    const { socket, err, parts } = start({ receipt: true });
    socket.say(ask("ide-1"));
    const rest = readAll(parts);
    await socket.hasSent(2);
    socket.say(piece("", true));
    await rest;
    expect(socket.sent[1]).toEqual({ ide_request_id: "ide-1", result: "/p" });
    expect(String(err.read())).toBe("The agent asks /p a (2 characters sent)\n");
  });

  test("that cannot be answered gets an error", async () => {
    const { socket, parts } = start({ answerIde: () => Promise.reject(new Error("secret")) });
    socket.say(ask("ide-1"));
    const rest = readAll(parts);
    await socket.hasSent(2);
    socket.say(piece("", true));
    await rest;
    expect(socket.sent[1]).toEqual({
      ide_request_id: "ide-1",
      error: "The question could not be answered.",
    });
  });

  test("is refused where 64 wait for their answers", async () => {
    const { promise, resolve } = Promise.withResolvers<{ result: unknown }>();
    const { socket, parts } = start({ answerIde: () => promise });
    socket.say(...Array.from({ length: 65 }, (_, nth) => ask(`ide-${nth}`)));
    const rest = readAll(parts);
    await socket.hasSent(2);
    expect(socket.sent[1]).toEqual({
      ide_request_id: "ide-64",
      error: "Too many questions at once.",
    });
    resolve({ result: [] });
    await socket.hasSent(66);
    socket.say(piece("", true));
    await rest;
  });
});
