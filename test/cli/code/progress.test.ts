import { cliTexts } from "../../../src/cli/texts.ts";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createTerminal } from "../../../src/cli/call/terminal.ts";
import { Progress } from "../../../src/cli/code/progress.ts";
import type { TurnEvent } from "../../../src/turn/turn-event.ts";

function show(events: readonly TurnEvent[], columns = Infinity): string {
  const screen = new PassThrough();
  const progress = new Progress({
    terminal: createTerminal(screen, screen, { plain: true }),
    texts: cliTexts("en"),
    columns: () => columns,
  });
  for (const event of events) progress.take(event);
  progress.rest();
  return String(screen.read() ?? "");
}

const say = (text: string): TurnEvent => ({ type: "text-delta", text });
const step = (tool: string, params: object, result: object): TurnEvent => ({
  type: "tool-result",
  result: { id: "1", content: "", isError: false },
  entry: { tool, reason: "", params: { ...params }, result: { ...result }, timestamp: "" },
});
const read = (path: string) => step("read_file", { target_file: path }, { success: true, path });

test("words and steps stand apart, and steps together", () => {
  expect(show([say("I look."), read("a.js"), read("b.js"), say("\n\nNow I know.\n")])).toBe(
    "I look.\n\n  ✓ Read a.js\n  ✓ Read b.js\n\nNow I know.\n",
  );
});

test("names and words cannot draw on the screen", () => {
  const shown = show([
    say("\u001b[2Jgone\u202e\n"),
    read("a\u001b]0;title\u0007\n  ✓ Edit real.js"),
    step("\u001b[31mno_such_tool", {}, { success: false, error: "line\nbreak\u009b" }),
  ]);
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
  expect(shown).not.toContain("\u202e");
  expect(shown.match(/✓/g)).toHaveLength(2);
  expect(shown.trimEnd().split("\n")).toHaveLength(4);
});

test("a file of the request that does not come along is named with the reason", () => {
  const leftOut = [{ path: ".env", why: "it may hold secrets" }];
  const receipt = { command: "code", arrived: {}, leftOut };
  expect(show([{ type: "context-receipt", receipt }])).toBe(
    "@.env does not come along: it may hold secrets.\n",
  );
});

test("a call whose arguments cannot be read leaves no gap where its file would be", () => {
  const shown = show([step("edit_file", {}, { success: false, error: "No JSON." })]);
  expect(shown).toBe("\n  ✗ Edit – not done: No JSON.\n");
});

test("names that differ by a line break look different", () => {
  expect(show([read("a\nb.js"), read("a b.js"), read("a\tb  c.js")])).toBe(
    "\n  ✓ Read a\\nb.js\n  ✓ Read a b.js\n  ✓ Read a\\tb  c.js\n",
  );
});

test("a block of code that the model leaves open ends with its words", () => {
  const shown = show([say("```diff\n+x"), read("a.js"), say("+ not a diff\n")]);
  expect(shown).toContain("+x\n\n  ✓ Read a.js\n\n+ not a diff\n");
});

test("a long step is cut to the line", () => {
  const why = "not ".repeat(100);
  const shown = show(
    [step("read_file", { target_file: "a.js" }, { success: false, error: why })],
    40,
  );
  const [line = ""] = shown.trim().split("\n");
  expect(line.length).toBeLessThanOrEqual(40);
  expect(line.endsWith("…")).toBe(true);
});
