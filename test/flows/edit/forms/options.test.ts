import { expect, test } from "vitest";
import { fenced, play } from "./play.ts";

const before = "function a(b) {\n  return b;\n}\n\nfunction c() {\n  return a(1);\n}\n";
const unit = (replace: string, search = "  return b;\n") =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;
const tree = (actions: Awaited<ReturnType<typeof play>>["actions"]) =>
  actions.flatMap((action) => (action.action === "tree" ? action.data.nodes : []));

const functions = (value: string) => fenced(`function a(b) {\n  return ${value};\n}\n`, "js");

test.each([
  ["units", unit("  return 2 * b;\n"), unit("  return b + b;\n")],
  [
    "units in code blocks",
    fenced(unit("  return 2 * b;\n"), "diff"),
    fenced(unit("  return b + b;\n"), "diff"),
  ],
  ["functions", functions("2 * b"), functions("b + b")],
  [
    "a diff and a diff",
    fenced("-  return b;\n+  return 2 * b;\n", "diff"),
    fenced("-  return b;\n+  return b + b;\n", "diff"),
  ],
])("several complete changes under headings of options become a tree: %s", async (_, one, two) => {
  for (const [first, second] of [
    ["### Option A: twice", "### Option B: sum"],
    ["**方案一：两倍**", "**方案二：求和**"],
  ]) {
    const answer = `There are two ways.\n\n${first}\n\n${one}\n${second}\n\n${two}`;
    const { after, text, actions, calls, edits } = await play("a.js", before, answer);
    expect(after).toBeUndefined();
    expect(edits.filter(({ result }) => result.status === "applied")).toEqual([]);
    expect(calls).toBe(1);
    expect(text).toContain(
      "**Nothing was changed yet**: there are several ways to make the change.",
    );
    expect(text).toContain("+  return 2 * b;");
    expect(text).toContain("+  return b + b;");
    expect(text).not.toContain("No change was proposed");
    const nodes = tree(actions);
    expect(nodes.map(({ type }) => type)).toEqual(["option", "option"]);
    const clicked = await play("a.js", before, "unused", { prompt: nodes[1]?.prompt ?? "" });
    expect(clicked.after).toBe(before.replace("return b", "return b + b"));
    expect(clicked.calls).toBe(0);
  }
});

test("a click on an option can show the whole file afterwards", async () => {
  const answer = `**Option 1**\n\n${unit("  return 2 * b;\n")}\n**Option 2**\n\n${unit("  return b + b;\n")}`;
  const { actions } = await play("a.js", before, answer);
  const clicked = await play("a.js", before, "unused", {
    prompt: tree(actions)[0]?.prompt ?? "",
  });
  const whole = clicked.actions.flatMap((action) =>
    action.action === "confirm" ? [action.data] : [],
  );
  const shown = await play("a.js", before, "unused", { prompt: whole[0]?.prompt ?? "" });
  expect(shown.text).toContain("function a(b) {\n  return 2 * b;\n}\n\nfunction c()");
});

test("options of which one cannot be applied are asked for again", async () => {
  const answer = `**Option 1**\n\n${unit("  return 2 * b;\n")}\n**Option 2**\n\n${unit("  return 0;\n", "  return nothing;\n")}`;
  const played = await play("a.js", before, [answer, unit("  return 3;\n")]);
  expect(played.calls).toBe(2);
  expect(JSON.stringify(played.model.requests[1]?.messages.at(-1))).toContain(
    "Not every option of the answer",
  );
  expect(played.after).toBe(before.replace("return b", "return 3"));
});

test("an option of a command that may change comments only is checked like any change", async () => {
  const answer = `**Option 1**\n\n${unit("  return 2 * b;\n")}\n**Option 2**\n\n${unit("  return b + b;\n")}`;
  const { actions, after } = await play("a.js", before, answer, { command: "docstring" });
  expect(after).toBeUndefined();
  expect(tree(actions)).toEqual([]);
});

/** Each makes another text of the same lines. */
const forms: Readonly<Record<string, (value: string) => string>> = {
  functions,
  "whole files": (value) => fenced(before.replace("return b", `return ${value}`), "js"),
};
const titles = [
  [
    ["Twice:", "Twice"],
    ["A sum:", "A sum"],
  ],
  [
    ["1. **By a product**", "By a product"],
    ["2. **By a sum**", "By a sum"],
  ],
  [
    ["方法一：", "方法一"],
    ["方法二：", "方法二"],
  ],
  [
    ["- Entweder `so`:", "Entweder so"],
    ["- Oder so:", "Oder so"],
  ],
] as const;

test.each(Object.entries(forms))(
  "blocks of which each writes the same lines anew become a tree: %s",
  async (_, print) => {
    for (const [[one, first], [two, second]] of titles) {
      const answer = `${one}\n\n${print("2 * b")}\n${two}\n\n${print("b + b")}`;
      const { after, calls, actions } = await play("a.js", before, answer);
      expect([answer, after, calls]).toEqual([answer, undefined, 1]);
      const nodes = tree(actions);
      expect(nodes.map(({ name }) => name)).toEqual([first, second]);
      const clicked = await play("a.js", before, "unused", { prompt: nodes[1]?.prompt ?? "" });
      expect(clicked.after).toContain("return b + b;");
    }
  },
);

test.each([
  [
    "of other lines are one change",
    functions("2 * b"),
    fenced("function c() {\n  return a(2);\n}\n"),
  ],
  ["of the same text are one change", functions("2 * b"), functions("2 * b")],
  ["of which one is of no use are asked for again", functions("2 * b"), functions("2 * * b")],
  ["of which one is the code as it was are one change", functions("b"), functions("2 * b")],
])("two blocks %s, and no options", async (what, one, two) => {
  const played = await play("a.js", before, `So:\n\n${one}\nAnd:\n\n${two}`);
  expect(tree(played.actions)).toEqual([]);
  expect(played.calls).toBe(what.includes("again") ? 2 : 1);
  if (played.calls === 1) expect(played.after).toContain("return 2 * b;");
});

const twice = (print: (nth: number) => string): string =>
  `class A {\n${print(0)}}\n\nclass B {\n${print(1)}}\n`;
const method = (value: string, name = "load"): string =>
  `  ${name}(key) {\n    return ${value};\n  }\n`;

test.each([
  [
    "a line",
    "    return key;\n",
    "return key + this.offset;",
    (nth: number) => method("key", `load${nth}`),
  ],
  ["a method", method("key"), method("key + 1"), () => method("key")],
])(
  "of several places that %s may be meant for, a person chooses one",
  async (_, old, now, print) => {
    const file = twice(print);
    const answer = `The offset is missing:\n\n${fenced(`${now.trim()}\n`, "js")}`;
    const played = await play("a.js", file, answer);
    expect([played.after, played.calls]).toEqual([undefined, 1]);
    const nodes = tree(played.actions);
    expect(nodes.map(({ type }) => type)).toEqual(["option", "option"]);
    const results: (string | undefined)[] = [];
    for (const { prompt } of nodes) {
      const clicked = await play("a.js", file, "unused", { prompt: prompt ?? "" });
      expect(clicked.calls).toBe(0);
      results.push(clicked.after);
    }
    const [above = "", between = "", below = ""] = file.split(old);
    const shown = old.replace(old.trim(), now.trim());
    expect(results).toEqual([
      above + shown + between + old + below,
      above + old + between + shown + below,
    ]);
    // Where one is selected, or named, no person has to choose.
    const start = file.split("\n").findLastIndex((line) => line === old.split("\n")[0]) + 1;
    const lines = [start, start + old.split("\n").length - 2] as const;
    const selected = await play("a.js", file, answer, { lines });
    expect(selected.after).toBe(results[1]);
  },
);

test("steps are no options", async () => {
  const answer = `**Step 1**\n\n${unit("  return 2 * b;\n")}\n**Step 2**\n\n${unit("  return a(2);\n", "  return a(1);\n")}`;
  const { after, calls } = await play("a.js", before, answer);
  expect(after).toBe(before.replace("return b", "return 2 * b").replace("a(1)", "a(2)"));
  expect(calls).toBe(1);
});
