// What words around code order: places by number, pairs by an arrow, one of several versions, members of a class, what goes.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

const path = "src/shop.js";
const before = `import { a } from './a.js';
import { d } from './d.js';

const limit = 10;

class Shop {
  constructor(list) {
    this.list = list;
  }

  first(at) {
    const found = this.list.find((one) => one.at === at);
    if (found === undefined) {
      return null;
    }
    return found.size;
  }

  second(at) {
    let sum = 0;
    for (const one of this.list) {
      sum += one.size;
    }
    return sum > limit ? at : sum;
  }
}
`;
const lines = before.trimEnd().split("\n");
const afterOf = async (answer: string): Promise<string | undefined> =>
  (await play(path, before, answer)).after;
const put = (at: number, code: string): string => lines.toSpliced(at, 0, code).join("\n") + "\n";

test("a line is put behind or before another one that is told by its number, as the file was before all changes", async () => {
  const inside = fc.integer({ min: 12, max: 16 });
  const word = fc.constantFrom(
    ["Insert `#` after line @.", 0],
    ["Add `#` before line @.", 1],
    ["在第 @ 行之后加一行 `#`。", 0],
    ["第 @ 行前面插入 `#`", 1],
  );
  await fc.assert(
    fc.asyncProperty(inside, word, fc.boolean(), async (line, [sentence, up], isSecond) => {
      const code = "log(this.list, 1);";
      const indent = /^\s*/.exec(lines[line - 1 - (up as number)] ?? "")?.[0] ?? "";
      // What comes behind a return never runs.
      const may = up === 0 ? /^\s+(?:const|if)/ : /^\s+(?:const|return|if)/;
      fc.pre(may.test(lines[line - 1] ?? ""));
      const told = (sentence as string).replace("@", String(line)).replace("#", code);
      const other = isSecond ? "- After line 4 add `const most = 20;`\n" : "";
      const after = await afterOf(`${other}- ${told}\n`);
      const own = /^\s*/.exec(lines[line - 1] ?? "")?.[0] ?? indent;
      const opens = (lines[line - 1] ?? "").endsWith("{") && up === 0 ? "  " : "";
      const expected = lines.toSpliced(line - (up as number), 0, `${own}${opens}${code}`);
      if (isSecond) expected.splice(4, 0, "const most = 20;");
      expect(after).toBe(`${expected.join("\n")}\n`);
    }),
    { numRuns: cases(20) },
  );
});

test("a block belongs to the line that is told by its number, also below one that has come before", async () => {
  const answer = `- above line 11:\n\n${fenced("  /** The size of one. */\n", "js")}\n- above line 19:\n\n${fenced("  /** All of them. */\n", "js")}`;
  const after = await afterOf(`Insert documentation\n\n${answer}`);
  const [first, second] = ["  first(at) {", "  second(at) {"];
  expect(after).toBe(
    before
      .replace(first, `  /** The size of one. */\n${first}`)
      .replace(second, `  /** All of them. */\n${second}`),
  );
});

test("an arrow between two quotations is a change; a doubt before it leaves it", async () => {
  const pairs = fc.constantFrom(
    ["limit = 10", "limit = 20"],
    ["return null;", "return 0;"],
    ["constructor", "initialize"],
  );
  const doubts = ["If it still fails: ", "Perhaps: ", "也许："];
  await fc.assert(
    fc.asyncProperty(
      pairs,
      fc.constantFrom("", ...doubts),
      fc.constantFrom("→", "->", "=>"),
      async ([old = "", now = ""], lead, arrow) => {
        const after = await afterOf(`- ${lead}\`${old}\` ${arrow} \`${now}\`\n`);
        expect(after).toBe(doubts.includes(lead) ? undefined : before.replace(old, now));
      },
    ),
    { numRuns: cases(20) },
  );
  // A name that says where is no side.
  for (const word of ["in", "under"])
    expect(await afterOf(`- \`limit = 10\` ${word} \`constructor\` → \`limit = 20\`\n`)).toBe(
      before.replace("limit = 10", "limit = 20"),
    );
});

test("what suits somebody who wants something else is no rival; versions of equal worth are", async () => {
  const now =
    "  first(at) {\n    return this.list.find((one) => one.at === at)?.size ?? null;\n  }\n";
  const other = "  first(at) {\n    return this.sizes.get(at) ?? null;\n  }\n";
  const old = before.slice(before.indexOf("  first"), before.indexOf("\n  second"));
  for (const lead of [
    "Or, if you prefer a map:",
    "If you'd rather keep a map:",
    "如果您更喜欢用表：",
  ])
    expect(await afterOf(`Write:\n\n${fenced(now, "js")}\n${lead}\n\n${fenced(other, "js")}`)).toBe(
      before.replace(old, now),
    );
  const equal = await afterOf(`Write:\n\n${fenced(now, "js")}\nOr:\n\n${fenced(other, "js")}`);
  expect(equal).toBeUndefined();
});

test("a class that is shown with the one method that the text names keeps the others", async () => {
  const [first, second] = ["one", "two"].map(
    (name) => `  ${name}(at) {\n    return at + 1;\n  }\n`,
  );
  const file = `const limit = 10;\n\nclass Shop {\n${first}\n${second}}\n`;
  const now = second?.replace("at + 1", "this.find(at)") ?? "";
  const code = fenced(`class Shop {\n${now}}\n`, "js");
  const kept = `const limit = 10;\n\nclass Shop {\n${first}\n${now}}\n`;
  expect((await play(path, file, `\`two\` can be simpler:\n\n${code}`)).after).toBe(kept);
  const selected = await play(path, file, `It can be simpler:\n\n${code}`, { lines: [8, 10] });
  expect(selected.after).toBe(kept);
  // Without that, or where something goes, the method that is not shown may be meant to go.
  for (const lead of ["So:", "`two` can be simpler, and `one` is removed:"])
    expect((await play(path, file, `${lead}\n\n${code}`)).after).not.toBe(kept);
});

test("a block goes that an order points to, whatever is told in brackets or before", async () => {
  const block = "    for (const one of this.list) {\n      sum += one.size;\n    }\n";
  for (const lead of [
    "Remove this loop and count elsewhere (`node count.js --all`):",
    "It is slow (see `docs of loops`). You don't need it, so I'd simply delete the second block:",
    "Remove the whole loop:",
  ])
    expect(await afterOf(`${lead}\n\n${fenced(block, "js")}`)).toBe(before.replace(block, ""));
});

test("beside a pair what a sentence adds is done as well, or all is refused", async () => {
  const pair = "Change `limit = 10` to `limit = 20`.";
  const changed = before.replace("limit = 10", "limit = 20");
  const add = "Also add `check(at, 1);` before `let sum = 0;`.";
  const both = changed.replace("    let sum", "    check(at, 1);\n    let sum");
  expect(await afterOf(`- ${pair}\n- ${add}\n`)).toBe(both);
  expect(await afterOf(`${pair} ${add}\n`)).toBe(both);
  expect(await afterOf(`- ${pair}\n- Also add \`check(at, 1);\` before \`let none = 0;\`.\n`)).toBe(
    undefined,
  );
});

test("what the file has elsewhere is meant for the function that is named, or nothing is changed", async () => {
  const twin = "    if (found === undefined) {\n      return null;\n    }\n";
  const file = before.replace("    let sum", "    const found = this.list[0];\n    let sum");
  const answer = `Replace \`limit = 10\`:\n\n${fenced("const limit = 20;\n", "js")}\nIn \`second\`, add this after \`const found = this.list[0];\`:\n\n${fenced(twin, "js")}`;
  const { after } = await play(path, file, answer);
  expect(after).toBe(file.replace("limit = 10", "limit = 20").replace("[0];\n", `[0];\n${twin}`));
  const unclear = answer.replace("add this after `const found = this.list[0];`", "add the check");
  expect((await play(path, file, unclear)).after).toBeUndefined();
  const once = before.replace("    const found", "    log(at);\n    const found");
  const add = `在 \`second\` 的循环之后加上：\n\n${fenced("    log(at);\n", "js")}`;
  const change = `并把 \`second\` 最后的 \`return sum > limit ? at : sum;\` 改为：\n\n${fenced("    return sum;\n", "js")}`;
  const both = await play(path, once, `${add}\n${change}`);
  const told = once.replace("return sum > limit ? at : sum;", "log(at);\n    return sum;");
  expect(both.after).toBe(told);
});

test("items of a list are about what the line above the list names", async () => {
  const file = before.replace("    const found =", "    let sum = 0;\n    const found =");
  const item = `- The sum needs a better start:\n\n  \`\`\`js\n  let sum = 0.5;\n  \`\`\`\n`;
  const { after } = await play(path, file, `Two changes are needed in \`second\`:\n\n${item}`);
  const at = file.lastIndexOf("let sum = 0;");
  expect(after).toBe(`${file.slice(0, at)}let sum = 0.5;${file.slice(at + 12)}`);
});

test("an example of use behind a function is no part of it", async () => {
  const now = "  first(at) {\n    return this.list[at]?.size ?? null;\n  }\n";
  const old = before.slice(before.indexOf("  first"), before.indexOf("\n  second"));
  for (const head of ["// Example usage:", "// Usage", "// 使用示例"])
    expect(
      await afterOf(`So:\n\n${fenced(`${now}\n${head}\nconsole.log(shop.first(1));\n`, "js")}`),
    ).toBe(before.replace(old, now));
});

test("lines that only become less deep are a change where that counts", async () => {
  const code =
    "def check(rows):\n    for row in rows:\n        if row.bad:\n            return False\n        return True\n";
  const now = code.replace("        return True", "    return True");
  const { after } = await play(
    "check.py",
    code,
    `The return is too deep:\n\n${fenced(now, "python")}`,
  );
  expect(after).toBe(now);
});

test("an import comes where a sentence, or its neighbours in the code, put it", async () => {
  const method = "  second(at) {\n    return c(at);\n  }\n";
  const old = before.slice(before.indexOf("  second"), before.lastIndexOf("}"));
  const own = "import { c } from './c.js';\n";
  const changed = before.replace(old, method);
  const [first = "", last = ""] = lines;
  for (const [told, place] of [
    [`Put the import before \`${last}\`, to keep the order.`, `${own}${last}\n`],
    [`The import goes to the others (after \`${last}\`).`, `${last}\n${own}`],
    [`导入放在 \`${last}\` 之前。`, `${own}${last}\n`],
  ] as const)
    expect(await afterOf(`So:\n\n${fenced(`${own}\n${method}`, "js")}\n${told}\n`)).toBe(
      changed.replace(`${last}\n`, place),
    );
  const shown = `${first}\n${own}${last}\n\n${method}`;
  expect(await afterOf(`So:\n\n${fenced(shown, "js")}`)).toBe(
    changed.replace(`${last}\n`, `${own}${last}\n`),
  );
});

test("the body is that of the function which the words before name, and that of a loop is none of it", async () => {
  const body = fenced("return this.list.length;\n", "js");
  const old = before.slice(before.indexOf("    let sum"), before.indexOf("  }\n}"));
  const after = before.replace(old, "    return this.list.length;\n");
  for (const lead of [
    "In `second`, the sum is not needed. Replace the body with:",
    "Replace the body of `second` with:",
  ])
    expect(await afterOf(`${lead}\n\n${body}`)).toBe(after);
  expect(await afterOf(`Replace the loop body in \`second\` with:\n\n${body}`)).not.toBe(after);
});

test("empty lines at the edges of code are of the code where a sentence places it", async () => {
  const code = "const most = 20;\n";
  const lead = "Add this below `const limit = 10;`:";
  expect(await afterOf(`${lead}\n\n${fenced(`\n${code}`, "js")}`)).toBe(put(4, `\n${code.trim()}`));
  expect(await afterOf(`${lead}\n\n${fenced(code, "js")}`)).toBe(put(4, code.trim()));
});

test("from one quoted line to another all is replaced, and of what a function has the quoted line alone", async () => {
  const [loop, call] = [
    "    let sum = 0;\n    for (const one of this.list) {\n      sum += one.size;\n    }\n",
    "    return found.size;\n",
  ];
  const now = "    const sum = total(this.list);\n";
  for (const lead of [
    "In `second`, replace the code from `let sum = 0;` to `for (const one of this.list) {` with:",
    "把 `second` 中从 `let sum = 0;` 到 `for (const one of this.list) {` 的代码替换为：",
  ])
    expect(await afterOf(`${lead}\n\n${fenced(now, "js")}`)).toBe(before.replace(loop, now));
  expect(
    await afterOf(
      `将 \`first\` 中的 \`return found.size;\` 这一行替换为：\n\n${fenced("    return found.length;\n", "js")}`,
    ),
  ).toBe(before.replace(call, "    return found.length;\n"));
});

test("what is told of an import that goes, and code for callers, is no other change", async () => {
  const [first = ""] = lines;
  const change = `In \`second\`, replace \`let sum = 0;\` with:\n\n${fenced("    let sum = 1;\n", "js")}`;
  const changed = before.replace("let sum = 0;", "let sum = 1;");
  expect(
    await afterOf(
      `${change}\nThen remove the import that is no longer needed:\n\n${fenced(`${first}\n`, "js")}`,
    ),
  ).toBe(changed.replace(`${first}\n`, ""));
  expect(
    await afterOf(
      `${change}\nCallers have to change, too:\n\n${fenced("const limit = shop.second(1);\n", "js")}`,
    ),
  ).toBe(changed);
});

test("an answer of which one order is left undone changes nothing", async () => {
  const pair = `Before:\n\n${fenced("    let sum = 0;\n", "js")}\n\nAfter:\n\n${fenced("    let sum = 1;\n", "js")}`;
  const changed = before.replace("let sum = 0;", "let sum = 1;");
  expect(await afterOf(pair)).toBe(changed);
  expect(await afterOf(`${pair}\n\nThe import of \`./a.js\` stays.`)).toBe(changed);
  for (const order of [
    "Also add the import `lib.sums` after the one of `d`.",
    "再添加一个导入 `lib.sums`。",
    "The list may be empty. Make it `this.list.at(0) ?? fallback()`.",
  ])
    expect([order, await afterOf(`${pair}\n\n${order}`)]).toEqual([order, undefined]);
  for (const order of [
    "Remove `const limit = 10;` from the top and add it to the class.",
    "删除 `const limit = 10;`，然后添加到类中。",
  ])
    expect(await afterOf(order)).toBeUndefined();
});

test("code that is shown as the old one does not stay, whatever else is like the new one", async () => {
  const load = (name: string, body: string): string =>
    `def ${name}(path):\n    shop = Shop(path)\n${body}    return shop\n`;
  const inner =
    '    day = parse(row["day"], "%Y")\n    shop.add(row["id"], float(row["sum"]), day, row["note"])\n';
  const deeper = inner.replaceAll(/^/gm, "    ").trimEnd() + "\n";
  const old = "    f = open(path)\n    for row in csv.reader(f):\n";
  const other =
    '    with open(path) as f:\n        for row in json.load(f):\n            day = date(row["day"])\n            shop.add(row["id"], float(row["sum"]), day)\n';
  const file = `${load("load_csv", old + deeper)}\n\n${load("load_json", other)}`;
  const now = `    with open(path, newline="") as f:\n        for row in csv.reader(f):\n${deeper.replaceAll(/^/gm, "    ").trimEnd()}\n`;
  for (const [lead, use] of [
    ["The old code:", "Use `with`:"],
    ["原来的代码是：", "请改用 `with`："],
  ]) {
    const answer = `${lead}\n\n${fenced(old, "python")}\n\n${use}\n\n${fenced(now, "python")}`;
    const { after = file } = await play("load.py", file, answer);
    expect(after).toContain(other);
  }
});

const whole = (was: string, now: string): string => before.replace(was, now);
const changedFirst = whole("found.size", "found?.size");
const shownFirst = fenced(
  changedFirst.slice(changedFirst.indexOf("  first("), changedFirst.indexOf("  second(") - 1),
  "js",
);

test.each([
  [
    "the body of what its head is quoted",
    "run.py",
    "def run():\n    go()\n",
    "below `def run():`",
    "start()\n",
    "def run():\n    start()\n    go()\n",
  ],
  [
    "a class",
    "run.py",
    "class A:\n    def run(self):\n        go()\n",
    "below `class A:`",
    "most = 3\n",
    "class A:\n    most = 3\n    def run(self):\n        go()\n",
  ],
  [
    "an element",
    "page.html",
    "<ul>\n  <li>a</li>\n</ul>\n",
    "below `<ul>`",
    "<li>b</li>\n",
    "<ul>\n  <li>b</li>\n  <li>a</li>\n</ul>\n",
  ],
  [
    "the call, and not the declaration",
    "run.js",
    "function go() {\n  stop();\n}\n\ngo();\n",
    "before the call to `go`",
    "start();\n",
    "function go() {\n  stop();\n}\n\nstart();\ngo();\n",
  ],
  [
    "a line by its name",
    "run.js",
    "const a = 1;\n\ngo(a);\n",
    "below `a`",
    "const b = 2;\n",
    "const a = 1;\nconst b = 2;\n\ngo(a);\n",
  ],
  [
    "where it already is",
    "run.js",
    "const a = 1;\ngo(a);\n",
    "after `const a = 1;`",
    "go(a);\n",
    undefined,
  ],
])("code is put where a sentence says: %s", async (_, name, file, place, code, after) => {
  const answer = `Add this ${place}:\n\n${fenced(code, name.split(".").at(-1) ?? "")}`;
  expect((await play(name, file, answer)).after).toBe(after);
});

test.each([
  [
    "an order with its reason is done, or all is refused",
    `${shownFirst}\n\nUse \`sum >= limit\` because it is closed.`,
    undefined,
  ],
  [
    "a piece of a line that is to come is not left out",
    `${shownFirst}\n\nAlso add this at the end of the file:\n\n${fenced("limit ? at\n", "js")}`,
    undefined,
  ],
  [
    "a command beside a whole file is no code of it",
    `${fenced(changedFirst, "js")}\n\nRun it:\n\n${fenced("shop run\n", "")}`,
    changedFirst,
  ],
  [
    "a comment of an example may be above code of the file",
    fenced(whole("  second(at)", "  // Example usage:\n  second(at)"), "js"),
    whole("  second(at)", "  // Example usage:\n  second(at)"),
  ],
])("%s", async (_, answer, after) => {
  expect(await afterOf(answer)).toBe(after);
});

test("imports go that a block shows together, wherever they are; other lines only as they are", async () => {
  const file = before.replace("import { d }", "import { b } from './b.js';\nimport { d }");
  const imports = ["a", "d"].map((name) => `import { ${name} } from './${name}.js';\n`).join("");
  for (const lead of ["Remove the imports that are not used:", "删除这些多余的导入："]) {
    const { after } = await play(path, file, `${lead}\n\n${fenced(imports, "js")}`);
    expect(after).toBe(file.replace(/import \{ [ad] \}.*\n/g, ""));
    const others = "    let sum = 0;\n    return found.size;\n";
    expect(await afterOf(`Remove these lines:\n\n${fenced(others, "js")}`)).toBeUndefined();
  }
});

test("code stays out of a function that another one is quoted for, also where only that has a line like it", async () => {
  for (const [name, lead] of [
    ["second", "`second` has to end early, so after `limit` has come add:"],
    ["second", "In `second`, `null` is what comes:"],
  ] as const) {
    const answer = `${lead}\n\n${fenced("      return undefined;\n", "js")}`;
    const after = (await afterOf(answer)) ?? before;
    const head = before.indexOf(`  ${name}(`);
    expect(after.slice(0, head)).toBe(before.slice(0, head));
  }
});

test("a line that binds what the line before it does takes the place of that, or nothing is changed", async () => {
  for (const name of ["index", "at", "place"]) {
    const file = `class Feed {\n    func like(_ post: Post) {\n        let ${name} = posts.firstIndex { $0.id == post.id }!\n        posts[${name}].likes += 1\n    }\n}\n`;
    const code = `        if let ${name} = posts.firstIndex(where: { $0.id == post.id }) {\n            posts[${name}].likes += 1\n        }\n`;
    const answer = `\`like\` crashes without a post. Wrap the access in an \`if let\`:\n\n${fenced(code, "swift")}`;
    const old = /^ {8}let .*\n.*\n/m.exec(file)?.[0] ?? "";
    for (const options of [{}, { lines: [2, 5] as const }]) {
      const { after } = await play("Feed.swift", file, answer, options);
      expect([undefined, file.replace(old, code)]).toContain(after);
    }
  }
});

test("a call that a sentence adds at a place is code, and one of which it only speaks is none", async () => {
  const at = lines.findIndex((line) => line.includes("return sum"));
  for (const add of [
    `After line ${at} add \`this.seen()\`.`,
    `Add \`this.seen()\` after line ${at}.`,
    `在第 ${at} 行之后加上 \`this.seen()\`。`,
  ]) {
    const answer = `- Change \`limit = 10\` to \`limit = 20\`.\n- ${add}\n`;
    const after = put(at, "    this.seen()").replace("limit = 10", "limit = 20");
    expect([undefined, after]).toContain(await afterOf(answer));
  }
  const spoken = "- Change `limit = 10` to `limit = 20`.\n- `this.seen()` is not used then.\n";
  expect(await afterOf(spoken)).toBe(before.replace("limit = 10", "limit = 20"));
});

test("what only those need who want something else is no order", async () => {
  const change = fenced("    return sum;\n", "js");
  for (const tail of [
    "If you need the old behaviour, use `Math.max(sum, at, limit)`.",
    "如果您需要原来的行为，请使用 `Math.max(sum, at, limit)`。",
  ]) {
    const answer = `In \`second\`, replace the \`return\` with:\n\n${change}\n${tail}\n`;
    expect(await afterOf(answer)).toBe(before.replace("sum > limit ? at : sum", "sum"));
  }
});

test("code from inside of a class, and a mark for the rest behind it, leaves what is above", async () => {
  const own = before.slice(before.indexOf("  second("), before.lastIndexOf("}"));
  for (const mark of ["// ... rest of the code remains the same", "// 其余代码保持不变"]) {
    const code = `${own.replace("sum += one.size", "sum += one.size * at")}\n  ${mark}\n`;
    const { after } = await play(path, before, `Multiply:\n\n${fenced(code, "js")}`);
    expect(after).toBe(before.replace("sum += one.size", "sum += one.size * at"));
  }
});

test("what a block shows is not done once more where the file has it elsewhere", async () => {
  const twice = whole("    let sum = 0;\n", "    let sum = 0;\n    log(sum);\n").replace(
    "    return found.size;",
    "    log(sum);\n    return found.size;",
  );
  const from = twice.indexOf("  first(");
  const shown = twice.slice(from, twice.indexOf("  second(") - 1).replace("log(sum)", "print(sum)");
  const { after } = await play(
    path,
    twice,
    `Replace \`log(sum);\` with \`print(sum);\` in \`first\`. The new method:\n\n${fenced(shown, "js")}`,
  );
  expect(after).toBe(twice.replace("log(sum)", "print(sum)"));
});

test("code that does not close what it opens takes the place of no statement", async () => {
  const file = "fun run(x: Int): Int {\n    val sum = x + 1\n    return sum\n}\n";
  const open = fenced("    val sum = if (x > 0) {\n        x + 1\n", "kotlin");
  const { after } = await play("run.kt", file, `Replace \`val sum = x + 1\` with:\n\n${open}`);
  expect(after).toBeUndefined();
});

test("what a text says of a part of a line, of lines beside, and of names is done, or nothing is", async () => {
  const source =
    "function one(list) {\n  const found = pick(list);\n  if (found.kind === list.kind) return 1;\n  return 2;\n}\n";
  const own = (text: string, code: string): string => `${text}\n\n${fenced(`${code}\n`, "js")}`;
  const afterIn = async (answer: string): Promise<string | undefined> =>
    (await play("src/a.js", source, answer)).after;
  // A statement is no part of a line.
  const same = own("`one` uses `===`. It should be:", "  const found = pick(list, 1);");
  const changed = source.replace("pick(list)", "pick(list, 1)");
  expect([changed, undefined]).toContain(await afterIn(same));
  const piece = own("Change `pick(list)` to:", "pick(list, 1)");
  expect(await afterIn(piece)).toBe(changed);
  // What is almost the line before it comes in place of that, if nothing says that it comes besides.
  const twice = own("In `one` the last line should be:", "  return 2 || list.length;");
  expect([source.replace("2;", "2 || list.length;"), undefined]).toContain(await afterIn(twice));
  // What has to go and stays makes the answer one of which a part is left undone.
  const helper = `${source}\nfunction two(list) {\n  return one(list);\n}\n`;
  const first = own("Replace the line in `one`:", "  const found = pick(list, 1);");
  for (const order of ["Also delete the function `two`.", "另外删除函数 `two`。"])
    expect((await play("src/a.js", helper, `${first}\n${order}\n`)).after).toBeUndefined();
  expect((await play("src/a.js", helper, first)).after).toBe(
    helper.replace("(list);", "(list, 1);"),
  );
});

test("a line comes anew with something put in, if it is the only one that it can be", async () => {
  const line = fc.tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.stringMatching(/^[a-z]{3,8}$/));
  await fc.assert(
    fc.asyncProperty(line, fc.nat({ max: 5 }), async ([name, added], cut) => {
      const old = `}, [${name}, props.${name}]);`;
      const at = 4 + (cut % name.length);
      const now = `${old.slice(0, at)}${added}, ${old.slice(at)}`;
      fc.pre(now !== old);
      const source = `useIt(() => {\n  call(${name});\n${old}\n\nrest(() => {\n  stop();\n});\n`;
      const answer = (code: string): string =>
        `The list should be:\n\n${fenced(`${code}\n`, "js")}`;
      expect((await play("src/a.js", source, answer(now))).after).toBe(source.replace(old, now));
      const both = source.replace("});\n", `${old}\n`);
      expect((await play("src/a.js", both, answer(now))).after).toBeUndefined();
    }),
    { numRuns: cases(8) },
  );
});

test("a sketch is no code of the file where a block shows all of it behind it", async () => {
  const source = "function run(list) {\n  for (const one of list) go(one);\n  return list;\n}\n";
  const final = source.replace("of list)", "of list.toReversed())");
  const head = "for (const one of list.toReversed()) go(one);";
  const sketches = [
    ["Walk backwards:", `${head}\n// ...\n`],
    ["The idea:", "const all = sortIt(list);\n// ... and then only over that\n"],
  ] as const;
  for (const [lead, sketch] of sketches) {
    const answer = `${lead}\n\n${fenced(sketch, "js")}\n\nThe final function:\n\n${fenced(final, "js")}`;
    expect((await play("src/a.js", source, answer)).after).toBe(final);
  }
});

test("of settings whose rest a text leaves, what is not shown stays", async () => {
  const source = "db:\n  image: old\n  ports:\n    - 80\nweb:\n  image: w\n";
  const code = fenced("db:\n  image: new\n", "yaml");
  const after = source.replace("old", "new");
  for (const rest of ["The rest of `db` stays the same.", "`db` 的其他配置保持不变。"])
    expect((await play("a.yaml", source, `Change \`db\`:\n\n${code}\n${rest}`)).after).toBe(after);
});

test("a path of keys changes what the last one holds, and a table that is shown has no other rows", async () => {
  const source =
    "template:\n  meta:\n    labels:\n      app: one\n  spec:\n    size: 2\n    host: a\n  more:\n    port: 4\n";
  const keys = fenced("template:\n  meta:\n    labels:\n      app: two\n", "yaml");
  for (const order of ["Change the labels of `template`:", "请修改 `template` 下的标签："])
    expect((await play("a.yaml", source, `${order}\n\n${keys}`)).after).toBe(
      source.replace("one", "two"),
    );
  const head = "| Port | Use |\n| ---- | --- |\n";
  const table = `# Ports\n\n${head}| 1 | a |\n| 2 | b |\n| 3 | c |\n\nDone.\n`;
  const now = `${head}| 1 | d |\n| 2 | b |\n`;
  const answer = `The last row goes. The table becomes:\n\n${fenced(now, "markdown")}`;
  const after = table.replace(/\|[^]*\|\n/, now);
  expect([after, undefined]).toContain((await play("a.md", table, answer)).after);
});

test("what becomes another one does not stay, and who adds up adds nothing to the file", async () => {
  const source =
    "class A {\n  add(one) {\n    this.all.push(one);\n    this.told(this, one.name);\n  }\n}\n";
  const call = fenced("this.told?.call(this, one.name, one);\n", "js");
  const answer = `The last statement of \`add\` becomes:\n\n${call}`;
  const after = source.replace("this.told(this, one.name)", "this.told?.call(this, one.name, one)");
  expect([after, undefined]).toContain((await play("a.js", source, answer)).after);
  const ruby =
    "def sum(list)\n  total = 0\n  list.each do |one|\n    total += one.size\n  end\n  total\nend\n";
  const short = "def sum(list)\n  list.sum { |one| one.size }\nend\n";
  const said = `可以用 \`sum\` 代替手写的累加：\n\n${fenced(short, "ruby")}`;
  expect((await play("a.rb", ruby, said)).after).toBe(short);
});
