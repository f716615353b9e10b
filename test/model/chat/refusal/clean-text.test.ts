import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText } from "../../../../src/model/chat/refusal/clean-text.ts";

const nothing = { secrets: [], prompts: [] };

/** The first run of so many characters that both have. */
function sharedRun(text: string, prompt: string, length = 20): string | undefined {
  for (let at = 0; at + length <= text.length; at++) {
    const run = text.slice(at, at + length);
    if (prompt.includes(run)) return run;
  }
  return undefined;
}

describe("a text from a model's server", () => {
  test("comes through where it shares nothing with anybody", () => {
    const text = "Unsupported value: 'temperature' does not support 0 with this model.";
    expect(cleanText(text, nothing, 300)).toBe(text);
    expect(cleanText("模型 qwen-x 不存在", nothing, 300)).toBe("模型 qwen-x 不存在");
  });

  test("loses the piece of the prompt that it quotes, and keeps the rest", () => {
    const prompt = "function total(prices) { return prices.reduce((a, b) => a + b); }";
    const hidden = { secrets: [], prompts: ["Be kind.", prompt] };
    const text = `Invalid content "${prompt.slice(9, 40)}" in messages[1].`;
    expect(cleanText(text, hidden, 300)).toBe('Invalid content "…" in messages[1].');
  });

  test("loses a piece of the prompt whose lines have become one", () => {
    const hidden = { secrets: [], prompts: ["# Code\n\n```\nlet a = 1;\n```\n\tlet b;"] };
    const text = "Bad: # Code ``` let a = 1; ```  let b; and more";
    expect(cleanText(text, hidden, 300)).toBe("Bad: … and more");
  });

  test("loses keys, also the beginnings of them that servers show", () => {
    const hidden = { secrets: ["sk-proj-abcdefghijklmnop"], prompts: [] };
    const text =
      "Incorrect API key provided: sk-proj-abcdefg****mnop. Is sk-proj-abcdefghijklmnop yours?";
    expect(cleanText(text, hidden, 300)).toBe("Incorrect API key provided: …****mnop. Is … yours?");
  });

  test("is one line without control characters, and no longer than it may be", () => {
    expect(cleanText("a\u001b[31m\r\nb\u202ec", nothing, 300)).toBe("a [31m b c");
    expect(cleanText("x".repeat(5_000), nothing, 300)).toHaveLength(300);
  });

  test("does not come through where nothing is left of it", () => {
    expect(
      cleanText("key-of-ours", { secrets: ["key-of-ours"], prompts: [] }, 300),
    ).toBeUndefined();
    expect(cleanText(" \n ", nothing, 300)).toBeUndefined();
  });

  test("holds no piece of a prompt that was escaped once more on its way", () => {
    const prompt = "密码是一二三四五六七八九十，请不要告诉任何人，谢谢你的帮助。";
    const escaped = Array.from(prompt)
      .map((character) => `\\u${character.charCodeAt(0).toString(16)}`)
      .join("");
    expect(cleanText(`bad input ${escaped}`, { secrets: [], prompts: [prompt] }, 300)).toBe(
      "bad input …",
    );
  });
});

/** Few different characters, so that runs meet by chance, too. */
const word = fc.string({ unit: fc.constantFrom("a", "b", "…", " ", "\n", "汉"), maxLength: 60 });
const long = fc.string({ unit: "binary", maxLength: 120 });

test("no run of 20 characters of a prompt and no secret comes through, whatever the text is", () => {
  const piece = fc.oneof(word, long);
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 2 }),
      fc.array(fc.tuple(piece, fc.nat(200), fc.nat(80), fc.nat(3)), { maxLength: 6 }),
      (prompts, secrets, parts) => {
        const whole = prompts.join("");
        const text = parts
          .map(([own, from, length, which]) =>
            [
              own,
              whole.slice(from % (whole.length + 1)).slice(0, length),
              secrets[0] ?? "",
              own,
            ].at(which),
          )
          .join("");
        const cleaned = cleanText(text, { secrets, prompts }, 300);
        if (cleaned === undefined) return;
        expect(cleaned.length).toBeLessThanOrEqual(300);
        for (const secret of secrets) expect(cleaned).not.toContain(secret);
        for (const prompt of prompts) expect(sharedRun(cleaned, prompt)).toBeUndefined();
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  ["of one character", "a".repeat(4_000), "a".repeat(8_000_000)],
  ["that nearly fits everywhere", "ab".repeat(2_000), `${"ab".repeat(9)}c`.repeat(400_000)],
  ["that the text holds whole", "0123456789 ".repeat(360), "0123456789 ".repeat(700_000)],
])("a prompt of megabytes %s ends with its test", (_, text, prompt) => {
  const cleaned = cleanText(text, { secrets: [], prompts: [prompt] }, 300) ?? "";
  expect(sharedRun(cleaned, prompt)).toBeUndefined();
});
