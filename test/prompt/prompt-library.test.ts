import { expect, test } from "vitest";
import { createPromptLibrary } from "../../src/prompt/prompt-library.ts";

test("a file is a list of messages, each under a line with its role", () => {
  const library = createPromptLibrary({
    "en/explain":
      "--- system\n\nBe kind.\n\n---user  \r\nWhat is {{ userInputPrompt }}?\n--\n---- no\n",
  });
  expect(library.find("explain", "en")).toEqual([
    { role: "system", template: "Be kind." },
    { role: "user", template: "What is {{ userInputPrompt }}?\n--\n---- no" },
  ]);
});

test("commands are found in their own language only", () => {
  const library = createPromptLibrary({ "en/a": "--- user\nA", "zh/a": "--- user\n甲" });
  expect(library.find("a", "zh")).toEqual([{ role: "user", template: "甲" }]);
  expect(library.find("b", "en")).toBeUndefined();
  expect(library.find("constructor", "en")).toBeUndefined();
  expect(createPromptLibrary({ "en/a": "--- user\nA" }).find("a", "zh")).toBeUndefined();
});

test("a further question of a flow is found, and is no command", () => {
  const library = createPromptLibrary({ "en/a": "--- user\nA", "en/a-again": "--- user\nB" });
  expect(library.commands).toEqual(["a"]);
  expect(library.find("a-again", "en")).toEqual([{ role: "user", template: "B" }]);
});

test.each(["", "no role", "text before\n--- user\nA", "--- \nA"])(
  "%j is refused by the file's name",
  (text) => {
    expect(() => createPromptLibrary({ "zh/good": "--- user\nA", "zh/bad": text })).toThrow(
      'The prompt file zh/bad must begin with a line "--- role".',
    );
  },
);

test("an unknown role is refused by its name and the file's", () => {
  expect(() => createPromptLibrary({ "zh/bad": "--- user\nA\n--- robot\nB" })).toThrow(
    'The prompt file zh/bad has an unknown role "robot".',
  );
});

test("a part that prompts share is taken from their language, and an unknown one is refused", () => {
  const library = createPromptLibrary({
    "en/parts": "--- the-end\n\nEnd.\n\n--- other\nNo.\n",
    "en/a": "--- user\n{% include the-end %}\n\nA",
  });
  expect(library.commands).toEqual(["a"]);
  expect(library.find("a", "en")).toEqual([{ role: "user", template: "End.\n\nA" }]);
  expect(() => createPromptLibrary({ "zh/a": "--- user\n{% include the-end %}" })).toThrow(
    'The prompt file zh/a includes an unknown part "the-end".',
  );
});
