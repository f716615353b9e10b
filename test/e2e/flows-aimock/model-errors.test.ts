// Failures of the model's server at a flow's first question and at its second.
import { describe, expect, test } from "vitest";
import {
  buttonsOf,
  expectNothingToWrite,
  flowRequest,
  messagesSeen,
  runFlow,
  startMocked,
} from "../../helpers/e2e-aimock.ts";
import {
  aboutCart,
  cases,
  casesAgain,
  cause,
  editAgain,
  goodEdit,
  misfit,
} from "../../helpers/e2e-flow-answers.ts";
import { type TestServer, ask, readAnswer, startRightseat } from "../../helpers/e2e-server.ts";
import { eventStream, startUpstream } from "../../helpers/e2e-upstream.ts";
import { chunk, frame } from "../../helpers/upstream.ts";

/** Longer than the product waits for, so that a 429 is final. */
const retryAfter = 30;
const words = "words of the upstream";
const failures = [
  { failure: "HTTP 500", given: { status: 500 }, status: 502, code: "upstream_error", tries: 2 },
  { failure: "HTTP 429", given: { status: 429 }, status: 429, code: "rate_limited", tries: 1 },
];
const errorOf = (given: object) => ({
  error: { message: words, type: "any", code: "any" },
  retryAfter,
  ...given,
});
const malformed = { chaos: { malformedRate: 1 } };

async function expectRefusal(
  server: TestServer,
  command: string,
  status: number,
  code: string,
): Promise<void> {
  const refusal = await ask(server.url, { body: flowRequest(command) });
  expect(refusal.status).toBe(status);
  expect(JSON.parse(refusal.text)).toMatchObject({ error: { code } });
  expect(refusal.text).not.toContain(words);
}

describe("at the first question", () => {
  const commands = ["explain", "fix", "optimize", "docstring", "unittest", "unittest-write"];

  describe.each(commands)("%s", (command) => {
    test.each(failures)("answers $failure with $status", async (failure) => {
      const { given, status, code, tries } = failure;
      const { mock, server } = await startMocked((it) => it.onMessage(/./, errorOf(given)));
      await expectRefusal(server, command, status, code);
      expect(messagesSeen(mock)).toHaveLength(tries);
    });

    test("answers JSON that is broken with 502", async () => {
      const { server } = await startMocked((it) => it.onMessage(/./, { content: "" }, malformed));
      await expectRefusal(server, command, 502, "upstream_invalid");
    });
  });

  test.each([
    { command: "fix", content: cause + goodEdit, button: "fix" },
    { command: "unittest", content: cases, button: "unittest-write" },
  ])("$command gets over one 500 by a second try", async ({ command, content, button }) => {
    const mocked = await startMocked((it) =>
      it.onMessage(aboutCart, { content }).nextRequestError(500, { message: words }),
    );
    expect(buttonsOf(await runFlow(mocked, command))[0]).toBe(button);
    const [first, second] = messagesSeen(mocked.mock);
    expect(second).toEqual(first);
  });
});

describe("at the second question of fix", () => {
  const over = (add: Parameters<typeof startMocked>[0]) =>
    startMocked((mock) => {
      add(mock);
      mock.onMessage(aboutCart, { content: cause + misfit });
    });

  test.each(failures)("$failure ends in an error chunk", async ({ given, code, tries }) => {
    const mocked = await over((mock) => mock.onMessage(editAgain, errorOf(given)));
    const answer = await runFlow(mocked, "fix");
    expect(answer.reasons).toEqual(["error"]);
    expect(answer.error).toMatchObject({ code });
    expect(answer.text).not.toContain(words);
    expect(answer.actions).toEqual([]);
    expectNothingToWrite(answer);
    expect(messagesSeen(mocked.mock)).toHaveLength(1 + tries);
  });

  test("JSON that is broken ends in an error chunk", async () => {
    const mocked = await over((mock) => mock.onMessage(editAgain, { content: "" }, malformed));
    const answer = await runFlow(mocked, "fix");
    expect(answer.reasons).toEqual(["error"]);
    expect(answer.error?.code).toBe("upstream_invalid");
    expect(answer.actions).toEqual([]);
    expectNothingToWrite(answer);
  });
});

describe("at the second question of unittest, which has said nothing yet", () => {
  const over = (add: Parameters<typeof startMocked>[0]) =>
    startMocked((mock) => {
      add(mock);
      mock.onMessage(aboutCart, { content: "Sure, here they are!" });
    });

  test.each(failures)("$failure is answered with $status", async (failure) => {
    const { given, status, code, tries } = failure;
    const { mock, server } = await over((it) => it.onMessage(casesAgain, errorOf(given)));
    await expectRefusal(server, "unittest", status, code);
    expect(messagesSeen(mock)).toHaveLength(1 + tries);
  });

  test("JSON that is broken is answered with 502", async () => {
    const { server } = await over((it) => it.onMessage(casesAgain, { content: "" }, malformed));
    await expectRefusal(server, "unittest", 502, "upstream_invalid");
  });
});

test.each([
  { command: "fix", first: cause + misfit, again: editAgain, second: goodEdit, button: "fix" },
  {
    command: "unittest",
    first: "Sure, here they are!",
    again: casesAgain,
    second: cases,
    button: "unittest-write",
  },
])("one 500 at the second question of $command is got over by a second try", async (flow) => {
  const { command, first, again, second, button } = flow;
  const mocked = await startMocked((mock) =>
    mock
      .on({ userMessage: again, sequenceIndex: 0 }, errorOf({ status: 500 }))
      .on({ userMessage: again, sequenceIndex: 1 }, { content: second })
      .onMessage(aboutCart, { content: first }),
  );
  const answer = await runFlow(mocked, command);
  expect(answer.reasons).toEqual(["stop"]);
  expect(buttonsOf(answer)[0]).toBe(button);
  expect(messagesSeen(mocked.mock)).toHaveLength(3);
});

// aimock breaks a whole body; an event between good ones is broken by an upstream of our own.
describe("an event that is no JSON in the middle of a stream", () => {
  const broken = frame('{"choices":[{"index":0,"delta":{"content":"x');

  test.each(["explain", "fix", "optimize", "docstring", "unittest-write"])(
    "of %s ends in an error chunk and offers nothing",
    async (command) => {
      await using upstream = await startUpstream(({ socket }) => {
        const good = [`A fault.\n\n${goodEdit}`, cases, "text"].map((content) =>
          frame(chunk({ content })),
        );
        socket.end(eventStream + good.join("") + broken + frame(chunk({}, "stop")));
      });
      await using server = await startRightseat({
        RIGHTSEAT_OPENAI_BASE_URL: `${upstream.url}/v1`,
        RIGHTSEAT_OPENAI_API_KEY: "mock",
      });
      const { status, text } = await ask(server.url, { body: flowRequest(command) });
      expect({ status, text }).toEqual({ status: 200, text });
      const { reasons, error } = readAnswer(text);
      expect(reasons).toEqual(["error"]);
      expect(error?.code).toBe("upstream_invalid");
      expect(text).not.toContain("event: copilot_action");
      expect(text).not.toContain("**New code**");
      expect(upstream.requests).toHaveLength(1);
    },
  );
});
