import { cliTexts } from "../../../../src/cli/texts.ts";
import { expect, test } from "vitest";
import { type CommandEnd, createCheck } from "../../../../src/cli/code/run-check.ts";
import type { Person } from "../../../../src/cli/code/ask.ts";

const { signal } = new AbortController();

interface Setup {
  isYes?: boolean;
  /** What the person says each time. */
  answers?: boolean[];
  /** The guarded files that have changed at each look. */
  changed?: string[][];
  end?: CommandEnd;
}

function setUp({ isYes = false, answers, changed = [], end }: Setup) {
  const log: string[] = [];
  const [left, looks] = [[...(answers ?? [])], [...changed]];
  const person: Person = {
    answer: () => Promise.resolve(""),
    judge: (question) => {
      if (question.kind !== "check") return Promise.resolve({ kind: "no" });
      log.push(`asked ${[...question.command, ...question.changed].join(" ")}`);
      return Promise.resolve({ kind: left.shift() ? "yes" : "no" });
    },
  };
  const check = createCheck({
    command: ["npm", "run", "the tests"],
    run: () => {
      log.push("ran");
      return Promise.resolve(end ?? { kind: "ended", code: 0, signal: null, output: "ok" });
    },
    timeLimit: 60_000,
    isYes,
    person: answers === undefined ? undefined : person,
    watch: {
      accept: () => {},
      findChanged: () => Promise.resolve(looks.shift() ?? []),
      renew: () => Promise.resolve(void log.push("renewed")),
    },
    texts: cliTexts("en"),
  });
  return { check: () => check(signal), log };
}

const command = "npm run 'the tests'";

test("at a terminal it is asked for once, and a no is for the whole run", async () => {
  const yes = setUp({ answers: [true] });
  expect(await yes.check()).toEqual({
    ran: true,
    passed: true,
    command,
    exit: "exit code 0",
    output: "ok",
  });
  await yes.check();
  expect(yes.log).toEqual(["asked npm run the tests", "ran", "renewed", "ran", "renewed"]);
  const no = setUp({ answers: [false] });
  for (let nth = 0; nth < 2; nth += 1)
    expect(await no.check()).toEqual({ ran: false, command, reason: "you did not want it." });
  expect(no.log).toEqual(["asked npm run the tests"]);
});

test("without a terminal it runs with --yes only", async () => {
  const silent = setUp({});
  expect(await silent.check()).toMatchObject({
    ran: false,
    reason: expect.stringContaining("--yes"),
  });
  expect(silent.log).toEqual([]);
  expect(await setUp({ isYes: true }).check()).toMatchObject({ ran: true });
});

test("with --yes it does not run when guarded files have changed behind the person's back", async () => {
  const { check, log } = setUp({ isYes: true, changed: [["package.json", "a\u001b[2Jb"]] });
  expect(await check()).toMatchObject({
    ran: false,
    reason: expect.stringContaining("package.json, a\\x1b[2Jb"),
  });
  expect(log).toEqual([]);
});

test("the person who agreed is asked again when guarded files have changed since", async () => {
  const { check, log } = setUp({ answers: [true, false], changed: [[], ["Makefile"]] });
  await check();
  expect(await check()).toMatchObject({ ran: false });
  expect(log.at(-1)).toBe("asked npm run the tests Makefile");
});

test.each([
  [
    { kind: "ended", code: 2, signal: null, output: "bad" },
    { passed: false, exit: "exit code 2" },
  ],
  [
    { kind: "ended", code: null, signal: "SIGSEGV", output: "" },
    { passed: false, exit: "ended by SIGSEGV" },
  ],
  [
    { kind: "timeout", output: "slow" },
    { passed: false, exit: "stopped after 60 s", output: "slow" },
  ],
  [
    { kind: "not-started", code: "ENOENT" },
    { ran: false, reason: "there is no such program." },
  ],
] satisfies [CommandEnd, object][])("%j is told as it is", async (end, told) => {
  expect(await setUp({ isYes: true, end }).check()).toMatchObject(told);
});
