import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../helpers/cases.ts";
import { printUnits } from "../../../src/edit.ts";
import { seededRandom } from "../../helpers/seeded-random.ts";
import { type Dialect, type PrintedCall, call, dialects, mentions, prose } from "./dialects.ts";
import { homemade, makeDialect, templates } from "./other-dialects.ts";
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

test("a field that the tool does not have does no harm to a call, in fields of whatever dress", () => {
  type Field = readonly [name: string, value: string];
  const dresses: ((fields: readonly Field[]) => string)[] = [
    (fields) =>
      `\`\`\`yaml\ntool: grep_search\nparams:\n${fields.map(([name, value]) => `  ${name}: ${value}`).join("\n")}\n\`\`\`\n`,
    (fields) =>
      `**Tool:** grep_search\n${fields.map(([name, value]) => `**${name}:** \`${value}\``).join("\n")}\n`,
    (fields) =>
      `- **Tool**: grep_search\n- **Reason**: to see it\n- **Parameters**: \`${JSON.stringify(Object.fromEntries(fields))}\`\n`,
    (fields) =>
      `<grep_search>\n${fields.map(([name, value]) => `<${name}>${value}</${name}>`).join("\n")}\n</grep_search>\n`,
    (fields) =>
      `<tool_call>grep_search\n${fields.map(([name, value]) => `<arg_key>${name}</arg_key>\n<arg_value>${value}</arg_value>`).join("\n")}\n</tool_call>\n`,
  ];
  const word = fc.stringMatching(/^[a-z]{2,6}$/);
  const unknown = fc.tuple(
    fc.oneof(
      fc.tuple(word, word).map(([one, two]) => `x_${one}_${two}`),
      word.map((one) => `x${one}More`),
    ),
    fc.constantFrom("true", "1", "all"),
  );
  fc.assert(
    fc.property(word, unknown, fc.constantFrom(...dresses), size, (query, more, dress, pieces) => {
      const read = readAnswer(`Let me look.\n\n${dress([["query", query], more])}`, {
        size: pieces,
      });
      expect(read).toMatchObject({ calls: [{ tool: "grep_search", args: { query } }], faults: [] });
      expect(read.calls).toHaveLength(1);
    }),
  );
});

test("a call in an edit is text of that edit, in whatever it comes", () => {
  const covers = [
    (text: string) => `<file-edit filePath="a.md">\n${text}</file-edit>\n`,
    (text: string) => `**a.md**\n\n${text}`,
    (text: string) => `~~~~md:a.md\n${text}~~~~\n`,
    (text: string) => `*** Begin Patch\n*** Update File: a.md\n@@\n${text}*** End Patch\n`,
  ];
  fc.assert(
    fc.property(
      call,
      fc.constantFrom(...Object.values({ ...templates, ...dialects })),
      fc.constantFrom(...covers),
      size,
      (one, print, cover, pieces) => {
        const printed = print(one)?.replaceAll("\r\n", "\n");
        fc.pre(printed !== undefined);
        const units = printUnits([{ search: "a\n", replace: printed }]);
        const patch = `-a\n${printed.replaceAll(/^(?=[^])/gm, "+")}`;
        const answer = cover(cover === covers[3] ? patch : units);
        const read = readAnswer(`I edit it.\n\n${answer}`, { size: pieces });
        const args = { target_file: "a.md", code_edit: units };
        expect(read).toMatchObject({ calls: [{ tool: "edit_file", args }], faults: [] });
      },
    ),
    { numRuns: cases(80) },
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
    { numRuns: cases(120) },
  );
});

/** A tag does not say whether a line ends before it. */
const sameEnds = (calls: readonly PrintedCall[]) =>
  calls.map(({ tool, params }) => ({
    tool,
    params: Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, text.replace(/\r?\n$/, "")]),
    ),
  }));

/** What became of calls in a dialect, two in each answer. */
function countReadings(print: Dialect, given: readonly PrintedCall[]) {
  const counts = { read: 0, told: 0, wrong: 0, silent: 0 };
  const calls = given.filter((each) => print(each) !== undefined);
  for (const [nth, one] of calls.entries()) {
    const both = [one, calls[nth - 1] ?? one];
    const answer = `I look at it.\n${both.map(print).join("")}`;
    const read = readAnswer(answer, { size: 7 });
    const found = sameEnds(withoutReason(read) as PrintedCall[]);
    const isSame = JSON.stringify(found) === JSON.stringify(sameEnds(both));
    if (isSame) counts.read += 1;
    else if (found.length >= both.length) counts.wrong += 1;
    else counts[read.faults.length > 0 ? "told" : "silent"] += 1;
  }
  return counts;
}

describe("calls as the templates of models print them, or as models without one do", () => {
  test.each(Object.entries({ ...templates, ...homemade }))(
    "%s: they are read as they were written",
    (_, print) => {
      const counts = countReadings(print, fc.sample(call, 60));
      expect(counts).toEqual({ read: expect.any(Number), told: 0, wrong: 0, silent: 0 });
      expect(counts.read).toBeGreaterThanOrEqual(10);
    },
  );
});

test("a call whose inner tag nothing closes ends with the tag around it", () => {
  const inner = /<\/(?!parameter|arg_)[\w:.｜-]+>(?=\s*<\/[\w:.｜-]+>\s*$)/;
  const tagged = Object.entries(templates).filter(([, print]) =>
    inner.test(print({ tool: "read_file", params: { target_file: "a" } }) ?? ""),
  );
  expect(tagged.length).toBeGreaterThan(4);
  for (const [name, print] of tagged) {
    const open: Dialect = (one) => print(one)?.replace(inner, "");
    const { wrong, silent } = countReadings(open, fc.sample(call, 40));
    expect([name, wrong, silent]).toEqual([name, 0, 0]);
  }
});

/** Behind its name, and enough of the signs before its arguments. */
const begun = 40;

// Attributes hold too little to break off behind that.
const {
  "a tag with attributes": _short,
  "a tag with attributes, each on its line": _lines,
  "an attribute of JSON": _json,
  ...longer
} = homemade;

test.each(Object.entries({ ...templates, ...longer, ...dialects }))(
  "%s: a call whose arguments break off in an answer that ended is told, if it is not read",
  (_, print) => {
    fc.assert(
      fc.property(call, fc.double({ min: 0, max: 1, noNaN: true }), (one, part) => {
        const printed = print(one)?.trimEnd() ?? "";
        const [field = ""] = Object.keys(one.params);
        const at = printed.lastIndexOf(one.tool, printed.indexOf(field));
        const from = at + one.tool.length + begun;
        fc.pre(printed !== "" && from < printed.length);
        const cut = printed.slice(0, Math.floor(from + (printed.length - from) * part));
        const { calls, faults } = readAnswer(cut, { size: 9 });
        expect(calls.length + faults.length).toBeGreaterThan(0);
      }),
    );
  },
);

test("of dialects that nobody has at least 95 % of the calls are read or told, and none is lost", () => {
  const random = seededRandom(20_261_122);
  for (let nth = 0; nth < 5; nth += 1) {
    const sum = { read: 0, told: 0, wrong: 0, silent: 0 };
    const dialectsOfRun = Array.from({ length: 20 }, () => makeDialect(random));
    for (const { print } of dialectsOfRun) {
      const counts = countReadings(print, fc.sample(call, 20));
      for (const key of ["read", "told", "wrong", "silent"] as const) sum[key] += counts[key];
    }
    expect(sum.silent).toBe(0);
    expect(sum.wrong / (sum.read + sum.told + sum.wrong)).toBeLessThan(0.05);
    expect(sum.read / (sum.read + sum.told + sum.wrong)).toBeGreaterThan(0.95);
  }
});

test("what only mentions tools, or looks like a call in part, is none and no fault", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(mentions, prose), { minLength: 1, maxLength: 5 }),
      size,
      (all, pieces) => {
        const text = all.join("\n");
        expect(readAnswer(text, { size: pieces })).toEqual({ text, calls: [], faults: [] });
      },
    ),
    { numRuns: cases(200) },
  );
});

test("a call that is nested too deeply is told, and ends nothing", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const answer = `<tool_call>\n{"name": "read_file", "arguments": {"target_file": ${deep}}}\n</tool_call>\n`;
  const { calls, faults } = readAnswer(answer);
  expect([calls.length, faults.length]).toEqual([0, 1]);
});
