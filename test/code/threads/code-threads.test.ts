// With real threads.
import { setImmediate as turnLoop } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { createCodeThreads } from "../../../src/setup/threads/create-code-threads.node.ts";
import { loadGrammars } from "../../../src/setup/load-grammars.node.ts";
import { spawnThreads } from "../../../src/setup/threads/spawn-thread.node.ts";
import { createCodeParser } from "../../../src/setup/create-code-parser.ts";
import type { CodeThreads, CodeTrouble } from "../../../src/code/threads/create-code-pool.ts";
import { createHostileFile } from "../../helpers/hostile-files.ts";
import { seededRandom } from "../../helpers/seeded-random.ts";
import { codeParserSuite } from "../code-parser-suite.ts";
import { everything } from "../read-fixture.ts";
import { cases } from "../../helpers/cases.ts";

test("where the module of the thread is missing, the thread ends before it is ready", async () => {
  const cause = await new Promise((resolve) => {
    const fail = (): void => resolve("The thread started.");
    spawnThreads("no-such-thread")({ onReady: fail, onAnswer: fail, onEnd: resolve });
  });
  expect(String(cause)).toContain("no-such-thread.node.ts");
});

/** What a shared machine may need for a thread and a text that is easy. */
const patient = { maxWait: 60_000, maxTime: 60_000 };
/** A grammar reads it for seconds, and looks at no clock meanwhile. */
const endless = "a<".repeat(300_000);

const started: CodeThreads[] = [];
function create(options: Parameters<typeof createCodeThreads>[0]): CodeThreads {
  const threads = createCodeThreads(options);
  started.push(threads);
  return threads;
}
afterAll(() => {
  for (const threads of started) threads.close();
});

describe("the parser of the thread that asks", () => {
  codeParserSuite((limits) => createCodeParser(loadGrammars(), limits));
});

describe("the parser with threads", () => {
  codeParserSuite((limits) => create({ ...patient, ...limits }));
});

test("a text that takes too long ends with the plain analysis, and the loop turns meanwhile", async () => {
  const troubles: CodeTrouble[] = [];
  const parser = create({
    maxWait: 60_000,
    // A fast machine gives the text up after less than a second, with no memory left.
    maxTime: 100,
    onTrouble: (one) => troubles.push(one),
  });
  const asked = parser.analyze(endless, "typescript");
  const state = { isOver: false };
  void asked.finally(() => (state.isOver = true));
  let turns = 0;
  for (; !state.isOver; turns++) await turnLoop();
  expect((await asked).language).toBeUndefined();
  expect(turns).toBeGreaterThan(100);
  expect(troubles[0]).toMatchObject({
    failure: { type: "late" },
    instead: "plain",
    characters: 600_000,
  });
  // Its thread was replaced.
  expect((await parser.analyze("let a;", "markdown")).language).toBeUndefined();
});

test("code for a large file is applied in a thread, and the loop turns meanwhile", async () => {
  const parser = create(patient);
  const lines = Array.from({ length: 60_000 }, (_, nth) => `line(${nth});\n`);
  const before = lines.join("");
  const after = lines.with(30_000, "changed();\n").join("");
  const state = { isOver: false };
  const applied = parser.applyCode?.(
    { before, code: after, options: {} },
    new AbortController().signal,
  );
  void applied?.finally(() => (state.isOver = true));
  let turns = 0;
  for (; !state.isOver; turns++) await turnLoop();
  expect(await applied).toMatchObject({ ok: true, text: after });
  expect(turns).toBeGreaterThan(10);
});

test("when the clients of many such texts have left, the next text is read", async () => {
  const troubles: CodeTrouble[] = [];
  const parser = create({ ...patient, size: 1, onTrouble: (one) => troubles.push(one) });
  await parser.analyze("let a;", "typescript");
  const controller = new AbortController();
  const asked = Array.from({ length: 8 }, (_, nth) =>
    parser.analyze(`${endless}${nth}`, "typescript", undefined, controller),
  );
  const ends = Promise.allSettled(asked);
  for (let turns = 0; turns < 10; turns++) await turnLoop();
  controller.abort();
  expect((await ends).map(({ status }) => status)).toEqual(asked.map(() => "rejected"));
  // All of the eight take longer than a thread has.
  expect((await parser.analyze("let b;", "typescript")).language).toBe("typescript");
  expect(troubles).toEqual([]);
});

test("every hostile file ends with an analysis whose ranges lie in the file", async () => {
  const parser = create({ maxWait: 60_000, maxTime: 1_000 });
  const random = seededRandom(42);
  for (let nth = 0; nth < cases(6); nth++) {
    const { path, language, text } = createHostileFile(random);
    const { source, symbols, branchesIn } = await parser.analyze(text, language, path);
    const ends = symbols.map(({ range }) => range.endLine);
    const lines = branchesIn(everything).map(({ line }) => line);
    const last = [...ends, ...lines].reduce((most, line) => Math.max(most, line), 1);
    expect([path, last <= source.lineCount]).toEqual([path, true]);
  }
});
