// Edits in the answer of a chat: shown as what they make, and nothing of their tags.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { watchEdits } from "../../../src/flows/ask/watch-edits.ts";
import { scriptedModel } from "../../../src/testing.ts";
import { relayAnswer } from "../../../src/turn/relay.ts";
import type { RelayedEvent } from "../../../src/turn/turn-event.ts";
import { ask, button, editor, prompted } from "../../helpers/copilot-client.ts";
import { createTestApp } from "../../helpers/create-test-app.ts";

const file = "export function total(items) {\n  return items.length;\n}\n";
const units = "------- SEARCH\n  return items.length;\n=======\n  return 42;\n+++++++ REPLACE\n";
const block = `<file-edit filePath="src/cart.js">\n${units}</file-edit>\n`;

async function watch(pieces: readonly string[]) {
  const request = { messages: [] };
  const options = { signal: new AbortController().signal, caller: { forward: () => ({}) } };
  const files: Parameters<typeof watchEdits>[1] = [];
  const relay = watchEdits(relayAnswer(scriptedModel([pieces]), request, options), files);
  const events: RelayedEvent[] = [];
  await relay.pipe({
    take: (event) => events.push(event) > 0,
    drained: () => Promise.resolve(),
  });
  const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  return { text, events, files };
}

/** The text in pieces of random length. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (let nth = 0; at < text.length; nth += 1) {
    const end = at + (lengths[nth % lengths.length] ?? 1);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const words = fc
  .array(fc.constantFrom("a < b", "<", "<file", "`<file-edit>`", "\n", " ", "text", "<b>", "\n\n"))
  .map((parts) => parts.join(""));

describe("an answer that is watched for edits", () => {
  test("goes on as it is where no line begins with the tag, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(words, lengths, async (text, cuts) => {
        const { text: shown, files } = await watch(cut(text, cuts));
        expect(shown).toBe(text);
        expect(files).toEqual([]);
      }),
    );
  });

  test("loses its edits and nothing else, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(lengths, async (cuts) => {
        const { text, files } = await watch(cut(`Use < here.\n\n${block}\nDone.`, cuts));
        expect(text.replaceAll(/\n+/g, "\n")).toBe("Use < here.\nDone.");
        expect(files).toMatchObject([
          { filePath: "src/cart.js", units: [{ replace: "  return 42;\n" }] },
        ]);
      }),
    );
  });

  test("is passed on piece by piece", async () => {
    const { events } = await watch(["a", "b <", "c", "d"]);
    expect(events).toHaveLength(4);
  });
});

describe("an edit in the answer of a chat", () => {
  test("is shown as a diff with a button that says what is ready, and no tags", async () => {
    const { app, model } = createTestApp({
      models: [["I would return 42.\n\n", block, "\nThat is all."]],
    });
    const reply = await ask(app, "chat", [editor(file), prompted("Let total return 42.")]);
    expect(reply.text).not.toContain("<file-edit");
    expect(reply.text).not.toContain("SEARCH");
    expect(reply.text).toContain("-  return items.length;\n+  return 42;");
    const { prompt } = button(reply, "code").data;
    const applied = await ask(app, "code", [editor(file), prompted(prompt)]);
    expect(applied.text).toContain("**Ready to apply.**");
    expect(model.requests).toHaveLength(1);
  });

  test("of a file that is not at hand is told as such", async () => {
    const { app } = createTestApp({ models: [[block.replace("src/cart.js", "src/other.js")]] });
    const reply = await ask(app, "chat", [editor(file), prompted("Change the other file.")]);
    expect(reply.text).toContain("`src/other.js` is not at hand here");
    expect(reply.text).not.toContain("<file-edit");
  });

  test("may be code with marks, or the whole text of a new file", async () => {
    const marked =
      '<file-edit filePath="src/cart.js">\nexport function total(items) {\n  return 42;\n}\n// ... existing code ...\n</file-edit>\n';
    const whole = '<file-edit filePath="src/new.js">\nexport const one = 1;\n</file-edit>\n';
    const { app } = createTestApp({ models: [["Both:\n", marked, whole]] });
    const reply = await ask(app, "chat", [editor(file), prompted("Let total return 42.")]);
    expect(reply.text).toContain("-  return items.length;\n+  return 42;");
    expect(reply.text).toContain("+export const one = 1;");
    expect(reply.text).not.toContain("file-edit");
    const { prompt } = button(reply, "code").data;
    const applied = await ask(app, "code", [editor(file), prompted(prompt)]);
    expect(applied.text).toContain("**Ready to apply.**");
  });

  test("of one file in two spellings is one change", async () => {
    const other = block.replace("src/cart.js", "src\\.\\cart.js").replaceAll("items.length", "42");
    const { app } = createTestApp({
      models: [[block, other.replace("return 42;\n+", "return 43;\n+")]],
    });
    const reply = await ask(app, "chat", [editor(file), prompted("Let total return 43.")]);
    expect(reply.text.match(/^- `src/gm)).toHaveLength(1);
    expect(reply.text).toContain("-  return items.length;\n+  return 43;");
  });

  test("that cannot be read is refused with the reason", async () => {
    const open = block.replace("+++++++ REPLACE\n", "");
    const { app } = createTestApp({ models: [[open]] });
    const reply = await ask(app, "chat", [editor(file), prompted("Let total return 42.")]);
    expect(reply.text).toContain("the change was cut off");
  });
});
