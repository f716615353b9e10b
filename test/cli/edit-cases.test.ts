import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { printUnits } from "../../src/edit.ts";
import { answerCase, answerCases, readLines } from "../../src/cli/edit/edit-file.ts";

const diff = printUnits([{ search: "a\n", replace: "b\n" }]);

function answer(line: string | Uint8Array): unknown {
  const text = answerCase(typeof line === "string" ? Buffer.from(line) : line);
  return text === undefined ? undefined : JSON.parse(text);
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("a case is answered with its id, the text after the edit, and the level of each unit", () => {
  expect(answer(JSON.stringify({ id: { n: 1 }, before: "a\nc\n", diff, more: true }))).toEqual({
    id: { n: 1 },
    ok: true,
    after: "b\nc\n",
    units: ["exact"],
  });
});

test("a refusal is the code and the sentence, and never carries a text", () => {
  expect(answer(JSON.stringify({ id: 0, before: "a\na\n", diff }))).toEqual({
    id: 0,
    ok: false,
    error: "ambiguous: Unit 1: its SEARCH fits 2 places equally well: line 1; line 2.",
  });
});

test.each([
  ["null", { before: null }],
  ["absent", {}],
])("a text before that is %s is a file that is missing", (_, fields) => {
  const create = printUnits([{ search: "", replace: "new\n" }]);
  expect(answer(JSON.stringify({ ...fields, diff: create }))).toEqual({
    ok: true,
    after: "new\n",
    units: ["new-file"],
  });
  expect(answer(JSON.stringify({ ...fields, diff }))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^missing-file: /),
  });
});

test.each([
  ["no JSON", "{", undefined, "is not valid JSON"],
  ["a list", "[]", undefined, "is no JSON object"],
  ["null", "null", undefined, "is no JSON object"],
  ["without a diff", '{"id":7,"before":""}', 7, 'needs a text as "diff"'],
  ["with a number as text", '{"id":"x","before":1,"diff":""}', "x", 'needs a text as "before"'],
  ["not in UTF-8", new Uint8Array([0x22, 0xff, 0x22]), undefined, "is not in UTF-8"],
])("a line that is %s is answered with an error", (_, line, id, what) => {
  expect(answer(line)).toEqual({
    ...(id === undefined ? {} : { id }),
    ok: false,
    error: `bad-line: The line ${what}; write {"id", "before", "diff"}.`,
  });
});

test("a blank line is no case", () => {
  expect(answer("")).toBeUndefined();
  expect(answer(" \r")).toBeUndefined();
});

test("line separators of Unicode are escaped, so that an answer is one line for every reader", () => {
  const line = JSON.stringify({ before: "a\n", diff: diff.replace("b\n", "\u2028\u2029\n") });
  const text = answerCase(Buffer.from(line)) ?? "";
  expect(text).toMatch(/^[ -~]+$/);
  expect(JSON.parse(text)).toMatchObject({ after: "\u2028\u2029\n" });
});

test("lines are the same however their bytes are cut, and only a line feed ends one", async () => {
  const bytes = Buffer.from("é\u2028\r\n\nlast €");
  for (let size = 1; size <= bytes.length; size += 1) {
    const lines: string[] = [];
    for await (const line of readLines(cut(bytes, size))) lines.push(Buffer.from(line).toString());
    expect(lines).toEqual(["é\u2028\r", "", "last €"]);
  }
});

test("nothing more is read while nobody takes the answers", async () => {
  let sent = 0;
  async function* questions(): AsyncGenerator<Uint8Array> {
    while (sent < 50) {
      sent += 1;
      yield Buffer.from(`${JSON.stringify({ id: sent, before: "a\n", diff })}\n`);
    }
  }
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const output = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      waiting.push(done);
    },
  });
  const end = answerCases(questions(), output);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sent).toBe(1);
  const take = setInterval(() => waiting.shift()?.(), 0);
  await end;
  clearInterval(take);
  expect(taken.map((text) => JSON.parse(text).id)).toEqual(
    Array.from({ length: 50 }, (_, at) => at + 1),
  );
});
