import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanTexts, type Confidential } from "../../../../src/model/chat/refusal/clean-texts.ts";
import { normalize } from "../../../../src/model/chat/refusal/shared-runs.ts";

function cleanText(text: string, hidden: Confidential, maxLength: number): string | undefined {
  return cleanTexts([{ text, maxLength }], hidden)[0];
}

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

const shell = String.raw`curl -d "{\"user\":\"bob smith\",\"password\":\"hunter2 is mine\"}"`;
const html = `<a href="/x?a=1&b=2">it's &lt;b&gt; here</a>`;
const path = String.raw`C:\new\build\temp\user\unit\u0041bc and \\server\share`;

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function escapeCodes(text: string): string {
  return text.replaceAll(
    /["'<>&\\\n\t]|[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const quotings: [string, (prompt: string) => string][] = [
  ["as it is", (prompt) => prompt],
  ["as JSON", (prompt) => JSON.stringify(prompt)],
  ["as JSON in JSON", (prompt) => JSON.stringify(JSON.stringify(prompt))],
  ["in upper case", (prompt) => prompt.toUpperCase()],
  ["as HTML", escapeHtml],
  ["as HTML of JSON", (prompt) => escapeHtml(JSON.stringify(prompt))],
  ["as JSON of HTML", (prompt) => JSON.stringify(escapeHtml(escapeHtml(prompt)))],
  ["by codes", escapeCodes],
  [
    "as HTML whose ampersands are codes",
    (prompt) => escapeHtml(prompt).replaceAll("&", String.raw`\u0026`),
  ],
];

test.each(quotings)("a prompt full of signs does not come through %s", (_, quote) => {
  for (const prompt of [shell, html, path]) {
    const cleaned = cleanText(
      `Bad content: ${quote(prompt)}`,
      { secrets: [], prompts: [prompt] },
      300,
    );
    expect(sharedRun(normalize(cleaned ?? ""), normalize(prompt))).toBeUndefined();
    expect(cleaned).toMatch(/^Bad content: .*…/);
  }
});

const signs = fc.string({
  unit: fc.constantFrom(
    ...Array.from("\\\"'`&<>\n\t;u04nxbAbé密/"),
    "\\u0041",
    "\\n",
    "&lt;",
    "&quot;",
    "&amp;",
    "word",
  ),
  maxLength: 80,
});

test("no run of 20 characters of a prompt comes through, however the text quotes it", () => {
  fc.assert(
    fc.property(
      signs,
      signs,
      fc.constantFrom(...quotings),
      fc.nat(40),
      (own, prompt, [, quote], from) => {
        const text = `${own} ${quote(prompt.slice(from))}`;
        const cleaned = cleanText(text, { secrets: [], prompts: [prompt] }, 300) ?? "";
        expect(sharedRun(normalize(cleaned), normalize(prompt))).toBeUndefined();
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a text that quotes a prompt has the normal form of the prompt in it", () => {
  fc.assert(
    fc.property(signs, fc.constantFrom(...quotings), (prompt, [, quote]) => {
      // A backslash at the end would escape what follows.
      expect(normalize(quote(`x${prompt}x`))).toContain(normalize(`x${prompt}x`));
    }),
    { numRuns: 2_000 },
  );
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
