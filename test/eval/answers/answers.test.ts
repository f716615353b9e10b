import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { evalAnswers } from "../../../eval/answers/eval-answers.ts";
import { loadAnswers } from "../../../eval/answers/load-answers.ts";
import { shareOf, summarizeAnswers } from "../../../eval/answers/print-answers.ts";
import type { Outcome } from "../../../eval/answers/judge-answer.ts";

const unit = (search: string, replace: string) =>
  `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "answers-"));
  for (const name of ["cases", "files", "results"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "files", "a.txt"), "one\ntwo\nthree\ntwo\n");
  writeFileSync(join(folder, "results", "b.txt"), "ONE\ntwo\nthree\ntwo\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(...cases: readonly string[]): void {
  writeFileSync(join(folder, "cases", "all.txt"), cases.join(""));
}

async function outcomeOf(...cases: readonly string[]): Promise<string> {
  write(...cases);
  const options = { folder, expectRight: 0, showsCases: false, json: true };
  const { printed } = await evalAnswers(options, new AbortController().signal);
  const { answers } = JSON.parse(printed) as { answers: { outcome: Outcome; why: string }[] };
  return answers.map(({ outcome }) => outcome).join(" ");
}

const head = "%%% a fix a.txt units gpt en\n";

describe("an answer", () => {
  test("that changes the file as expected is right at first", async () => {
    expect(await outcomeOf(head, unit("one", "ONE"), "%%% expect result b.txt\n")).toBe("first");
  });

  test("that does so when it is asked for again is right after one", async () => {
    const second = `%%% second\n${unit("one", "ONE")}`;
    const expected = "%%% expect result b.txt\n";
    expect(await outcomeOf(head, unit("four", "4"), second, expected)).toBe("second");
  });

  test("that changes it in another way is wrong", async () => {
    expect(await outcomeOf(head, unit("one", "1"), "%%% expect result b.txt\n")).toBe("wrong");
  });

  test("that changes what nothing should change is wrong", async () => {
    expect(await outcomeOf(head, unit("one", "ONE"), "%%% expect refused\n")).toBe("wrong");
  });

  test("that is refused and should be read is refused, and kept where it should not", async () => {
    const answer = unit("four", "4");
    expect(await outcomeOf(head, answer, "%%% expect result b.txt\n")).toBe("refused");
    expect(await outcomeOf(head, answer, "%%% expect refused\n")).toBe("kept");
  });

  test("that is asked again where nothing is to change is not kept", async () => {
    expect(await outcomeOf(head, unit("four", "4"), "%%% expect refused at-once\n")).toBe(
      "refused",
    );
  });

  test("that fits two places is kept where a person should be asked", async () => {
    expect(await outcomeOf(head, unit("two", "2"), "%%% expect asked\n")).toBe("kept");
  });

  test("that is cut off brings no file of tests", async () => {
    const cut =
      "%%% a unittest-write a.txt tests gpt en end=length\n`a.test.js`\n\n```js\nx();\n```\n";
    expect(await outcomeOf(cut, "%%% expect refused\n")).toBe("kept");
  });

  test("with test cases is wrong if they are others", async () => {
    const cases = `{"test_cases":[{"description":"adds","category":"happy path"}]}\n`;
    const asked = `%%% a unittest a.txt cases gpt en lines=1-2\n${cases}%%% expect cases\n`;
    expect(await outcomeOf(asked, "happy path: adds\n")).toBe("first");
    expect(await outcomeOf(asked, "- adds\n")).toBe("first");
    expect(await outcomeOf(asked, "edge case: adds\n")).toBe("wrong");
  });
});

test("a folder is good if nothing is wrong and enough is right", async () => {
  const refused = `%%% b fix a.txt units gpt en\n${unit("four", "4")}%%% expect result b.txt\n`;
  write(head, unit("one", "ONE"), "%%% expect result b.txt\n", refused);
  const run = (expectRight: number) =>
    evalAnswers(
      { folder, expectRight, showsCases: false, json: false },
      new AbortController().signal,
    );
  expect((await run(50)).isGood).toBe(true);
  const { isGood, printed } = await run(51);
  expect(isGood).toBe(false);
  expect(printed).toContain("BAD units b (gpt): refused. Nothing came of it.");
  expect(printed).toMatch(/total +2 +1 +0 +0 +1 +0 +50\.0 %/);
});

test.each([
  ["an unknown command", "%%% a fux a.txt units gpt en\n%%% expect refused\n"],
  ["an unknown option", "%%% a fix a.txt units gpt en line=1\n%%% expect refused\n"],
  ["no result", "%%% a fix a.txt units gpt en\nText.\n"],
  ["an unknown result", "%%% a fix a.txt units gpt en\n%%% expect luck\n"],
])("a case with %s is told by its line", (_, text) => {
  write(text);
  expect(() => loadAnswers(folder)).toThrow(/not in the expected format, at "/);
});

test("two answers of one name are told, and so is a folder without answers", () => {
  const one = `${head}Text.\n%%% expect refused\n`;
  write(one, one);
  expect(() => loadAnswers(folder)).toThrow("Two answers are named a.");
  expect(() => loadAnswers(join(folder, "files"))).toThrow('no readable folder "cases"');
});

describe("the answers of the project", () => {
  const answers = loadAnswers();

  test("are many, in both languages, of all commands and families", () => {
    const counts = (key: "language" | "command" | "family") =>
      Object.fromEntries(
        [...Map.groupBy(answers, (one) => one[key])].map(([k, v]) => [k, v.length]),
      );
    expect(answers.length).toBeGreaterThanOrEqual(150);
    expect(counts("language")["zh"]).toBeGreaterThanOrEqual(30);
    expect(Object.keys(counts("command"))).toHaveLength(5);
    expect(Object.keys(counts("family")).length).toBeGreaterThanOrEqual(8);
    const kept = answers.filter(({ expected }) => /refused|asked/.test(expected.kind));
    expect(kept.length).toBeGreaterThanOrEqual(30);
  });
});

test("forms are summed up in the order of their names", () => {
  const played = ["b", "a", "b"].map((form, nth) => ({
    id: String(nth),
    form,
    family: "gpt",
    calls: 1,
    outcome: nth === 0 ? ("wrong" as const) : ("first" as const),
    isAsExpected: nth !== 0,
    why: "",
  }));
  const rows = summarizeAnswers(played);
  expect(rows.map((row) => [row.form, row.first, row.wrong, shareOf(row)])).toEqual([
    ["a", 1, 0, 100],
    ["b", 1, 1, 50],
    ["total", 2, 1, (100 * 2) / 3],
  ]);
});
