// Failures of the model's server at a flow's first question and at its second.
import { describe, expect, test } from "vitest";
import {
  expectNothingToWrite,
  flowRequest,
  messagesSeen,
  runFlow,
  startMocked,
} from "../../helpers/e2e-aimock.ts";
import { aboutCart, casesAgain, cause, editAgain, misfit } from "../../helpers/e2e-flow-answers.ts";
import { type TestServer, ask } from "../../helpers/e2e-server.ts";

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
