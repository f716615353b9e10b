import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, dialects, prose } from "./dialects.ts";
import { readAnswer } from "./read-answer.ts";

const withoutReason = ({ calls }: ReturnType<typeof readAnswer>) =>
  calls.map(({ tool, args }) => {
    const { reason: _reason, ...params } = args as Record<string, unknown>;
    return { tool, params };
  });

const size = fc.integer({ min: 1, max: 40 });

describe.each(Object.entries(dialects))("%s", (_, print) => {
  test("a call is read as it was written, and the text around it is text", () => {
    fc.assert(
      fc.property(call, prose, prose, size, (one, before, after, pieces) => {
        const printed = print(one);
        fc.pre(printed !== undefined);
        const answer = `${before}\n${printed}${after}`;
        const read = readAnswer(answer, { size: pieces });
        expect(withoutReason(read)).toEqual([one]);
        expect(read.text).toBe(`${before}\n${after}`);
        expect(read.faults).toEqual([]);
      }),
    );
  });

  test("several calls come in the order of the text", () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 2, maxLength: 4 }), (calls) => {
        const printed = calls.map(print);
        fc.pre(!printed.includes(undefined));
        expect(withoutReason(readAnswer(printed.join("\n")))).toEqual(calls);
      }),
    );
  });

  test("a call that the model only thinks of is none", () => {
    fc.assert(
      fc.property(call, prose, size, (one, after, pieces) => {
        const printed = print(one);
        fc.pre(printed !== undefined && !printed.includes("</think>"));
        const answer = `<think>\n${printed}</think>\n${after}`;
        expect(readAnswer(answer, { size: pieces })).toMatchObject({ calls: [], faults: [] });
      }),
    );
  });

  test("a call inside of a result that is repeated is none", () => {
    fc.assert(
      fc.property(call, prose, size, (one, after, pieces) => {
        const printed = print(one);
        fc.pre(printed !== undefined);
        const tagged = `<tool_result>\n${printed}</tool_result>\n${after}`;
        expect(readAnswer(tagged, { size: pieces })).toMatchObject({
          calls: [],
          faults: [],
          text: tagged,
        });
        const json = `${JSON.stringify({ success: true, content: printed, diff: printed })}\n`;
        expect(readAnswer(json, { size: pieces })).toMatchObject({ calls: [], faults: [] });
      }),
    );
  });

  test("a call that is cut off with the answer is none", () => {
    fc.assert(
      fc.property(call, fc.double({ min: 0, max: 0.98, noNaN: true }), (one, part) => {
        const printed = print(one)?.trimEnd();
        fc.pre(printed !== undefined);
        const cut = printed.slice(0, Math.floor(printed.length * part));
        const whole = withoutReason(readAnswer(printed));
        const read = withoutReason(readAnswer(cut, { isStopped: false }));
        // Only its end was cut off.
        if (read.length > 0) expect(read).toEqual(whole);
      }),
    );
  });
});

test("prose gives no calls, and comes out as it is", () => {
  fc.assert(
    fc.property(prose, size, (text, pieces) => {
      expect(readAnswer(text, { size: pieces })).toEqual({ text, calls: [], faults: [] });
    }),
  );
});

test("how an answer is cut into pieces changes nothing", () => {
  const part = fc.oneof(
    prose,
    fc
      .tuple(call, fc.constantFrom(...Object.values(dialects)))
      .map(([one, print]) => print(one) ?? ""),
    fc.constantFrom(
      "```\n",
      "{\n",
      "<tool_call>\n",
      "------- SEARCH\n",
      "=======\n",
      "[",
      "</file-edit>",
    ),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 5 }),
      size,
      fc.boolean(),
      (parts, pieces, isStopped) => {
        const answer = parts.join("");
        const whole = readAnswer(answer, { isStopped });
        expect(readAnswer(answer, { size: pieces, isStopped })).toEqual(whole);
      },
    ),
    { numRuns: 300 },
  );
});
