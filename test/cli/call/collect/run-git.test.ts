// What git does in a folder that is hostile: it answers, and nothing of the folder's settings runs.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import {
  listProjectFiles,
  readPackageFiles,
  readRules,
  runGit,
} from "../../../../src/cli/call/collect/project-files.ts";
import { readUser, readVcs } from "../../../../src/cli/call/collect/build-request.ts";
import { git, temporaryFolder } from "../temporary-folder.ts";

const hookNames = [
  "post-index-change",
  "reference-transaction",
  "fsmonitor-watchman",
  "query-watchman",
  "post-checkout",
  "pre-commit",
  "pre-auto-gc",
  "post-rewrite",
];

/** Everything that a repository can name to be run, as far as it has been thought of. */
function createHostile() {
  const folder = temporaryFolder({
    "AGENTS.md": "Obey.\n",
    "package.json": "{}\n",
    "a.txt": "a\n",
  });
  const marks = temporaryFolder();
  const evil = (name: string): string => {
    const path = join(marks, `${name}.sh`);
    writeFileSync(path, `#!/bin/sh\ntouch "${join(marks, `${name}.ran`)}"\ncat\n`, { mode: 0o755 });
    return path;
  };
  git(folder, "init");
  git(folder, "add", "a.txt");
  git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "a");
  const settings: Record<string, string> = {
    "core.fsmonitor": evil("fsmonitor"),
    "core.pager": evil("pager"),
    "pager.ls-files": evil("pager-ls"),
    "pager.config": evil("pager-config"),
    "pager.rev-parse": evil("pager-rev"),
    "core.editor": evil("editor"),
    "core.sshCommand": evil("ssh"),
    "core.askPass": evil("ask"),
    "core.gitProxy": evil("proxy"),
    "core.alternateRefsCommand": evil("refs"),
    "credential.helper": evil("credential"),
    "diff.external": evil("diff"),
    "diff.evil.textconv": evil("textconv"),
    "diff.evil.command": evil("driver"),
    "merge.evil.driver": evil("merge"),
    "filter.evil.clean": evil("clean"),
    "filter.evil.smudge": evil("smudge"),
    "filter.evil.process": evil("process"),
    "gpg.program": evil("gpg"),
    "gpg.ssh.program": evil("gpg-ssh"),
    "log.showSignature": "true",
    "alias.ls-files": `!${evil("alias-ls")}`,
    "alias.rev-parse": `!${evil("alias-rev")}`,
    "alias.config": `!${evil("alias-config")}`,
    "include.path": "../more.config",
    "includeIf.gitdir:/.path": "../more.config",
    "remote.origin.url": `ext::${evil("remote")}`,
    "remote.origin.promisor": "true",
    "remote.origin.uploadpack": evil("upload"),
    "extensions.partialClone": "origin",
    "protocol.ext.allow": "always",
    "branch.master.remote": "origin",
    "branch.master.merge": "refs/heads/master",
    "core.untrackedCache": "true",
  };
  for (const [name, value] of Object.entries(settings)) {
    const [, section, , part, key] = /^(\w+)(\.(.+))?\.([\w-]+)$/.exec(name) ?? [];
    const head = part === undefined ? section : `${section} "${part}"`;
    appendFileSync(join(folder, ".git/config"), `[${head}]\n\t${key} = ${JSON.stringify(value)}\n`);
  }
  const more = `[core]\n\tfsmonitor = ${evil("included")}\n\thooksPath = ${join(folder, "hooks")}\n`;
  writeFileSync(join(folder, "more.config"), more);
  writeFileSync(join(folder, ".gitattributes"), "* filter=evil diff=evil merge=evil\n");
  writeFileSync(join(folder, "a.txt"), "b\n");
  for (const hooks of ["hooks", ".git/hooks"]) {
    mkdirSync(join(folder, hooks), { recursive: true });
    for (const name of hookNames)
      writeFileSync(join(folder, hooks, name), readFileSync(evil(`hook-${name}`)), { mode: 0o755 });
  }
  const ran = (): string[] => readdirSync(marks).filter((name) => name.endsWith(".ran"));
  return { folder, marks, ran };
}

describe("in a hostile repository", () => {
  test("git as it is runs what the folder names, so that this test would see it", () => {
    const { folder, ran } = createHostile();
    git(folder, "status");
    expect(ran()).not.toEqual([]);
  });

  test("whatever the terminal asks of git runs nothing of the folder, and is answered", async () => {
    const { folder, ran } = createHostile();
    expect(await readVcs(folder)).toMatchObject({ type: "git", remoteUrl: expect.anything() });
    expect(await readRules(folder)).toMatchObject({ name: "AGENTS.md" });
    expect(await readPackageFiles(folder)).toHaveLength(1);
    await readUser(folder);
    expect(await listProjectFiles(folder)).toContain("a.txt");
    expect(ran()).toEqual([]);
  });

  test("the caller's own git does not count: neither its repository nor its settings nor its path", async () => {
    const { folder, marks, ran } = createHostile();
    const other = temporaryFolder({ "other.txt": "" });
    git(other, "init");
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other);
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "core.fsmonitor");
    vi.stubEnv("GIT_CONFIG_VALUE_0", join(marks, "fsmonitor.sh"));
    vi.stubEnv("GIT_TRACE", join(marks, "trace.ran"));
    vi.stubEnv("GIT_EXTERNAL_DIFF", join(marks, "diff.sh"));
    writeFileSync(join(folder, "git"), `#!/bin/sh\ntouch ${join(marks, "own-git.ran")}\n`, {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `.:${process.env["PATH"]}`);
    expect(await listProjectFiles(folder)).toContain("a.txt");
    expect(ran()).toEqual([]);
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

  test("objects that are missing are not fetched", async () => {
    const { folder, ran } = createHostile();
    git(folder, "sparse-checkout", "set", "--sparse-index", "nothing");
    rmSync(join(folder, ".git/objects"), { recursive: true });
    mkdirSync(join(folder, ".git/objects"));
    const before = ran();
    await runGit(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    expect(ran()).toEqual(before);
  });

  test("a planted repository without a work tree is none", async () => {
    const folder = temporaryFolder({ "docs/a.txt": "a\n" });
    execFileSync("git", ["init", "--bare", "-q", join(folder, "docs")]);
    expect(await runGit(join(folder, "docs"), "config", "--get", "core.bare")).toBeUndefined();
    expect(await runGit(join(folder, "docs"), "ls-files", "-z")).toBeUndefined();
  });
});

test("nothing in the product starts git but this one function", () => {
  const root = new URL("../../../../src/", import.meta.url).pathname;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(300);
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const starters = files.filter((path) => /child_process|\bexeca\b|zx\b/.test(read(path)));
  expect(starters.toSorted()).toEqual([
    "cli/call/collect/project-files.ts",
    "cli/code/run-check.ts",
    "workspace/directory/search/ripgrep.node.ts",
  ]);
  for (const path of files.filter((one) => one !== "cli/call/collect/project-files.ts"))
    expect([path, /(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*["'`]/.test(read(path))]).toEqual([
      path,
      false,
    ]);
});
