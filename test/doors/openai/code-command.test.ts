// The command `code` for clients of the OpenAI API: it works on the code that the person has pasted.
import { describe, expect, test } from "vitest";
import { printUnits } from "../../../src/edit/read/print-units.ts";
import type { Script } from "../../../src/testing.ts";
import { code } from "../../helpers/code-parser.ts";
import { offlineModel } from "../../helpers/offline-model.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";
import { toolCall } from "../../helpers/loop-app.ts";
import { clientOf, clients } from "../../helpers/openai-client.ts";

const [newest] = clients;

function change(path: string, search: string, replace: string): Script {
  const code_edit = printUnits([{ search, replace }]);
  return [toolCall("edit_file", { target_file: path, instructions: "", code_edit })];
}

const finish: Script = [toolCall("finish", { response: "Done." })];

async function ask(models: readonly Script[], questions: readonly string[], stream = false) {
  const { app, model } = createTestApp({ models });
  const messages = questions.map((content) => ({ role: "user" as const, content }));
  const client = clientOf(newest, app);
  const body = { model: "rightseat/code", messages };
  const asked = (): string => JSON.stringify(model.requests[0]?.messages);
  if (!stream) {
    const { choices } = await client.chat.completions.create(body);
    return { text: choices[0]?.message.content ?? "", asked: asked() };
  }
  let text = "";
  for await (const { choices } of await client.chat.completions.create({ ...body, stream }))
    text += choices[0]?.delta.content ?? "";
  return { text, asked: asked() };
}

const a = "```js src/a.js\na();\n```\n";
const b = "```js src/b.js\nb();\n```\n";

describe.each([false, true])("the agent of a client that wants a stream: %j", (stream) => {
  test("changes the one block of the question", async () => {
    const models = [change("src/a.js", "a();\n", "A();\n"), finish];
    const { text } = await ask(models, [`Let it be A.\n\n${a}`], stream);
    expect(text).toContain("- Edit `src/a.js` (+1 −1)");
    expect(text).toContain("--- a/src/a.js\n+++ b/src/a.js\n@@ -1,1 +1,1 @@\n-a();\n+A();\n");
  });

  test("changes every block that names its file, as it was sent last", async () => {
    const models = [
      change("src/a.js", "a2();\n", "A();\n"),
      change("src/b.js", "b();\n", "B();\n"),
      finish,
    ];
    const again = a.replace("a()", "a2()");
    const { text } = await ask(models, [`Look.\n\n${a}`, `Change both.\n\n${again}\n${b}`], stream);
    expect(text).toContain("-a2();\n+A();\n");
    expect(text).toContain("-b();\n+B();\n");
  });

  test("changes a block that names no file", async () => {
    const models = [change("untitled", "a();\n", "A();\n"), finish];
    const { text } = await ask(models, ["Let it be A.\n\n```js\na();\n```\n"], stream);
    expect(text).toContain("-a();\n+A();\n");
  });
});

test("what the agent has written in its answers is no file", async () => {
  const { app, model } = createTestApp({
    models: [change("src/b.js", "b();\n", "B();\n"), finish],
  });
  const { choices } = await clientOf(newest, app).chat.completions.create({
    model: "rightseat/code",
    messages: [
      { role: "user", content: a },
      { role: "assistant", content: b },
      { role: "user", content: "Go on." },
    ],
  });
  expect(choices[0]?.message.content).toContain("- Edit `src/b.js` – not done");
  expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("a();");
});

test("nothing is offered to be typed that only a click brings along", async () => {
  const models = [
    change("src/a.js", "a();\n", "A();\n"),
    change("src/b.js", "b();\n", "B();\n"),
    finish,
  ];
  const { text } = await ask(models, [`Change both.\n\n${a}\n${b}`]);
  expect(text).toContain("**Proposed changes.**");
  expect(text).not.toContain("You can type next");
});

test("numbers that are typed write the tests of these cases alone", async () => {
  const { app } = createTestApp({ models: offlineModel(code), code });
  const client = clientOf(newest, app);
  const source = {
    role: "user" as const,
    content: "```js src/cart.js\nfunction same(a, b) {\n  return a == b;\n}\n```",
  };
  const say = async (messages: { role: "user" | "assistant"; content: string }[], model: string) =>
    (await client.chat.completions.create({ model, messages })).choices[0]?.message.content ?? "";
  const cases = await say([source], "rightseat/unittest");
  const write = (words: string) =>
    say(
      [
        source,
        { role: "assistant", content: cases },
        { role: "user", content: `/unittest-write ${words}` },
      ],
      "rightseat",
    );
  expect((await write("2")).match(/^test\(/gm)).toHaveLength(1);
  expect((await write("1 3 same, lines 1-3")).match(/^test\(/gm)).toHaveLength(2);
  await expect(write("9")).rejects.toThrow("There is no number 9 in the last list.");
});
