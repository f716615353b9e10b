// A change in every form that models use, in every dress: what is around an edit changes nothing of what it means.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { play } from "./play.ts";

const path = "src/shop/cart.ts";
const word = fc.stringMatching(/^[a-z]{4,8}$/);
const changes = fc.record({
  names: fc.uniqueArray(word, { minLength: 3, maxLength: 4 }),
  calls: fc.uniqueArray(word, { minLength: 24, maxLength: 24 }),
  which: fc.nat(2),
  line: fc.integer({ min: 1, max: 4 }),
  amount: fc.integer({ min: 100, max: 999 }),
});
type Change = typeof changes extends fc.Arbitrary<infer Value> ? Value : never;

interface Written {
  before: string;
  after: string;
  /** The function that changes, as it was and as it is to be. */
  old: string;
  now: string;
  /** The line of the function that changes, and what it becomes. */
  from: string;
  to: string;
}

function write({ names, calls, which, line, amount }: Change): Written {
  const printOf = (nth: number): string[] => {
    const body = calls.slice(6 * nth, 6 * nth + 6).map((call) => `  ${call}.add(${nth});`);
    return [`export function ${names[nth]}(n: number) {`, ...body, "}"];
  };
  const all = names.map((_, nth) => printOf(nth));
  const old = printOf(which);
  const from = old[line] ?? "";
  const to = from.replace(/\d+/, `${amount}`);
  const now = old.with(line, to);
  const join = (lines: readonly (readonly string[])[]): string =>
    lines.map((one) => `${one.join("\n")}\n`).join("\n");
  return {
    before: join(all),
    after: join(all.with(which, now)),
    old: old.join("\n"),
    now: now.join("\n"),
    from,
    to,
  };
}

const block = (text: string, info = "ts", run = "```"): string => `${run}${info}\n${text}\n${run}`;

/** Each form, in code blocks where it needs them. */
const forms: Readonly<Record<string, (written: Written) => string>> = {
  units: ({ old, now }) => block(`<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE`),
  "units that leave out the rest": ({ old, now, to }) => {
    const [search, replace] = [old, now].map((text) =>
      text
        .split("\n")
        .slice(0, now.split("\n").indexOf(to) + 2)
        .join("\n"),
    );
    return block(
      `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n  // ... existing code ...\n}\n>>>>>>> REPLACE`,
    );
  },
  "units with numbers of lines": ({ old, now }) =>
    block(
      `<<<<<<< SEARCH\n:start_line:1\n-------\n${old}\n=======\n:start_line:1\n-------\n${now}\n>>>>>>> REPLACE`,
    ),
  "units in a tag of a diff": ({ old, now }) =>
    `<diff>\n<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE\n</diff>`,
  "JSON with doubled escapes": ({ old, now }) => {
    const [search, replace] = [old, now].map((text) => text.replaceAll("\n", "\\n"));
    return block(JSON.stringify({ path, search, replace }), "json");
  },
  patch: ({ old, from, to }) => {
    const lines = old.split("\n").map((one) => (one === from ? `-${from}\n+${to}` : ` ${one}`));
    return block(
      `*** Begin Patch\n*** Update File: ${path}\n@@\n${lines.join("\n")}\n*** End Patch`,
      "",
    );
  },
  diff: ({ old, from, to }) => {
    const lines = old.split("\n").map((one) => (one === from ? `-${from}\n+${to}` : ` ${one}`));
    return block(`--- a/${path}\n+++ b/${path}\n@@ -1,9 +1,9 @@\n${lines.join("\n")}`, "diff");
  },
  "one function": ({ now }) => block(now),
  "whole file": ({ after }) => block(after.trimEnd()),
  marks: ({ now }) => block(`// ... existing code ...\n${now}\n// ... existing code ...`),
  "before and after": ({ from, to }) => `Vorher:\n\n${block(from)}\n\nNachher:\n\n${block(to)}`,
  "bad and good": ({ from, to }) => `${block(`// Bad\n${from}`)}\n\n${block(`// Good\n${to}`)}`,
  "JSON of a whole file": ({ after }) => block(JSON.stringify({ path, content: after }), "json"),
  "unknown labels": ({ from, to }) => `Tidigare rad:\n\n${block(from)}\n\nBlir nu:\n\n${block(to)}`,
};

const inBlocks = (answer: string, change: (code: string, info: string) => string): string =>
  answer.replaceAll(/^```([^\n]*)\n([^]*?)\n```$/gm, (_, info: string, code: string) =>
    change(code, info),
  );

/** Signs of a model's own, which no tokenizer takes from here. */
const tokens = ["|im_end|", "/s", "|endoftext|", "end_of_turn"].map((sign) => `<${sign}>`);

/** What models put around an answer, and how they write its blocks. */
const dresses: Readonly<Record<string, (answer: string, written: Written) => string>> = {
  "a sentence before and after": (answer) =>
    `Sure! The amount was off.\n\n${answer}\n\nThat is all.`,
  CRLF: (answer) => answer.replaceAll("\n", "\r\n"),
  "an item of a list": (answer) =>
    `1. Change it:\n\n${answer.replaceAll(/^(?=.)/gm, "   ")}\n\n2. Test it.`,
  "a quotation": (answer) => answer.replaceAll(/^/gm, "> "),
  tildes: (answer) => inBlocks(answer, (code, info) => block(code, info, "~~~")),
  "four backticks": (answer) => inBlocks(answer, (code, info) => block(code, info, "````")),
  "the path in a comment": (answer) =>
    inBlocks(answer, (code, info) => block(`// filepath: ${path}\n${code}`, info)),
  "the path in bold": (answer) => `**${path}**\n\n${answer}`,
  "the path at the fence": (answer) =>
    inBlocks(answer, (code, info) => block(code, `${info || "text"}:${path}`)),
  "a tag of a file": (answer) => `<file path="${path}">\n${answer}\n</file>`,
  "a tag of an answer": (answer) => `<answer>\n${answer}\n</answer>`,
  thoughts: (answer) => `<think>\nI could write:\n${block("foo()")}\nNo.\n</think>\n\n${answer}`,
  "commands before": (answer) => `${block("npm install --save-dev tool", "bash")}\n\n${answer}`,
  "an example after": (answer) => `${answer}\n\nExample usage:\n\n${block("const r = frob(1);")}`,
  "the old lines before": (answer, { from }) => `The fault is here:\n\n${block(from)}\n\n${answer}`,
  "the new line after": (answer, { to }) => `${answer}\n\nWhat matters is:\n\n${block(to)}`,
  "said twice": (answer) => `${answer}\n\nOnce more, all of it:\n\n${answer}`,
  "a token behind each fence": (answer, { to }) =>
    answer.replaceAll(/^```$/gm, `\`\`\`${tokens[to.length % tokens.length]}`),
  "no last fence": (answer) => answer.replace(/\n```$/, "\n"),
};

for (const [form, print] of Object.entries(forms))
  test(`in every dress an edit means the same: ${form}`, async () => {
    const names = fc.uniqueArray(fc.constantFrom(...Object.keys(dresses)), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, names, async (change, chosen) => {
        const written = write(change);
        const dressed = chosen.reduce(
          (answer, name) => dresses[name]?.(answer, written) ?? answer,
          print(written),
        );
        const { after } = await play(path, written.before, dressed);
        // What cannot be read is asked for again, and nothing else is written.
        if (after !== undefined) expect([dressed, after]).toEqual([dressed, written.after]);
      }),
      { numRuns: cases(8) },
    );
    for (const [name, dress] of Object.entries(dresses)) {
      const [change] = fc.sample(changes, { numRuns: 1, seed: 7 });
      if (change === undefined) continue;
      const written = write(change);
      const { after } = await play(path, written.before, dress(print(written), written));
      // Of one new line nothing shows where it ends.
      const isOpen = name === "no last fence" && print(written).endsWith(`\n${written.to}\n\`\`\``);
      expect([name, after]).toEqual([name, isOpen ? undefined : written.after]);
    }
  });

test("code beside lines of the file that an answer shows takes the place of none of them", async () => {
  const blocks = (one: string, below: string, two: string): string =>
    `After this:\n\n${block(one, "")}\n\n${below}\n\n${block(two, "")}\n`;
  await fc.assert(
    fc.asyncProperty(changes, fc.constantFrom("add:", "Neu:", "新增："), async (change, below) => {
      const { before, old, from } = write(change);
      const helper = old.replaceAll(/[a-z]{4,}(?=[.(])/g, "$&ed").replaceAll("add", "drop");
      for (const [shown, added] of [
        [from, `  check(${change.amount});`],
        [old, helper],
      ] as const) {
        const { after = before } = await play("src/cart.kt", before, blocks(shown, below, added));
        expect([added, after.includes(shown)]).toEqual([added, true]);
      }
    }),
    { numRuns: cases(5) },
  );
});

test("an answer that is code and nothing else is read as if it were in a block", async () => {
  const around = fc.constantFrom<(code: string) => string>(
    (code) => code,
    (code) => `<file path="${path}">\n${code}</file>\n`,
    (code) => `<code>\n${code}</code>\n`,
  );
  const parts = fc.constantFrom<"after" | "now">("after", "now");
  await fc.assert(
    fc.asyncProperty(changes, around, parts, async (change, put, part) => {
      const written = write(change);
      const { after } = await play(path, written.before, put(`${written[part].trimEnd()}\n`));
      expect(after).toBe(written.after);
    }),
    { numRuns: cases(8) },
  );
});

/** The file's own, and in folders that are none of the project. */
const strays = [
  "app/cart.ts",
  "packages/web/src/lib/cart.ts",
  "/home/ada/cart.ts",
  "shop/src/cart.ts",
];

test("the name of the file in a folder that is made up means it, if what the answer quotes is there", async () => {
  const named = ["the path in bold", "the path at the fence", "a tag of a file"];
  const counts = { made: 0, all: 0 };
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.constantFrom(...Object.keys(forms)),
      fc.constantFrom(...named),
      fc.constantFrom(...strays),
      async (change, form, name, stray) => {
        const written = write(change);
        const { before, after, from } = written;
        const dressed = dresses[name]?.(forms[form]?.(written) ?? "", written) ?? "";
        fc.pre(dressed.includes(path));
        const answer = dressed.replaceAll(path, stray);
        const played = await play(path, before, answer);
        counts.all += 1;
        if (played.after === after) counts.made += 1;
        else expect([answer, played.after]).toEqual([answer, undefined]);
        // Where the file itself is named, too, the other one is another.
        const own = `**${path}**\n\n${block(`<<<<<<< SEARCH\n${from}\n=======\n  none();\n>>>>>>> REPLACE`)}`;
        const both = await play(path, before, `${own}\n\n${answer}`);
        expect([answer, both.after]).toEqual([answer, before.replace(from, "  none();")]);
        // The request has a file of this path, with the very same text.
        const brought = await play(path, before, answer, { packages: { [stray]: before } });
        expect([answer, brought.after]).toEqual([answer, undefined]);
        // Nothing of the answer is in the file.
        const other = before.replaceAll(/[a-z]{4,8}/g, "$&$&");
        expect([answer, (await play(path, other, answer)).after]).toEqual([answer, undefined]);
      },
    ),
    { numRuns: cases(12) },
  );
  // A whole file in JSON quotes nothing.
  expect(counts.made / counts.all).toBeGreaterThan(0.8);
});
