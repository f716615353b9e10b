import { expect, test } from "vitest";
import { CallReader } from "../../../src/tools/text-calls/call-reader.ts";
import { createWorkspaceTools } from "../../../src/tools/workspace/workspace-tools.ts";

/** What is told after each piece. */
function tell(...pieces: string[]): string[] {
  const reader = new CallReader(createWorkspaceTools());
  return [...pieces.map((piece) => reader.push(piece)), reader.end({ isStopped: true })];
}

test("prose is told before its line ends, in either language", () => {
  expect(tell("I will ", "read it", ".\n", "好的，", "我先读")).toEqual([
    "I will ",
    "read it",
    ".\n",
    "好的，",
    "我先读",
    "",
  ]);
});

test("a word that may become a call waits for what follows it", () => {
  expect(tell("read", "ing it", "\n", "read_file", "(target_file=", "'a')\n")).toEqual([
    "",
    "reading it",
    "\n",
    "",
    "",
    "",
    "",
  ]);
});

test("no beginning of a tag, a fence or JSON is told before it is clear what it is", () => {
  const call = '{"tool":"read_file","params":{"target_file":"a"}}';
  expect(tell("Go:\n", "<tool", "_call>\n", call, "\n</tool_call>\n", "All done.")).toEqual([
    "Go:\n",
    "",
    "",
    "",
    "",
    "All done.",
    "",
  ]);
  expect(tell("``", "`json\n", call.slice(0, 9), call.slice(9), "\n```\n")).toEqual(
    Array.from({ length: 6 }, () => ""),
  );
  expect(
    tell(
      "<file-",
      'edit filePath="a">\n',
      "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</file-edit>\n",
    ),
  ).toEqual(Array.from({ length: 4 }, () => ""));
});
