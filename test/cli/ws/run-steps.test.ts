import { cliTexts } from "../../../src/cli/texts.ts";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createTerminal } from "../../../src/cli/call/terminal.ts";
import { createTalk } from "../../../src/cli/ws/talk.ts";
import { type TickCases, createTickCases, runSteps } from "../../../src/cli/ws/run-ws.ts";
import {
  type RequestSources,
  buildFrame,
  collectCode,
  findSteps,
} from "../../../src/cli/ws/request.ts";
import { cart, openProject, parser } from "./test-project.ts";
import { scriptedSocket } from "./scripted-socket.ts";

async function sourcesOf(given: Partial<RequestSources> = {}): Promise<RequestSources> {
  const { root } = openProject();
  const place = { file: "shop/cart.py", lines: "8" };
  const code = await collectCode(place, root, root, parser);
  const shared = { command: "unittest", language: "en", model: "m", stream: true };
  return { ...shared, prompt: undefined, root, code, writes: false, ...given };
}

/** Runs a command in front of an agent that says these messages, one after each request. */
async function play(
  command: string,
  sources: RequestSources,
  answers: readonly object[],
  { raw = false, tick }: { raw?: boolean; tick?: TickCases } = {},
) {
  const socket = scriptedSocket();
  const [out, err] = [new PassThrough(), new PassThrough()];
  const terminal = createTerminal(out, err);
  const texts = cliTexts("en");
  const talk = createTalk({
    socket,
    answerIde: () => Promise.resolve({ error: "nothing" }),
    answerModel: () => undefined,
    signal: new AbortController().signal,
    texts,
    terminal,
    command,
    root: "/",
  });
  const steps = findSteps(command);
  const first = buildFrame(steps[0], 1, sources);
  socket.say(...answers);
  const options = { talk, sources, terminal, texts, raw, tick };
  const isSound = await runSteps(steps, first, options);
  return {
    isSound,
    sent: socket.sent,
    out: String(out.read() ?? ""),
    err: String(err.read() ?? ""),
  };
}

const cases = "1. happy path: adds two prices\n";

describe("unittest", () => {
  test("sends the cases back with their task, and the function for servers that have forgotten it", async () => {
    const sources = await sourcesOf({ prompt: "Use pytest." });
    const { isSound, sent, out } = await play("unittest", sources, [
      { request_id: 1, msg: cases, task_id: "turn-1" },
      { request_id: 2, msg: "def test_total(): ..." },
    ]);
    expect(isSound).toBe(true);
    expect(out).toBe(`${cases}\ndef test_total(): ...\n`);
    expect(sent).toMatchObject([
      {
        request_id: 1,
        cmd: "exec_unittest_recommend",
        model: "m",
        filepath: "shop/cart.py",
        file_content: cart,
        func_name: "total",
        func_location: { start: { line: 5, character: 0 } },
        func_symbols: [{ name: "total", kind: "Function" }],
        user_prompt: "Use pytest.",
        ide_services: [
          "/get_document_symbols",
          "/find_def_locations",
          "/find_type_def_locations",
          "/read_file",
        ],
        root: sources.root,
      },
      {
        request_id: 2,
        cmd: "exec_unittest_code",
        model: "m",
        test_cases_str: cases,
        task_id: "turn-1",
        user_prompt: "Use pytest.",
        function_name: "total",
        file_path: "shop/cart.py",
        relevant_content: cart,
      },
    ]);
  });

  test("writes no tests where no cases were recommended", async () => {
    const answer = { request_id: 1, msg: "There is nothing to test.", task_id: "turn-1" };
    const { isSound, sent, err } = await play("unittest", await sourcesOf(), [answer]);
    expect(isSound).toBe(true);
    expect(sent).toHaveLength(1);
    expect(err).toBe("No cases were recommended, so no tests are written.\n");
  });

  const several = "1. happy path: a\n2. edge case: b\n3. edge case: c\n";
  const answers = [
    { request_id: 1, msg: several, task_id: "turn-1" },
    { request_id: 2, msg: "tests" },
  ];

  test("sends the cases that the person ticks", async () => {
    const asked: (readonly string[])[] = [];
    const tick: TickCases = async (lines) => {
      asked.push(lines);
      return [0, 2];
    };
    const { sent } = await play("unittest", await sourcesOf(), answers, { tick });
    expect(asked).toEqual([["1. happy path: a", "2. edge case: b", "3. edge case: c"]]);
    expect(sent[1]).toMatchObject({ test_cases_str: "1. happy path: a\n3. edge case: c\n" });
  });

  test.each([[[]], [undefined]])("writes no tests where the person ticks %j", async (ticked) => {
    const tick = async (): Promise<readonly number[] | undefined> => ticked;
    const { isSound, sent, err } = await play("unittest", await sourcesOf(), answers, { tick });
    expect(isSound).toBe(true);
    expect(sent).toHaveLength(1);
    expect(err).toBe("No case is ticked, so no tests are written.\n");
  });

  test("writes no tests where the recommendation failed", async () => {
    const answer = { request_id: 1, error: "The model is gone." };
    const { isSound, sent, err } = await play("unittest", await sourcesOf(), [answer]);
    expect({ isSound, err }).toEqual({ isSound: false, err: "The model is gone.\n" });
    expect(sent).toHaveLength(1);
  });

  test("may be asked for its steps one by one", async () => {
    const sources = await sourcesOf();
    const recommended = await play("exec_unittest_recommend", sources, [
      { request_id: 1, msg: cases },
    ]);
    expect(recommended.sent).toHaveLength(1);
    const written = await play("exec_unittest_code", { ...sources, prompt: cases }, [
      { request_id: 1, msg: "tests" },
    ]);
    expect(written.sent).toMatchObject([{ test_cases_str: cases, function_name: "total" }]);
    expect(written.sent[0]).not.toHaveProperty("task_id");
  });
});

test("models are printed a line each, without control characters", async () => {
  const answer = { request_id: 1, models: ["a", "b\u001b[2J\nc"] };
  const { out } = await play("models", await sourcesOf({ code: undefined }), [answer]);
  expect(out).toBe("a\nb\\x1b[2J c\n");
});

test("a raw answer is left to whoever prints the messages, and its failure is told", async () => {
  const sources = await sourcesOf({ prompt: "Hi?" });
  const said = await play("chat", sources, [{ request_id: 1, msg: "Hello." }], { raw: true });
  expect(said).toMatchObject({ isSound: true, out: "", err: "" });
  const failed = await play("chat", sources, [{ request_id: 1, error: "Gone." }], { raw: true });
  expect(failed).toMatchObject({ isSound: false, out: "", err: "Gone.\n" });
});

test.each([false, true])(
  "work on files that a limit has stopped is not done (raw: %s)",
  async (raw) => {
    const sources = await sourcesOf({ prompt: "Do it.", code: undefined });
    const soundOf = async (command: string, finish_reason?: string) => {
      const answer = { request_id: 1, msg: "So far.", finish_reason };
      return (await play(command, sources, [answer], { raw })).isSound;
    };
    expect(await soundOf("code")).toBe(true);
    for (const reason of ["length", "content_filter"])
      expect(await soundOf("code", reason)).toBe(false);
    // An answer to read is what came of it.
    expect(await soundOf("chat", "length")).toBe(true);
  },
);

describe("a request", () => {
  test("about code has the selection and the window around it", async () => {
    const sources = await sourcesOf({ prompt: "Why?" });
    const request = buildFrame(findSteps("explain")[0], 1, sources);
    expect(request).toMatchObject({
      cmd: "exec_explain",
      user_prompt: "Why?",
      selected_text: { text: "    result = 0", range: { start: { line: 7, character: 0 } } },
      visible_text: { filepath: "shop/cart.py", range: { start: { line: 0, character: 0 } } },
      queue_place: true,
      stream: true,
    });
  });

  test("of a chat is the question, and nothing of the project", async () => {
    const sources = await sourcesOf({ prompt: "Why?", stream: false });
    expect(buildFrame(findSteps("chat")[0], 1, sources)).toEqual({
      request_id: 1,
      cmd: "exec_chat",
      language: "en",
      model: "m",
      stream: false,
      queue_place: true,
      msg: "Why?",
    });
  });

  test.each([
    ["explain", { code: undefined, command: "explain" }, "ws explain needs code. Name a file"],
    ["exec_unittest_code", { command: "exec_unittest_code" }, "needs test cases."],
  ])("of %s without what it needs is refused", async (command, given, why) => {
    const sources = await sourcesOf(given);
    expect(() => buildFrame(findSteps(command)[0], 1, sources)).toThrow(why);
  });
});

test("an answer that a limit of the model has ended is told to be cut", async () => {
  const sources = await sourcesOf({ prompt: "Hi?" });
  const answer = { request_id: 1, msg: "Hel", finish_reason: "length" };
  const { isSound, out, err } = await play("chat", sources, [answer]);
  expect({ isSound, out }).toEqual({ isSound: true, out: "Hel\n" });
  expect(err).toBe(`${cliTexts("en").modelStopped("length")}\n`);
});

test("the person ticks with the keyboard, and all cases are ticked at first", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const tick = createTickCases(cliTexts("en"), { input, output });
  const ticked = tick(["1. a\u001b[2J", "2. b", "3. c"]);
  await new Promise((resolve) => setImmediate(resolve));
  input.write("\u001b[B");
  input.write(" ");
  input.write("\r");
  expect(await ticked).toEqual([0, 2]);
  expect(String(output.read())).toContain("1. a\\x1b[2J");
});
