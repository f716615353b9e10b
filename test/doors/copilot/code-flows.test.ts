// The flows that change or test code, walked by a client that follows their actions; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import type { Script } from "../../../src/testing.ts";
import {
  ask as askWith,
  button,
  editor,
  prompted,
  type Reply,
  send,
  user,
} from "../../helpers/copilot-client.ts";
import type { App } from "../../../src/app.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { code } from "../../helpers/code-parser.ts";

const file = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum =+ item.price;
  }
  return sum;
}

export function count(items) {
  return items.length;
}
`;
const fixed = file.replace("=+", "+=");
const nothing = { name: "activeEditor", value: null };
const edit = (search: string, replace: string) =>
  `<file-edit filePath="src/cart.js">\n${printUnits([{ search, replace }])}</file-edit>\n`;
const goodEdit = edit("    sum =+ item.price;\n", "    sum += item.price;\n");

function ask(app: App, command: string, variables: unknown[] = [editor(file, [1, 7])]) {
  return askWith(app, command, variables);
}

describe("fix", () => {
  test("asks once more with the engine's report if the edit does not fit", async () => {
    const { app, model } = createTestApp({
      models: [["A fault.\n", edit("    sum = item;\n", "x\n")], [goodEdit]],
    });
    const reply = await ask(app, "fix");
    expect(reply.text).toContain("was not found in the file. The model is asked once more.");
    expect(reply.text).toContain("+    sum += item.price;");
    expect(model.requests).toHaveLength(2);
    const messages = model.requests[1]?.messages ?? [];
    expect(messages.at(-2)).toMatchObject({ role: "assistant" });
    expect(messages.at(-1)?.content).toContain("SEARCH was not found in the file");
  });

  test("changes nothing if the second answer does not fit either, and shows what was proposed", async () => {
    const bad = edit("    sum = item;\n", "x\n");
    const { app } = createTestApp({ models: [["A fault.\n", bad], [bad]] });
    const reply = await ask(app, "fix");
    expect(reply.text).toContain("**Nothing was changed**");
    expect(reply.text).toContain("sum = item;");
    expect(reply.actions.map(({ data }) => data)).toMatchObject([{ title: "Try again" }]);
  });

  test("offers the places of an ambiguous edit, and a click applies it there without the model", async () => {
    const twice = "a();\nb();\na();\n";
    const { app, model } = createTestApp({ models: [[edit("a();\n", "c();\n")]] });
    const reply = await ask(app, "fix", [editor(twice)]);
    const [tree] = reply.actions;
    if (tree?.action !== "tree") throw new Error("There is no tree.");
    expect(tree.data.nodes.map(({ name }) => name)).toEqual(["line 1: a();", "line 3: a();"]);
    const prompt = tree.data.nodes[1]?.prompt ?? "";
    const clicked = await ask(app, "fix", [editor(twice), prompted(prompt)]);
    expect(clicked.text).toContain("+c();");
    expect(clicked.text).toContain("line 3");
    const resumed = await send(app, {
      action: "tree",
      state: tree.state,
      nodeId: "place-2",
      nodeAction: "click",
      contextVariables: [user, editor(twice)],
    });
    expect(resumed.text).toBe(clicked.text);
    expect(model.requests).toHaveLength(1);
  });

  test("shows the whole file on a click, and says if the file has changed since", async () => {
    const { app } = createTestApp({ models: [[goodEdit]] });
    const reply = await ask(app, "fix");
    const whole = button(reply, "fix");
    const shown = await ask(app, "fix", [editor(file), prompted(whole.data.prompt)]);
    expect(shown.text).toContain(fixed);
    const changed = `// new\n${file}`;
    const resumed = await send(app, {
      action: "confirm",
      state: whole.state,
      contextVariables: [user, editor(changed)],
    });
    expect(resumed.text).toContain("The file has changed since");
    expect(resumed.text).toContain(`// new\n${fixed}`);
  });

  test("tells in the receipt of every button of it that the file has changed since", async () => {
    const { app } = createTestApp({ models: [[goodEdit], ["Cases."], ["Cases."], ["It adds."]] });
    const { actions } = await ask(app, "fix");
    expect(actions).toHaveLength(3);
    for (const { action, state } of actions) {
      const feedback = (text: string) => {
        const contextVariables = [user, editor(text)];
        return post(app, { agent: "rightseat", action, state, contextVariables });
      };
      const receiptOf = async (text: string): Promise<unknown> =>
        JSON.parse((await feedback(text)).headers.get("x-rightseat-context") ?? "{}");
      expect(await receiptOf(file)).not.toHaveProperty("isFileChanged");
      expect(await receiptOf(`// new\n${file}`)).toHaveProperty("isFileChanged", true);
    }
  });

  test.each([
    ["changed", [editor(file), editor(`// new\n${file}`)], true],
    ["is as it was", [editor(`// new\n${file}`), editor(file)], false],
    ["is as it was, and nothing comes after it", [editor(file), nothing], false],
  ])("of several editors the last one counts: its file %s", async (_, editors, isChanged) => {
    const { app } = createTestApp({ models: [[goodEdit]] });
    const { state } = button(await ask(app, "fix"), "fix");
    const contextVariables = [user, ...editors];
    const { text } = await send(app, { action: "confirm", state, contextVariables });
    expect(text.includes("The file has changed since")).toBe(isChanged);
  });
});

describe("a state", () => {
  const answered: Script[] = [[goodEdit]];
  async function sealed(app: App) {
    return button(await ask(app, "fix"), "fix").state;
  }
  const resume = (app: App, state: unknown, id = "u-17") =>
    send(app, {
      action: "confirm",
      state,
      contextVariables: [{ name: "userInfo", value: { ...user.value, id } }, editor(file)],
    });

  test("that was altered is refused with 403, a sentence and a button that starts over", async () => {
    const { app } = createTestApp({ models: answered });
    const state = String(await sealed(app));
    const reply = await resume(app, `${state.slice(0, -4)}AAAA`);
    expect(reply.status).toBe(403);
    expect(reply.text).toContain("Please start over.");
    expect(reply.finish).toBe("error");
    expect(button(reply, "default").data.title).toBe("Start over");
  });

  test("of another person is refused", async () => {
    const { app } = createTestApp({ models: answered });
    expect((await resume(app, await sealed(app), "u-18")).status).toBe(403);
  });

  test("that was sealed by another server's key is refused, and opened by one that has the key", async () => {
    const key = (id: string, letter: string) => `${id}:${btoa(letter.repeat(32))}`;
    const make = (keys: string) =>
      createTestApp({ models: answered, settings: { RIGHTSEAT_STATE_KEYS: keys } }).app;
    const state = await sealed(make(key("a", "x")));
    expect((await resume(make(key("b", "y")), state)).status).toBe(403);
    expect((await resume(make(`${key("b", "y")},${key("a", "x")}`), state)).status).toBe(200);
  });
});

describe("unittest", () => {
  test("says so if there are no cases after that", async () => {
    const { app } = createTestApp({ models: [["Sure!"], ['{"test_cases": []}']] });
    const reply = await ask(app, "unittest");
    expect(reply.text).toBe(
      'The model did not return a list of test cases.\n\nIt answered:\n\n```\n{"test_cases": []}\n```\n',
    );
    expect(reply.actions.map(({ data }) => data)).toMatchObject([{ title: "Try again" }]);
  });
});

type Follow = (app: App, reply: Reply, command: string) => Promise<Reply>;

const walks: [string, Follow][] = [
  [
    "the commands and prompts of the buttons",
    (app, reply, command) => {
      const { data } = button(reply, command);
      return ask(app, data.command, [editor(file, [1, 7]), prompted(data.prompt)]);
    },
  ],
  [
    "the buttons sent back as they came",
    (app, reply, command) =>
      send(app, { ...button(reply, command), contextVariables: [user, editor(file, [1, 7])] }),
  ],
];

test.each(walks)("one walks from explain to written tests by %s", async (_, follow) => {
  const cases = '{"test_cases":[{"description":"adds","category":"happy path"}]}';
  const { app, model } = createTestApp({
    models: [
      ["It adds."],
      ["Fault.\n", goodEdit],
      [cases],
      ["`a.test.js`\n\n```js\ntest();\n```\n"],
    ],
  });
  const explained = await ask(app, "explain");
  const repaired = await follow(app, explained, "fix");
  expect(repaired.text).toContain("+    sum += item.price;");
  const proposed = await follow(app, repaired, "unittest");
  expect(proposed.text).toContain("1. happy path: adds");
  const written = await follow(app, proposed, "unittest-write");
  expect(written.text).toContain("test();");
  expect(model.requests[3]?.messages.at(-1)?.content).toContain("happy path: adds");
});

test("one walks from the symbols of a file to one written test by the trees alone, as they came", async () => {
  const cases =
    '{"test_cases":[{"description":"adds","category":"happy path"},{"description":"none","category":"edge case"}]}';
  const { app, model } = createTestApp({
    code,
    models: [["It adds."], ["It adds."], ["Fault.\n", goodEdit], [cases], ["`a.test.js`\n"]],
  });
  const here = { contextVariables: [user, editor(file)] };
  const click = (reply: Reply, name: string) => {
    const tree = reply.actions.find(({ action }) => action === "tree");
    if (tree?.action !== "tree") throw new Error("There is no tree.");
    const nodeId = tree.data.nodes.find((node) => node.name === name)?.id;
    return send(app, { action: "tree", state: tree.state, nodeId, nodeAction: "click", ...here });
  };
  const press = (reply: Reply, command: string) =>
    send(app, { ...button(reply, command), ...here });
  const listed = await ask(app, "explain", [user, editor(file)]);
  const explained = await click(listed, "total");
  const repaired = await press(explained, "fix");
  expect(repaired.text).toContain("+    sum += item.price;");
  const proposed = await press(repaired, "unittest");
  const written = await click(proposed, "none");
  expect(written.text).toContain("a.test.js");
  const asked = model.requests[4]?.messages.at(-1)?.content ?? "";
  expect(asked).toContain("edge case: none");
  expect(asked).not.toContain("happy path: adds");
  expect(asked).toContain("src/cart.js, total, lines 1 to 7");
});

test("a file with one function is about that function", async () => {
  const cases = '{"test_cases":[{"description":"adds","category":"happy path"}]}';
  const { app } = createTestApp({ code, models: [[cases]] });
  const reply = await ask(app, "unittest", [
    editor("// A cart.\nfunction one() {\n  return 1;\n}\n"),
  ]);
  expect(reply.text).toContain("Test cases for `one`");
  expect(button(reply, "unittest-write").data.prompt).toMatch(
    /^Write tests for one, lines 2-4\n\n```text\n/,
  );
});

describe("syntax errors that our own parser finds", () => {
  const broken = "export function one() {\n  return 1;\n}\n\nfunction two( {\n  return 2;\n}\n";
  const lines = broken.split("\n");
  const seen = async (command: string, activeEditor: object) => {
    const { app, model } = createTestApp({ models: [["x"]], code });
    await ask(app, command, [{ name: "activeEditor", value: activeEditor }]);
    return model.requests[0]?.messages.at(-1)?.content ?? "";
  };

  test.each(["fix", "optimize"])("are told as such in the prompt of %s", async (command) => {
    const asked = await seen(command, editor(broken).value);
    expect(asked).toMatch(/# Syntax errors that a parser found in the file\n\n```\nLine 5: /);
    expect(asked).not.toContain("the editor reported");
  });

  test("are not told of a part of a file, wherever it begins and ends", async () => {
    for (const [start, end] of [
      [1, 2],
      [2, 3],
      [3, 5],
      [1, 7],
    ] as const) {
      const content = lines.slice(start - 1, end).join("\n");
      const range = { content, startLine: start, startColumn: 1, endLine: end, endColumn: 1 };
      const asked = await seen("fix", { filePath: "src/cart.js", selectedRanges: [range] });
      expect(asked).toContain("src/cart.js");
      expect(asked).not.toMatch(/Syntax errors|Problems that/);
    }
  });
});
