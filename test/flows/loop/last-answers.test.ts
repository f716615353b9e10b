// When an answer of the model ends the work, and when the model only missed to say what is to be done.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../src/testing.ts";
import { textOfMessage } from "../../../src/turn/chat-message.ts";
import { ask, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { createTestCoding, toolCall, unit } from "../../helpers/loop-app.ts";
import { cases } from "../../helpers/cases.ts";

const files = { "src/a.js": "export const one = 1;\n", "src/b.js": "export const two = 2;\n" };
const read = (path = "src/a.js") => toolCall("read_file", { target_file: path });
const edit = (search: string, replace: string, path = "src/a.js") =>
  toolCall("edit_file", { target_file: path, code_edit: unit(search, replace) });
const editA = () => edit("export const one = 1;", "export const one = 11;");
const finish = (given: object = { response: "All is done." }) => toolCall("finish", given);
const raw = (name: string, given: string): Script[number] => ({
  type: "tool-call",
  call: { id: `raw${given.length}`, name, arguments: given },
});

async function run(
  scripts: readonly Script[],
  toolCalls: "tools" | "text" = "tools",
  check?: Parameters<typeof createTestApp>[0],
  isTalk = false,
) {
  const coding = await createTestCoding(files);
  const model = scriptedModel(scripts, { toolCalls });
  const { app } = createTestApp({ models: model, coding: { ...coding, isTalk }, ...check });
  const reply = await ask(app, "code", [prompted("Change one to 11.")]);
  const told = (nth: number): string => {
    const last = model.requests[nth]?.messages.at(-1);
    return last === undefined ? "" : textOfMessage(last);
  };
  return { reply, model, coding, told, count: (text: string) => reply.text.split(text).length - 1 };
}

const done = "export const one = 11;\n";

describe("finish without fields ends the work, and the text beside it is the answer", () => {
  const empty: [string, Script][] = [
    ["an empty object", ["I changed it.", finish({})]],
    ["no arguments at all", ["I changed it.", raw("finish", "")]],
    ["null in place of the field", ["I changed it.", finish({ response: null })]],
    ["a field of its own", ["I changed it.", finish({ status: "ok" })]],
    ["its text once more", ["I changed it.", finish({ response: "I changed it." })]],
    ["only the reason for the call", [finish({ reason: "I changed it." })]],
  ];
  test.each(empty)("as a call with %s", async (_, last) => {
    const { model, count, reply } = await run([[read()], [editA()], last]);
    expect(model.requests).toHaveLength(3);
    expect(count("I changed it.")).toBe(1);
    expect(reply.text).toContain("**Modified:**");
    expect(reply.finish).toBe("stop");
  });

  const written = [
    '```json\n{"tool": "finish"}\n```',
    '```json\n{"tool": "finish", "params": {}}\n```',
    "```yaml\ntool: finish\nparams: {}\n```",
    "tool_code.finish()",
    '<tool_call>\n{"name": "finish"}\n</tool_call>',
    '<tool_call>\n{"name": "finish", "arguments": {}}\n</tool_call>',
    "<finish></finish>",
  ];
  test.each(written)("written as %j", async (form) => {
    const edited = `<file-edit filePath="src/a.js">\n${unit("export const one = 1;", "export const one = 11;")}</file-edit>\n`;
    const { model, count, reply } = await run([[edited], [`I changed it.\n\n${form}\n`]], "text");
    expect(model.requests).toHaveLength(2);
    expect(count("I changed it.")).toBe(1);
    expect(reply.text).not.toContain("finish");
  });

  test("but where nothing was said and nothing changed, the model is told once", async () => {
    const { told, reply } = await run([[finish({})], ["It is 1.", finish({})]]);
    expect(told(1)).toContain("Your answer was empty");
    expect(reply.text).toContain("It is 1.");
    const silent = await run([[finish({})]]);
    expect(silent.model.requests).toHaveLength(2);
    expect(silent.reply.text).toContain("I stopped: the model's answer was empty");
  });
});

describe("finish counts only if no other call of its answer failed", () => {
  const refused = edit("not in the file", "x");
  const given: [string, Script][] = [
    ["after the call", [refused, finish({ response: "Fixed." })]],
    ["before the call", [finish({ response: "Fixed." }), refused]],
    ["beside a read that fails", [read("src/none.js"), finish({ response: "Fixed." })]],
    ["beside an unknown tool", [raw("run_shell", "{}"), finish({ response: "Fixed." })]],
  ];
  test.each(given)("%s", async (_, script) => {
    const { reply, coding, model } = await run([[read()], script, [editA()], [finish()]]);
    expect(reply.text).not.toContain("Fixed.");
    expect(await coding.text("src/a.js")).toBe(done);
    const results = model.requests[2]?.messages
      .filter(({ role }) => role === "tool")
      .map(textOfMessage);
    expect(results?.filter((text) => text.includes("not-finished"))).toHaveLength(1);
  });

  test("nor beside a call that cannot be read", async () => {
    const bad = '```json\n{"tool": "edit_file", "params": {"target_file": "src/a.js"\n```\n';
    const end = '```json\n{"tool": "finish", "params": {"response": "Fixed."}}\n```\n';
    const { reply } = await run([[`${bad}\n${end}`], [editA()], [finish()]], "text");
    expect(reply.text).not.toContain("Fixed.");
  });

  test("and edits that are each refused for another reason are not taken for a circle", async () => {
    const tries = [1, 2, 3, 4].map((nth) => [
      edit(`no ${nth}`, "x"),
      finish({ response: "Fixed." }),
    ]);
    const { coding } = await run([[read()], ...tries, [editA()], [finish()]]);
    expect(await coding.text("src/a.js")).toBe(done);
  });

  test("a call that succeeded beside it lets it count", async () => {
    const { model, reply } = await run([[read()], [editA(), finish()]]);
    expect(model.requests).toHaveLength(2);
    expect(reply.text).toContain("All is done.");
  });
});

test("a misquoted edit with words before it ends nothing, whatever the file has of its new text", async () => {
  for (const [search, replace] of [
    ["export const none = 1;\n}", "}"],
    ["export const one = 0;", "export const one = 1;"],
    ["export const uno = 1;", "export const one = 11;"],
  ] as const) {
    const edited = `<file-edit filePath="src/a.js">\n${unit(search, replace)}</file-edit>\n`;
    const scripts: Script[] = [[`I change it.\n${edited}`], [editA()], ["Now it is 11."]];
    const { coding, model, told } = await run(scripts, "text");
    expect(told(1)).toContain("SEARCH was not found");
    expect(model.requests).toHaveLength(3);
    expect(await coding.text("src/a.js")).toBe(done);
  }
});

describe("an answer that says nothing of what is to be done ends nothing: the model is told once in a row", () => {
  const misses: [string, Script][] = [
    ["announces a call", ["Let me read the file now."]],
    ["announces a call in Chinese", ["我先读取文件。"]],
    ["announces a call in thought and text", ["<think>Hm.</think>I look at it:"]],
    ["is empty", [""]],
    ["has only line ends", [" \n\n"]],
    ["has its calls in what it thinks", ['<think>tool_code.readTool("src/a.js")</think>']],
    ["thinks only", [{ type: "reasoning-delta", text: "finish()" }]],
    ["is cut off after whole calls", [editA(), { end: "length" }]],
    ["is cut off before its call", ["I change it", { end: "length" }]],
  ];
  for (const toolCalls of ["tools", "text"] as const)
    test.each(misses)(`where it %s, with ${toolCalls}`, async (_, miss) => {
      const scripts = [miss, [read()], miss, [editA()], miss, [finish()]];
      const { reply, coding, model } = await run(scripts, toolCalls);
      expect(await coding.text("src/a.js")).toBe(done);
      expect(reply.text).toContain("**Modified:**");
      expect(reply.text).not.toContain("I stopped");
      for (const { messages } of model.requests)
        expect(
          messages.filter(
            (message) => textOfMessage(message).trim() === "" && message.role !== "assistant",
          ),
        ).toEqual([]);
    });

  test("what was said of an answer that was cut off is told not to count, and the next one is a new paragraph", async () => {
    const { reply } = await run([
      ["I change", { end: "length" }],
      ["I change it.", editA()],
      [finish()],
    ]);
    const note =
      "*The model's answer was cut off. I ask it for a shorter one. What it has said of this step does not count.*";
    expect(reply.text).toMatch(`I change\n\n${note}\n\nI change it.\n`);
    const silent = await run([[editA(), { end: "length" }], [editA()], [finish()]]);
    expect(silent.reply.text).not.toContain("cut off");
  });

  test("the second time in a row the turn ends, and says why", async () => {
    const empty = await run([[read()], [""]]);
    expect(empty.model.requests).toHaveLength(3);
    expect(empty.reply.text).toContain("the model's answer was empty");
    const cut = await run([[read()], [editA(), { end: "length" }]]);
    expect(cut.model.requests).toHaveLength(3);
    expect(cut.reply.text).toContain("cut off");
    expect(cut.told(2)).toContain("was cut off");
    expect(cut.reply.finish).toBe("length");
    const words = await run([["Let me read it."], ["I read it now."]]);
    expect(words.model.requests).toHaveLength(2);
    expect(words.reply.finish).toBe("stop");
  });

  test("an answer to a question is asked about at most once, and shown once", async () => {
    for (const last of [["It adds."], [finish({})], [finish({ response: "It adds." })], [""]]) {
      const { count, model, reply } = await run([["It adds."], last]);
      expect(count("It adds.")).toBe(1);
      expect(model.requests).toHaveLength(2);
      expect(reply.finish).toBe("stop");
      expect(reply.text).not.toContain("I stopped");
    }
  });

  test("in a conversation words are an answer at once, unless they announce something", async () => {
    const talk = (...scripts: Script[]) => run(scripts, "tools", undefined, true);
    for (const words of ["It adds.", "它把两个数相加。", "It adds. Let me know if it should not."])
      expect((await talk([words], [editA()])).model.requests).toHaveLength(1);
    const looked = await talk([read()], ["It is 1."], [editA()]);
    expect(looked.model.requests).toHaveLength(2);
    for (const words of [
      "Sure. I'll change it.",
      "I change it:",
      "好的，我来修改。",
      "Let me see.",
    ]) {
      const { coding } = await talk([words], [editA()], [finish()]);
      expect(await coding.text("src/a.js")).toBe(done);
    }
  });

  test("words after a change end the turn at once, unless they lead up to something", async () => {
    const closed = await run([[read()], [editA()], ["I changed it."]]);
    expect(closed.model.requests).toHaveLength(3);
    const two = edit("export const two = 2;", "export const two = 22;", "src/b.js");
    const open = await run([[read()], [editA()], ["Now the other file:"], [two], [finish()]]);
    expect(await open.coding.text("src/b.js")).toContain("22");
  });

  test("a model that announces before each call may do so after a change, too", async () => {
    const two = edit("export const two = 2;", "export const two = 22;", "src/b.js");
    const words: Script = ["Next I will do the rest."];
    const { coding } = await run([words, [read()], [editA()], words, [two], [finish()]]);
    expect(await coding.text("src/b.js")).toContain("22");
  });
});

describe("equal calls of one answer are one", () => {
  test("which runs once, and each of which gets the result", async () => {
    const same = () => [
      read(),
      raw("readTool", '{ "path": "src/a.js", "explanation": "Again." }'),
      read(),
    ];
    const { model, count, reply } = await run([same(), [editA()], [finish()]]);
    expect(reply.text).toContain("All is done.");
    expect(count("Read `src/a.js`")).toBe(1);
    const results = model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results).toHaveLength(3);
    expect(new Set(results.map(textOfMessage)).size).toBe(1);
    expect(new Set(results.map((each) => "tool_call_id" in each && each.tool_call_id)).size).toBe(
      3,
    );
  });

  test("also where they write, and where they fail", async () => {
    const { coding, count, reply } = await run([[read()], [editA(), editA(), editA()], [finish()]]);
    expect(await coding.text("src/a.js")).toBe(done);
    expect(coding.asked).toHaveLength(1);
    expect(count("- Edit `src/a.js`")).toBe(1);
    expect(reply.text).not.toContain("I stopped");
    const failing = await run([[read("x"), read("x"), read("x")], [read()], [editA()], [finish()]]);
    expect(await failing.coding.text("src/a.js")).toBe(done);
  });

  test("unless something else was written in between", async () => {
    const back = edit("export const one = 11;", "export const one = 1;");
    const { coding, model } = await run([
      [read(), editA(), back, read(), editA(), read()],
      [finish()],
    ]);
    expect(await coding.text("src/a.js")).toBe(done);
    const results =
      model.requests[1]?.messages.filter(({ role }) => role === "tool").map(textOfMessage) ?? [];
    expect(results.map((text) => text.includes("one = 11"))).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ]);
  });
});

test("all reasons of a call are kept: for the person who is asked, and in the history", async () => {
  const given = {
    target_file: "src/a.js",
    code_edit: unit("export const one = 1;", "export const one = 11;"),
    reason: "The test wants 11.",
    explanation: "It is the only place.",
    instructions: "Change the number.",
  };
  const { coding } = await run([[read()], [toolCall("edit_file", given)], [finish()]]);
  const why = coding.asked[0]?.why ?? "";
  for (const reason of [given.reason, given.explanation, given.instructions])
    expect(why).toContain(reason);
});

test("whatever a model answers, each call has one result, no message is empty, and the turn ends", async () => {
  let count = 0;
  const call = (name: string, given: object | string): Script[number] => ({
    type: "tool-call",
    call: {
      id: `p${(count += 1)}`,
      name,
      arguments: typeof given === "string" ? given : JSON.stringify(given),
    },
  });
  const calls: (() => Script[number])[] = [
    () => call("read_file", { target_file: "src/a.js" }),
    () => call("read", { path: "src/a.js", reason: "Why not." }),
    () => call("edit_file", { target_file: "src/a.js", code_edit: unit("one = 1", "one = 11") }),
    () => call("edit_file", { target_file: "src/b.js", code_edit: unit("nothing", "x") }),
    () => call("finish", {}),
    () => call("finish", ""),
    () => call("finish", { response: "Done." }),
    () => call("finish", "no JSON"),
    () => call("run_shell", { command: "ls" }),
  ];
  const words = ["", "  \n", "I look at it:", "It is 1.", "<think>finish()</think>", "finish()\n"];
  const answer = fc.record({
    words: fc.constantFrom(...words),
    calls: fc.array(fc.nat(calls.length - 1), { maxLength: 6 }),
    isCut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("tools" as const, "text" as const),
      async (answers, toolCalls) => {
        const scripts = answers.map((each): Script => [
          each.words,
          ...each.calls.map((nth) => calls[nth]?.() ?? ""),
          ...(each.isCut && each.calls.length < 3 ? [{ end: "length" as const }] : []),
        ]);
        const { model, reply } = await run(scripts, toolCalls);
        expect(["stop", "length"]).toContain(reply.finish);
        const sent = model.requests.at(-1)?.messages ?? [];
        for (const message of sent)
          if (message.role !== "assistant" || message.tool_calls === undefined)
            expect(textOfMessage(message).trim()).not.toBe("");
        const asked = sent.flatMap((message) =>
          message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [],
        );
        const told = sent.flatMap((message) =>
          message.role === "tool" ? [message.tool_call_id] : [],
        );
        expect(told).toEqual(asked);
      },
    ),
    { numRuns: cases(50) },
  );
});
