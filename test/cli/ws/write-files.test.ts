// What the terminal writes when an agent asks it to, and what it never does.
import { cliTexts } from "../../../src/cli/texts.ts";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTerminal } from "../../../src/cli/call/terminal.ts";
import type { Person } from "../../../src/cli/code/ask.ts";
import { createFileWriter } from "../../../src/cli/ws/ide.ts";
import { hashOf } from "../../helpers/tool-workspace.ts";
import { openUndo } from "../../../src/workspace/directory/journal/undo.node.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";
import { item, openProject } from "./test-project.ts";

type Answer = Awaited<ReturnType<Person["judge"]>>;

/** A person who gives this answer to each question. */
function personOf(answer: Answer, shown: string[] = []): Person {
  return {
    async judge(question) {
      if (question.kind === "change") shown.push(question.diff);
      await new Promise((resolve) => setImmediate(resolve));
      return answer;
    },
    answer: () => Promise.resolve(""),
  };
}

function open(answer: Answer | undefined = { kind: "yes" }, isYes = false) {
  const { root } = openProject({ "bom.py": "\ufeffx = 1\n", "package.json": "{}" });
  const stateFolder = temporaryFolder({});
  const screen = new PassThrough();
  const shown: string[] = [];
  const writer = createFileWriter({
    root,
    request: "Do it.",
    isYes,
    person: isYes ? undefined : personOf(answer, shown),
    terminal: createTerminal(screen, screen, { plain: true }),
    texts: cliTexts("en"),
    signal: new AbortController().signal,
    stateFolder,
  });
  onTestFinished(() => writer.close());
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  return { root, stateFolder, shown, writer, read, told: () => String(screen.read() ?? "") };
}

const newText = item.replace("discounted", "reduced");

describe("a write", () => {
  test("is shown as a diff, made, and can be undone", async () => {
    const { root, stateFolder, shown, writer, read } = open();
    const params = { abspath: join(root, "shop/item.py"), before_hash: hashOf(item) };
    expect(await writer.answer("/write_file", { ...params, text: newText })).toEqual({
      result: true,
    });
    expect(shown).toEqual([
      expect.stringContaining("-def discounted(price, percent):\n+def reduced"),
    ]);
    expect(read("shop/item.py")).toBe(newText);
    await writer.close();
    const undo = await openUndo({ root, stateFolder, now: () => 0 });
    expect((await undo.undo()).ok).toBe(true);
    await undo.close();
    expect(read("shop/item.py")).toBe(item);
  });

  test("makes new files and deletes files", async () => {
    const { root, writer, read } = open();
    const create = { abspath: join(root, "new/a.py"), before_hash: null, text: "a\n" };
    expect(await writer.answer("/write_file", create)).toEqual({ result: true });
    expect(read("new/a.py")).toBe("a\n");
    const remove = { abspath: "new/a.py", before_hash: hashOf("a\n"), text: null };
    expect(await writer.answer("/write_file", remove)).toEqual({ result: true });
    expect(existsSync(join(root, "new/a.py"))).toBe(false);
  });

  test("keeps a byte order mark, which the other side does not see", async () => {
    const { writer, read } = open();
    const before_hash = hashOf("x = 1\n");
    const written = await writer.answer("/write_file", {
      abspath: "bom.py",
      before_hash,
      text: "x = 2\n",
    });
    expect(written).toEqual({ result: true });
    expect(read("bom.py")).toBe("\ufeffx = 2\n");
  });

  test("that the person does not want is not made, and tells why", async () => {
    const { writer, read } = open({ kind: "no", why: "Not now." });
    const params = { abspath: "shop/item.py", before_hash: hashOf(item), text: newText };
    expect(await writer.answer("/write_file", params)).toEqual({ error: 'they said: "Not now.".' });
    expect(read("shop/item.py")).toBe(item);
  });

  test.each([
    ["of a text that nobody has read", { before_hash: "0".repeat(64), text: "x" }],
    ["of a file as if it were new", { before_hash: null, text: "x" }],
  ])("%s asks nobody and is refused", async (_, params) => {
    const { writer, shown, read } = open();
    const answer = await writer.answer("/write_file", { abspath: "shop/item.py", ...params });
    expect(answer).toEqual({ error: expect.stringMatching(/has changed/) });
    expect([shown, read("shop/item.py")]).toEqual([[], item]);
  });

  test.each([
    ["../outside.txt", /outside/],
    ["/etc/rightseat-was-here", /outside/],
    ["link/new.txt", /outside/],
    [".git/hooks/pre-commit", /Hidden/],
    [".env", /Hidden/],
    [".hidden", /Hidden/],
    ["rightseat.json", /protected/],
  ])("to %s asks nobody and is refused", async (abspath, why) => {
    const { root, writer, shown } = open();
    const elsewhere = temporaryFolder({ "here.txt": "" });
    symlinkSync(elsewhere, join(root, "link"));
    const answer = await writer.answer("/write_file", { abspath, before_hash: null, text: "x" });
    expect(answer).toEqual({ error: expect.stringMatching(why) });
    expect(shown).toEqual([]);
    expect(existsSync(join(elsewhere, "new.txt"))).toBe(false);
  });

  test.each([
    [".vscode", "shop", "shop/item.py", /Hidden/],
    [".env", "shop/item.py", "shop/item.py", /Hidden/],
    ["rightseat.json", "shop/item.py", "shop/item.py", /protected/],
  ])("to what %s leads to is refused, and asks nobody", async (link, target, abspath, why) => {
    const { root, writer, shown, read } = open();
    symlinkSync(target, join(root, link));
    const before_hash = hashOf(item);
    const answer = await writer.answer("/write_file", { abspath, before_hash, text: newText });
    expect(answer).toEqual({ error: expect.stringMatching(why) });
    expect([shown, read("shop/item.py")]).toEqual([[], item]);
  });

  test.each([undefined, {}, { abspath: "a" }, { abspath: "a", before_hash: null }, { abspath: 1 }])(
    "with the parameters %j is refused",
    async (params) => {
      const { writer } = open();
      expect(await writer.answer("/write_file", params)).toEqual({
        error: expect.stringMatching(/are needed/),
      });
    },
  );

  test("that --yes covers is made without asking, and named", async () => {
    const { writer, read, told } = open(undefined, true);
    const params = { abspath: "shop/item.py", before_hash: hashOf(item), text: newText };
    expect(await writer.answer("/write_file", params)).toEqual({ result: true });
    expect(read("shop/item.py")).toBe(newText);
    expect(told()).toBe("Allowed by --yes: +++ b/shop/item.py\n");
  });

  test("that --yes does not cover is refused where nobody can be asked, also under another name", async () => {
    const { root, writer, told } = open(undefined, true);
    symlinkSync("shop/item.py", join(root, "gulpfile.js"));
    const guarded = { "package.json": "{}", "shop/item.py": item };
    for (const [abspath, text] of Object.entries(guarded)) {
      const params = { abspath, before_hash: hashOf(text), text: "x" };
      expect(await writer.answer("/write_file", params)).toEqual({
        error: expect.stringMatching(/^nobody can be asked here, .* always asked for/),
      });
      expect(told()).toBe(`Not written, since nobody could be asked: ${abspath}\n`);
    }
  });

  test("waits for the one before, so that two questions never stand at once", async () => {
    const { writer, shown } = open();
    const answers = ["a", "b", "c"].map((abspath) =>
      writer.answer("/write_file", { abspath, before_hash: null, text: "x" }),
    );
    await answers[0];
    expect(shown).toHaveLength(1);
    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ result: true })));
    expect(shown).toHaveLength(3);
  });
});
