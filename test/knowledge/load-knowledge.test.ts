import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { ConfigError } from "../../src/setup/config.ts";
import { parseKnowledgeIndex } from "../../src/knowledge/knowledge-index.ts";
import {
  type Knowledge,
  type KnowledgeOptions,
  loadKnowledge,
} from "../../src/setup/knowledge/load-knowledge.node.ts";

type KnowledgeUpdate = Parameters<NonNullable<KnowledgeOptions["onUpdate"]>>[0];

const cleanups: (() => Promise<void>)[] = [];
const { signal } = new AbortController();

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function createFolder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rightseat-knowledge-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  for (const [fileName, content] of Object.entries(files)) await write(folder, fileName, content);
  return folder;
}

async function write(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

async function load(folder: string, watch = false): Promise<Knowledge> {
  const knowledge = await loadKnowledge(folder, { watch });
  cleanups.push(() => knowledge.close());
  return knowledge;
}

/** Loads a folder and waits for updates until what they say together is what is expected. */
async function follow(folder: string): Promise<{
  knowledge: Knowledge;
  until: (seen: (update: KnowledgeUpdate) => boolean) => Promise<void>;
}> {
  let listener: (update: KnowledgeUpdate) => void = () => {};
  const knowledge = await loadKnowledge(folder, { onUpdate: (update) => listener(update) });
  cleanups.push(() => knowledge.close());
  return {
    knowledge,
    until: (seen) =>
      new Promise((resolve) => {
        listener = (update) => {
          if (seen(update)) resolve();
        };
      }),
  };
}

async function find(
  { retriever }: Knowledge,
  query: string,
  knowledgeBaseIds?: readonly string[],
): Promise<string[]> {
  const found = await retriever.retrieve(query, { limit: 20, signal, knowledgeBaseIds });
  return found.map(({ fileName, startLine }) => `${fileName}:${startLine}`);
}

test("a folder is read with its subfolders, which are its knowledge bases", async () => {
  const folder = await createFolder({
    "readme.md": "# Tea\n\ntea here",
    "docs/deep/er/tea.md": "# Tea\n\ntea below",
    "code/tea.py": "def tea():\n    pass",
  });
  const knowledge = await load(folder);
  expect(knowledge.skipped).toEqual([]);
  expect((await find(knowledge, "tea")).toSorted()).toEqual([
    "code/tea.py:1",
    "docs/deep/er/tea.md:1",
    "readme.md:1",
  ]);
  expect(await find(knowledge, "tea", ["docs"])).toEqual(["docs/deep/er/tea.md:1"]);
  expect(await find(knowledge, "tea", ["default"])).toEqual(["readme.md:1"]);
  expect(await find(knowledge, "tea", ["deep"])).toEqual([]);
});

test("hidden files, node_modules, and what is no text stay out, and it is said which", async () => {
  const folder = await createFolder({
    ".git/tea.md": "tea",
    ".env": "tea",
    "node_modules/tea/tea.md": "tea",
    "app/node_modules/tea.md": "tea",
    "picture.png": new Uint8Array([137, 80, 78, 71, 0, 1, 2]),
    "gbk.md": new Uint8Array([0xb2, 0xe8, 0xd2, 0xb6]),
    "large.md": `tea\n`.repeat(300_000),
    "minified.js": `tea${";".repeat(30_000)}`,
    "tea.md": "tea",
  });
  const knowledge = await load(folder);
  expect(await find(knowledge, "tea")).toEqual(["tea.md:1"]);
  expect(knowledge.skipped).toEqual([
    { problem: "is not UTF-8", count: 1, examples: ["gbk.md"] },
    { problem: "is over 1 MB", count: 1, examples: ["large.md"] },
    { problem: "has a line of over 20,000 characters", count: 1, examples: ["minified.js"] },
    { problem: "is binary", count: 1, examples: ["picture.png"] },
  ]);
});

test("links within the folder are followed, but neither out of it nor in circles", async () => {
  const outside = await createFolder({ "secret.md": "tea", "dir/secret.md": "tea" });
  const folder = await createFolder({ "docs/tea.md": "tea" });
  await symlink(join(outside, "secret.md"), join(folder, "secret.md"));
  await symlink(join(outside, "dir"), join(folder, "dir"));
  await symlink("/nowhere/at/all", join(folder, "nothing.md"));
  await symlink("docs/tea.md", join(folder, "tea.md"));
  await symlink("..", join(folder, "docs", "up"));
  await symlink("docs", join(folder, "more"));
  const knowledge = await load(folder);
  expect((await find(knowledge, "tea")).toSorted()).toEqual([
    "docs/tea.md:1",
    "more/tea.md:1",
    "tea.md:1",
  ]);
  expect(knowledge.skipped).toEqual([
    { problem: "links out of the folder", count: 2, examples: ["dir", "secret.md"] },
    { problem: "cannot be read", count: 1, examples: ["nothing.md"] },
  ]);
});

test("a folder that is itself a link is read", async () => {
  const folder = await createFolder({ "tea.md": "tea" });
  const link = join(await createFolder(), "link");
  await symlink(folder, link);
  expect(await find(await load(link), "tea")).toEqual(["tea.md:1"]);
});

test.each(["/nowhere/at/all", fileURLToPath(import.meta.url)])(
  "a folder that cannot be read is a bad setting: %s",
  async (folder) => {
    await expect(loadKnowledge(folder)).rejects.toThrow(ConfigError);
    await expect(loadKnowledge(folder)).rejects.toThrow(
      `The knowledge folder ${folder} cannot be read.`,
    );
  },
);

test("new, changed, renamed and deleted files are seen while the server runs", async () => {
  const folder = await createFolder({ "docs/tea.md": "tea" });
  const { knowledge, until } = await follow(folder);

  let update = until(({ changed }) => changed.includes("docs/tea.md"));
  await write(folder, "docs/tea.md", "coffee");
  await update;
  expect([await find(knowledge, "tea", ["default"]), await find(knowledge, "coffee")]).toEqual([
    [],
    ["docs/tea.md:1"],
  ]);

  update = until(({ added }) => added.includes("new/deep/milk.md"));
  await write(folder, "new/deep/milk.md", "milk");
  await update;
  expect(await find(knowledge, "milk", ["new"])).toEqual(["new/deep/milk.md:1"]);

  update = until(({ changed }) => changed.includes("new/deep/milk.md"));
  await write(folder, "new/deep/milk.md", "sugar");
  await update;
  expect(await find(knowledge, "sugar", ["new"])).toEqual(["new/deep/milk.md:1"]);

  update = until(({ removed }) => removed.includes("docs/tea.md"));
  await rename(join(folder, "docs/tea.md"), join(folder, "docs/cup.md"));
  await update;
  expect(await find(knowledge, "coffee")).toEqual(["docs/cup.md:1"]);

  update = until(({ removed }) => removed.includes("docs/cup.md"));
  await rm(join(folder, "docs"), { recursive: true });
  await update;
  expect(await find(knowledge, "coffee")).toEqual([]);
});

test("a file that turns into data leaves the index", async () => {
  const folder = await createFolder({ "tea.md": "tea" });
  const { knowledge, until } = await follow(folder);
  const update = until(({ removed }) => removed.includes("tea.md"));
  await write(folder, "tea.md", new Uint8Array([0, 1, 2]));
  await update;
  expect(await find(knowledge, "tea")).toEqual([]);
  expect(knowledge.skipped).toEqual([{ problem: "is binary", count: 1, examples: ["tea.md"] }]);
});

test("a folder that is deleted empties the index, and one that comes back is read and watched again", async () => {
  const folder = await createFolder({ "tea.md": "tea" });
  const { knowledge, until } = await follow(folder);
  let update = until(({ removed }) => removed.includes("tea.md"));
  await rm(folder, { recursive: true });
  await update;
  expect(await find(knowledge, "tea")).toEqual([]);

  update = until(({ added }) => added.includes("back.md"));
  await write(folder, "back.md", "back");
  await update;
  expect(await find(knowledge, "back")).toEqual(["back.md:1"]);

  update = until(({ added }) => added.includes("more.md"));
  await write(folder, "more.md", "more");
  await update;
  expect(knowledge.retriever.fileCount).toBe(2);
});

test("after close nothing is followed, and what was found stays", async () => {
  const folder = await createFolder({ "tea.md": "tea" });
  const updates: KnowledgeUpdate[] = [];
  const knowledge = await loadKnowledge(folder, { onUpdate: (update) => updates.push(update) });
  await write(folder, "tea.md", "coffee");
  await knowledge.close();
  await knowledge.close();
  const other = await follow(folder);
  const update = other.until(({ added }) => added.includes("more.md"));
  await write(folder, "more.md", "more");
  await update;
  expect(updates).toEqual([{ added: ["tea.md"], changed: [], removed: [] }]);
  expect(await find(knowledge, "tea")).toEqual(["tea.md:1"]);
});

test("the build script writes an index that finds the same", async () => {
  const folder = fileURLToPath(new URL("../fixtures/knowledge", import.meta.url));
  const script = fileURLToPath(new URL("../../scripts/build-knowledge.ts", import.meta.url));
  const out = join(await createFolder(), "index.json");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder, out], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^\S+index\.json: 7 files, \d+ passages, 0\.\d MB\n$/);
  const retriever = parseKnowledgeIndex(JSON.parse(await readFile(out, "utf8")));
  const loaded = await load(folder);
  for (const query of ["refund_order", "退款", "how to deploy"]) {
    const options = { limit: 5, signal };
    expect(await retriever.retrieve(query, options)).toEqual(
      await loaded.retriever.retrieve(query, options),
    );
  }
});

test("the build script says what is wrong with its arguments", () => {
  const script = fileURLToPath(new URL("../../scripts/build-knowledge.ts", import.meta.url));
  const run = (...args: string[]): string =>
    spawnSync(process.execPath, [script, ...args], { encoding: "utf8" }).stderr;
  expect(run()).toBe("Usage: npm run build:knowledge -- FOLDER OUT.json\n");
  expect(run("/nowhere", "out.json")).toBe("The knowledge folder /nowhere cannot be read.\n");
});
