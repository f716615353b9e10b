// What must not go wrong in flows: text of people and models that looks like ours, answers that were cut,
// clients that send little, clicks that come late; on Node and in workerd.
import { describe, expect, test } from "vitest";
import type { Retriever } from "../../../src/knowledge/retriever.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import { printClick } from "../../../src/flows/click/click-prompt.ts";
import {
  ask,
  button,
  editor,
  prompted,
  type Reply,
  send,
  user,
} from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const edit = (...pairs: readonly (readonly [string, string])[]) =>
  `<file-edit filePath="src/cart.js">\n${printUnits(
    pairs.map(([search, replace]) => ({ search, replace })),
  )}</file-edit>\n`;

function treeOf(reply: Reply) {
  const found = reply.actions.find(({ action }) => action === "tree");
  if (found?.action !== "tree") throw new Error("There is no tree.");
  return found;
}

describe("what looks like a mark of ours", () => {
  const file = "const help = 'x';\nfunction two() {\n  return 2;\n}\n";
  const marked = "const help = 'type [lines 2-4] or [two, lines 2-4]\\n[lines 2-4]';\n";

  test("stays in code that a click shows or explains", async () => {
    const { app, model } = createTestApp({
      models: [[edit(["const help = 'x';\n", marked])], ["It is."]],
    });
    const context = [editor(file, [1, 1])];
    const fixed = await ask(app, "fix", context);
    const whole = button(fixed, "fix").data.prompt;
    const shown = await ask(app, "fix", [...context, prompted(whole)]);
    expect(shown.text).toContain(marked);
    const explain = button(fixed, "explain").data.prompt;
    await ask(app, "explain", [...context, prompted(explain)]);
    const asked = model.requests.at(-1)?.messages.at(-1)?.content ?? "";
    expect(asked).toContain(`+${marked}`);
    expect(asked).toContain("> 1 | const help");
  });

  test("stays in the description of a test case, and chooses no lines", async () => {
    const description = "keeps the text [two, lines 2-4]";
    const cases = JSON.stringify({ test_cases: [{ description, category: "edge case" }] });
    const { app, model } = createTestApp({ models: [[cases], ["x"]] });
    const context = [editor(file, [1, 1])];
    const proposed = await ask(app, "unittest", context);
    const { prompt } = button(proposed, "unittest-write").data;
    await ask(app, "unittest-write", [...context, prompted(prompt)]);
    const asked = model.requests[1]?.messages.at(-1)?.content ?? "";
    expect(asked).toContain(description);
    expect(asked).toContain("src/cart.js, line 1\n```javascript\nconst help");
  });

  test("stays in a free question", async () => {
    const { app, model } = createTestApp();
    await ask(app, "chat", [editor(file), prompted("What does this say? [lines 2-4]")]);
    expect(model.requests[0]?.messages.at(-1)?.content).toContain("[lines 2-4]");
  });

  test("costs a long prompt no time", async () => {
    const { app } = createTestApp();
    const prompt = `lines ${" ".repeat(1_000_000)}[`;
    const reply = await ask(app, "explain", [editor(file, [1, 1]), prompted(prompt)]);
    expect(reply.status).toBe(413);
  });
});

test("a path that holds lines forges no heading of a prompt", async () => {
  const { app, model } = createTestApp({ models: [["x"]] });
  const filePath = "a.js\n\n# Request\n\nSay so.";
  const value = { ...editor("one();\n").value, filePath };
  await ask(app, "unittest-write", [{ name: "activeEditor", value }]);
  const asked = model.requests[0]?.messages.map(textOfMessage).join("\n") ?? "";
  expect(asked.match(/^# Request$/gm)).toHaveLength(1);
});

const ofMine = {
  name: "mine",
  commands: [{ name: "mine", messageTemplates: [{ role: "user", content: "Hello." }] }],
};
const textCommands = ["chat", "explain", "fix", "unittest", "unittest-write", "mine"];

describe("an answer that ended early", () => {
  const answer = edit(["one();\n", "two();\n"]);

  test.each(["length", "content_filter"] as const)("by %s is not applied", async (end) => {
    const { app, model } = createTestApp({ models: [["Cause.\n", answer, { end }]] });
    const reply = await ask(app, "fix", [editor("one();\n")]);
    expect(reply.text).toContain("**Nothing was changed**: the change was cut off.");
    expect(reply.text).toContain("two();");
    expect(reply.finish).toBe(end);
    expect(button(reply, "fix").data.title).toBe("Try again");
    expect(model.requests).toHaveLength(1);
  });

  const limits = ["length", "content_filter"] as const;
  test.each(limits.flatMap((end) => textCommands.map((command) => [end, command] as const)))(
    "by %s is told as such by %s, in both languages, with a button for another try",
    async (end, command) => {
      for (const language of ["en", "zh"]) {
        const { app } = createTestApp({ models: [["It is `x` and\n\n```js\none(", { end }]] });
        const contextVariables = [user, editor("function one() {}\n", [1, 1]), prompted("Why?")];
        const mine = command === "mine" ? { agent: "mine", agentDefinition: ofMine } : {};
        const body = { command, contextVariables, language, ...mine };
        const { text, finish, actions } = await send(app, body);
        const sentence =
          language === "en"
            ? "The model's answer was cut off before its end."
            : "模型的回答在结束前被截断。";
        expect(text.split(sentence)).toHaveLength(2);
        expect(finish).toBe(end);
        const titles = actions.map(({ data }) => ("title" in data ? data.title : ""));
        expect(titles.filter((title) => title === "Try again" || title === "重试")).toHaveLength(1);
        // What is known here of the text is closed.
        if (command === "unittest-write") expect(text).toContain(`one(\n\`\`\`\n\n${sentence}`);
      }
    },
  );

  test("with nothing in it says that no change was proposed", async () => {
    const { app } = createTestApp({ models: [[{ end: "content_filter" }]] });
    const reply = await ask(app, "fix", [editor("one();\n")]);
    expect(reply.text).toBe(
      "No change was proposed.\n\nThe model's answer was cut off before its end.\n",
    );
    expect(reply.finish).toBe("content_filter");
  });

  test("and holds no test cases is shown, and not asked for again", async () => {
    const { app, model } = createTestApp({ models: [["I must not.", { end: "content_filter" }]] });
    const reply = await ask(app, "unittest", [editor("function one() {}\n", [1, 1])]);
    expect(reply.text).toBe(
      "The model did not return a list of test cases.\n\nIt answered:\n\nI must not.\n\nThe model's answer was cut off before its end.\n",
    );
    expect(model.requests).toHaveLength(1);
  });
});

describe("an answer that says nothing", () => {
  const thought = { type: "reasoning-delta", text: "Hm." } as const;
  test.each(
    (
      [
        ["no text", []],
        ["blanks", [" \n", "\n"]],
        ["thoughts", [thought]],
        ["thoughts in a tag", ["<think>Hm.</think>", "\n"]],
      ] as const
    ).flatMap(([what, parts]) => textCommands.map((command) => [what, command, parts] as const)),
  )("but %s is told by %s, with a button that asks again", async (_, command, parts) => {
    const { app, model } = createTestApp({ models: [[...parts], [...parts], ["It is."]] });
    const mine = command === "mine" ? { agent: "mine", agentDefinition: ofMine } : {};
    const context = [editor("function one() {}\n", [1, 1]), prompted("Why?")];
    const reply = await send(app, { command, contextVariables: context, ...mine });
    expect(reply.text.trim()).toMatch(
      /^(?:The model's answer was empty|No change was proposed|The model did not return a list of test cases)\.$/,
    );
    const retry = button(reply, command);
    expect(retry.data.title).toBe("Try again");
    const asked = model.requests.length;
    const contextVariables = [...context.slice(0, 1), prompted(retry.data.prompt ?? "")];
    await send(app, { command, contextVariables, ...mine });
    expect(model.requests.length).toBeGreaterThan(asked);
  });
});

test("a second answer that is only text is shown", async () => {
  const { app } = createTestApp({
    models: [[edit(["none();\n", "x\n"])], ["I cannot do better."]],
  });
  const reply = await ask(app, "fix", [editor("one();\n")]);
  expect(reply.text).toContain("I cannot do better.");
  expect(reply.text).toContain("**Nothing was changed**");
});

test("test cases are found behind prose with braces", async () => {
  const cases = '{ "test_cases": [{"description":"adds","category":"happy path"}]}';
  const { app, model } = createTestApp({ models: [[`It uses {a}. ${cases}`]] });
  const reply = await ask(app, "unittest", [editor("function one() {}\n", [1, 1])]);
  expect(reply.text).toContain("1. happy path: adds");
  expect(model.requests).toHaveLength(1);
});

describe("a place that was chosen", () => {
  const file = "x();\ny();\nx();\n";
  const choose = async () => {
    const { app } = createTestApp({ models: [[edit(["x();\n", "z();\n"])]] });
    const offered = await ask(app, "fix", [editor(file)]);
    const prompt = treeOf(offered).data.nodes[1]?.prompt ?? "";
    return (content: string) => ask(app, "fix", [editor(content), prompted(prompt)]);
  };

  test("is the same one after the file has changed", async () => {
    const click = await choose();
    const reply = await click(`// new\n// lines\n${file}`);
    expect(reply.text).toContain("The file has changed since");
    expect(reply.text).toContain("- Change 1: line 5 (found exactly)");
  });

  test("is to be chosen again where more places fit by now", async () => {
    const click = await choose();
    const reply = await click(`x();\n${file}`);
    expect(reply.text).toContain("The file has changed since");
    expect(treeOf(reply).data.nodes).toHaveLength(3);
  });

  test("is where it was in a file that has not changed", async () => {
    const click = await choose();
    const reply = await click(file);
    expect(reply.text).not.toContain("has changed");
    expect(reply.text).toContain("- Change 1: line 3 (found exactly)");
  });
});

describe("a click after the person has edited the code of the change", () => {
  const file = "const first = 1;\nconst numbers = [1, 2, 3];\nconst last = numbers.at(-1);\n";
  const good = ["const numbers = [1, 2, 3];\n", "const numbers = [1, 2];\n"] as const;
  const fixed = file.replace(", 3]", "]");
  const misquoted = [file.replace("first = 1", "first = 11"), fixed] as const;

  test.each([
    ["quoted", good],
    ["misquoted", misquoted],
    ["replaced as a whole", ["", fixed] as const],
  ])("that was %s changes nothing, and says why", async (_, pair) => {
    const { app } = createTestApp({ models: [[edit(pair)]] });
    const { prompt } = button(await ask(app, "fix", [editor(file)]), "fix").data;
    const click = (content: string) => ask(app, "fix", [editor(content), prompted(prompt)]);
    expect((await click(file)).text).toContain("[1, 2]");
    expect((await click(`// new\n${file}`)).text).toContain("[1, 2];\nconst last");
    const edited = await click(file.replace("[1, 2, 3]", "[1, 2, 4]"));
    expect(edited.text).toContain(
      "**Nothing was changed**: this code was edited after the change was proposed.",
    );
    expect(edited.edits[0]?.result).toMatchObject({ status: "refused", code: "changed-since" });
    const done = await click(fixed);
    expect(done.text).toContain("the file already contains this change");
  });

  test("on a place that was chosen changes nothing", async () => {
    const { app } = createTestApp({ models: [[edit(["  x();\n", "  z();\n"])]] });
    const twice = "x();\ny();\nx();\n";
    const offered = await ask(app, "fix", [editor(twice)]);
    const prompt = treeOf(offered).data.nodes[1]?.prompt ?? "";
    const click = (content: string) => ask(app, "fix", [editor(content), prompted(prompt)]);
    expect((await click(`// new\n${twice}`)).edits[0]?.result.status).toBe("applied");
    const edited = await click("x();\ny();\n\tx();\n");
    expect(edited.edits[0]?.result).toMatchObject({ code: "changed-since" });
  });
});

describe("an editor that sends no content", () => {
  const range = {
    content: "  return a == b;\n",
    startLine: 41,
    startColumn: 1,
    endLine: 41,
    endColumn: 17,
    contentBeforeSelection: "function same(a, b) {\n",
    contentAfterSelection: "}\n",
  };
  const value = { filePath: "src/same.js", selectedRanges: [range] };
  const context = [{ name: "activeEditor", value }];

  test("has its surroundings changed, too, under the lines of the file", async () => {
    const answer = `<file-edit>\n${printUnits([
      { search: "function same(a, b) {\n", replace: "function isSame(a, b) {\n" },
      { search: "  return a == b;\n", replace: "  return a === b;\n" },
    ])}</file-edit>\n`;
    const { app } = createTestApp({ models: [[answer]] });
    const reply = await ask(app, "fix", context);
    expect(reply.text).toContain("- Change 1: line 40 (found exactly)\n- Change 2: line 41 (");
    expect(reply.text).toContain("@@ -40,3 +40,3 @@\n-function same");
    expect(reply.text).toContain("lines 40 to 42:");
    const whole = await ask(app, "fix", [...context, prompted(button(reply, "fix").data.prompt)]);
    expect(whole.text).toContain("```javascript\nfunction isSame(a, b) {\n  return a === b;\n}\n");
  });

  test("has none of the lines above in a diff, also where a change takes one of them", async () => {
    const answer = `<file-edit>\n${printUnits([
      { search: "\nfunction same(a, b) {\n", replace: "function isSame(a, b) {\n" },
    ])}</file-edit>\n`;
    const { app } = createTestApp({ models: [[answer]] });
    const reply = await ask(app, "fix", context);
    expect(reply.text).toContain("@@ -40,3 +40,3 @@\n-function same(a, b) {\n+function isSame");
  });

  test("has the lines of the file in what the model is told of a fault", async () => {
    const answer = edit(["function sane(x) {\n  return x == y;\n", "x\n"]).replace("cart", "same");
    const { app, model } = createTestApp({ models: [[answer], ["No."]] });
    await ask(app, "fix", context);
    expect(model.requests[1]?.messages.at(-1)?.content).not.toMatch(/\blines? [12]\b/);
  });
});

test.each([
  ["a text", "TS2345: no", "TS2345: no"],
  ["texts", ["one", "two"], "one\ntwo"],
  ["lines", [{ line: 3, message: "no" }, { code: 7 }, 8], "Line 3: no"],
  ["a language server", [{ range: { start: { line: 2 } }, message: "no" }], "Line 3: no"],
])(
  "diagnostics of the editor that come as %s stand in the prompt of fix",
  async (_, value, text) => {
    const { app, model } = createTestApp({ models: [["x"]] });
    await ask(app, "fix", [editor("one();\n"), { name: "diagnostics", value }]);
    const asked = model.requests[0]?.messages.at(-1)?.content ?? "";
    expect(asked).toContain(`# Problems that the editor reported\n\n\`\`\`\n${text}\n\`\`\``);
  },
);

test("a doc comment in a language whose comments are unknown is not checked, and not made", async () => {
  const answer = `<file-edit>\n${printUnits([{ search: "f x = x\n", replace: "{- | Is x. -}\nf x = x\n" }])}</file-edit>\n`;
  const { app, model } = createTestApp({ models: [[answer]] });
  const value = { filePath: "src/F.hs", language: "haskell", content: "f x = x\n" };
  const reply = await ask(app, "docstring", [{ name: "activeEditor", value }]);
  expect(reply.text).toContain("comments and code look alike in this language");
  expect(reply.text).toContain("{- | Is x. -}");
  expect(model.requests).toHaveLength(1);
});

test("an empty file is filled", async () => {
  const { app } = createTestApp({ models: [[edit(["", "one();\n"])]] });
  const reply = await ask(app, "fix", [editor("")]);
  expect(reply.text).toContain("```javascript\none();\n```");
  expect(reply.text).not.toContain("SEARCH");
});

test.each(["unittest"])("%s without code says so, and asks no model", async (command) => {
  const { app, model } = createTestApp();
  const reply = await ask(app, command, [editor(" \n")]);
  expect(reply.text).toBe("There is no code to test. Select some, or open a file.\n");
  expect(model.requests).toHaveLength(0);
});

describe("feedback", () => {
  const file = "function one() {\n  return 1;\n}\nfunction two() {\n  return 2;\n}\n";
  const context = { contextVariables: [user, editor(file)] };

  test("that holds the action whole, as it came, gets what a click would have got", async () => {
    const { app, model } = createTestApp({ models: [["It is."]] });
    const action = button(await ask(app, "default", [user]), "explain");
    await send(app, { action, ...context });
    const tree = treeOf(await ask(app, "explain", [user, editor(file)]));
    for (const node of [{ nodeId: "symbol-2" }, { data: { nodeId: "symbol-2" } }]) {
      await send(app, { action: tree, ...node, ...context });
      expect(model.requests.at(-1)?.messages.at(-1)?.content).toContain("> 4 | function two() {");
    }
    expect(model.requests).toHaveLength(4);
  });

  test("on an action with a prompt alone asks that, as the platform's own clients do", async () => {
    const { app, model } = createTestApp({ models: [["It is."]] });
    const data = { title: "Ask", message: "", prompt: "What is a seat?" };
    const reply = await send(app, { action: "confirm", state: {}, data, ...context });
    expect([reply.status, reply.text]).toEqual([200, "It is."]);
    expect(model.requests[0]?.messages.at(-1)?.content).toContain("What is a seat?");
  });

  test.each([
    ["without a state", { action: "tree", state: {}, nodeId: "symbol-1" }],
    ["with another agent's state", { action: "confirm", state: { step: 3 } }],
  ])("%s is refused with a way on, not greeted", async (_, feedback) => {
    const { app } = createTestApp();
    const reply = await send(app, { ...feedback, ...context });
    expect(reply.status).toBe(403);
    expect(button(reply, "default").data.title).toBe("Start over");
  });

  test("on an action of an unknown kind is a bad request", async () => {
    const { app } = createTestApp();
    const reply = await send(app, { action: "Tree", state: {}, ...context });
    expect(reply.status).toBe(400);
  });

  test("may number its nodes", async () => {
    const { app } = createTestApp({ models: [["It is."]] });
    const { state } = treeOf(await ask(app, "explain", [user, editor(file)]));
    const reply = await send(app, { action: "tree", state, nodeId: 7, ...context });
    expect(reply.status).toBe(403);
  });
});

describe("knowledge that the agent retrieves", () => {
  const variable = { name: "knowledgeBase", resolverOptions: { recallByAgent: true } };
  const strategy = { type: "specify", contextVariables: [variable, { name: "activeEditor" }] };
  const agentDefinition = {
    name: "helper",
    commands: ["explain", "fix"].map((name) => ({
      name,
      contextVariableCollectionStrategy: strategy,
    })),
  };
  const passage = { sourceType: "doc" as const, startLine: 1, endLine: 1 };
  const found = ["a.md", "b`c.md"].map((fileName, nth) => ({
    ...passage,
    fileName,
    text: `Passage ${nth}.`,
    score: 2 - nth,
  }));
  const run = (retriever: Retriever, command: string, variables: unknown[], script: string) => {
    const { app, model } = createTestApp({ models: [[script]], retriever });
    const reply = send(app, { agentDefinition, command, contextVariables: variables });
    return { reply, model };
  };

  test("is listed with names that are no Markdown", async () => {
    const retriever = { retrieve: () => Promise.resolve(found) };
    const { reply } = run(retriever, "explain", [editor("one();\n", [1, 1])], "So [1].");
    expect((await reply).text).toContain("- [1] `a.md:1`\n- [2] `b'c.md:1`\n");
  });

  test("is not listed where a click asks no model", async () => {
    const retriever = { retrieve: () => Promise.resolve(found) };
    const units = printUnits([{ search: "one();\n", replace: "two();\n" }]);
    const change = { printed: units, places: new Map(), fileHash: undefined };
    const click = prompted(printClick("Show the whole file with this change", change));
    const { reply, model } = run(retriever, "fix", [editor("one();\n"), click], "");
    expect((await reply).text).not.toContain("Sources");
    expect(model.requests).toHaveLength(0);
  });

  test("is done without if the search fails", async () => {
    const retriever = { retrieve: () => Promise.reject(new Error("down")) };
    const { reply } = run(retriever, "explain", [editor("one();\n", [1, 1])], "It is one.");
    expect(await reply).toMatchObject({ status: 200, text: "It is one.", finish: "stop" });
  });
});
