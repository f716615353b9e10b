// What models answer to the flows on `cart`, and how the last message of each request is known.
import { cart, path } from "./e2e-aimock.ts";
import { printUnits } from "../../src/edit/read/print-units.ts";

export function fileEdit(search: string, replace: string): string {
  return `<file-edit filePath="${path}">\n${printUnits([{ search, replace }])}</file-edit>\n`;
}

export const cause =
  "`=+` in line 4 assigns the price instead of adding it, 所以只剩最后一个。\n\n";
export const fixed = cart.replace("=+", "+=");
export const goodEdit = fileEdit("    sum =+ item.price;\n", "    sum += item.price;\n");
/** SEARCH is no line of the file, nor near to one. */
export const misfit = fileEdit("    price = items.reduce(add);\n", "    sum += item.price;\n");

const head = "export function total(items) {\n";
export const docEdit = fileEdit(head, `/** Adds up the prices of the items. */\n${head}`);

const loop =
  "  let sum = 0;\n  for (const item of items) {\n    sum =+ item.price;\n  }\n  return sum;\n";
export const optimizeEdit = fileEdit(
  loop,
  "  return items.reduce((sum, { price }) => sum + price, 0);\n",
);

export const cases = JSON.stringify({
  test_cases: [
    { description: "adds two prices of 2 and 3 to 5", category: "happy path" },
    { description: "gives 0 for no items", category: "edge case" },
  ],
});

export const testFile =
  '`src/cart.test.js`\n\n```javascript\nimport { expect, test } from "vitest";\n' +
  'import { total } from "./cart.js";\n\ntest("gives 0 for no items", () => {\n' +
  "  expect(total([])).toBe(0);\n});\n```\n";

/** The question that follows an edit which does not fit, and one that follows no list of cases. */
export const editAgain = /Your edit was refused|你的编辑被拒绝/;
export const casesAgain = /could not be read as the list of test cases|无法作为测试用例列表读取/;
/** Any first question: the code under it is the file's. */
export const aboutCart = /export function total/;
