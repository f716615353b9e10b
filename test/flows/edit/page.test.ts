import { expect, test } from "vitest";
import { Page } from "../../../src/flows/edit/page.ts";

type Step = readonly [kind: "write" | "block" | "item", text: string];

function print(steps: readonly Step[]): string {
  const page = new Page();
  return steps
    .flatMap(([kind, text]) => [...page[kind](text)])
    .map((event) => (event.type === "text-delta" ? event.text : ""))
    .join("");
}

test.each<[string, Step[], string]>([
  ["the first block stands at the top", [["block", "One.\n"]], "One.\n"],
  [
    "a block after text is a new paragraph",
    [
      ["write", "One"],
      ["block", "Two"],
    ],
    "One\n\nTwo",
  ],
  [
    "a line end counts",
    [
      ["write", "One.\n"],
      ["block", "Two"],
    ],
    "One.\n\nTwo",
  ],
  [
    "a blank line is enough",
    [
      ["write", "One.\n\n"],
      ["block", "Two"],
    ],
    "One.\n\nTwo",
  ],
  [
    "it is seen in pieces",
    [
      ["write", "One.\n"],
      ["write", "\n"],
      ["block", "Two"],
    ],
    "One.\n\nTwo",
  ],
  [
    "items stand together",
    [
      ["write", "One."],
      ["item", "a"],
      ["item", "b"],
    ],
    "One.\n\n- a\n- b\n",
  ],
  [
    "a block leaves the list",
    [
      ["item", "a"],
      ["block", "Two"],
    ],
    "- a\n\nTwo",
  ],
  [
    "text leaves the list",
    [
      ["item", "a"],
      ["write", "Two"],
      ["write", " 2"],
    ],
    "- a\n\nTwo 2",
  ],
  [
    "blank text does not",
    [
      ["item", "a"],
      ["write", "\n"],
      ["item", "b"],
    ],
    "- a\n- b\n",
  ],
  [
    "indented text keeps its blanks",
    [
      ["item", "a"],
      ["write", "\n\n  x"],
    ],
    "- a\n\n  x",
  ],
])("%s", (_, steps, text) => {
  expect(print(steps)).toBe(text);
});
