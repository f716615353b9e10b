// The words of fix, optimize, docstring and recommendations come while the model writes; on Node and in workerd.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatModel } from "../../../src/turn/chat-model.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { connect, type Frame, msgOf } from "../../helpers/plugin-client.ts";
import { editOf, firstBlock, requests, selected } from "../../helpers/plugin-requests.ts";
import { cases } from "../../helpers/cases.ts";
import { code } from "../../helpers/code-parser.ts";

const slow = "        result = result + item.price";
const better = "        result += item.price";
const caseOf = (nth: number, category = "edge case") =>
  JSON.stringify({ description: `case ${nth}`, category });

/** A model that writes a piece whenever it is told to. */
function heldModel(pieces: readonly string[]) {
  const gates = pieces.map(() => Promise.withResolvers<undefined>());
  const model: ChatModel = {
    name: "held",
    contextWindow: 100_000,
    answerReserve: 1_000,
    async *stream() {
      for (const [nth, text] of pieces.entries()) {
        await gates[nth]?.promise;
        yield { type: "text-delta", text };
      }
      return "stop";
    },
  };
  return { model, write: (nth: number) => gates[nth]?.resolve(undefined) };
}

const edits = ["exec_fix", "exec_optimize", "exec_docstring"] as const;

test.each(edits)("%s tells its words before the model has written its change", async (cmd) => {
  const [head, doc] = ["def total(items):", 'def total(items):\n    """Adds."""'];
  const edit = cmd === "exec_docstring" ? editOf(head, doc) : editOf(slow, better);
  const { model, write } = heldModel(["It is", " slow.\n\nThe sum", " copies.\n\n", edit]);
  const { app } = createTestApp({ models: model, code });
  const client = await connect(app);
  client.send({ ...requests[cmd], stream: true });
  let told = "";
  for (const [nth, words] of ["It is", " slow.\n\nThe sum", " copies."].entries()) {
    write(nth);
    const before = told;
    while (told.length < before.length + words.length) told += msgOf([await client.next()]);
    expect(told).toBe(before + words);
  }
  write(3);
  const last = [await client.next(), await client.next()];
  expect(firstBlock(msgOf(last))).toBeDefined();
  expect(last).toMatchObject([{ stream_finsh: false }, { stream_finsh: true, msg: "" }]);
});

test.each([
  ["as it was asked for", '{"test_cases": [', "]}"],
  ["in a fence, below words", "Here:\n\n```json\n{\n  'test_cases': [\n", "]}\n```\nDone."],
  ["as a list alone", "[", "]"],
])("a recommendation tells each case as soon as it is whole: %s", async (_, start, end) => {
  const recommended = [caseOf(1, "happy path"), caseOf(2), caseOf(3, "happy path")];
  const pieces = [
    start,
    ...recommended.flatMap((one) => [one.slice(0, 9), `${one.slice(9)},`]),
    end,
  ];
  const { model, write } = heldModel(pieces);
  const { app } = createTestApp({ models: model });
  const client = await connect(app);
  client.send({ ...requests.exec_unittest_recommend, stream: true });
  write(0);
  const told: unknown[] = [];
  for (const nth of recommended.keys()) {
    write(nth * 2 + 1);
    write(nth * 2 + 2);
    told.push((await client.next())["msg"]);
  }
  expect(told).toEqual([
    "1. happy path: case 1\n",
    "2. edge case: case 2\n",
    "3. happy path: case 3\n",
  ]);
  write(pieces.length - 1);
  expect(await client.next()).toMatchObject({ msg: "", stream_finsh: true, stream_seq_id: 3 });
});

/** Frames of a stream, and the message of the same answer in one. */
async function askBoth(request: Frame, pieces: readonly string[]) {
  const script = [...pieces];
  const { app } = createTestApp({ models: [script, script, script, script] });
  const frames = await (await connect(app)).ask({ ...request, stream: true });
  const whole = createTestApp({ models: [script, script, script, script] });
  return { frames, msg: msgOf(await (await connect(whole.app)).ask(request)) };
}

const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = [];
  for (let at = 0, nth = 0; at < text.length; nth += 1) {
    const size = sizes[nth % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

describe("however the model's answer is cut, a stream says what one message says:", () => {
  const part = fc.constantFrom(
    "It is slow.\n\n",
    "Use `sum` and ``x``.\n",
    "```py\nfoo()\n```\n",
    "~~~\nbar()\n~~~\n",
    "- one\n- two\n\n",
    "1. first\n\n",
    "<think>\nSECRET ```\n</think>\n",
    "  \n",
    "世界 😀\n",
    "> quoted\r\n",
    editOf(slow, better),
    editOf("no such line", "b"),
    editOf("a", "b", "shop/other.py"),
  );

  test.each(edits)("%s, whose block is whole in one frame after the words", async (cmd) => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 7 }), sizes, async (parts, by) => {
        const { frames, msg } = await askBoth(requests[cmd], cut(parts.join(""), by));
        expect(frames.map(({ stream_seq_id: id }) => id)).toEqual([...frames.keys()]);
        expect(frames.filter((frame) => frame["stream_finsh"] === true)).toHaveLength(1);
        const streamed = msgOf(frames);
        const block = /^```python\n[^]*?\n```\n/.exec(msg)?.[0] ?? "";
        const words = (text: string) =>
          text
            .replace(block, "")
            .split(/\n+/)
            .filter((line) => line !== "");
        expect(words(streamed)).toEqual(words(msg));
        expect(streamed).toContain(block);
        expect(streamed).not.toContain("SECRET");
        const fences = frames.filter((frame) => /`{3}|~{3}/.test(msgOf([frame])));
        expect(fences.length).toBe(block === "" ? 0 : 1);
        if (block !== "") expect(msgOf(fences)).toContain(block);
        expect(firstBlock(streamed)).toBe(firstBlock(msg));
      }),
      { numRuns: cases(15) },
    );
  });

  test("exec_unittest_recommend", async () => {
    const listed = fc.constantFrom(
      caseOf(1),
      caseOf(2, "happy path"),
      caseOf(3, "load"),
      '"odd"',
      "{",
    );
    const dress = fc.constantFrom(
      ['{"test_cases":[', "]}"],
      ["Some tests:\n```json\n[", "]\n```\n"],
      ["<think>[{}</think>[", "]"],
      ["1. happy path: a\n2. edge case: b\n", ""],
    );
    await fc.assert(
      fc.asyncProperty(
        dress,
        fc.array(listed, { maxLength: 5 }),
        sizes,
        async ([start = "", end = ""], all, by) => {
          const { frames, msg } = await askBoth(
            requests.exec_unittest_recommend,
            cut(start + all.join(",") + end, by),
          );
          expect(msgOf(frames)).toBe(msg);
          expect(frames.map(({ stream_seq_id: id }) => id)).toEqual([...frames.keys()]);
        },
      ),
      { numRuns: cases(20) },
    );
  });
});

test("a stream that breaks off after some words ends with an error and no half block", async () => {
  const { app } = createTestApp({
    models: [
      ["It is slow.\n\n", editOf(slow, better).slice(0, 60), { type: "text-delta", text: "" }],
    ],
  });
  const frames = await (await connect(app)).ask({ ...requests.exec_fix, stream: true });
  expect(msgOf(frames)).not.toMatch(/`{3}|SEARCH|file-edit/);
  expect(selected).toContain(slow);
});
