import { expect, test } from "vitest";
import { type AnswerPart, printAnswer } from "../../../../src/cli/call/show/print-answer.ts";
import { createMarkdownPainter } from "../../../../src/cli/call/show/markdown-painter.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { callTexts } from "../../../../src/cli/call/texts.ts";
import { Screen } from "../screen.ts";

async function* stream(...parts: AnswerPart[]): AsyncGenerator<AnswerPart> {
  yield* parts;
}

test("the diff of an answer is coloured line by line while it streams, and freed of control characters", async () => {
  const out = new Screen();
  const seen: string[] = [];
  const parts = async function* (): AsyncGenerator<AnswerPart> {
    for (const text of ["```diff\n-a", "\u001b[2J\b\r", "\n+b", "\n```\n"]) {
      yield { type: "text-delta", text };
      seen.push(out.text);
    }
  };
  const terminal = createTerminal(out, new Screen());
  await printAnswer(parts(), terminal, callTexts("en"), createMarkdownPainter);
  const rule = expect.stringContaining("───");
  const [red, green] = ["\u001b[31m-a\\x08\u001b[39m\n", "\u001b[32m+b\u001b[39m\n"];
  expect(seen).toEqual([rule, "", red, expect.stringMatching(/─\S*\n$/)]);
  expect(seen[3]?.startsWith(green)).toBe(true);
});

test("without a painter an answer stays as it is, but for control characters", async () => {
  const out = new Screen();
  const parts = stream({ type: "text-delta", text: "## A\n```diff\n-a\u001b[2J\n```\n" });
  await printAnswer(parts, createTerminal(out, new Screen()), callTexts("en"));
  expect(out.text).toBe("## A\n```diff\n-a\\x1b[2J\n```\n");
});

test("a diff that breaks off is shown to its last character, before the error", async () => {
  const [out, err] = [new Screen(), new Screen()];
  const parts = stream(
    { type: "text-delta", text: "```diff\n-a\n+b" },
    { type: "failure", sentence: "", message: "The model was silent." },
  );
  expect(await printAnswer(parts, createTerminal(out, err), callTexts("en"))).toMatchObject({
    actions: [],
    failed: true,
  });
  expect(out.text).toBe("```diff\n-a\n+b\n");
  expect(err.text).toContain("The model was silent.");
});

test("reasoning in the middle of a diff leaves the rest of it coloured", async () => {
  const [out, err] = [new Screen(), new Screen()];
  const parts = stream(
    { type: "text-delta", text: "```diff\n-a\n" },
    { type: "reasoning-delta", text: "- hm" },
    { type: "text-delta", text: "+b\n```\n-c\n" },
  );
  await printAnswer(parts, createTerminal(out, err), callTexts("en"), createMarkdownPainter);
  const { text } = out;
  expect(text).toContain("\n\u001b[31m-a\u001b[39m\n\u001b[32m+b\u001b[39m\n");
  expect(text).toMatch(/\n-c\n$/);
  expect(err.text).toContain("- hm");
});
