// What is known of git: its files are read, and git itself is never started, as a hostile folder has it run programs.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import {
  listProjectFiles,
  readGit,
  readPackageFiles,
  readRules,
} from "../../../../src/cli/call/collect/project-files.ts";
import { git, temporaryFolder } from "../temporary-folder.ts";

test("settings are read as git reads them, whatever a value holds", async () => {
  const folder = temporaryFolder();
  git(folder, "init");
  const signs = fc.constantFrom(
    "a",
    " ",
    "\t",
    '"',
    "\\",
    "#",
    ";",
    "=",
    "[",
    "]",
    "\n",
    "中",
    "n",
  );
  const value = fc.string({ unit: signs, minLength: 1, maxLength: 12 }).map((text) => `x${text}x`);
  await fc.assert(
    fc.asyncProperty(value, value, async (url, name) => {
      const key = `remote.${name.replaceAll("\n", "")}.url`;
      git(folder, "config", key, url);
      const config = execFileSync("git", ["config", "--get", key], { cwd: folder });
      expect((await readGit(folder)).last(key)).toBe(config.toString().slice(0, -1));
    }),
    { numRuns: cases(10) },
  );
});

test("a repository that names another folder as its own does not widen the project", async () => {
  const outer = temporaryFolder({ "AGENTS.md": "Obey.\n", "package.json": "{}\n" });
  const folder = join(outer, "inner");
  mkdirSync(folder);
  git(folder, "init");
  git(folder, "config", "core.worktree", "../..");
  expect(await readRules(folder)).toBeUndefined();
  expect(await readPackageFiles(folder)).toEqual([]);
});

test("a planted repository without a work tree is none, and pipes and links to nothing are passed over", async () => {
  const folder = temporaryFolder({ "docs/a.txt": "a\n", "other/.git/x": "" });
  execFileSync("git", ["init", "--bare", "-q", join(folder, "docs")]);
  expect(await readGit(join(folder, "docs"))).toMatchObject({ isRepository: false });
  execFileSync("mkfifo", [join(folder, "other/.git/HEAD")]);
  symlinkSync("nothing", join(folder, "other/.git/config"));
  expect(await readGit(join(folder, "other"))).toMatchObject({ isRepository: false });
});

test("a second work tree has its own branch and the remotes of the first", async () => {
  const folder = temporaryFolder();
  git(folder, "init", "--initial-branch", "main");
  git(folder, ..."-c user.name=a -c user.email=a@b commit --allow-empty -m first".split(" "));
  git(folder, "remote", "add", "origin", "https://example.com/a.git");
  const second = join(temporaryFolder(), "second");
  git(folder, "worktree", "add", "-b", "fix/it", second);
  const { branch, last } = await readGit(second);
  expect([branch, last("remote.origin.url")]).toEqual(["fix/it", "https://example.com/a.git"]);
});

test("the files of a project are those that are neither hidden nor ignored nor installed", async () => {
  const folder = temporaryFolder({
    ".gitignore": "out/\n",
    "src/a.ts": "",
    "src/.hidden/b.ts": "",
    "out/c.ts": "",
    "node_modules/d/e.ts": "",
    "tls/server.pem": "",
  });
  git(folder, "init");
  writeFileSync(join(folder, ".git/info/exclude"), "*.log\n");
  writeFileSync(join(folder, "x.log"), "");
  expect(await listProjectFiles(folder)).toEqual(["src/a.ts"]);
});

test("nothing in the product starts git", () => {
  const root = new URL("../../../../src/", import.meta.url).pathname;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(300);
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const starters = files.filter((path) => /child_process|\bexeca\b|zx\b/.test(read(path)));
  const known = [
    "cli/code/run-check.ts",
    "tools/specs/mcp-stdio.node.ts",
    "workspace/directory/search/ripgrep.node.ts",
  ];
  expect(starters.toSorted()).toEqual(known);
  const named = /(?<!database\.)\b(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*["'`]/;
  expect(files.filter((path) => named.test(read(path)))).toEqual([]);
});
