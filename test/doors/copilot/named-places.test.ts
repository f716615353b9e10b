// Questions that name code, and selections whose position is lost; on Node and in workerd.
import { describe, expect, test } from "vitest";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import type { ContextReceipt } from "../../../src/turn/turn-event.ts";
import { ask, button, editor, prompted, type Reply } from "../../helpers/copilot-client.ts";
import { post } from "../../helpers/copilot-request.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { code } from "../../helpers/code-parser.ts";

const file = `export class Cart {
  total(items) {
    return items.length;
  }
}
export function names(carts) {
  return carts.map((cart) => cart.name);
}
export class Order {
  total() {
    return 0;
  }
}
`;
const packageFiles = {
  name: "packageFiles",
  value: [{ filepath: "package.json", content: '{\n  "name": "shop"\n}\n' }],
};
const knowledgeBase = {
  name: "knowledgeBase",
  value: [
    {
      knowledgeBaseId: "kb",
      references: [{ score: 1, chunk: "Prices.", metadata: { fileName: "guide/prices.md" } }],
    },
  ],
};

/** What a command makes of a question: its receipt, and what the model is asked. */
async function run(
  command: string,
  question: string,
  open: object = editor(file),
  more: object[] = [],
) {
  const { app, model } = createTestApp({ code, models: [["It is.\n"]] });
  const contextVariables = [open, prompted(question), ...more];
  const response = await post(app, { agent: "rightseat", command, contextVariables });
  const text = await response.text();
  const receipt = JSON.parse(response.headers.get("x-rightseat-context") ?? "{}") as ContextReceipt;
  return {
    text,
    place: receipt.place,
    dropped: receipt.dropped,
    droppedPaths: (receipt.dropped ?? []).map(({ path }) => path).join(" "),
    asked: model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "",
  };
}

test("of several selections a change is about all, tests are about the first, and the receipt says so", async () => {
  const [first, second] = [editor(file, [2, 4]), editor(file, [6, 8])];
  const selectedRanges = [first, second].flatMap(({ value }) => value.selectedRanges);
  const both = { ...first, value: { ...first.value, selectedRanges } };
  const fixed = await run("fix", "", both);
  expect(fixed.asked).toContain("total, lines 2 to 4; names, lines 6 to 8");
  expect(fixed.dropped).toBeUndefined();
  for (const command of ["unittest", "unittest-write"]) {
    const message = "only the first of 2 selections is tested";
    const { dropped } = await run(command, "", both);
    expect(dropped).toEqual([{ path: "activeEditor.selectedRanges", message }]);
    expect((await run(command, "", first)).dropped).toBeUndefined();
  }
});

function treeOf({ actions }: Reply) {
  const found = actions.find(({ action }) => action === "tree");
  if (found?.action !== "tree") throw new Error("There is no tree.");
  return found;
}

const about = ["explain", "fix", "optimize", "docstring", "unittest", "unittest-write"];
const commands = [...about, "chat", "default", ""];

describe.each(commands)("the command %j", (command) => {
  test("takes the function that the question names as its place, and the receipt says so", async () => {
    const { place, asked } = await run(command, "`names()` is wrong");
    expect(place).toBe("names(), lines 6-8, from the question");
    expect(asked).toMatch(/> {1,2}6 \| export function names|names, lines 6 to 8/);
  });

  test("stays at the selection", async () => {
    const { place, asked } = await run(command, "`names()` is wrong", editor(file, [10, 12]));
    expect(place).toBeUndefined();
    expect(asked).toMatch(/> 10 \||lines 10 to 12/);
  });
});

describe.each(about)("%s", (command) => {
  test("asks which of several places is meant, and goes on there with the question", async () => {
    const { app, model } = createTestApp({ code, models: [["It is.\n"]] });
    const context = [editor(file)];
    const question = "total() returns nonsense";
    const reply = await ask(app, command, [...context, prompted(question)]);
    expect(reply.text).toContain("The question names several places.");
    expect(model.requests).toHaveLength(0);
    const { data } = treeOf(reply);
    expect(data.nodes.map(({ name }) => name)).toEqual([
      "lines 2 to 4, Cart.total: total(items) {",
      "lines 10 to 12, Order.total: total() {",
    ]);
    const prompt = data.nodes[1]?.prompt ?? "";
    expect(prompt.split("\n")[0]).toMatch(/ Order\.total, lines 10-12$/);
    await ask(app, data.nodeActions[0]?.command ?? "", [...context, prompted(prompt)]);
    const asked = model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "";
    expect(asked).toContain(question);
    expect(asked).toMatch(/> 10 \||lines 10 to 12/);
    expect(asked).not.toContain("```text\ntotal() returns");
  });
});

test("a click on one of many places brings along the beginning of a long question", async () => {
  const { app, model } = createTestApp({ code, models: [["It is.\n"]] });
  const many = Array.from({ length: 40 }, (_, nth) => `class C${nth} {\n  run() {}\n}\n`).join("");
  const question = `run() fails\n${"价格 is wrong. ".repeat(10_000)}`;
  const reply = await ask(app, "fix", [editor(many), prompted(question)]);
  const tree = treeOf(reply);
  expect(tree.data.nodes).toHaveLength(40);
  expect(typeof tree.state).toBe("string");
  const prompt = tree.data.nodes[7]?.prompt ?? "";
  await ask(app, "fix", [editor(many), prompted(prompt)]);
  const asked = model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "";
  expect(asked).toContain("run() fails");
  expect(asked).toContain("was cut here");
  expect(asked).toMatch(/> +23 \|/);
});

describe("words before lines that are no name", () => {
  test("are a person's, and what is selected counts", async () => {
    const { place, asked } = await run("fix", "TypeError, line 7", editor(file, [10, 12]));
    expect(place).toBeUndefined();
    expect(asked).toContain("TypeError, line 7");
    expect(asked).toContain("> 10 |");
  });

  test.each(["Fix bug, line 3", "Fix total, line 3", "修复 bug，第 3 行"])(
    "count less than a selection after a verb: %s",
    async (question) => {
      const apart = file.replace(
        "export function names",
        `${"\n".repeat(200)}export function names`,
      );
      const text = question.includes("total") ? apart.replace("total(items)", "sum(items)") : file;
      const at = text === file ? 7 : 207;
      const { place, asked } = await run("fix", question, editor(text, [at, at]));
      expect(place).toBeUndefined();
      expect(asked).toContain(question);
      expect(asked).toMatch(new RegExp(`> +${at} \\|`));
    },
  );

  test("are a name where a symbol near the lines has it, whatever is selected", async () => {
    const { place } = await run("fix", "Fix names, line 3", editor(file, [10, 12]));
    expect(place).toBe("names(), lines 6-8, from the click");
  });

  test("name the lines where nothing is selected, and are kept", async () => {
    for (const question of ["TypeError, line 7", "Fix TypeError, line 7", "Fix it now, line 7"]) {
      const { place, asked } = await run("fix", question);
      expect(place).toMatch(/^line 7, from the (?:question|click)$/);
      expect(asked).toContain(question);
    }
  });
});

test("chat takes several places as context", async () => {
  const { place, asked } = await run("chat", "why do `Cart.total` and `names` differ?");
  expect(place).toBe("Cart.total(), lines 2-4; names(), lines 6-8, from the question");
  expect(asked).toContain(">  2 |   total(items) {");
  expect(asked).toContain(">  6 | export function names(carts) {");
});

test("what follows is about the place that the question names", async () => {
  const { app } = createTestApp({ code, models: [["It is.\n"]] });
  const reply = await ask(app, "explain", [editor(file), prompted("explain names()")]);
  expect(button(reply, "fix").data.prompt).toBe("Fix names, lines 6-8");
  expect(button(reply, "unittest").data.prompt).toBe("Recommend test cases for names, lines 6-8");
});

describe("a file that the question names", () => {
  test("is the whole one in the editor, wherever the cursor is", async () => {
    const open = editor(file);
    const value = { ...open.value, cursorOffset: file.indexOf("carts.map") };
    const { place, text } = await run("explain", "explain @src/cart.js", { ...open, value });
    expect(place).toBe("src/cart.js, from the question");
    expect(text).toContain('"treeId":"symbols-');
  });

  test("is the place with its lines", async () => {
    const { place } = await run("fix", "TypeError at src/cart.js:7:3");
    expect(place).toBe("line 7, from the question");
  });

  test("is a package file, which is explained in place of the one in the editor", async () => {
    const { place, asked, text } = await run("explain", "explain package.json", undefined, [
      packageFiles,
    ]);
    expect(place).toBe("package.json, from the question");
    expect(asked).toMatch(/package\.json[^]*\| {3}"name": "shop"/);
    expect(text).toContain('"prompt":"Fix @package.json"');
  });

  test("is not changed in place of the one in the editor, unless it is written with @", async () => {
    const plain = await run("fix", "the name in package.json is wrong", undefined, [packageFiles]);
    expect(plain.place).toBeUndefined();
    const mentioned = await run("fix", "fix @package.json", undefined, [packageFiles]);
    expect(mentioned.place).toBe("package.json, from the question");
  });

  test("may be one of the knowledge", async () => {
    const { place } = await run("chat", "what says guide/prices.md?", undefined, [knowledgeBase]);
    expect(place).toBe("guide/prices.md, from the question");
    const lines = await run("chat", "what says guide/prices.md:3?", undefined, [knowledgeBase]);
    expect(lines.place).toBe("guide/prices.md, line 3, not in the file");
  });

  test("counts only if it came with the request", async () => {
    for (const question of ["what about @src/other.js?", "what about other.js and Node.js?"])
      expect((await run("chat", question)).place).toBeUndefined();
  });
});

describe("a place that is not there", () => {
  const gone: [string, string][] = [
    ["lines 40-50 are wrong", "lines 40-50, not in the file"],
    ["src/cart.js:400 fails", "src/cart.js, line 400, not in the file"],
    ["TypeError at src/other.ts:7:3", "src/other.ts:7:3, not in this request"],
    ["Fix price, lines 40-50", "price, lines 40-50, not in the file"],
    ["修复 第 40 至 50 行", "lines 40-50, not in the file"],
  ];
  const writers = about.filter((command) => command !== "explain");

  test.each(gone)("is asked for before code is written: %s", async (question, told) => {
    for (const command of writers) {
      const { place, text, asked } = await run(command, question);
      expect(asked).toBe("");
      expect(place).toBe(told);
      expect(text).toContain('"treeId":"places-');
    }
  });

  test.each(gone)("is told in the receipt of an answer: %s", async (question, told) => {
    const { place, asked } = await run("explain", question);
    expect(place).toBe(told);
    expect(asked).toContain("class Cart");
  });

  test("leaves the question of a click to the place that is chosen", async () => {
    const { app, model } = createTestApp({ code, models: [["It is.\n"]] });
    const click = "Fix price, lines 40-50\n\n```text\nIt is too slow.\n```";
    const { nodes } = treeOf(await ask(app, "fix", [editor(file), prompted(click)])).data;
    const names = nodes.find(({ prompt }) => prompt?.startsWith("Fix names, lines 6-8"));
    await ask(app, "fix", [editor(file), prompted(names?.prompt ?? "")]);
    const asked = model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "";
    expect(asked).toContain("It is too slow.");
    expect(asked).not.toContain("price");
    expect(asked).toMatch(/> +6 \|/);
  });
});

describe.each([
  [0, 0],
  [900, 905],
  [4, 9999],
  [6, 1],
])("a selection without a usable position, from %i to %i", (startLine, endLine) => {
  const twice = "function a() {\n  go();\n}\nfunction b() {\n  go();\n}\n";
  const lost = (content: string, selected: string) => {
    const open = editor(content);
    const selectedRanges = [{ content: selected, startLine, endLine }];
    return { ...open, value: { ...open.value, selectedRanges } };
  };
  const writers = about.filter((command) => command !== "explain");

  test.each(writers)("that occurs twice is chosen by the person before %s", async (command) => {
    const { app, model } = createTestApp({ code, models: [["It is.\n"]] });
    const reply = await ask(app, command, [lost(twice, "  go();\n"), prompted("It hangs.")]);
    expect(reply.text).toContain("The position of the selection is not known.");
    expect(model.requests).toHaveLength(0);
    const { nodes } = treeOf(reply).data;
    expect(nodes.map(({ name }) => name)).toEqual(["line 2, a: go();", "line 5, b: go();"]);
    const prompt = nodes[1]?.prompt ?? "";
    await ask(app, command, [lost(twice, "  go();\n"), prompted(prompt)]);
    const asked = model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "";
    expect(asked).toMatch(/> 5 \||line 5/);
  });

  test.each<[string, unknown, string[]]>([
    ["a text in the list", ["  go();\n"], ["line 2, a: go();", "line 5, b: go();"]],
    [
      "a range in place of the list",
      { content: "function b() {\n  go();\n}", startLine: 4 },
      ["lines 4 to 6, b: function b() {"],
    ],
    [
      "a list in a list",
      [[{ content: "go();" }]],
      ["lines 1 to 3, a: function a() {", "lines 4 to 6, b: function b() {"],
    ],
  ])("is one that came as %s", async (_, selectedRanges, names) => {
    const { app, model } = createTestApp({ code, models: [["It is.\n"]] });
    const open = editor(twice);
    const odd = { ...open, value: { ...open.value, selectedRanges } };
    const reply = await ask(app, "fix", [odd, prompted("It hangs.")]);
    expect(model.requests).toHaveLength(0);
    expect(treeOf(reply).data.nodes.map(({ name }) => name)).toEqual(names);
  });

  test.each<[string, unknown]>([
    ["nothing", [null]],
    ["an empty text", [" "]],
    ["a cursor", { content: "", startLine: 2 }],
  ])("is none that came as %s", async (_, selectedRanges) => {
    const open = editor(twice);
    const { asked } = await run("fix", "It hangs.", {
      ...open,
      value: { ...open.value, selectedRanges },
    });
    expect(asked).toContain("It hangs.");
  });

  test("is found where its lines are indented otherwise, and asked for", async () => {
    const { app } = createTestApp({ code });
    const reply = await ask(app, "fix", [lost(twice, "function b() {\ngo();\n}")]);
    expect(treeOf(reply).data.nodes.map(({ name }) => name)).toEqual([
      "lines 4 to 6, b: function b() {",
    ]);
  });

  test("that is nowhere in the file is one of its functions", async () => {
    const { app } = createTestApp({ code });
    const reply = await ask(app, "fix", [lost(twice, "stop();")]);
    expect(treeOf(reply).data.nodes.map(({ prompt }) => prompt)).toEqual([
      "Fix a, lines 1-3",
      "Fix b, lines 4-6",
    ]);
  });

  test("of a text without functions is all of it", async () => {
    const { app } = createTestApp({ code });
    const reply = await ask(app, "fix", [lost("one\ntwo\n", "three")]);
    expect(treeOf(reply).data.nodes.map(({ prompt }) => prompt)).toEqual(["Fix lines 1-2"]);
  });

  test("is not asked for where the question names a place, or the text occurs once", async () => {
    const named = await run("fix", "fix b()", lost(twice, "  go();\n"));
    expect(named.place).toBe("b(), lines 4-6, from the question");
    const once = await run("fix", "It hangs.", lost(twice, "function b() {\n  go();"));
    expect(once.asked).toContain("> 4 | function b() {");
    expect(once.asked).toContain("  1 | function a() {");
    expect(once.droppedPaths).toMatch(
      /^contextVariables\[0\]\.value\.selectedRanges\[0\]\.(?:start|end)Line/,
    );
  });

  test.each(["explain", "chat"])(
    "is no question before %s, which changes nothing",
    async (command) => {
      const { asked } = await run(command, "What is it?", lost(twice, "  go();\n"));
      expect(asked).toContain("Selected, on lines that are not known:\n```javascript\n  go();\n");
      expect(asked).not.toMatch(/^> *\d+ \|/m);
    },
  );
});
