// New code that a sentence puts above or below something that it quotes.
import { expect, test } from "vitest";
import { fenced, play } from "./play.ts";

const path = "src/store.ts";
const method = (name: string): string[] => [
  `  ${name}(key: string): number {`,
  `    const ${name}At = this.find(key);`,
  `    return ${name}At + 1;`,
  "  }",
];
const names = ["first", "second", "third"];
const fileOf = (parts: readonly (readonly string[])[]): string =>
  [
    "export class Store {",
    ...parts.flatMap((part, nth) => (nth > 0 ? ["", ...part] : part)),
    "}",
    "",
  ].join("\n");
const before = fileOf(names.map(method));
const added = ["  touch(at: number): void {", "    this.seen.add(at);", "  }"];
const check = ["    if (key === '') {", "      return 0;", "    }"];

const sentences = {
  below: [
    "Add this method after `NAME`:",
    "Insert a method below the `NAME(key)` method:",
    "在 `NAME(key)` 方法之后添加以下方法：",
  ],
  above: [
    "Add the following before `NAME`:",
    "Put this above the method `NAME`:",
    "在 `NAME` 前面加上这个方法：",
  ],
};
const places = Object.entries(sentences).flatMap(([side, all]) =>
  all.flatMap((sentence) =>
    names.flatMap((name, nth) =>
      [true, false].map((isDedented) => ({ side, sentence, name, nth, isDedented })),
    ),
  ),
);

test.each(places)(
  "a method goes where the sentence puts it: $sentence $name, dedented: $isDedented",
  async ({ side, sentence, name, nth, isDedented }) => {
    const code = added.map((line) => (isDedented ? line.slice(2) : line)).join("\n");
    const answer = `${sentence.replace("NAME", name)}\n\n${fenced(`${code}\n`, "ts")}`;
    const parts = names.map(method).toSpliced(side === "above" ? nth : nth + 1, 0, added);
    const played = await play(path, before, answer);
    expect(played.after).toBe(fileOf(parts));
    expect(played.calls).toBe(1);
  },
);

test.each(names)("a check goes before the line of %s that the sentence quotes", async (name) => {
  const answer = `Add this check before the \`return\` in \`${name}\`:\n\n${fenced(check.join("\n") + "\n", "ts")}`;
  const parts = names.map((one) =>
    one === name ? method(one).toSpliced(2, 0, ...check) : method(one),
  );
  expect((await play(path, before, answer)).after).toBe(fileOf(parts));
});

test.each([
  ["two places have the line", "Add this check before the `return`:", check],
  ["the sentence says what not to do", "Don't add this after `first`:", added],
  ["the sentence leaves it to the person", "You could add this after `first`:", added],
  ["the code leaves something out", "Add this after `first`:", ["// other methods", ...added]],
  ["it is not told that something is added", "The check before `second` is wrong:", check],
  [
    "the file declares it",
    "Add this after `first`:",
    method("third").with(2, "    return 7;").slice(0, 2),
  ],
])("nothing goes to a told place where %s", async (_, sentence, code) => {
  const played = await play(path, before, `${sentence}\n\n${fenced(code.join("\n") + "\n", "ts")}`);
  expect(played.after).toBeUndefined();
});

test.each(names)(
  "a declaration goes behind the block of %s whose head the sentence quotes",
  async (name) => {
    const block = (own: string): string => `impl Show for ${own} {\n    fn show(&self) {}\n}\n`;
    const file = (blocks: readonly string[]): string => `use std::fmt;\n\n${blocks.join("\n")}`;
    const all = names.map(block);
    const code = `impl Error for ${name} {}\n`;
    const answer = `Add this below the \`impl Show for ${name}\` block:\n\n${fenced(code, "rust")}`;
    const after = file(all.toSpliced(names.indexOf(name) + 1, 0, code));
    expect((await play("src/show.rs", file(all), answer)).after).toBe(after);
  },
);

test("a block that goes above a line which is set apart is set apart as well", async () => {
  const file = (middle: string): string => `const one = 1;\n\n${middle}export default one;\n`;
  const block = "function two() {\n  return 2;\n}\n";
  const answer = `Insert this right before \`export default one;\`:\n\n${fenced(block, "js")}`;
  expect((await play("one.js", file(""), answer)).after).toBe(file(`${block}\n`));
});

const bodies = [
  "Replace the body of `NAME` with:",
  "Change the body of the `NAME` method to:",
  "`NAME` 的函数体改为：",
];
const body = ["if (this.seen.has(key)) {", "  return 0;", "}", "return this.find(key);"];

test.each(names.flatMap((name, nth) => bodies.map((sentence) => ({ name, nth, sentence }))))(
  "code takes the place of the body that the sentence names: $sentence $name",
  async ({ name, nth, sentence }) => {
    const answer = `${sentence.replace("NAME", name)}\n\n${fenced(`${body.join("\n")}\n`, "ts")}`;
    const shown = body.map((line) => `    ${line}`);
    const [head = "", , , end = ""] = method(name);
    const parts = names.map(method).with(nth, [head, ...shown, end]);
    expect((await play(path, before, answer)).after).toBe(fileOf(parts));
  },
);

const python = [
  "class Store:",
  "    def first(self, key):",
  '        """The first."""',
  "        at = self.find(key)",
  "        return at + 1",
  "",
  "    def second(self):",
  "        return 2",
  "",
].join("\n");

test("a body of Python keeps its documentation, and the text behind the code may name it", async () => {
  const answer = `Use one line:\n\n${fenced("return self.find(key) + 1\n", "python")}\nThis replaces the whole body of \`first\`.\n`;
  const after = python.replace(
    "        at = self.find(key)\n        return at + 1",
    "        return self.find(key) + 1",
  );
  expect((await play("store.py", python, answer)).after).toBe(after);
});

test.each([
  ["it is left to the person", "You could replace the body of `first` with:", body],
  ["the sentence forbids it", "Don't replace the body of `first` with:", body],
  ["there is no such function", "Replace the body of `fourth` with:", body],
  [
    "the code leaves something out",
    "Replace the body of `first` with:",
    ["// ... existing code ...", ...body],
  ],
])("no body is replaced where %s", async (_, sentence, code) => {
  const played = await play(path, before, `${sentence}\n\n${fenced(code.join("\n") + "\n", "ts")}`);
  expect(played.after).toBeUndefined();
});

test.each(names)(
  "new lines go beside the line of %s that the code shows first, or last",
  async (name) => {
    const nth = names.indexOf(name);
    const fresh = ["this.seen.add(key);", "this.count += 1;"];
    const shown = `const ${name}At = this.find(key);`;
    for (const isFirst of [true, false]) {
      const code = isFirst ? [shown, ...fresh] : [...fresh, shown];
      const answer = `Add this to count the keys:\n\n${fenced(`${code.join("\n")}\n`, "ts")}`;
      const lines = fresh.map((line) => `    ${line}`);
      const parts = names
        .map(method)
        .with(nth, method(name).toSpliced(isFirst ? 2 : 1, 0, ...lines));
      expect((await play(path, before, answer)).after).toBe(fileOf(parts));
    }
  },
);

test("a line that may take the place of one beside it is not set beside that", async () => {
  const shown = ["const firstAt = this.find(key);", "return firstAt + 1 + this.offset;"];
  const answer = `Add the offset:\n\n${fenced(`${shown.join("\n")}\n`, "ts")}`;
  const { after = "" } = await play(path, before, answer);
  expect(after.match(/return firstAt/g) ?? []).not.toHaveLength(2);
});

const sections = ["Setup", "Tests", "Style"].map((title, nth) => [
  `## ${title}`,
  "",
  `${nth + 1}. Read \`${title.toLowerCase()}.txt\``,
  "",
  `### More of ${title}`,
  "",
  `Ask about ${title}.`,
]);
const guide = (all: readonly (readonly string[])[]): string =>
  ["# Guide", ...all.map((lines) => ["", ...lines].join("\n"))].join("\n") + "\n";

test.each(sections.map(([heading = ""], nth) => ({ heading, nth })))(
  "a section of Markdown takes the place of the one of its heading: $heading",
  async ({ heading, nth }) => {
    const now = [heading, "", "Run this:", "", "```sh", "# Setup", "make all", "```"];
    const answer = `Here's the section:\n\n\`\`\`\`markdown\n${now.join("\n")}\n\`\`\`\`\n`;
    const played = await play("GUIDE.md", guide(sections), answer);
    expect(played.after).toBe(guide(sections.with(nth, now)));
  },
);

test("a section stays whose heading comes twice, or that is shown in part", async () => {
  const twice = guide([...sections, sections[0] ?? []]);
  const now = ["## Setup", "", "Other words."];
  const part = ["## Setup", "", "<!-- ... existing text ... -->", "", "Other words."];
  for (const [file, code] of [
    [twice, now],
    [guide(sections), part],
  ] as const) {
    const answer = `The section:\n\n\`\`\`\`markdown\n${code.join("\n")}\n\`\`\`\`\n`;
    const { after } = await play("GUIDE.md", file, answer);
    expect(after ?? "").not.toContain("Setup\n\nOther");
  }
});

const hooks = [
  "onOpen(() => {",
  "  keys.value = load();",
  "  listen(onKey);",
  "});",
  "",
  "watch(keys, () => {",
  "  save(keys.value);",
  "});",
  "",
].join("\n");

test.each([
  "Add this directly below the `onOpen` hook:",
  "Insert the following after `onOpen`:",
  "在 `onOpen` 之后添加：",
])("code below a call that takes a block goes behind all of it: %s", async (sentence) => {
  const code = "onClose(() => {\n  drop(onKey);\n});\n";
  const played = await play("src/hooks.ts", hooks, `${sentence}\n\n${fenced(code, "ts")}`);
  expect(played.after).toBe(hooks.replace("\nwatch", `\n${code}\nwatch`));
});

test.each(["", "    "])("code for a line that is quoted is as deep as that: %j", async (indent) => {
  const text = "try:\n    run()\nexcept OSError as error:\n    traceback.print_exc()\n";
  const line = 'log.warning("run failed: %s", error)';
  const answer = `Replace \`traceback.print_exc()\` with:\n\n${fenced(`${indent}${line}\n`, "python")}`;
  const played = await play("src/run.py", text, answer);
  expect(played.after).toBe(text.replace("traceback.print_exc()", line));
});

/** What a sentence quotes, how it says where it is, the line that it means, and code for below it. */
const anchors: readonly (readonly [
  quoted: string,
  saying: string,
  line: string,
  code: readonly string[],
])[] = [
  [
    "LIMIT",
    "First add a constant below `@`:",
    "private const decimal LIMIT = 5m;",
    ["private const decimal FEE = 10m;"],
  ],
  ["limit", "Add a field after the one of `@`:", "self.limit = 5", ["self.fee = 10"]],
  [
    "parse",
    "Skip empty names right after the call of `@`:",
    "const [name, size] = parse(line);",
    ["if (!name) continue;"],
  ],
  [
    "parse",
    "在调用 `@` 之后加上检查：",
    "const [name, size] = parse(line);",
    ["if (!name) continue;"],
  ],
  [
    "==",
    "Add this below the `@` operator:",
    "bool operator ==(Object other) => other is Point;",
    ["@override", "int get hashCode => id.hashCode;"],
  ],
  [
    "shop_table.main",
    "Insert this resource right after `@`:",
    'resource "shop_table" "main" {}',
    ['resource "shop_row" "main" {}'],
  ],
];

test.each(anchors)(
  "code goes below the line that declares or calls `%s`: %s",
  async (quoted, saying, line, code) => {
    const rest = ["start();", "other(limits);", "end();"];
    const print = (lines: readonly string[]): string => lines.map((one) => `  ${one}\n`).join("");
    for (const at of [1, 2]) {
      const lines = rest.toSpliced(at, 0, line);
      const answer = `${saying.replace("@", quoted)}\n\n${fenced(print(code), "")}`;
      const played = await play("shop.unknown", `begin\n${print(lines)}finish\n`, answer);
      const after = print(lines.toSpliced(at + 1, 0, ...code));
      expect(played.after).toBe(`begin\n${after}finish\n`);
    }
  },
);

test.each(["before", "after"])(
  "where the line that it goes %s is there twice, a person chooses, or the selection tells",
  async (side) => {
    const twice = fileOf(
      ["first", "second"].map((name) => [
        `  ${name}(key: string): number {`,
        "    this.begin(key);",
        "    return 0;",
        "  }",
      ]),
    );
    const answer = `Add this ${side} \`this.begin(key);\`:\n\n${fenced("    this.seen.add(key);\n", "ts")}`;
    const lines = twice.split("\n");
    const made = [2, 7].map((at) =>
      lines.toSpliced(side === "before" ? at : at + 1, 0, "    this.seen.add(key);").join("\n"),
    );
    const { after, calls, actions } = await play(path, twice, answer);
    const tree = actions.find(({ action }) => action === "tree");
    expect([after, calls, tree?.action === "tree" && tree.data.nodes.length]).toEqual([
      undefined,
      1,
      2,
    ]);
    for (const [nth, at] of [2, 7].entries()) {
      const selected = await play(path, twice, answer, { lines: [at, at + 3] });
      expect(selected.after).toBe(made[nth]);
    }
  },
);

const store = [
  "import a from x",
  "from y import b",
  "",
  "class Store {",
  "  size() {",
  "    return a(b);",
  "  }",
  "}",
  "start()",
  "",
].join("\n");

test.each([
  [
    "an import by what it binds",
    "Replace the import of `b`, which isn't needed any more, with:",
    "from z import c\n",
    store.replace("from y import b", "from z import c"),
  ],
  [
    "a call that is a line",
    "Replace the `start()` call at the end with:",
    "if main:\n    start()\n",
    store.replace("\nstart()", "\nif main:\n  start()"),
  ],
  [
    "a body between brackets, without a grammar",
    "Replace the body of `size()` with:",
    "return 1;\n",
    store.replace("a(b)", "1"),
  ],
  [
    "the end of a class, by whom would add it",
    "I'd add a method at the end of the `Store` class:",
    "clear() {\n  this.all = [];\n}\n",
    store.replace("  }\n}\nstart", "  }\n\n  clear() {\n    this.all = [];\n  }\n}\nstart"),
  ],
])("a sentence tells %s", async (_, sentence, code, after) => {
  const played = await play("store.unknown", store, `${sentence}\n\n${fenced(code, "")}`);
  expect(played.after).toBe(after);
});
