import { cliTexts } from "../../../../src/cli/texts.ts";
import { describe, expect, test } from "vitest";
import { type Person, createAsk, createAskCall } from "../../../../src/cli/code/ask.ts";
import { createGuard } from "../../../../src/cli/code/guard.ts";
import type { ApprovalQuestion } from "../../../../src/tools/tool.ts";
import { createApprovals } from "../../../../src/workspace/approvals.ts";
import { createGlobTest } from "../../../../src/workspace/search/match-glob.ts";
import type { FileChange } from "../../../../src/workspace/workspace.ts";

type Answer = Awaited<ReturnType<Person["judge"]>>;

const { signal } = new AbortController();
const judge = createGuard("/nowhere", (path) => path === "run.sh");

const change = (path: string): FileChange => ({
  path,
  before: { text: "a\n", hash: "h" },
  after: "b\n",
});
const asks = (...paths: string[]): ApprovalQuestion => ({
  kind: "change",
  changes: paths.map(change),
  diff: `diff of ${paths.join()}`,
  why: "",
});

interface Setup {
  isYes?: boolean;
  allow?: string[];
  /** What the person says, one answer after the other; absent: nobody is there. */
  answers?: Answer[];
}

function setUp({ isYes = false, allow = [], answers }: Setup) {
  const approvals = createApprovals({ now: () => 0 });
  const [asked, refused, guarded]: [string[], string[], string[]] = [[], [], []];
  const left = [...(answers ?? [])];
  const next = (): Promise<Answer> => {
    const answer = left.shift();
    if (answer === undefined) throw new Error("Nobody answers any more.");
    return Promise.resolve(answer);
  };
  const person: Person = {
    judge: (question) => {
      if (question.kind === "change") {
        const { changes, guard } = question;
        asked.push(`${guard ?? "change"} ${changes.map(({ path }) => path).join()}`);
      } else if (question.kind === "read") asked.push(`read ${question.path}`);
      return next();
    },
    answer: () => Promise.resolve(""),
  };
  const ask = createAsk({
    rules: {
      isYes,
      allows: allow.length === 0 ? () => false : createGlobTest(allow),
      guardOf: async (path) => judge([path]),
    },
    approvals,
    person: answers === undefined ? undefined : person,
    texts: cliTexts("en"),
    onRefusal: (paths) => refused.push(...paths),
    onGuarded: (path) => guarded.push(path),
  });
  return {
    ask: (question: ApprovalQuestion) => ask(question, signal),
    approvals,
    asked,
    refused,
    guarded,
    person,
  };
}

describe("without a terminal", () => {
  test("nothing is written unless it was allowed, and the model is told why", async () => {
    const { ask, refused } = setUp({});
    const decision = await ask(asks("src/a.js"));
    expect(decision).toMatchObject({ ok: false, reason: expect.stringContaining("--yes") });
    expect(refused).toEqual(["src/a.js"]);
  });

  test("--yes covers sources alone", async () => {
    const { ask, refused } = setUp({ isYes: true });
    expect(await ask(asks("src/a.js"))).toMatchObject({ ok: true });
    for (const path of [
      "package.json",
      "PACKAGE.JSON",
      "run.sh",
      ".github/workflows/a.yml",
      "docs/a.md",
    ])
      expect(await ask(asks(path))).toMatchObject({
        ok: false,
        reason: expect.stringContaining("always asked for"),
      });
    expect(await ask(asks("src/a.js", "AGENTS.md"))).toMatchObject({ ok: false });
    expect(refused).toHaveLength(7);
  });

  test("--allow covers the sources of its paths alone", async () => {
    const { ask } = setUp({ allow: ["src/**", "main.js", "*.json", "package.json"] });
    expect(await ask(asks("src/deep/a.js"))).toMatchObject({ ok: true });
    expect(await ask(asks("main.js"))).toMatchObject({ ok: true });
    expect(await ask(asks("data.json"))).toMatchObject({ ok: false });
    expect(await ask(asks("lib/a.js"))).toMatchObject({ ok: false });
    expect(await ask(asks("src/a.js", "lib/a.js"))).toMatchObject({ ok: false });
    expect(await ask(asks("package.json"))).toMatchObject({ ok: false });
  });

  test("a secret file is not read, whatever was allowed", async () => {
    const { ask, refused } = setUp({ isYes: true, allow: ["**"] });
    expect(await ask({ kind: "read", path: ".env", why: "" })).toMatchObject({ ok: false });
    expect(refused).toEqual([".env"]);
  });
});

describe("at a terminal", () => {
  test("a yes is for one change, and for exactly what was shown", async () => {
    const { ask, approvals } = setUp({ answers: [{ kind: "yes" }] });
    const decision = await ask(asks("src/a.js"));
    if (!decision.ok) throw new Error(decision.reason);
    const { approval } = decision;
    expect(await approvals.spend(change("src/b.js"), approval)).toBe(false);
    expect(await approvals.spend({ ...change("src/a.js"), after: "c\n" }, approval)).toBe(false);
    expect(await approvals.spend(change("src/a.js"), approval)).toBe(true);
    expect(await approvals.spend(change("src/a.js"), approval)).toBe(false);
  });

  test("all is for the rest of the run, but never for guarded and secret files", async () => {
    const yes: Answer = { kind: "yes" };
    const { ask, asked, guarded } = setUp({ answers: [{ kind: "all" }, yes, { kind: "no" }, yes] });
    await ask(asks("src/a.js"));
    await ask(asks("src/b.js"));
    await ask(asks("package.json"));
    await ask({ kind: "read", path: ".env", why: "" });
    await ask(asks("src/c.js"));
    await ask(asks("run.sh"));
    expect(asked).toEqual(["change src/a.js", "other package.json", "read .env", "check run.sh"]);
    expect(guarded).toEqual(["package.json", "run.sh"]);
  });

  test("with --yes guarded files are asked for, and no others", async () => {
    const { ask, asked } = setUp({ isYes: true, answers: [{ kind: "no", why: "use npm" }] });
    await ask(asks("src/a.js"));
    expect(await ask(asks("yarn.lock"))).toEqual({ ok: false, reason: 'they said: "use npm".' });
    expect(asked).toEqual(["other yarn.lock"]);
  });

  test("questions come one after the other, and one that fails does not hold up the next", async () => {
    const { ask, asked } = setUp({ answers: [] });
    const first = ask({ kind: "read", path: ".env", why: "" });
    const second = ask({ kind: "read", path: "key.pem", why: "" });
    await expect(first).rejects.toThrow("Nobody answers");
    await expect(second).rejects.toThrow("Nobody answers");
    expect(asked).toEqual(["read .env", "read key.pem"]);
  });
});

describe("calls of tools", () => {
  const command = (target: string, ...words: string[]) => ({
    tool: "run_command",
    target,
    arguments: { command: words },
  });
  const test1 = command("/a", "npm", "test");

  function setUpCalls(answers?: Answer[]) {
    const asked: unknown[] = [];
    const refused: string[] = [];
    const allowed = new Set<string>();
    const { person } = setUp({ answers: [] });
    const left = [...(answers ?? [])];
    const askCall = createAskCall({
      person: answers && {
        ...person,
        judge: async (question) => {
          if (question.kind === "call") asked.push([question.call, question.mayBeAll]);
          return left.shift() ?? expect.fail("Nobody answers any more.");
        },
      },
      texts: cliTexts("en"),
      allowed,
      onRefusal: (calls) => void refused.push(...calls),
    });
    return { ask: (call: typeof test1) => askCall(call, signal), asked, refused, allowed };
  }

  test("without a terminal none is made, whatever was allowed for files", async () => {
    const { ask, refused } = setUpCalls();
    expect(await ask(test1)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("nobody can be asked"),
    });
    expect(refused).toEqual(["npm test"]);
  });

  test("all holds for the same words in the same folder, and for nothing else", async () => {
    const all: Answer = { kind: "all" };
    const no: Answer = { kind: "no", why: "Not now." };
    const { ask, asked, allowed } = setUpCalls([all, no, no, no, no, no]);
    for (let nth = 0; nth < 3; nth += 1) expect(await ask(test1)).toEqual({ ok: true });
    expect(asked).toEqual([[test1, true]]);
    for (const other of [
      command("/b", "npm", "test"),
      command("/a", "npm", "test", ""),
      command("/a", "npm test"),
      { ...test1, tool: "other" },
    ])
      expect(await ask(other)).toMatchObject({ ok: false, reason: 'they said: "Not now.".' });
    allowed.clear();
    expect((await ask(test1)).ok).toBe(false);
  });

  test("a yes is for once, and all is for commands only", async () => {
    const call = { ...test1, tool: "createPet" };
    const { ask, asked } = setUpCalls([
      { kind: "yes" },
      { kind: "yes" },
      { kind: "all" },
      { kind: "no" },
    ]);
    expect([(await ask(test1)).ok, (await ask(test1)).ok]).toEqual([true, true]);
    expect([(await ask(call)).ok, (await ask(call)).ok]).toEqual([true, false]);
    expect(asked).toHaveLength(4);
  });
});
