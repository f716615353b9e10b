import { expect, test } from "vitest";
import { askBare, subjectOf } from "./ask-offline.ts";

const file = `import { round } from "./money.ts";
import { log } from "./log.ts";

export class Cart {
  /** Empties it. */
  clear() {}

  total(items) {
    if (items.length === 0) return 0;
    // TODO: taxes
    return round(items.length);
  }
}

export function other() {
  log("TODO: no comment");
}
`;

test("lines inside of a function are described as a part of it", async () => {
  const text = "    return round(items.length);";
  const answer = await askBare(subjectOf("cart.js", file, { text, startLine: 11 }));
  expect(answer).toContain("**`cart.js`** (`javascript`), line 11.");
  expect(answer).toContain("**Part of** method `Cart.total`, lines 8 to 12.");
  expect(answer).toContain("- line 11: return `round(items.length)`\n");
  expect(answer).not.toMatch(/Declarations|clear|other|TODO/);
});

test("branches are named in Chinese", async () => {
  const subject = subjectOf("cart.js", file, { place: { startLine: 8, endLine: 12 } });
  expect(await askBare(subject, { locale: "zh" })).toContain(
    "**分支与出口**：\n\n- 第 9 行：提前退出 `items.length === 0`\n- 第 9 行：返回 `0`\n",
  );
});
