import { describe, expect, test } from "vitest";
import { fenced, play } from "./play.ts";

const file = `// Copyright by Ada.

import { round } from "./money.ts";
import type { Item } from "./item.ts";

/** Goods. */
export class Cart {
  items: Item[] = [];

  /** In cents. */
  total(): number {
    return round(1);
  }

  @memo
  size(): number {
    return 1;
  }
}

export function discount(total: number): number {
  return total;
}

start(new Cart());
`;

async function expectChange(answer: string, after: string, before = file, path = "a.ts") {
  const played = await play(path, before, answer);
  expect(played.after).toBe(after);
  expect(played.calls).toBe(1);
}

describe("a class in a code block", () => {
  const members =
    "  items: Item[] = [];\n\n  total(): number {\n    return round(2);\n  }\n\n  size(): number {\n    return 2;\n  }\n";

  test("takes the place of the one in the file; doc comments, decorators and modifiers stay", async () => {
    const after = file.replace("round(1)", "round(2)").replace("return 1", "return 2");
    await expectChange(fenced(`class Cart {\n${members}}\n`), after);
  });

  test("may have a new member", async () => {
    const more = "\n  clear(): void {\n    this.items = [];\n  }\n";
    const after = file
      .replace("round(1)", "round(2)")
      .replace("    return 1;\n  }\n", `    return 2;\n  }\n${more}`);
    await expectChange(fenced(`export class Cart {\n${members}${more}}\n`), after);
  });

  test.each(["items", "total", "size"])("that lacks %s is asked for again", async (name) => {
    const lacking = members.replace(
      new RegExp(`  ${name}(?:\\(\\): number \\{\\n.*\\n  \\}|: Item.*)\\n`),
      "",
    );
    const played = await play("a.ts", file, fenced(`export class Cart {\n${lacking}}\n`));
    expect([played.after, played.calls]).toEqual([undefined, 2]);
    expect(JSON.stringify(played.model.requests[1]?.messages.at(-1))).toMatch(
      /could not be read as a change of the file/,
    );
  });
});

describe("a whole file in a code block", () => {
  test("is the file as it should be", async () => {
    const after = file.replace("round(1)", "round(2)").replace("return total", "return 2 * total");
    await expectChange(`The file:\n\n${fenced(after, "ts")}`, after);
  });

  test("may have more in it than before", async () => {
    const after = file.replace("start(", "export function more(): void {}\n\nstart(");
    await expectChange(fenced(after), after);
  });

  test("keeps the comment at the top and the doc comments that it leaves out", async () => {
    const answer = file
      .replace("// Copyright by Ada.\n\n", "")
      .replace("/** Goods. */\n", "")
      .replace("  /** In cents. */\n", "")
      .replace("return 1", "return 2");
    await expectChange(fenced(answer), file.replace("return 1", "return 2"));
  });

  test("may leave out an import that nothing uses any more", async () => {
    const after = file
      .replace('import { round } from "./money.ts";\n', "")
      .replace("round(1)", "1");
    await expectChange(fenced(after), after);
  });

  test("may be indented in another way than the file, which keeps its own", async () => {
    const before = "def a():\n\tif b:\n\t\treturn 1\n\n\ndef c():\n\treturn 2\n";
    const answer = "def a():\n    if b:\n        return 3\n\n\ndef c():\n    return 2\n";
    await expectChange(fenced(answer), before.replace("1", "3"), before, "a.py");
  });

  test.each([
    ["a function", (text: string) => text.replace(/export function[^]*?\n\}\n/, "")],
    ["a member", (text: string) => text.replace(/ {2}@memo[^]*?\n {2}\}\n/, "")],
    ["an import that is used", (text: string) => text.replace(/import \{ round.*\n/, "")],
    ["a statement", (text: string) => text.replace("start(new Cart());\n", "")],
    [
      "a bracket",
      (text: string) =>
        text.replace(/\}\n$/, "").replace("{\n  return total;\n}", "{\n  return total;\n"),
    ],
  ])("that lacks %s is asked for again", async (_, leaveOut) => {
    const answer = leaveOut(file.replace("round(1)", "round(2)"));
    const played = await play("a.ts", file, fenced(answer));
    expect([played.after, played.calls]).toEqual([undefined, 2]);
  });

  test("that lacks a member and is the same otherwise takes it out", async () => {
    const after = file.replace(/\n {2}@memo[^]*?\n {2}\}\n/, "");
    await expectChange(fenced(after, "ts"), after);
  });

  test("needs no grammar", async () => {
    const played = await play(
      "a.css",
      ".a {\n  color: red;\n}\n",
      fenced(".a {\n  color: blue;\n}\n", "css"),
    );
    expect([played.after, played.calls]).toEqual([".a {\n  color: blue;\n}\n", 1]);
  });
});

describe("code with marks for what stays", () => {
  test("and other blocks are one change, or none", async () => {
    const marked =
      "export class Cart {\n  // ... existing code ...\n\n  total(): number {\n    return round(2);\n  }\n\n  // ... existing code ...\n}\n";
    const other = "export function discount(total: number): number {\n  return 2 * total;\n}\n";
    const after = file.replace("round(1)", "round(2)").replace("return total", "return 2 * total");
    for (const blocks of [
      [marked, other],
      [other, marked],
    ])
      await expectChange(blocks.map((one) => fenced(one, "ts")).join("\n\n"), after);
    const unknown = "export function discount(total: number): number {\n  return 2 *";
    const played = await play(
      "cart.ts",
      file,
      `${fenced(marked, "ts")}\n\n${fenced(unknown, "ts")}`,
    );
    expect(played.after).toBeUndefined();
  });

  test("around a function is that function", async () => {
    const code =
      "// ... existing code ...\n\nfunction discount(total: number): number {\n  return 2 * total;\n}\n\n// ... existing code ...\n";
    await expectChange(fenced(code, "ts"), file.replace("return total", "return 2 * total"));
  });

  test("around two functions is both of them", async () => {
    const code =
      "// ... existing code ...\n  total(): number {\n    return round(2);\n  }\n// ... existing code ...\nexport function discount(total: number): number {\n  return 2 * total;\n}\n// ... existing code ...\n";
    await expectChange(
      fenced(code),
      file.replace("round(1)", "round(2)").replace("return total", "return 2 * total"),
    );
  });

  test("that stands nowhere is asked for again", async () => {
    const played = await play(
      "a.css",
      ".a {\n  color: red;\n}\n",
      fenced("/* ... existing code ... */\n@import url(b.css);\n/* ... existing code ... */\n"),
    );
    expect([played.after, played.calls]).toEqual([undefined, 2]);
  });
});

test("under a definition's own templates code blocks are no edits, and explicit edits are", async () => {
  const template = { role: "user", content: "Improve it." } as const;
  const definition = { name: "own", commands: [{ name: "fix", messageTemplates: [template] }] };
  const agents = [definition];
  const before = "function a() {\n  return 1;\n}\n";
  const block = await play("a.js", before, fenced("function a() {\n  return 2;\n}\n"), { agents });
  expect([block.after, block.calls]).toEqual([undefined, 1]);
  expect(block.text).toBe(fenced("function a() {\n  return 2;\n}\n"));
  const units = "------- SEARCH\n  return 1;\n=======\n  return 2;\n+++++++ REPLACE\n";
  expect((await play("a.js", before, units, { agents })).after).toBe(before.replace("1", "2"));
});

test("a path that stands in the prompt as an example means the editor's file, another one does not", async () => {
  const edit = (path: string) =>
    `<file-edit filePath="${path}">\n------- SEARCH\n  return 1;\n=======\n  return 2;\n+++++++ REPLACE\n</file-edit>\n`;
  const before = "function a() {\n  return 1;\n}\n";
  expect((await play("src/a.js", before, edit("notes/colours.txt"))).after).toBe(
    before.replace("1", "2"),
  );
  expect((await play("src/a.js", before, edit("notes/colour.txt"))).after).toBeUndefined();
  expect((await play("src/a.js", before, edit("colours.txt"))).after).toBeUndefined();
});
