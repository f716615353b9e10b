import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createTerminal } from "../../../src/cli/call/terminal.ts";
import { codeTexts } from "../../../src/cli/code/code-texts.ts";
import { createGuard } from "../../../src/cli/code/guard/create-guard.ts";
import { type AskWrite, allowWrites } from "../../../src/cli/ws/write-files.ts";
import { wsTexts } from "../../../src/cli/ws/texts.ts";

function open(ask?: AskWrite) {
  const screen = new PassThrough();
  const terminal = createTerminal(screen, screen, { plain: true });
  const guarded = { guard: createGuard("/nowhere"), texts: codeTexts("en") };
  const judge = allowWrites(terminal, wsTexts("en"), guarded, ask);
  return {
    judge: (path: string, ...names: string[]) =>
      judge(`--- a/${path}\n+++ b/${path}\n`, path, [path, ...names]),
    shown: () => String(screen.read() ?? ""),
  };
}

const guarded = ["package.json", "AGENTS.md", ".github/dependabot.yml", "src/Vitest.Config.TS"];

test("--yes covers sources, and names them", async () => {
  const { judge, shown } = open();
  expect(await judge("src/cart.js")).toBe(true);
  expect(shown()).toBe("Allowed by --yes: +++ b/src/cart.js\n");
});

test.each(guarded)("--yes does not cover %s where nobody can be asked", async (path) => {
  const { judge, shown } = open();
  expect(await judge(path)).toMatch(/^nobody can be asked here, and this file is always asked for/);
  expect(shown()).toBe(`Not written, since nobody could be asked: ${path}\n`);
});

test.each(guarded)("with --yes the person is asked for %s", async (path) => {
  const asked: string[] = [];
  const { judge } = open(async (_, file) => {
    asked.push(file);
    return "Not that one.";
  });
  expect(await judge(path)).toBe("Not that one.");
  expect(asked).toEqual([path]);
});

test("--yes does not cover a source that another name makes a guarded one", async () => {
  const { judge } = open();
  expect(await judge("cfg/manifest.js", "lib/manifest.js")).toBe(true);
  expect(await judge("cfg/manifest.js", "gulpfile.js")).toMatch(/always asked for: tools run it/);
});
