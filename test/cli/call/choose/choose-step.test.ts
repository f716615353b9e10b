import { cliTexts } from "../../../../src/cli/texts.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import {
  type FoundChange,
  type OpenFile,
  createOpenFile,
  findChange,
} from "../../../../src/cli/call/choose/apply-change.ts";
import {
  type OwnStep,
  chooseStep,
  findChecklist,
} from "../../../../src/cli/call/choose/next-steps.ts";
import {
  type Choice,
  type ShownAction,
  listChoices,
} from "../../../../src/cli/call/show/print-actions.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { appliedEdit } from "../proposed-edits.ts";
import { Screen } from "../screen.ts";
import { button, caseTree } from "../shown-actions.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const texts = cliTexts("en");
const [down, space, enter, interrupt] = ["\u001b[B", " ", "\r", "\u0003"];
const writeAll = button("Write all", "unittest-write", "adds, no items, null");

interface Person {
  actions: ShownAction[];
  file?: OpenFile;
  change?: FoundChange | undefined;
  tests?: Pick<OwnStep, "name" | "run">;
  /** The questions that they are asked one after the other, and the keys that they press then. */
  screens: [question: string, ...keys: string[]][];
}

/** Shows the screens to a person who presses these keys. */
async function ask({ actions, file, change, tests, screens }: Person) {
  const [input, output] = [new PassThrough(), new Screen()];
  const left = [...screens];
  let seen = "";
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    seen += chunk.toString();
    const [next] = left;
    if (next === undefined || !stripVTControlCharacters(shown).includes(`◆  ${next[0]}`)) return;
    shown = "";
    left.shift();
    const [, ...keys] = next;
    // The prompt listens once it is drawn.
    setImmediate(() => keys.forEach((key) => input.write(key)));
  });
  const choices = listChoices(actions);
  const checklist = findChecklist(actions, choices);
  const own: OwnStep[] = [];
  if (file !== undefined && change !== undefined) {
    const voids = (choice: Choice): boolean => choice.command === "fix";
    own.push({ title: texts.apply, name: file.name, run: () => file.apply(change), voids });
  }
  if (tests !== undefined) own.push({ ...tests, title: texts.writeTests });
  const step = await chooseStep(choices, checklist, { own, texts, streams: { input, output } });
  return { step, editor: file?.changed, seen: stripVTControlCharacters(seen) };
}

test("cases that are ticked are one step with one prompt", async () => {
  const { step, seen } = await ask({
    actions: [caseTree, writeAll],
    screens: [[texts.tick, down, space, down, down, down, space, enter]],
  });
  expect(step).toMatchObject({
    command: "unittest-write",
    prompt: "Write tests for lines 3-9\n\n```text\nhappy path: adds\nedge case: null\n```",
  });
  expect(seen).toContain("edge case");
});

test("a tick on a category takes all its cases", async () => {
  const { step } = await ask({
    actions: [caseTree, writeAll],
    screens: [[texts.tick, down, down, space, enter]],
  });
  expect(step?.prompt).toBe(
    "Write tests for lines 3-9\n\n```text\nedge case: no items\nedge case: null\n```",
  );
});

test("who ticks nothing is asked for another step, without the cases, and can go back to them", async () => {
  const { step, seen } = await ask({
    actions: [caseTree, writeAll],
    screens: [
      [texts.tick, enter],
      [texts.ask, down, enter],
      [texts.tick, enter],
      [texts.ask, down, down, enter],
    ],
  });
  expect(step).toMatchObject({ title: "Write all", prompt: "adds, no items, null" });
  expect(seen).not.toContain("○ 1. adds");
});

test("Ctrl-C leaves from the ticks and from the steps", async () => {
  const actions = [caseTree, writeAll];
  expect(await ask({ actions, screens: [[texts.tick, space, interrupt]] })).toMatchObject({
    step: undefined,
  });
  const screens: Person["screens"] = [
    [texts.tick, enter],
    [texts.ask, interrupt],
  ];
  expect(await ask({ actions, screens })).toMatchObject({ step: undefined });
});

const edit = appliedEdit("a.txt", "a\nb\nc\n", [{ search: "b\n", replace: "B\nB\n" }]);
const change = findChange([edit], "a.txt");
const changeActions = [
  button("Show the whole file", "fix", "Show it."),
  button("Write unit tests", "unittest", "Write unit tests."),
];

function openFile(folder: string, lines: string | undefined): OpenFile {
  const terminal = createTerminal(new PassThrough(), new PassThrough());
  const sources = {
    directory: folder,
    agent: "a",
    command: "fix",
    file: join(folder, "a.txt"),
    lines,
  };
  return createOpenFile(sources, terminal, texts);
}

test("after a change was written the other steps remain, and send the file as it is then", async () => {
  const folder = temporaryFolder({ "a.txt": "a\nb\nc\n" });
  const { step, editor, seen } = await ask({
    actions: changeActions,
    file: openFile(folder, "2-3"),
    change,
    screens: [
      [texts.ask, down, enter],
      [texts.ask, down, enter],
    ],
  });
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a\nB\nB\nc\n");
  expect(step).toMatchObject({ command: "unittest" });
  expect(editor).toMatchObject({
    content: "a\nB\nB\nc\n",
    selectedRanges: [{ content: "B\nB\nc", startLine: 2 }],
  });
  const [, second = ""] = seen.split("Nothing more").slice(-2);
  expect(second).not.toContain("Show the whole file");
});

test("a change of a file that is another one by now is refused, and can be tried again", async () => {
  const folder = temporaryFolder({ "a.txt": "x\n" });
  const { step, editor } = await ask({
    actions: changeActions,
    file: openFile(folder, undefined),
    change,
    screens: [
      [texts.ask, down, enter],
      [texts.ask, down, down, enter],
    ],
  });
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("x\n");
  expect(step).toMatchObject({ title: "Show the whole file" });
  expect(editor).toBeUndefined();
});

test("without a change nothing is offered to be written", async () => {
  const folder = temporaryFolder({ "a.txt": "a\nb\nc\n" });
  const file = openFile(folder, undefined);
  const { seen } = await ask({ actions: changeActions, file, screens: [[texts.ask, enter]] });
  expect(seen).not.toContain(texts.apply);
});

test("tests are written at the first choice, until that has worked, and then another step is asked for", async () => {
  const writes = [false, true];
  const tests = { name: "cart.test.js", run: () => Promise.resolve(writes.shift() ?? true) };
  const { step, seen } = await ask({
    actions: [writeAll],
    tests,
    screens: [
      [texts.ask, down, enter],
      [texts.ask, down, enter],
      [texts.ask, down, enter],
    ],
  });
  expect(writes).toEqual([]);
  expect(step).toMatchObject({ title: "Write all" });
  expect(seen).toContain("Write these tests to a new file: cart.test.js");
});
