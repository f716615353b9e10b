// A patch or a diff of Markdown: what looks like the end of a block is a line of the file.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyUnits, parseAnswer } from "../../../../src/edit.ts";

const path = "docs/guide.md";
const line = fc.oneof(
  fc.stringMatching(/^[a-z]{3,8}( [a-z]{3,8}){0,3}$/),
  fc.constantFrom(
    "```",
    "```ts",
    "~~~",
    "````md",
    "   ```sh",
    "- ```",
    "> ```",
    "- item",
    "+ item",
    "* item",
    "1. item",
    "---",
    "***",
    "===",
    "=======",
    "# Title",
    "@@ -1 +1 @@",
    "| a | b |",
    "<details>",
    "</diff>",
    "",
  ),
);
/** Lines around, lines that go, and lines that come: the first and last one of the file are its only ones. */
const change = fc.record({
  above: fc.array(line, { maxLength: 4 }),
  old: fc.array(line, { maxLength: 4 }),
  now: fc.array(line, { maxLength: 4 }),
  below: fc.array(line, { maxLength: 4 }),
});

const forms: Readonly<Record<string, (body: string, old: number, now: number) => string>> = {
  "a patch": (body) => `*** Begin Patch\n*** Update File: ${path}\n@@\n${body}*** End Patch\n`,
  "a patch in a code block": (body) =>
    `\`\`\`\n*** Begin Patch\n*** Update File: ${path}\n@@\n${body}*** End Patch\n\`\`\`\n`,
  "a diff in a code block": (body, old, now) =>
    `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n@@ -1,${old} +1,${now} @@\n${body}\`\`\`\n`,
  "a diff": (body, old, now) => `--- a/${path}\n+++ b/${path}\n@@ -1,${old} +1,${now} @@\n${body}`,
};

test.each(Object.entries(forms))("%s of Markdown is applied as a whole", (_, print) => {
  fc.assert(
    fc.property(change, ({ above, old, now, below }) => {
      fc.pre(old.join("\n") !== now.join("\n"));
      const [head, foot] = [
        ["# First line", ...above],
        [...below, "The last line."],
      ];
      const text = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join("");
      const signed = (sign: string, lines: readonly string[]): string[] =>
        lines.map((one) => sign + one);
      const body = [
        ...signed(" ", head),
        ...signed("-", old),
        ...signed("+", now),
        ...signed(" ", foot),
      ];
      const [before, after] = [old, now].map((lines) => text([...head, ...lines, ...foot]));
      const counts = [old, now].map(({ length }) => length + head.length + foot.length);
      const answer = print(text(body), counts[0] ?? 0, counts[1] ?? 0);
      const { files, text: rest } = parseAnswer(`I change it.\n\n${answer}\nDone.\n`);
      const [file] = files;
      expect([files.length, file?.filePath, file?.error]).toEqual([1, path, undefined]);
      expect(applyUnits(before ?? "", file?.units ?? [])).toMatchObject({ ok: true, text: after });
      expect(rest.trim().split(/\s+/)).toEqual(["I", "change", "it.", "Done."]);
    }),
    { numRuns: 300 },
  );
});
