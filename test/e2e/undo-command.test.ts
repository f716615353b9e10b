import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeFolders, openFolder, type TestFolders } from "../workspace/directory/open-folder.ts";
import { applyApproved, changeOf } from "../workspace/workspace-suite.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

function undo(folders: TestFolders, args: string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "undo", ...args], {
    cwd: folders.root,
    encoding: "utf8",
    env: {
      HOME: folders.root,
      NO_COLOR: "1",
      TZ: "UTC",
      XDG_STATE_HOME: folders.stateFolder,
      ...environment,
    },
  });
  return { code: status, out: stdout, err: stderr };
}

async function makeTurns(): Promise<TestFolders> {
  const folders = makeFolders({ "a.txt": "a\n", "b.txt": "b\n" });
  const stateFolder = join(folders.stateFolder, "rightseat");
  for (const [request, text] of [
    ["first\u001b[31m", "1\n"],
    ["second", "2\n"],
  ] as const) {
    const given = await openFolder({ ...folders, stateFolder }, { request });
    await applyApproved(given, await changeOf(given.workspace, "a.txt", text));
    if (text === "2\n") {
      await applyApproved(given, { path: "new.txt", before: undefined, after: "n\n" });
      await applyApproved(given, await changeOf(given.workspace, "b.txt", undefined));
    }
    await given.workspace.close();
  }
  return folders;
}

test("undo lists turns, shows what it would do, does it, and says so", async () => {
  const folders = await makeTurns();
  const listed = undo(folders, ["--list"]);
  expect(listed.code).toBe(0);
  expect(listed.out).toMatch(
    /^2 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}second\n1 {2}.* {2}first\\x1b\[31m\n$/,
  );

  const planned = undo(folders, ["--dry-run"]);
  expect(planned).toEqual({
    code: 0,
    err: "Dry run: nothing was written.\n",
    out: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,1 +1,1 @@",
      "-2",
      "+1",
      "--- a/new.txt",
      "+++ /dev/null",
      "@@ -1,1 +0,0 @@",
      "-n",
      "--- /dev/null",
      "+++ b/b.txt",
      "@@ -0,0 +1,1 @@",
      "+b",
      "",
    ].join("\n"),
  });
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("2\n");

  expect(undo(folders, [])).toEqual({
    code: 0,
    out: "",
    err: "Restored: a.txt\nRemoved: new.txt\nRestored: b.txt\nTurn 2 was undone: second\n",
  });
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("1\n");
  expect(readFileSync(folders.at("b.txt"), "utf8")).toBe("b\n");
  expect(existsSync(folders.at("new.txt"))).toBe(false);
  expect(undo(folders, ["--list"]).out).toMatch(/^2 .* {2}second {2}\(undone\)\n1 /);
});

test("undo takes a turn and a folder, refuses changed files, and speaks the terminal's language", async () => {
  const folders = await makeTurns();
  const elsewhere = { ...folders, root: folders.outside };
  writeFileSync(folders.at("a.txt"), "mine\n");
  const refused = undo(elsewhere, ["1", "--dir", folders.root]);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /^Nothing was undone, since these files were changed .*"a\.txt"\.\n$/,
  );
  writeFileSync(folders.at("a.txt"), "2\n");
  const done = undo(elsewhere, ["1", "--dir", folders.root], { LANG: "zh_CN.UTF-8" });
  expect(done.code).toBe(0);
  expect(done.err).toContain("已恢复：a.txt\n已删除：new.txt\n");
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a\n");
  expect(undo(folders, [])).toEqual({
    code: 1,
    out: "",
    err: "There is nothing to undo in this folder.\n",
  });
  expect(undo(folders, ["x"]).err).toBe(
    "x is not the number of a turn. See rightseat undo --list.\n",
  );
  expect(undo(folders, ["--dir", "/missing"]).err).toContain("--dir /missing does not exist.");
});

test.each([
  { args: ["--dir", "gone"], en: "--dir gone does not exist.", zh: "--dir gone 不存在。" },
  { args: ["--dir", "a.txt"], en: "--dir a.txt is not a folder.", zh: "--dir a.txt 不是文件夹。" },
  {
    args: ["x"],
    en: "x is not the number of a turn. See rightseat undo --list.",
    zh: "x 不是运行的编号。请查看 rightseat undo --list。",
  },
])("$args is refused in the language of the terminal", ({ args, en, zh }) => {
  const folders = makeFolders({ "a.txt": "a\n" });
  expect(undo(folders, args)).toEqual({ code: 1, out: "", err: `${en}\n` });
  expect(undo(folders, args, { LC_ALL: "zh_CN.UTF-8" }).err).toBe(`${zh}\n`);
});
