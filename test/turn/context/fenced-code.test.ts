import { describe, expect, test } from "vitest";
import { readFencedCode } from "../../../src/turn/context/fenced-code.ts";

const block = (info: string, before = "") => `${before}\n\`\`\`${info}\nlet a;\n\`\`\`\nafter`;

describe("the language and path of a block", () => {
  test.each([
    ["js", "", "javascript", ""],
    ["js src/cart.js", "", "javascript", "src/cart.js"],
    ["ts:src/cart.ts", "", "typescript", "src/cart.ts"],
    ['py title="shop/cart.py"', "", "python", "shop/cart.py"],
    ["src/cart.go", "", "", "src/cart.go"],
    ["", "src/购物车.rs", "", "src/购物车.rs"],
    ["js", "**`cart.js`**:", "javascript", "cart.js"],
    ["js", "在文件 cart.js 中：", "javascript", ""],
    ["js", "Look at cart.js", "javascript", ""],
    ["js", "e.g.", "javascript", ""],
    ["js", "v1.2", "javascript", ""],
    ["mermaid", "", "mermaid", ""],
    ["C++", "", "c++", ""],
    ["", "", "", ""],
  ])("%j after %j are %j and %j", (info, before, language, path) => {
    expect(readFencedCode(block(info, before))).toMatchObject([
      { language, path, text: "let a;\n" },
    ]);
  });
});

test("the text around a block is without the line that names its path, and keeps every other", () => {
  const [named] = readFencedCode(`Why?\n${block("js", "src/a.js")}`);
  expect(named?.around()).toBe("Why?\nafter");
  const [other] = readFencedCode(`Why?\n${block("js", "This one:")}`);
  expect(other?.around()).toBe("Why?\nThis one:\nafter");
});

test("a block ends at a rule that is as long, and at the end of the text where there is none", () => {
  const [outer, ...others] = readFencedCode("````md\n```js\nlet a;\n```\n````\n");
  expect([outer?.text, others]).toEqual(["```js\nlet a;\n```\n", []]);
  expect(readFencedCode("~~~\r\na\r\nb")).toMatchObject([{ text: "a\nb\n" }]);
  expect(readFencedCode("```js\n```")).toMatchObject([{ text: "" }]);
});

test("code inside a line is no block", () => {
  expect(readFencedCode("```a``` and `b`")).toEqual([]);
});

test("of a text of very many blocks the first ones are read", () => {
  expect(readFencedCode("```\n".repeat(200_000)).length).toBe(5_000);
});
