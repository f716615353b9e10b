// Changes that an answer tells with the code that it quotes.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnswer } from "../../../../src/edit/read/parse-diff.ts";

const [old, now] = ["while (at < size - 1) {", "while (at < size) {"];
const file = `let at = 0;\n${old}\n  at += 1;\n}\nconst rest = size - at;\n`;

const units = (answer: string) =>
  parseAnswer(answer, file).files.flatMap(({ filePath, units: all }) =>
    all.map(({ search, replace }) => [filePath, search.trim(), replace.trim()]),
  );

/** What people write between two sides, in several languages; where it says "instead", the new side comes first. */
const sayings = [
  "Replace @ with #.",
  "@ should be #.",
  "1. **Off by one**: @ → #",
  "Change @ to # so that the last one counts.",
  "Use # instead of @.",
  "The loop ends early: @ has to become #.",
  "把 @ 改成 # 即可。",
  "将 @ 替换为 #。",
  "应使用 # 而不是 @。",
  "`@` を `#` に変更します。",
  "Ersetze @ durch #.",
  "Remplacez @ par #.",
  "Hay que cambiar @ por #.",
];
const inline = (code: string): string => `\`${code}\``;
const block = (code: string): string => `\n\n\`\`\`js\n${code}\n\`\`\`\n\n`;
const indented = (code: string): string => `\n\n    ${code}\n\n`;
const dress = fc.constantFrom(inline, block, indented);
const told = (saying: string, one: typeof inline, other: typeof inline): string =>
  saying.replaceAll("`", "").replace("@", one(old)).replace("#", other(now));

test("a change is read whatever the language, the order and the dress of its sides", () => {
  fc.assert(
    fc.property(fc.constantFrom(...sayings), dress, dress, (saying, one, other) => {
      const isTurned = saying.indexOf("#") < saying.indexOf("@");
      // Which side is meant to go is told by words before it, on its line.
      if (isTurned && (one !== inline || other !== inline)) return;
      // Indented lines of a list are its text.
      const text = [one, other].includes(indented) ? saying.replace("1. ", "") : saying;
      expect(units(told(text, one, other))).toEqual([[undefined, old, now]]);
    }),
  );
});

test("what is left to the person, denied or taken back is no change", () => {
  const doubts = [
    "If the list may be empty, replace @ with #.",
    "You could change @ to #.",
    "@ is right, and not #.",
    "Do not use # here, @ is what is meant.",
    "Try @ or #.",
    "Would # do instead of @?",
    "如果列表为空，可以把 @ 改成 #。",
    "不要把 @ 改成 #。",
  ];
  const conditions = [
    "If it still fails",
    "Alternatively",
    "As an alternative",
    "Perhaps",
    "如果仍然失败",
  ];
  const led = conditions.flatMap((words) =>
    ["replace @ with #.", "@ → #", "change @ to #"].map((saying) => `${words}: ${saying}`),
  );
  const found = [...doubts, ...led].filter(
    (doubt) => units(told(doubt, inline, inline)).length > 0,
  );
  expect(found).toEqual([]);
});

test("why it is made, told of a name before a colon or in another cell, does not make a change doubtful", () => {
  const names = fc.constantFrom("size", "run()", "items.length", "insert(_:at:)", "$total", "a-b");
  const reasons = fc.constantFrom(
    "% may be 0 or less",
    "% is not called if the list is empty",
    "% fails on every second call",
    "% 可能为空",
    "if % is empty, others fail",
  );
  const leads: readonly ((reason: string, saying: string) => string)[] = [
    (reason, saying) => `${reason}: ${saying}`,
    (reason, saying) => `- **Bug**: ${reason}: ${saying}`,
    (reason, saying) => `${reason}：${saying}`,
    (reason) =>
      `| # | Why | Old | New |\n|---|---|---|---|\n| 1 | ${reason} | ${inline(old)} | ${inline(now)} |`,
  ];
  fc.assert(
    fc.property(
      names,
      reasons,
      fc.constantFrom(...leads),
      fc.constantFrom(...sayings.filter((one) => /^[^:]*@[^:]*#/.test(one))),
      (name, reason, lead, saying) => {
        const answer = lead(reason.replace("%", inline(name)), told(saying, inline, inline));
        expect([answer, units(answer)]).toEqual([answer, [[undefined, old, now]]]);
      },
    ),
  );
});

test("a word that is talked about on its own is no side of a change, and leaves others as they are told", () => {
  const talks = ["% is what counts.", "The loop ends at %.", "这里的 % 有误。"];
  const bits = ["`<=`", "`size-1`", "`at[0]`", "`-1`", "`!done`", "`indexOf(_:)`"];
  fc.assert(
    fc.property(
      fc.constantFrom(...talks),
      fc.constantFrom(...bits),
      fc.constantFrom(...sayings),
      fc.boolean(),
      (talk, bit, saying, isFirst) => {
        const lines = [talk.replace("%", bit), "", told(saying, inline, inline)];
        const answer = (isFirst ? lines : lines.toReversed()).join("\n");
        expect([answer, units(answer)]).toEqual([answer, [[undefined, old, now]]]);
      },
    ),
  );
});

test("whatever sentences come with it, a change is read as it is told, or not at all", () => {
  const plain = [
    "if",
    "the",
    "or",
    "not",
    "change",
    "to",
    "loop",
    "rename",
    ".",
    ":",
    "改为",
    "不",
  ];
  const quoted = ["`x`", "`f(3)`", "`const rest = size - at;`", "`let at = 1;`"];
  const words = fc.constantFrom(...plain, ...quoted);
  const sentence = fc.array(words, { maxLength: 8 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(sentence, sentence, (before, after) => {
      const answer = `${before}\n${told("Replace @ with #.", inline, inline)}\n${after}\n`;
      const allowed = [
        [undefined, old, now],
        [undefined, "let at = 0;", "let at = 1;"],
      ];
      for (const unit of units(answer)) expect(allowed).toContainEqual(unit);
    }),
  );
});

test("code beside code of the file that shows more than that takes the place of nothing", () => {
  const more = `The loop is ${inline(old)}:\n${block(`let at = 0;\n${now}\n  at += 1;\n}`)}`;
  expect(units(more)).toEqual([]);
});
