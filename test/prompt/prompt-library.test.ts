import { expect, test } from "vitest";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { createPromptLibrary, promptsIn } from "../../src/prompt/prompt-library.ts";

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

test("a file has a prompt in each language, below a line that names it", () => {
  const text = "=== en\n--- user\nA\n\n=== zh\r\n--- user\n甲\n";
  for (const path of ["fix/fix.liquid", "flows\\fix\\fix.liquid", "fix.liquid"])
    expect(promptsIn(path, text)).toEqual([
      ["en/fix", "--- user\nA"],
      ["zh/fix", "--- user\n甲"],
    ]);
});

test("what is below a line that names both languages belongs to both, with the words of each", () => {
  const text =
    "=== en zh\n--- user\n# «Aim | 目标»\n\n=== en\nA\n\n=== zh\n甲\n\n=== en zh\n{{ x | fence }}";
  expect(promptsIn("a.liquid", text)).toEqual([
    ["en/a", "--- user\n# Aim\n\nA\n\n{{ x | fence }}"],
    ["zh/a", "--- user\n# 目标\n\n甲\n\n{{ x | fence }}"],
  ]);
});

test("a section is a variable below its heading, where it is not empty, also of a shared part", () => {
  const library = createPromptLibrary({
    "en/parts": "--- place\n{% section place: The place: here %}\n",
    "en/a": "--- user\n{% include place %}\n{% section vcs | fence: State %}\nA",
  });
  const print = (name: string, heading: string, filter = "") =>
    `{% if ${name} != blank -%}\n# ${heading}\n\n{{ ${name}${filter} }}\n\n{% endif -%}\n`;
  const template = `${print("place", "The place: here")}${print("vcs", "State", " | fence")}A`;
  expect(library.find("a", "en")).toEqual([{ role: "user", template }]);
});

test("the files on the disk make a library with the same commands in both languages", () => {
  const files = loadPromptFiles();
  const names = Object.keys(files).map((name) => name.replace(/^[^/]*\//, ""));
  const library = createPromptLibrary(files);
  expect(library.commands.length).toBeGreaterThan(4);
  for (const command of names.filter((name) => name !== "parts")) {
    expect(library.find(command, "en")?.at(-1)?.role).toBe("user");
    expect(library.find(command, "zh")?.at(-1)?.role).toBe("user");
  }
});
