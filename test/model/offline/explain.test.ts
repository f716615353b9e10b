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

test("the symbol at the cursor is described, and not the file around it", async () => {
  const subject = subjectOf("cart.js", file, { place: { startLine: 8, endLine: 12 } });
  expect(await askBare(subject)).toBe(`**\`cart.js\`** (\`javascript\`), lines 8 to 12.

5 lines, of which 0 blank.

**Declarations:**

- method \`Cart.total\`, lines 8 to 12: \`total(items)\`

**Branches and exits:**

- line 9: guard \`items.length === 0\`
- line 9: return \`0\`
- line 11: return \`round(items.length)\`
`);
});

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

test("what stands inside of others is indented below them", async () => {
  const text =
    "class A:\n    class B:\n        def c(self): pass\n    def d(self): pass\ndef e(): pass\n";
  expect(await askBare(subjectOf("a.py", text))).toContain(`
- class \`A\`, lines 1 to 4: \`class A\`
  - class \`B\`, lines 2 to 3: \`class B\`
    - method \`A.B.c\`, line 3: \`def c(self)\`
  - method \`A.d\`, line 4: \`def d(self)\`
- function \`e\`, line 5: \`def e()\`
`);
});

test("code without declarations is told as that", async () => {
  expect(await askBare(subjectOf("a.js", "f();\n"))).toContain(
    "No line looks like the declaration",
  );
});

test("a huge file is described at once", async () => {
  const text = `${"// TODO ".repeat(20)}\n${"class A { a() {} b() {} }\n".repeat(5000)}`;
  const answer = await askBare(subjectOf("a.js", text));
  expect(answer).toContain("- and 14960 more\n");
});
