// Answers of the model that end too early: the client is told, and nothing of them is offered for writing.
import { describe, expect, test } from "vitest";
import {
  type FlowAnswer,
  type Mocked,
  buttonsOf,
  expectNothingToWrite,
  flowRequest,
  messagesSeen,
  runFlow,
  startMocked,
} from "../../helpers/e2e-aimock.ts";
import { ask } from "../../helpers/e2e-server.ts";
import {
  aboutCart,
  cases,
  cause,
  docEdit,
  fileEdit,
  goodEdit,
  optimizeEdit,
  testFile,
} from "../../helpers/e2e-flow-answers.ts";

/** The role, and as many pieces of this size as come before the cut. */
const chunkSize = 10;
const chunksBefore = (text: string, cut: string): number =>
  1 + Math.floor(text.indexOf(cut) / chunkSize);
/** So that what was written before the cut has left. */
const latency = 5;

const prose = "It adds up the prices of all items, one after the other. 逐个相加。\n";

const flows = [
  { command: "explain", content: prose, cut: "one after" },
  { command: "fix", content: cause + goodEdit, cut: "sum += item" },
  { command: "optimize", content: `One pass.\n\n${optimizeEdit}`, cut: "reduce" },
  { command: "docstring", content: `A comment.\n\n${docEdit}`, cut: "prices of" },
  { command: "unittest-write", content: testFile, cut: "toBe(0)" },
];

function expectErrorChunk(answer: FlowAnswer, code: string): void {
  expect(answer.reasons).toEqual(["error"]);
  expect(answer.error).toMatchObject({ type: "upstream_error", code });
  expect(answer.said).toMatch(/so it is incomplete\.$/);
  expect(answer.actions).toEqual([]);
  expectNothingToWrite(answer);
}

describe.each(flows)("$command", ({ command, content, cut }) => {
  test.each([
    {
      how: "after some chunks",
      options: () => ({ truncateAfterChunks: chunksBefore(content, cut) }),
    },
    { how: "by a disconnect", options: () => ({ disconnectAfterMs: 150, latency: 50 }) },
  ])("that is cut $how ends in an error chunk and offers nothing", async ({ options }) => {
    const mocked = await startMocked((mock) =>
      mock.onMessage(aboutCart, { content }, { chunkSize, latency, ...options() }),
    );
    expectErrorChunk(await runFlow(mocked, command), "upstream_truncated");
    expect(messagesSeen(mocked.mock)).toHaveLength(1);
  });
});

async function expectRefusal({ server }: Mocked, command: string): Promise<void> {
  const refusal = await ask(server.url, { body: flowRequest(command) });
  expect(refusal.status).toBe(502);
  expect(JSON.parse(refusal.text)).toMatchObject({ error: { code: "upstream_truncated" } });
}

test.each([
  { command: "docstring", content: docEdit, cut: "prices of" },
  { command: "unittest", content: cases, cut: "edge case" },
])("$command that is cut before any text for the person is a 502", async (flow) => {
  const { command, content, cut } = flow;
  const truncateAfterChunks = chunksBefore(content, cut);
  const mocked = await startMocked((mock) =>
    mock.onMessage(aboutCart, { content }, { chunkSize, latency, truncateAfterChunks }),
  );
  await expectRefusal(mocked, command);
});

describe("an answer that the model's limit of tokens has cut", () => {
  const over = (content: string): Promise<Mocked> =>
    startMocked((mock) => mock.onMessage(/./, { content, finishReason: "length" }));

  const secondUnit = fileEdit("  return items.length;\n", "  return items?.length;\n");
  const bothUnits =
    goodEdit.replace("</file-edit>\n", "") + secondUnit.split("\n").slice(1).join("\n");

  test.each([
    { where: "inside of a unit", content: cause + goodEdit.slice(0, goodEdit.indexOf("+= ")) },
    { where: "inside of the second unit", content: bothUnits.slice(0, bothUnits.indexOf("?.")) },
    { where: "before the end of the block", content: goodEdit.replace("</file-edit>\n", "") },
    { where: "after a whole block", content: `${cause + goodEdit}What is more,` },
  ])("$where is not applied, and the model is not asked again", async ({ content }) => {
    const mocked = await over(content);
    const answer = await runFlow(mocked, "fix");
    expect(answer.said).toContain("**Nothing was changed**: the change was cut off.");
    expect(answer.reasons).toEqual(["length"]);
    expect(buttonsOf(answer)).toEqual(["fix"]);
    expectNothingToWrite(answer);
    expect(messagesSeen(mocked.mock)).toHaveLength(1);
  });
});
