// The command `code` where nothing can be written: it works on the files of the request and proposes.
import { describe, expect, test } from "vitest";
import type { Script } from "../../../src/model/scripted.ts";
import { ask, button, editor, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = "export function total(items) {\n  return items.length;\n}\n";
const cart = editor(file);

let count = 0;
function call(name: string, input: object): Script[number] {
  count += 1;
  return { type: "tool-call", call: { id: `c${count}`, name, arguments: JSON.stringify(input) } };
}

const unit = "------- SEARCH\n  return items.length;\n=======\n  return 42;\n+++++++ REPLACE\n";
const read = call("read_file", { target_file: "src/cart.js", explanation: "Look at it." });
const change = call("edit_file", {
  target_file: "src/cart.js",
  instructions: "Return 42.",
  code_edit: unit,
});
const finish = call("finish", { response: "`total` returns 42 now." });

describe("the command code at the copilot door", () => {
  test("reads, edits and ends with the diff, a tree of the files and a button", async () => {
    const { app, model } = createTestApp({ models: [["I look.", read], [change], [finish]] });
    const reply = await ask(app, "code", [cart, prompted("Let total return 42.")]);
    expect(reply.text).toMatchInlineSnapshot(`
      "I look.

      - Read \`src/cart.js\`
      - Edit \`src/cart.js\` (+1 −1)

      \`total\` returns 42 now.

      **Proposed changes.** Nothing is written yet.

      - \`src/cart.js\` (+1 −1)

      \`\`\`diff
      --- a/src/cart.js
      +++ b/src/cart.js
      @@ -1,3 +1,3 @@
       export function total(items) {
      -  return items.length;
      +  return 42;
       }
      \`\`\`
      "
    `);
    expect(reply.finish).toBe("stop");
    expect(reply.actions.map(({ action }) => action)).toEqual(["tree", "confirm"]);
    expect(model.requests).toHaveLength(3);
    const roles = model.requests.at(-1)?.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool"]);
  });

  test("a click on the button says what is ready to apply, without the model", async () => {
    const { app, model } = createTestApp({ models: [[read], [change], [finish]] });
    const reply = await ask(app, "code", [cart, prompted("Let total return 42.")]);
    const asked = model.requests.length;
    const { prompt } = button(reply, "code").data;
    const applied = await ask(app, "code", [cart, prompted(prompt)]);
    expect(applied.text).toMatchInlineSnapshot(`
      "**Ready to apply.** These are the changes as they fit the files now:

      - \`src/cart.js\` (+1 −1)

      \`\`\`diff
      --- a/src/cart.js
      +++ b/src/cart.js
      @@ -1,3 +1,3 @@
       export function total(items) {
      -  return items.length;
      +  return 42;
       }
      \`\`\`
      "
    `);
    expect(model.requests).toHaveLength(asked);
  });
});
