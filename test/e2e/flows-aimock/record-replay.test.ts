// aimock records what a model answers to the flows, and replays it where there is no model.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type FlowOptions,
  type Mocked,
  runFlow,
  startAimock,
  startMocked,
} from "../../helpers/e2e-aimock.ts";
import {
  cases,
  casesAgain,
  cause,
  docEdit,
  editAgain,
  goodEdit,
  misfit,
  optimizeEdit,
  testFile,
} from "../../helpers/e2e-flow-answers.ts";

/** Each with words of its own, by which the model behind aimock and the recordings know it. */
const turns: readonly (readonly [command: string, prompt: string])[] = [
  ["explain", "What does it add up?"],
  ["fix", "The sum is wrong."],
  ["fix", "Repair what comes out for two items."],
  ["optimize", "Use less memory."],
  ["docstring", "Document the parameter too."],
  ["unittest", "Recommend cases for empty lists."],
  ["unittest-write", "edge case: gives 0 for no items"],
];

/** The model behind the recorder: its answers to first and second questions. */
function startModel() {
  return startAimock((mock) => {
    mock
      .onMessage(editAgain, { content: goodEdit })
      .onMessage(casesAgain, { content: cases })
      .onMessage(/What does it add up/, { content: "It adds up 价格, all of them.\n" })
      .onMessage(/The sum is wrong/, { content: cause + goodEdit })
      .onMessage(/Repair what comes out/, { content: cause + misfit })
      .onMessage(/Use less memory/, { content: `One pass.\n\n${optimizeEdit}` })
      .onMessage(/Document the parameter/, { content: docEdit })
      .onMessage(/cases for empty lists/, { content: "Sure, here are some!" })
      .onMessage(/gives 0 for no items/, { content: testFile });
  });
}

/** What differs from answer to answer: ids, seconds, and seals. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/"id":"[^"]+"/g, '"id":"(id)"')
    .replaceAll(/"created":\d+/g, '"created":0')
    .replaceAll(/"treeId":"([a-z]+)-[^"]+"/g, '"treeId":"$1-(id)"')
    .replaceAll(/"state":"v1\.[^"]+"/g, '"state":"(sealed)"');
}

async function runAll(mocked: Mocked, language: string): Promise<string[]> {
  const streams: string[] = [];
  for (const [command, prompt] of turns) {
    const options: FlowOptions = { prompt, language };
    streams.push(withoutChance((await runFlow(mocked, command, options)).text));
  }
  return streams;
}

test.each(["en", "zh"])("what was recorded in %s is replayed event by event", async (language) => {
  const folder = await mkdtemp(join(tmpdir(), "recordings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const model = await startModel();
  const record = { providers: { openai: model.url }, fixturePath: folder };
  const recorder = await startMocked(() => undefined, { record });
  const recorded = await runAll(recorder, language);
  // A question for each flow, and a second one for the misfit and for what was no list of cases.
  expect(model.getRequests()).toHaveLength(turns.length + 2);

  expect((await readdir(folder, { recursive: true })).length).toBeGreaterThan(0);
  const replayer = await startMocked((mock) => mock.loadFixtureDir(folder), {
    strict: true,
    replaySpeed: 1_000,
  });
  const replayed = await runAll(replayer, language);
  expect(replayed).toEqual(recorded);
  const answered = replayer.mock.getRequests().filter(({ response }) => response.fixture !== null);
  expect(answered).toHaveLength(turns.length + 2);
  expect(model.getRequests()).toHaveLength(turns.length + 2);
});
