import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPackageFiles, readRules } from "../../../../src/cli/call/collect/project-files.ts";
import { openWorkspace, readFolderContext } from "../../../helpers/disk-runs.ts";
import { git, temporaryFolder } from "../temporary-folder.ts";

function repository(files: Record<string, string>): string {
  const directory = temporaryFolder(files);
  git(directory, "init");
  return directory;
}

test.each([
  [["AGENTS.md", "CLAUDE.md", ".cursorrules"], "AGENTS.md"],
  [["CLAUDE.md", ".cursorrules"], "CLAUDE.md"],
  [[".cursorrules"], ".cursorrules"],
])("of %j the first one at the repository's root is read", async (names, first) => {
  const directory = repository(Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
  mkdirSync(join(directory, "src"));
  const rules = { filePath: first, content: `# ${first}\n` };
  expect(await readRules(join(directory, "src"))).toEqual({ name: first, rules });
});

test("a file below the root, and one without a repository, are not read", async () => {
  const directory = repository({ "docs/AGENTS.md": "x" });
  expect(await readRules(join(directory, "docs"))).toBeUndefined();
  expect(await readRules(temporaryFolder({ "AGENTS.md": "x" }))).toBeUndefined();
});

test("a link that stays inside is followed, one that leads out is not", async () => {
  const inside = repository({ "CLAUDE.md": "Use tabs.\n" });
  symlinkSync("CLAUDE.md", join(inside, "AGENTS.md"));
  expect((await readRules(inside))?.rules?.content).toBe("Use tabs.\n");
  const secret = join(temporaryFolder({ secret: "key" }), "secret");
  const outside = repository({ "CLAUDE.md": "x" });
  symlinkSync(secret, join(outside, "AGENTS.md"));
  expect(await readRules(outside)).toEqual({ name: "AGENTS.md", rules: undefined });
});

test("32 kB are read, one byte more is not", async () => {
  const fits = repository({ "AGENTS.md": "a".repeat(32 * 1024) });
  expect((await readRules(fits))?.rules?.content).toHaveLength(32 * 1024);
  const large = repository({ "AGENTS.md": "a".repeat(32 * 1024 + 1) });
  expect(await readRules(large)).toMatchObject({ rules: undefined });
});

test("a folder, a pipe and binary data are no rules", async () => {
  const folder = repository({ "AGENTS.md/x": "x" });
  expect(await readRules(folder)).toMatchObject({ rules: undefined });
  const pipe = repository({});
  expect(spawnSync("mkfifo", [join(pipe, "AGENTS.md")]).status).toBe(0);
  expect(await readRules(pipe)).toMatchObject({ rules: undefined });
  const binary = repository({});
  writeFileSync(join(binary, "AGENTS.md"), Buffer.from([0x41, 0, 0xff]));
  expect(await readRules(binary)).toMatchObject({ rules: undefined });
});

test("what a link of a hostile repository leads to, outside or to a secret, is not sent", async () => {
  const secret = join(temporaryFolder({ "key.txt": "key\n" }), "key.txt");
  const directory = repository({ ".env": "KEY=1\n", "go.mod": "module a\n" });
  symlinkSync(".env", join(directory, "AGENTS.md"));
  symlinkSync(".env", join(directory, "pyproject.toml"));
  symlinkSync(secret, join(directory, "package.json"));
  expect(await readRules(directory)).toEqual({ name: "AGENTS.md", rules: undefined });
  expect(await readPackageFiles(directory)).toEqual([
    { filepath: "go.mod", content: "module a\n" },
  ]);
});

test("the agent and `call` send the same manifests of a folder", async () => {
  const names = ["App.csproj", "Lib.csproj", "go.mod", "other.json"];
  const directory = repository(Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
  const project = { place: temporaryFolder({}), folder: directory };
  const { workspace } = await openWorkspace(project);
  const { signal } = new AbortController();
  const { variables } = await readFolderContext(workspace, signal);
  const value = await readPackageFiles(directory);
  expect(value.map(({ filepath }) => filepath)).toEqual(["go.mod", "App.csproj", "Lib.csproj"]);
  expect(variables).toEqual([{ name: "packageFiles", value }]);
});
