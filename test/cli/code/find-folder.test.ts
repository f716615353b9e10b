import { cliTexts } from "../../../src/cli/texts.ts";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { checkProject, findFolder } from "../../../src/cli/code/open-folder.ts";
import { git, temporaryFolder } from "../call/temporary-folder.ts";

const texts = cliTexts("en");
const check = (folder: string, isForced = false): void =>
  checkProject(findFolder(folder, texts), isForced, texts);

test("a link leads to the folder itself", () => {
  const folder = temporaryFolder({ "a.txt": "a" });
  const link = join(temporaryFolder({}), "link");
  symlinkSync(folder, link);
  expect(findFolder(link, texts)).toBe(findFolder(folder, texts));
});

test.skipIf(process.platform === "win32").each([
  ["/", /is not a project: the agent would work on the whole disk/],
  ["/./", /is not a project/],
  ["/proc/self", /is not a project/],
  ["/dev", /is not a project/],
])("%s is refused, whatever leads to it", (root, why) => {
  const link = join(temporaryFolder({}), "link");
  symlinkSync(root, link);
  expect(() => findFolder(root, texts)).toThrow(why);
  expect(() => findFolder(link, texts)).toThrow(why);
});

test("what cannot be a folder is told in words", () => {
  const file = join(temporaryFolder({ "a.txt": "a" }), "a.txt");
  expect(() => findFolder(file, texts)).toThrow(`--dir ${file} is not a folder.`);
  expect(() => findFolder(`${file}/b`, texts)).toThrow(/does not exist|cannot be opened/);
  const loop = join(temporaryFolder({}), "loop");
  symlinkSync(loop, loop);
  expect(() => findFolder(loop, texts)).toThrow(`--dir ${loop} cannot be opened (ELOOP).`);
  expect(() => findFolder("a".repeat(5_000), texts)).toThrow("cannot be opened (ENAMETOOLONG)");
});

test.each([false, true])(
  "the data of a repository are no project, with --force: %s",
  (isForced) => {
    const folder = temporaryFolder({ "src/a.ts": "" });
    git(folder, "init");
    git(folder, "init", "--bare", "planted");
    git(folder, "init", "--separate-git-dir", join(folder, "data"), "work");
    symlinkSync(".git", join(folder, "plain"));
    for (const path of [".git", ".git/hooks", ".git/refs/heads", "plain", "planted/hooks", "data"])
      expect(() => check(join(folder, path), isForced)).toThrow(/the data of a git repository/);
    for (const path of ["", "src", "work"]) check(join(folder, path), isForced);
  },
);

test("a work tree beside the data of its bare repository is a project", () => {
  const folder = temporaryFolder({ "first/a.txt": "a" });
  git(folder, "init", "--bare", "shop");
  mkdirSync(join(folder, "shop/main"));
  git(join(folder, "shop/main"), "init");
  check(join(folder, "shop/main"));
});

test("the person's home, and what holds it, is a project only with --force", () => {
  const around = temporaryFolder({ "ada/shop/a.ts": "", "bob/a.ts": "" });
  vi.stubEnv("HOME", join(around, "ada"));
  symlinkSync("ada", join(around, "link"));
  for (const path of ["", "ada", "link"]) {
    expect(() => check(join(around, path))).toThrow(/your home folder, or holds it/);
    check(join(around, path), true);
  }
  for (const path of ["ada/shop", "bob"]) check(join(around, path));
});
