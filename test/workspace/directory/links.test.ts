import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileChange } from "../../../src/workspace/workspace.ts";
import { applyApproved, canary, changeOf, codeOf, valueOf } from "../workspace-suite.ts";
import {
  linkTo,
  makeFolders,
  openFolder,
  type OpenFolder,
  type TestFolders,
} from "./open-folder.ts";
import { words } from "../../helpers/words.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };
const list = { ...options, maxEntries: 100, depth: 3 };
const all = { isCaseSensitive: true, include: [], exclude: [], maxHits: 50 };

async function refuseAll(given: OpenFolder, path: string): Promise<(string | undefined)[]> {
  const { workspace } = given;
  const created: FileChange = { path, before: undefined, after: "x" };
  const changed: FileChange = { path, before: { text: canary, hash: "0" }, after: "x" };
  const results = [
    await workspace.locate(path),
    await workspace.read(path, { ...options, mayBeSecret: true }),
    await workspace.list(path, list),
    await workspace.check(created, options),
    await applyApproved(given, created),
    await applyApproved(given, changed),
    await applyApproved(given, { ...changed, after: undefined }),
  ];
  expect(JSON.stringify(results)).not.toContain(canary);
  return results.map(codeOf);
}

function withLinks(folders: TestFolders): void {
  const { root, outside } = folders;
  mkdirSync(join(root, "sub"));
  linkTo(outside, join(root, "folder"));
  linkTo(join(outside, "secret.txt"), join(root, "file.txt"));
  linkTo("../outside/secret.txt", join(root, "relative.txt"));
  linkTo("../../outside", join(root, "sub/deep"));
  linkTo(join(outside, "missing.txt"), join(root, "dangling.txt"));
  linkTo("nowhere.txt", join(root, "nowhere-inside.txt"));
  linkTo("loop", join(root, "loop"));
  linkTo("/proc/self", join(root, "proc"));
  linkTo("/", join(root, "all"));
  linkTo("folder", join(root, "twice"));
}

test.each(
  words`folder folder/secret.txt folder/new.txt folder/new/deep.txt file.txt relative.txt
  sub/deep/secret.txt sub/../folder/secret.txt dangling.txt nowhere-inside.txt loop loop/a.txt
  proc/environ proc/root/etc/passwd proc/cwd/package.json all/etc/passwd all/dev/zero
  twice/secret.txt`,
)("%j leads out by a link, and is refused", async (path) => {
  const folders = makeFolders();
  withLinks(folders);
  const given = await openFolder(folders);
  expect(new Set(await refuseAll(given, path))).toEqual(new Set(["outside"]));
  expect(readFileSync(join(folders.outside, "secret.txt"), "utf8")).toBe(canary);
  expect(existsSync(join(folders.outside, "new.txt"))).toBe(false);
});

test("links out are listed as what cannot be read, and not searched", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  withLinks(folders);
  const { workspace } = await openFolder(folders);
  const { entries } = valueOf(await workspace.list(".", list));
  const kinds = Object.fromEntries(entries.map(({ name, kind }) => [name, kind]));
  expect(kinds).toMatchObject({
    folder: "other",
    "file.txt": "other",
    loop: "other",
    "a.txt": "file",
  });
  expect(JSON.stringify(entries)).not.toContain("secret.txt");
  expect(valueOf(await workspace.search({ ...all, query: canary }, options)).hits).toEqual([]);
});

test("links inside of the root lead to their file, which alone is locked and written", async () => {
  const folders = makeFolders({ "src/a.ts": "a\n" });
  linkTo("src/a.ts", folders.at("link.ts"));
  linkTo("src", folders.at("lib"));
  const given = await openFolder(folders);
  for (const path of ["link.ts", "lib/a.ts"]) {
    expect(valueOf(await given.workspace.locate(path))).toBe("src/a.ts");
    expect(
      codeOf(await applyApproved(given, await changeOf(given.workspace, path, `${path}\n`))),
    ).toBeUndefined();
    expect(readFileSync(folders.at("src/a.ts"), "utf8")).toBe(`${path}\n`);
  }
  expect(lstatSync(folders.at("link.ts")).isSymbolicLink()).toBe(true);
});

test("a protected or secret file stays so behind a link with another name", async () => {
  const folders = makeFolders({
    ".env": canary,
    ".git/config": "[core]\n",
    ".vscode/a.json": "{}",
  });
  linkTo(".env", folders.at("plain.txt"));
  linkTo(".git", folders.at("git"));
  linkTo(".vscode", folders.at("code"));
  const given = await openFolder(folders);
  expect(codeOf(await given.workspace.read("plain.txt", options))).toBe("secret");
  const allowed = { ...options, mayBeSecret: true };
  expect(codeOf(await given.workspace.read("git/config", allowed))).toBe("protected");
  expect(codeOf(await given.workspace.read(".git/config", allowed))).toBe("protected");
  expect(codeOf(await given.workspace.list("git", list))).toBe("protected");
  const change: FileChange = { path: "code/tasks.json", before: undefined, after: "{}" };
  expect(codeOf(await applyApproved(given, change))).toBe("protected");
});

test("a link whose name is that of a secret is one, whatever it leads to", async () => {
  const folders = makeFolders({ "config/prod.txt": canary, "cloud/key.txt": canary });
  linkTo("config/prod.txt", folders.at(".env"));
  linkTo("cloud", folders.at(".aws"));
  const { workspace } = await openFolder(folders);
  for (const path of [".env", ".aws/key.txt"]) {
    expect(codeOf(await workspace.read(path, options))).toBe("secret");
    expect(codeOf(await workspace.read(path, { ...options, mayBeSecret: true }))).toBeUndefined();
  }
  expect(codeOf(await workspace.list(".aws", list))).toBe("secret");
});

test("the root may be named by a link, and paths below both names are inside", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const link = `${folders.root}-link`;
  linkTo(folders.root, link);
  const { workspace } = await openFolder({ ...folders, root: link });
  expect(workspace.root).toBe(link);
  for (const path of [join(link, "a.txt"), folders.at("a.txt"), "a.txt"])
    expect(valueOf(await workspace.locate(path))).toBe("a.txt");
});

test("a folder that becomes a link out after the approval is not written through", async () => {
  const folders = makeFolders({ "src/a.txt": "a\n" });
  const given = await openFolder(folders);
  const change = await changeOf(given.workspace, "src/a.txt", "b\n");
  const approval = await given.approvals.approve([change]);
  writeFileSync(join(folders.outside, "a.txt"), "a\n");
  renameSync(folders.at("src"), folders.at("old"));
  linkTo(folders.outside, folders.at("src"));
  expect(codeOf(await given.workspace.apply(change, approval, options))).toBe("outside");
  expect(readFileSync(join(folders.outside, "a.txt"), "utf8")).toBe("a\n");
});

test("a file with another name outside is replaced, so that the other one stays as it is", async () => {
  const folders = makeFolders();
  linkSync(join(folders.outside, "secret.txt"), folders.at("hard.txt"));
  const given = await openFolder(folders);
  await applyApproved(given, await changeOf(given.workspace, "hard.txt", "x"));
  expect(readFileSync(join(folders.outside, "secret.txt"), "utf8")).toBe(canary);
});

test("pipes, sockets and devices are refused without waiting for them", async () => {
  const folders = makeFolders({ "a.txt": "needle\n" });
  execFileSync("mkfifo", [folders.at("pipe")]);
  const server = createServer().listen(folders.at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  // Making a device takes a superuser; a link to one leads out.
  if (process.getuid?.() === 0) execFileSync("mknod", [folders.at("zero"), "c", "1", "5"]);
  else linkTo("/dev/zero", folders.at("zero"));
  try {
    const { workspace } = await openFolder(folders);
    for (const path of ["pipe", "socket"])
      expect(codeOf(await workspace.read(path, options))).toBe("wrong-kind");
    expect(["wrong-kind", "outside"]).toContain(codeOf(await workspace.read("zero", options)));
    const { entries } = valueOf(await workspace.list(".", list));
    const kinds = Object.fromEntries(entries.map(({ name, kind }) => [name, kind]));
    expect(kinds).toEqual({ "a.txt": "file", pipe: "other", socket: "other", zero: "other" });
    const found = valueOf(await workspace.search({ ...all, query: "needle" }, options));
    expect(found.hits).toHaveLength(1);
  } finally {
    server.close();
  }
});

test("the state folder is closed, also where it lies inside of the root", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const inner = { ...folders, stateFolder: folders.at("state") };
  mkdirSync(inner.stateFolder);
  const given = await openFolder(inner);
  await applyApproved(given, await changeOf(given.workspace, "a.txt", `${canary}\n`));
  await applyApproved(given, await changeOf(given.workspace, "a.txt", "b\n"));
  expect(codeOf(await given.workspace.list("state", list))).toBe("protected");
  expect(codeOf(await given.workspace.read("state/workspaces", options))).toBe("protected");
  const change: FileChange = { path: "state/x", before: undefined, after: "x" };
  expect(codeOf(await applyApproved(given, change))).toBe("protected");
  expect(valueOf(await given.workspace.search({ ...all, query: canary }, options)).hits).toEqual(
    [],
  );
  expect(realpathSync(inner.stateFolder)).toBe(inner.stateFolder);
});

/** Links as projects have them: to a file, to a folder, over another link, into a linked folder, to nothing yet. */
const linked: readonly [link: string, target: string, file: string, name: string][] = [
  [".vscode", "cfg/code", "cfg/code/tasks.json", "written by its own path"],
  [".env", "cfg/values.txt", "cfg/values.txt", "a file"],
  ["deep/er/.vscode", "../../cfg", "cfg/code/tasks.json", "a link further below"],
  [".husky", "mid", "cfg/code/tasks.json", "a link to a link"],
  [".idea", "cfg/new", "cfg/new/a.xml", "a link to what is not there yet"],
  ["rightseat.json", "cfg/later.txt", "cfg/later.txt", "a file that is not there yet"],
];

test.each(linked)(
  "a file that a guarded link leads to is guarded under its own name: %s -> %s",
  async (link, target, file) => {
    const folders = makeFolders({ "cfg/code/tasks.json": "{}", "cfg/values.txt": canary });
    mkdirSync(folders.at("deep/er"), { recursive: true });
    linkTo("cfg/code", folders.at("mid"));
    const given = await openFolder(folders);
    const change: FileChange = existsSync(folders.at(file))
      ? await changeOf(given.workspace, file, "{ }")
      : { path: file, before: undefined, after: "{ }" };
    // Somebody else links it while the workspace is open: a check, or the person.
    linkTo(target, folders.at(link));
    expect(codeOf(await applyApproved(given, change))).toBe("protected");
    expect(await given.workspace.namesOf(file)).toContain(
      link === ".husky" ? ".husky/tasks.json" : file.replace(target.replace(/^[./]+/, ""), link),
    );
  },
);

test("what a link with the name of a secret leads to is not read, listed or found by its own name", async () => {
  const folders = makeFolders({
    "config/prod.txt": `${canary}\n`,
    "cloud/key.txt": `${canary}\n`,
    "cloud/deep/more.txt": `${canary}\n`,
    "data/db.json": `"${canary}"\n`,
    "open.txt": "plain\n",
  });
  linkTo("config/prod.txt", folders.at(".env"));
  linkTo("cloud", folders.at(".aws"));
  linkTo("data", folders.at("secrets"));
  const { workspace } = await openFolder(folders);
  for (const path of ["config/prod.txt", "cloud/key.txt", "cloud/deep/more.txt", "data/db.json"]) {
    expect(codeOf(await workspace.read(path, options))).toBe("secret");
    expect(codeOf(await workspace.read(path, { ...options, mayBeSecret: true }))).toBeUndefined();
  }
  expect(codeOf(await workspace.list("cloud", list))).toBe("secret");
  expect(valueOf(await workspace.search({ ...all, query: canary }, options)).hits).toEqual([]);
  expect(valueOf(await workspace.search({ ...all, query: "plain" }, options)).hits).toHaveLength(1);
});

test("a link that comes, changes or goes counts at the next look, however fast it was", async () => {
  const folders = makeFolders({ "a.txt": "a\n", "b.txt": "b\n" });
  const { workspace } = await openFolder(folders);
  for (let nth = 0; nth < 20; nth += 1) {
    const target = nth % 2 === 0 ? "a.txt" : "b.txt";
    linkTo(target, folders.at(".env"));
    expect(codeOf(await workspace.read(target, options))).toBe("secret");
    rmSync(folders.at(".env"));
    expect(codeOf(await workspace.read(target, options))).toBeUndefined();
  }
});

test("links that lead round in circles, or are very many, come to an end", async () => {
  const folders = makeFolders({ "sub/a.txt": "a\n" });
  linkTo("..", folders.at("sub/up"));
  linkTo(".", folders.at("self"));
  linkTo("x/../y", folders.at("x"));
  for (let nth = 0; nth < 300; nth += 1) linkTo("sub", folders.at(`l${nth}`));
  linkTo("sub/a.txt", folders.at("zz.pem"));
  const { workspace } = await openFolder(folders);
  expect(await workspace.namesOf("sub/a.txt")).toContain("zz.pem");
  expect(codeOf(await workspace.read("sub/a.txt", options))).toBe("secret");
});

test("links of installed packages say nothing of the sources that they lead to", async () => {
  const folders = makeFolders({ "packages/cart/index.js": "a\n" });
  mkdirSync(folders.at("node_modules"));
  linkTo("../packages/cart", folders.at("node_modules/cart"));
  const { workspace } = await openFolder(folders);
  expect(await workspace.namesOf("packages/cart/index.js")).toEqual(["packages/cart/index.js"]);
});
