// What happens between a model's edits and the person's clicks; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../../src/testing.ts";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { ask, button, editor, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = "a();\nb();\na();\nc();\nb();\n";
const fileEdit = (filePath: string, ...pairs: readonly (readonly [string, string])[]) =>
  `<file-edit filePath="${filePath}">\n${printUnits(
    pairs.map(([search, replace]) => ({ search, replace })),
  )}</file-edit>\n`;
const context = [editor(file)];

function tree(actions: Awaited<ReturnType<typeof ask>>["actions"]) {
  const found = actions.find((action) => action.action === "tree");
  if (found?.action !== "tree") throw new Error("There is no tree.");
  return found.data.nodes;
}

describe("an edit with two ambiguous units", () => {
  const answer = fileEdit("src/cart.js", ["a();\n", "A();\n"], ["b();\n", "B();\n"]);

  test("is applied after a place was chosen for each", async () => {
    const { app, model } = createTestApp({ models: [[answer]] });
    const first = await ask(app, "fix", context);
    expect(first.text).toContain(
      "- Change 1: fits several places\n- Change 2: fits several places",
    );
    const chosen = tree(first.actions)[1]?.prompt ?? "";
    const second = await ask(app, "fix", [...context, prompted(chosen)]);
    expect(second.text).toContain("change 2 fits several places");
    const both = tree(second.actions)[0]?.prompt ?? "";
    const third = await ask(app, "fix", [...context, prompted(both)]);
    expect(third.text).toContain("- Change 1: line 3 (found exactly)\n- Change 2: line 2");
    const { prompt } = button(third, "fix").data;
    const whole = await ask(app, "fix", [...context, prompted(prompt)]);
    expect(whole.text).toContain("a();\nB();\nA();\nc();\nb();\n");
    expect(model.requests).toHaveLength(1);
  });
});

test("of a place that was chosen before the person edited the code, it is said that the code was edited", async () => {
  const answer = fileEdit("src/cart.js", ["a();\n", "A();\n"], ["c();\n", "C();\n"]);
  const { app } = createTestApp({ models: [[answer]] });
  const first = await ask(app, "fix", context);
  const chosen = tree(first.actions)[1]?.prompt ?? "";
  const edited = file.replace("c();", "c(1);");
  const second = await ask(app, "fix", [editor(edited), prompted(chosen)]);
  expect(second.text).toContain("this code was edited after the change was proposed");
  expect(second.text).not.toContain("**New code**");
});

test("the whole file is shown as the edit was understood, where it can be read in several ways", async () => {
  const text = "one\n=======\ntwo\n";
  const answer = "------- SEARCH\none\n=======\ntwo\n=======\nthree\n+++++++ REPLACE\n";
  const { app } = createTestApp({ models: [[answer]] });
  const reply = await ask(app, "fix", [editor(text)]);
  expect(reply.text).toContain("-one");
  const { prompt } = button(reply, "fix").data;
  const whole = await ask(app, "fix", [editor(text), prompted(prompt)]);
  expect(whole.text).toContain("```javascript\nthree\n```");
});

test("a diff that a person pastes goes to the model", async () => {
  const pasted = `Why does this not apply?\n\n${printUnits([{ search: "b();\n", replace: "x();\n" }])}`;
  const { app, model } = createTestApp({ models: [["It stands there twice.\n"]] });
  const reply = await ask(app, "fix", [...context, prompted(pasted)]);
  expect(reply.text).toContain("It stands there twice.");
  expect(model.requests[0]?.messages.at(-1)?.content).toContain("Why does this not apply?");
});

test("text after an edit begins a paragraph of its own", async () => {
  const answer = `Cause.\n${fileEdit("cart.js", ["c();\n", "C();\n"])}\nThat is all.\n`;
  const { app } = createTestApp({ models: [Array.from(answer)] });
  const reply = await ask(app, "fix", context);
  expect(reply.text).toContain(
    "Cause.\n\n- Change 1: line 4 (found exactly)\n\nThat is all.\n\n**New code**",
  );
});

describe("an answer that does not fit", () => {
  const wrong = fileEdit("src/cart.js", ["nothing of it\n", "x\n"]);
  const other = fileEdit("src/other.js", ["d();\n", "D();\n"]);
  const right = fileEdit("src/cart.js", ["c();\n", "C();\n"]);

  test("keeps its edits of other files when a second one follows", async () => {
    const { app } = createTestApp({ models: [[wrong, other], [right]] });
    const reply = await ask(app, "fix", context);
    expect(reply.text).toContain("- Change 1: not found in the file");
    expect(reply.text).toContain("+C();");
    expect(reply.text).toContain("`src/other.js`, which is not open here");
    expect(reply.text.match(/src\/other\.js/g)).toHaveLength(1);
  });

  test("is shown if the model fails at the second one", async () => {
    const failure = new AppError("rate_limited", "No more requests.");
    const { app } = createTestApp({ models: [["Cause.\n", wrong], [failure]] });
    const reply = await ask(app, "fix", context);
    expect(reply.text).toContain("**Nothing was changed**");
    expect(reply.text).toContain("nothing of it");
    expect(reply.finish).toBe("error");
  });

  test("is not asked for again if it was cut off", async () => {
    const { app, model } = createTestApp({ models: [[wrong.slice(0, -20), { end: "length" }]] });
    const reply = await ask(app, "fix", context);
    expect(reply.text).toContain("the change was cut off");
    expect(reply.finish).toBe("length");
    expect(model.requests).toHaveLength(1);
  });

  test("is counted with the second one in the usage", async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    const { app } = createTestApp({
      models: [
        [wrong, { type: "usage", usage }],
        [right, { type: "usage", usage }],
      ],
    });
    const reply = await ask(app, "fix", context);
    expect(reply.usage).toEqual({ prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 });
  });
});

test("a place that a click chooses is refused if the command may change comments only", async () => {
  const { app } = createTestApp({ models: [[fileEdit("cart.js", ["a();\n", "x();\n"])]] });
  const reply = await ask(app, "docstring", context);
  const prompt = tree(reply.actions)[0]?.prompt ?? "";
  const clicked = await ask(app, "docstring", [...context, prompted(prompt)]);
  expect(clicked.text).toContain("only comments may change here");
  expect(button(clicked, "docstring").data.title).toBe("Try again");
});

describe("a click on a symbol", () => {
  const text = "function one() {\n  return 1;\n}\nfunction two() {\n  return 2;\n}\n";

  test("is explained with its lines selected, and so are the next steps", async () => {
    const { app, model } = createTestApp({ models: [["It is."]] });
    const listed = await ask(app, "explain", [editor(text)]);
    const clicked = tree(listed.actions)[1]?.prompt ?? "";
    expect(clicked).toBe("Explain two, lines 4-6");
    const explained = await ask(app, "explain", [editor(text), prompted(clicked)]);
    const asked = model.requests[1]?.messages.at(-1)?.content ?? "";
    expect(asked).toContain("> 4 | function two() {");
    expect(asked).toContain("  3 | }");
    expect(asked).toMatch(/Explain two, lines 4-6$/);
    expect(explained.actions.map(({ action }) => action)).toEqual(["confirm", "confirm"]);
    const { prompt } = button(explained, "fix").data;
    expect(prompt).toBe("Fix two, lines 4-6");
    await ask(app, "fix", [editor(text), prompted(prompt)]);
    expect(model.requests[2]?.messages.at(-1)?.content).toContain("> 4 | function two() {");
  });

  test("is found again where the file has changed", async () => {
    const { app, model } = createTestApp({ models: [["It is."]] });
    const moved = `// new\n\n${text}`;
    await ask(app, "explain", [editor(moved), prompted("Explain two, lines 4-6")]);
    expect(model.requests[0]?.messages.at(-1)?.content).toContain("> 6 | function two() {");
  });

  test("that is gone leaves the file as it is", async () => {
    const { app, model } = createTestApp({ models: [["It is."]] });
    await ask(app, "explain", [editor("a();\n"), prompted("Explain two, lines 40-60")]);
    const asked = model.requests[0]?.messages.at(-1)?.content ?? "";
    expect(asked).toContain("  1 | a();");
    expect(asked).toContain("Explain two, lines 40-60");
  });
});

test("an ambiguous unit belongs to the selection if just one of its places lies there", async () => {
  const { app } = createTestApp({ models: [[fileEdit("cart.js", ["a();\n", "x();\n"])]] });
  const reply = await ask(app, "fix", [editor(file, [2, 4])]);
  expect(reply.text).toContain("- Change 1: line 3 (found exactly)");
  const { prompt } = button(reply, "fix").data;
  const whole = await ask(app, "fix", [editor(file), prompted(prompt)]);
  expect(whole.text).toContain("a();\nb();\nx();\nc();\n");
});

test("what was written already is told when more cases are wanted", async () => {
  const { app, model } = createTestApp({ models: [["x"]] });
  const cases = "1. happy path: adds\n2. edge case: nothing\nUse a table.";
  const written = await ask(app, "unittest-write", [editor(file), prompted(cases)]);
  const asked = model.requests[0]?.messages.at(-1)?.content ?? "";
  expect(asked).toMatch(/edge case: nothing\n\nFurther wishes:\n\nUse a table\.$/);
  const { prompt } = button(written, "unittest").data;
  expect(prompt).toMatch(
    /^Recommend more test cases for lines 1-\d+\n\n```text\n1\. happy path: adds\n2\. edge case: nothing\n```$/,
  );
});

test("tests that stand in the file under test do not replace it", async () => {
  const { app } = createTestApp({ models: [["`src/cart.rs`\n"]] });
  const value = { filePath: "src/cart.rs", language: "rust", content: "fn a() {}\n" };
  const reply = await ask(app, "unittest-write", [{ name: "activeEditor", value }]);
  expect(reply.text).toContain("Add this at the end of `src/cart.rs`");
});

test.each([
  ["Make it easier to read", "Readability"],
  ["占用太多内存", "Memory"],
  ["", "Speed"],
])("optimize takes %j for %s", async (prompt, intent) => {
  const { app, model } = createTestApp({ models: [["x"]] });
  await ask(app, "optimize", [editor(file), prompted(prompt)]);
  expect(model.requests[0]?.messages.at(-1)?.content).toContain(`# Aim\n\n${intent}`);
});

describe("the prompt for tests", () => {
  const text = `import { tax } from "./tax.js";

class Cart {
  constructor() {
    this.items = [];
  }
  total() {
    return round(tax(this.items));
  }
}

function round(cents) {
  return Math.round(cents);
}
`;
  const knowledgeBase = {
    name: "knowledgeBase",
    value: [
      {
        references: [
          {
            chunk: "export function tax(items) {\n  return items.length;\n}\n",
            metadata: { fileName: "shop/tax.js", startPos: 1, endPos: 3 },
          },
          {
            chunk: 'test("an order is paid", () => {});\n',
            metadata: { fileName: "shop/order.test.js" },
          },
        ],
      },
    ],
  };
  const variables = [editor(text, [7, 9]), knowledgeBase];
  const promptAt = async (contextWindow: number) => {
    const models = scriptedModel([["x"]], { contextWindow, answerReserve: 100 });
    const { app } = createTestApp({ models });
    const reply = await ask(app, "unittest-write", variables);
    return { reply, prompt: models.requests[0]?.messages.map(textOfMessage).at(-1) ?? "" };
  };

  test("holds the class, a reference test, and what the code uses of the given files", async () => {
    const { prompt } = await promptAt(32_768);
    expect(prompt).toContain("this.items = [];");
    expect(prompt).toContain("function round(cents)");
    expect(prompt).toContain("shop/tax.js:1-3\n```javascript\nexport function tax(items)");
    expect(prompt).toMatch(/# Reference test\n\n```\ntest\("an order is paid"/);
  });

  test("loses the definitions first, then the reference test, then the class", async () => {
    const heads = ["# Definitions", "# Reference test", "# Code around"];
    const seen = new Set<string>();
    for (let window = 2_000; window > 1_000; window -= 10) {
      const { prompt, reply } = await promptAt(window);
      if (prompt === "") {
        expect(reply.status).toBe(413);
        seen.add("refused");
        break;
      }
      seen.add(heads.filter((head) => prompt.includes(head)).join(", "));
    }
    expect([...seen]).toEqual([
      "# Definitions, # Reference test, # Code around",
      "# Reference test, # Code around",
      "# Code around",
      "",
      "refused",
    ]);
  });
});
