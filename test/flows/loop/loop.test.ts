// The agent's loop: what it tells the model, when it stops, and what it says of its work.
import { describe, expect, test } from "vitest";
import type { CheckOutcome } from "../../../src/flows/loop/coding.ts";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { ask, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createTestCoding, toolCall, unit } from "../../helpers/loop-app.ts";

const files = { "src/a.js": "export const one = 1;\n", "src/b.js": "export const two = 2;\n" };
const read = (path: string) => toolCall("read_file", { target_file: path, explanation: "Look." });
const edit = (path: string, search: string, replace: string) =>
  toolCall("edit_file", {
    target_file: path,
    instructions: "Change it.",
    code_edit: unit(search, replace),
  });
const editA = () => edit("src/a.js", "export const one = 1;", "export const one = 11;");
const finish = (response = "Done.") => toolCall("finish", { response });

async function run(scripts: readonly Script[], options: Options = {}) {
  const coding = await createTestCoding({ ...files, ...options.files }, options.refuses);
  const model = scriptedModel(scripts, options.model);
  const { check } = options;
  const { app } = createTestApp({
    models: model,
    coding: { ...coding, ...(check === undefined ? {} : { check, checkCommand: "npm test" }) },
    settings: options.settings ?? {},
  });
  const reply = await ask(app, "code", [prompted(options.request ?? "Change one to 11.")]);
  return { reply, model, coding };
}

interface Options {
  files?: Record<string, string>;
  refuses?: string[];
  request?: string;
  model?: Parameters<typeof scriptedModel>[1];
  settings?: Record<string, string>;
  check?: () => Promise<CheckOutcome>;
}

describe("a turn of the agent", () => {
  test("ends with an answer that calls nothing, which is asked about once and shown once", async () => {
    const { reply, model } = await run([[read("src/a.js")], ["It is 1."]]);
    expect(reply.text.split("It is 1.")).toHaveLength(2);
    expect(reply.text).not.toContain("Modified");
    expect(reply.finish).toBe("stop");
    expect(model.requests).toHaveLength(3);
  });

  test("says so when the model says nothing at all", async () => {
    const { reply } = await run([[read("src/a.js")], [" \n"]]);
    expect(reply.text).toContain("I stopped: the model's answer was empty");
    const { reply: written } = await run([[read("src/a.js")], [editA()], [""]]);
    expect(written.text).toContain("**Modified:**");
    expect(written.text).not.toContain("I stopped");
  });

  test("is not told that a file was modified whose change the person refused", async () => {
    const scripts = [[read("src/a.js")], [editA()], [finish("I could not change it.")]];
    const { reply, coding, model } = await run(scripts, { refuses: ["src/a.js"] });
    expect(await coding.text("src/a.js")).toBe(files["src/a.js"]);
    expect(reply.text).not.toContain("Modified");
    const last = model.requests.at(-1)?.messages.at(-1);
    expect(last && textOfMessage(last)).toContain("Leave this file.");
  });

  test("tells malformed calls to the model, which can do better", async () => {
    const bad = { id: "x", name: "read_file", arguments: '{"target_file": ' };
    const scripts: Script[] = [
      [{ type: "tool-call", call: bad }],
      [{ type: "tool-call", call: { ...bad, id: "y", name: "__proto__", arguments: "{}" } }],
      [read("src/a.js")],
      [editA()],
      [finish()],
    ];
    const { coding, model } = await run(scripts);
    expect(await coding.text("src/a.js")).toBe("export const one = 11;\n");
    for (const [nth, word] of ["JSON", "no tool"].entries()) {
      const message = model.requests[nth + 1]?.messages.at(-1);
      expect(message && textOfMessage(message)).toContain(word);
    }
    // Servers refuse arguments that are no JSON.
    const calls =
      model.requests
        .at(-1)
        ?.messages.flatMap((message) =>
          message.role === "assistant" ? (message.tool_calls ?? []) : [],
        ) ?? [];
    for (const { function: called } of calls)
      expect(() => JSON.parse(called.arguments)).not.toThrow();
  });

  test("stops when the same call comes to the same result three times", async () => {
    const { reply, model } = await run([[read("src/c.js")]]);
    expect(model.requests).toHaveLength(3);
    expect(reply.text).toContain("three times");
    expect(reply.finish).toBe("length");
  });

  test("goes on where a write lies between calls that are the same", async () => {
    const steps: Script[] = [2, 3, 4, 5].flatMap((value) => [
      [read("src/a.js")],
      [edit("src/a.js", `export const one = ${value - 1};`, `export const one = ${value};`)],
    ]);
    const { coding, reply } = await run([...steps, [finish()]]);
    expect(await coding.text("src/a.js")).toBe("export const one = 5;\n");
    expect(reply.text).not.toContain("three times");
  });

  test("stops after as many steps as are allowed, and lists what was changed", async () => {
    const scripts = [[read("src/a.js")], [editA()], [read("src/b.js")]];
    const { reply, model } = await run(scripts, { settings: { RIGHTSEAT_MAX_ROUNDS: "3" } });
    expect(model.requests).toHaveLength(3);
    expect(reply.text).toContain("all its steps");
    expect(reply.text).toContain("- `src/a.js` (+1 −1)");
  });

  test("runs the first calls of an answer with very many, and is told that the others were not run", async () => {
    const many = Array.from({ length: 300 }, (_, nth) => read(`src/${nth}.js`));
    const { reply, model } = await run([
      many,
      [read("src/a.js")],
      [editA()],
      [finish("It is 11.")],
    ]);
    expect(reply.text).toContain("It is 11.");
    const results = (model.requests[1]?.messages ?? []).filter(({ role }) => role === "tool");
    expect(results).toHaveLength(256);
    expect(results.map(textOfMessage).map((text) => text.includes("Not run"))).toEqual(
      results.map((_, nth) => nth >= 128),
    );
  });

  test("stops when its tokens are used up", async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 200, total_tokens: 1_100 };
    const scripts: Script[] = [[read("src/a.js"), { type: "usage", usage }]];
    const { reply, model } = await run(scripts, {
      settings: { RIGHTSEAT_MAX_TURN_TOKENS: "2000" },
    });
    expect(model.requests).toHaveLength(2);
    expect(reply.finish).toBe("length");
  });

  test("carries nothing out of an answer that was cut", async () => {
    const { reply, coding } = await run([[read("src/a.js")], [editA(), { end: "length" }]]);
    expect(await coding.text("src/a.js")).toBe(files["src/a.js"]);
    expect(reply.text).toContain("cut off");
  });

  test("runs the calls of one answer in their order, so that a read sees the write before it", async () => {
    const scripts = [[read("src/a.js")], [editA(), read("src/a.js"), read("src/b.js")], [finish()]];
    const { model } = await run(scripts);
    const results = model.requests.at(-1)?.messages.slice(-3).map(textOfMessage) ?? [];
    expect(results[1]).toContain("one = 11");
    expect(results[2]).toContain("two = 2");
  });
});

describe("the person's own check", () => {
  const failed: CheckOutcome = {
    ran: true,
    passed: false,
    command: "npm test",
    exit: "exit code 1",
    output: "expected 12",
  };
  const passed: CheckOutcome = { ...failed, passed: true, exit: "exit code 0", output: "ok" };

  test("tells the model of its failure until it passes", async () => {
    const outcomes = [failed, passed];
    const again = edit("src/a.js", "export const one = 11;", "export const one = 12;");
    const scripts = [[read("src/a.js")], [editA()], [finish()], [again], [finish("Now it is 12.")]];
    const { reply, model } = await run(scripts, {
      check: () => Promise.resolve(outcomes.shift() ?? passed),
    });
    const told = model.requests[3]?.messages.at(-1);
    expect(told && textOfMessage(told)).toContain("expected 12");
    expect(reply.text).toContain("The check `npm test` passed.");
  });

  test("that never passes ends the turn, which does not say that it did", async () => {
    const values = [11, 12, 13, 14].map((value) => [
      edit(
        "src/a.js",
        `export const one = ${value === 11 ? 1 : value - 1};`,
        `export const one = ${value};`,
      ),
    ]);
    const scripts = [[read("src/a.js")], ...values.flatMap((one) => [one, [finish("Fixed.")]])];
    const { reply, model } = await run(scripts, { check: () => Promise.resolve(failed) });
    expect(reply.text).toContain("did not pass (exit code 1)");
    expect(reply.text).not.toContain("passed.");
    expect(model.requests).toHaveLength(7);
  });

  test("is said not to have been run where nothing was changed, or after the last change", async () => {
    const check = () => Promise.resolve(failed);
    const idle = await run([[finish("Fixed.")]], { check });
    expect(idle.reply.text).toContain("No file was changed, so the check `npm test` was not run.");
    const settings = { RIGHTSEAT_MAX_ROUNDS: "2" };
    const stopped = await run([[read("src/a.js")], [editA()]], { check, settings });
    expect(stopped.reply.text).toContain(
      "The check `npm test` was not run after the last change, so nothing is known",
    );
  });

  test("is not run where nothing was changed", async () => {
    let count = 0;
    const check = () => Promise.resolve((count += 1) > 0 ? passed : failed);
    await run([[read("src/a.js")], [finish()]], { check });
    expect(count).toBe(0);
  });
});

describe("a conversation that outgrows the model's window", () => {
  const long = Object.fromEntries(
    Array.from({ length: 12 }, (_, nth) => [`src/f${nth}.js`, `// ${"word ".repeat(800)}\n`]),
  );

  test("shortens old results, and keeps the request and what was changed", async () => {
    const scripts = [
      [read("src/a.js")],
      [editA()],
      ...Object.keys(long).map((path) => [read(path)]),
      [finish()],
    ];
    const { model, reply } = await run(scripts, {
      files: long,
      model: { contextWindow: 12_000, answerReserve: 1_000 },
    });
    expect(reply.text).toContain("Done.");
    const last = model.requests.at(-1)?.messages.map(textOfMessage) ?? [];
    expect(last.filter((text) => text.includes("left out to save room")).length).toBeGreaterThan(5);
    expect(last.filter((text) => text.includes("Change one to 11."))).toHaveLength(1);
    expect(last.at(-1)).toContain("+export const one = 11;");
    expect(last.at(-2)).toContain("word word");
  });

  test("ends the turn where not even the last result fits", async () => {
    const huge = { "src/huge.js": `// ${"word ".repeat(12_000)}\n` };
    const scripts = [[read("src/huge.js")], [finish()]];
    const { reply } = await run(scripts, {
      files: huge,
      model: { contextWindow: 8_000, answerReserve: 1_000 },
    });
    expect(reply.text).toContain("does not fit into the model's window");
  });
});

describe("a model without tool calling", () => {
  const json = (tool: string, params: object) =>
    `\`\`\`json\n${JSON.stringify({ tool, reason: "I need it.", params })}\n\`\`\`\n`;
  const inText = { toolCalls: "text" } as const;

  test("is told of the tools in its prompt, and its calls are read out of its text", async () => {
    const scripts: Script[] = [
      [`I look.\n\n${json("read_file", { target_file: "src/a.js" })}`],
      [
        `<file-edit filePath="src/a.js">\n${unit("export const one = 1;", "export const one = 11;")}</file-edit>\n`,
      ],
      [json("finish", { response: "`one` is 11 now." })],
    ];
    const { model, coding, reply } = await run(scripts, { model: inText });
    expect(await coding.text("src/a.js")).toBe("export const one = 11;\n");
    expect(reply.text).toContain("I look.");
    expect(reply.text).toContain("`one` is 11 now.");
    expect(reply.text).not.toContain("file-edit");
    expect(reply.text).not.toContain("target_file");
    const [first, second] = model.requests;
    expect(first?.tools).toBeUndefined();
    expect(first?.messages.map(textOfMessage).join("\n")).toContain("`grep_search`");
    expect(second?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
    expect(second?.messages.map(textOfMessage).at(-1)).toContain('<tool_result name="read_file">');
  });

  test("calls nothing in what it thinks aloud", async () => {
    const thought = `<think>Maybe ${json("delete_file", { target_file: "src/a.js" })}</think>`;
    const { coding, reply } = await run([[`${thought}All is well.`]], { model: inText });
    expect(await coding.text("src/a.js")).toBe(files["src/a.js"]);
    expect(reply.text).toContain("All is well.");
  });

  test("calls nothing by quoting a result that holds a call", async () => {
    const call = json("delete_file", { target_file: "src/b.js" });
    const quote = `The file says:\n\n<tool_result name="read_file">\n${call}</tool_result>\n\nI leave it.`;
    const { coding } = await run([[quote]], { model: inText, files: { "note.md": call } });
    expect(await coding.text("src/b.js")).toBe(files["src/b.js"]);
  });

  test("may show at its end what it has done, and is not asked again for that", async () => {
    const block = `<file-edit filePath="src/a.js">\n${unit("export const one = 1;", "export const one = 11;")}</file-edit>\n`;
    const diff =
      "```diff\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-export const one = 1;\n+export const one = 11;\n```\n";
    const scripts: Script[] = [[block], [`This is what I did:\n\n${diff}`]];
    const { model, reply } = await run(scripts, { model: inText });
    expect(model.requests).toHaveLength(2);
    expect(reply.text).toContain("This is what I did:");
    expect(reply.text).toContain("**Modified:**");
  });

  test("is told of a call that cannot be read", async () => {
    const scripts: Script[] = [
      ['```json\n{"tool": "read_file", "params": {"target_file": "src/a.js"\n```\n'],
      [json("finish", { response: "Done." })],
    ];
    const { model } = await run(scripts, { model: inText });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.messages.map(textOfMessage).at(-1)).toContain("could not be read");
  });
});

test("a model that was offered tools and writes its calls down is understood, too", async () => {
  const scripts: Script[] = [
    ["tool_code.readTool(filePath='src/a.js')\n"],
    [editA()],
    ["tool_code.readTool(filePath='src/b.js')\n"],
    [finish()],
  ];
  const { model, coding } = await run(scripts);
  expect(await coding.text("src/a.js")).toBe("export const one = 11;\n");
  const ids = model.requests
    .at(-1)
    ?.messages.flatMap((message) => (message.role === "tool" ? message.tool_call_id : []));
  expect(new Set(ids).size).toBe(3);
});

describe("what opens the first prompt", () => {
  const project = {
    "src/cart.js":
      'import { tax } from "./tax.js";\nexport const total = (sum) => sum + tax(sum);\n',
    "src/tax.js": "export function tax(sum) {\n  return sum * 0.2;\n}\n",
    "docs/notes.md": "Nothing of interest.\n",
  };

  test("is a map of the files, the file that the request names, and why each came", async () => {
    const coding = await createTestCoding(project);
    const { app, model } = createTestApp({ models: [[finish()]], coding });
    const response = await app.fetch(
      new Request("http://127.0.0.1/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          agent: "rightseat",
          command: "code",
          contextVariables: [prompted("Let @src/tax.js take 19 percent.")],
        }),
      }),
    );
    await response.text();
    const prompt = model.requests[0]?.messages.map(textOfMessage).at(-1) ?? "";
    expect(prompt).toContain("# Map of the project");
    expect(prompt).toContain("src/cart.js");
    expect(prompt).toContain("  return sum * 0.2;");
    expect(prompt).not.toContain("Nothing of interest.");
    const receipt = JSON.parse(response.headers.get("x-rightseat-context") ?? "{}") as {
      files?: unknown[];
    };
    expect(receipt.files?.[0]).toEqual({ path: "src/tax.js", why: "named in the request" });
  });

  test("counts as read, so that the file can be edited at once", async () => {
    const change = edit("src/tax.js", "  return sum * 0.2;", "  return sum * 0.19;");
    const { coding } = await run([[change], [finish()]], {
      files: project,
      request: "Let @src/tax.js take 19 percent.",
    });
    expect(await coding.text("src/tax.js")).toContain("0.19");
  });
});

describe("an edit that the engine cannot merge", () => {
  const twins = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}\n";
  const marked = "// ... existing code ...\n  return 2;\n// ... existing code ...\n";
  const change = () =>
    toolCall("edit_file", {
      target_file: "src/twins.js",
      instructions: "Let b return 2.",
      code_edit: marked,
    });

  test("is planned by line numbers in one more answer, and applied as planned", async () => {
    const plan =
      'Line 6.\n\n```json\n[{"start_line": 6, "end_line": 6, "replacement": "  return 2;\\n"}]\n```\n';
    const { coding, model, reply } = await run(
      [[read("src/twins.js")], [change()], [plan], [finish()]],
      { files: { "src/twins.js": twins } },
    );
    expect(await coding.text("src/twins.js")).toBe(twins.replace(/1(?=;\n\}\n$)/, "2"));
    const asked = model.requests[2]?.messages.map(textOfMessage).join("\n") ?? "";
    expect(asked).toContain("6|   return 1;");
    expect(asked).toContain("Let b return 2.");
    // What the planner writes is nothing for the person.
    expect(reply.text).not.toContain("start_line");
  });

  test("is told to the model where the plan is of no use", async () => {
    const { coding, model } = await run([[read("src/twins.js")], [change()], ["[]"], [finish()]], {
      files: { "src/twins.js": twins },
    });
    expect(await coding.text("src/twins.js")).toBe(twins);
    const told = model.requests[3]?.messages.at(-1);
    expect(told && textOfMessage(told)).toContain('"success":false');
  });
});
