import { cliTexts } from "../../../../src/cli/texts.ts";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  applyChange,
  findChange,
  type FoundChange,
} from "../../../../src/cli/call/choose/apply-change.ts";
import { readBody } from "../../../../src/cli/call/send-request.ts";
import { readAnswer } from "../../../../src/cli/call/show/print-answer.ts";
import {
  createRootFolder,
  createRootLock,
} from "../../../../src/workspace/directory/journal/root-state.node.ts";
import { openUndo } from "../../../../src/workspace/directory/journal/undo.node.ts";
import type { ProposedEdit } from "../../../../src/turn/proposed-edit.ts";
import { post } from "../../../helpers/copilot-request.ts";
import { createTestApp } from "../../../helpers/create-test-app.ts";
import { appliedEdit } from "../proposed-edits.ts";

const unit = { search: "a\n", replace: "b\n" };

function changeOf(before: string): FoundChange {
  return findChange([appliedEdit("a.txt", before, [unit])], "a.txt") as FoundChange;
}

let folder: string;
let said: string;
const terminal = {
  out: () => {},
  err: (text: string) => {
    said += text;
  },
  outStyle: (_: unknown, text: string) => text,
  errStyle: (_: unknown, text: string) => text,
} as unknown as Parameters<typeof applyChange>[2];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-apply-")));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  said = "";
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("the change of an answer is the edit of the file that was sent", () => {
  const edit = appliedEdit("src/a.txt", "a\n", [unit]);
  expect(findChange([edit], "src/a.txt")).toMatchObject({
    changes: [{ startLine: 1, endLine: 1, text: "b\n" }],
    places: [{ startLine: 1, endLine: 1, level: "exact" }],
  });
  expect(findChange([edit], "a.txt")).toBeUndefined();
  expect(findChange([], "src/a.txt")).toBeUndefined();
});

const whole = appliedEdit("a.txt", "a\n", [unit]);
const odd: [string, ProposedEdit][] = [
  ["was refused", { ...whole, result: { status: "refused", code: "no-match" } }],
  ["has yet to be placed", { ...whole, result: { status: "refused", code: "ambiguous" } }],
  ["was too large to come", { ...whole, isCut: true }],
  ["is for a file that nobody has looked at", { ...whole, result: { status: "unchecked" } }],
];

test.each(odd)("a change that %s is not offered", (_, edit) => {
  expect(findChange([edit], "a.txt")).toBeUndefined();
});

test("a change of a part of the file is not offered", () => {
  const { hashBefore, ...part } = whole;
  expect(hashBefore).toBeDefined();
  expect(findChange([part], "a.txt")).toBeUndefined();
});

test("a byte-order mark, which is not sent, stays", async () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "\uFEFFa\nc\n");
  await applyChange(file, changeOf("a\nc\n"), terminal, cliTexts("en"));
  expect(readFileSync(file, "utf8")).toBe("\uFEFFb\nc\n");
});

test("a unit that was not found as it is quoted is told with its level", async () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "  a \nc\n");
  await applyChange(file, changeOf("  a \nc\n"), terminal, cliTexts("en"));
  expect(said).toBe(`Unit 1: indentation, line 1\n${file} was written.\n`);
  said = "";
  writeFileSync(file, "  a \nc\n");
  await applyChange(file, changeOf("  a \nc\n"), terminal, cliTexts("zh"));
  expect(said).toMatch(/^第 1 处修改：第 1 行（.+）\n.* 已写入。\n$/);
});

test("a file that cannot be written is told, and nothing is thrown", async () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "a\n", { mode: 0o444 });
  expect(await applyChange(file, changeOf("a\n"), terminal, cliTexts("en"))).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe("a\n");
  expect(said).toContain("is read-only. Make it writable first");
});

test.each([
  ["en", "a.txt has changed since it was sent, so the change was not written."],
  ["zh", "a.txt 在发送之后已更改，因此没有写入修改。"],
] as const)(
  "a file that has changed since it was sent stays as it is (%s)",
  async (locale, told) => {
    const file = join(folder, "a.txt");
    writeFileSync(file, "a\nc\nmine\n");
    expect(await applyChange(file, changeOf("a\nc\n"), terminal, cliTexts(locale))).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe("a\nc\nmine\n");
    expect(said).toContain(told);
  },
);

test("a file that has gone since is not made again", async () => {
  const file = join(folder, "a.txt");
  expect(await applyChange(file, changeOf("a\n"), terminal, cliTexts("en"))).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  expect(said).toContain("has changed since it was sent");
});

test.each(["en", "zh"] as const)(
  "a change whose lines are not those of its hash is not written (%s)",
  async (locale) => {
    const file = join(folder, "a.txt");
    writeFileSync(file, "a\n");
    const changes = [{ startLine: 1, endLine: 1, text: "x\n" }];
    await applyChange(file, { ...changeOf("a\n"), changes }, terminal, cliTexts(locale));
    expect(readFileSync(file, "utf8")).toBe("a\n");
    expect(said).toBe(`${cliTexts(locale).brokenChange(file)}\n`);
  },
);

test("what our own server tells of a change is what is written", async () => {
  const file = join(folder, "a.js");
  const content = "let sum = 1;\r\nreturn sum;\r\n";
  writeFileSync(file, content);
  const units = "------- SEARCH\nlet sum = 1;\n=======\nlet sum = 0;\n+++++++ REPLACE\n";
  const { app } = createTestApp({ models: [[`<file-edit>\n${units}</file-edit>\n`]] });
  const value = { filePath: "a.js", language: "javascript", content };
  const contextVariables = [{ name: "activeEditor", value }];
  const response = await post(app, { agent: "rightseat", command: "fix", contextVariables });
  const edits: ProposedEdit[] = [];
  for await (const part of readAnswer(readBody(response, new AbortController().signal))) {
    if (part.type === "edit") edits.push(part.edit);
  }
  await applyChange(file, findChange(edits, "a.js") as FoundChange, terminal, cliTexts("en"));
  expect(readFileSync(file, "utf8")).toBe("let sum = 0;\r\nreturn sum;\r\n");
});

function apply(file: string, before: string) {
  return applyChange(file, changeOf(before), terminal, cliTexts("en"));
}

async function undo(root: string) {
  const undone = await openUndo({
    root,
    stateFolder: join(folder, "state/rightseat"),
    now: Date.now,
  });
  const result = await undone.undo();
  await undone.close();
  return result.ok;
}

test.each(["a\nc\n", "a\r\nc\r\n", "\uFEFFa\nc", "a\n汉"])(
  "undo takes an applied change back to the byte: %j",
  async (before) => {
    const file = join(folder, "a.txt");
    writeFileSync(file, before);
    await apply(file, before.replace("\uFEFF", ""));
    expect(readFileSync(file, "utf8")).not.toBe(before);
    expect(await undo(folder)).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await undo(folder)).toBe(false);
  },
);

test("what undo cannot take back is written as the person asked, and this is told", async () => {
  const file = join(folder, ".husky");
  writeFileSync(file, "a\n");
  await apply(file, "a\n");
  expect(readFileSync(file, "utf8")).toBe("b\n");
  writeFileSync(join(folder, "no-folder"), "");
  vi.stubEnv("XDG_STATE_HOME", join(folder, "no-folder"));
  const other = join(folder, "a.txt");
  writeFileSync(other, "a\n");
  await apply(other, "a\n");
  expect(readFileSync(other, "utf8")).toBe("b\n");
  const note = "rightseat undo cannot take this back.";
  expect(said).toBe(`${file} was written.\n${note}\n${other} was written.\n${note}\n`);
});

test("nothing is written while an agent works in the folder, nor recorded where nothing is written", async () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "a\n");
  const lock = createRootLock(
    join(await createRootFolder(join(folder, "state/rightseat"), folder), "locks"),
  );
  await lock.take();
  expect(await apply(file, "a\n")).toBeUndefined();
  expect(said).toContain("Another agent works in");
  await lock.release();
  writeFileSync(file, "a\nmine\n");
  expect(await apply(file, "a\n")).toBeUndefined();
  expect(await undo(folder)).toBe(false);
});
