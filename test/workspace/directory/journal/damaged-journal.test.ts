import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openUndo } from "../../../../src/workspace/directory/journal/undo.node.ts";
import { applyApproved, changeOf, codeOf } from "../../workspace-suite.ts";
import { makeFolders, openFolder, type TestFolders } from "../open-folder.ts";

/** A run that writes some files, each as often as there are texts; `between` is called after each write. */
async function runTurn(
  folders: TestFolders,
  texts: readonly (readonly [path: string, text: string])[],
  between?: (nth: number) => void,
): Promise<void> {
  const given = await openFolder(folders);
  for (const [nth, [path, text]] of texts.entries()) {
    const change = await changeOf(given.workspace, path, text);
    expect(codeOf(await applyApproved(given, change))).toBeUndefined();
    between?.(nth);
  }
  await given.workspace.close();
}

/** The files of the only turn in the journal. */
function inTurn({ stateFolder }: TestFolders, name: string): string {
  const [folder = ""] = globSync("workspaces/*/turns/1", { cwd: stateFolder });
  return join(stateFolder, folder, name);
}

async function undo(folders: TestFolders): Promise<string[] | string> {
  const opened = await openUndo({ ...folders, now: Date.now });
  const result = await opened.undo();
  await opened.close();
  if (!result.ok) return `${result.problem.code}: ${result.problem.message.en}`;
  return result.value.files.map(({ place }) => place.path);
}

const read = (folders: TestFolders, path: string): string => readFileSync(folders.at(path), "utf8");

const twoFiles = { "a.txt": "a\n", "b.txt": "b\n" };
const twoWrites = [
  ["a.txt", "x\n"],
  ["b.txt", "x\n"],
] as const;

test.each<[string, (entry: string) => void]>([
  ["is damaged", (entry) => writeFileSync(entry, "{}\n")],
  ["has other bytes", (entry) => writeFileSync(entry, `${readFileSync(entry, "utf8")}x`)],
  ["is gone", (entry) => rmSync(entry)],
  [
    "is a pipe",
    (entry) => {
      rmSync(entry);
      execFileSync("mkfifo", [entry]);
    },
  ],
])("if an entry that others follow %s, nothing is undone, and this is told", async (_, damage) => {
  const folders = makeFolders(twoFiles);
  await runTurn(folders, twoWrites);
  damage(inTurn(folders, "1.entry"));
  expect(await undo(folders)).toMatch(/^failed: Nothing was undone, .* turn 1 is damaged/);
  expect([read(folders, "a.txt"), read(folders, "b.txt")]).toEqual(["x\n", "x\n"]);
});

test("a turn of which the facts are lost is undone all the same", async () => {
  const folders = makeFolders(twoFiles);
  await runTurn(folders, twoWrites);
  writeFileSync(inTurn(folders, "turn.json"), "{");
  expect(await undo(folders)).toEqual(["a.txt", "b.txt"]);
  expect(read(folders, "a.txt")).toBe("a\n");
});

test("what the person wrote between two writes of a turn is not lost by undo", async () => {
  const folders = makeFolders(twoFiles);
  const writes = [
    ["a.txt", "1\n"],
    ["b.txt", "1\n"],
    ["a.txt", "2\n"],
  ] as const;
  await runTurn(folders, writes, (nth) => {
    if (nth === 0) writeFileSync(folders.at("a.txt"), "mine\n");
  });
  expect(await undo(folders)).toMatch(/^stale: .*"a\.txt"/);
  expect([read(folders, "a.txt"), read(folders, "b.txt")]).toEqual(["2\n", "1\n"]);
});

test("entries that no agent makes are not obeyed", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  mkdirSync(join(folders.outside, "empty"));
  mkdirSync(folders.at(".git"));
  writeFileSync(folders.at(".git/config"), "mine\n");
  await runTurn(folders, [["a.txt", "x\n"]]);
  const entry = inTurn(folders, "1.entry");
  const [head = "", bytes] = readFileSync(entry, "utf8").split("\n");
  const facts = JSON.parse(head) as Record<string, unknown>;
  const forge = (forged: Record<string, unknown>): void =>
    writeFileSync(entry, `${JSON.stringify({ ...facts, ...forged })}\n${bytes}\n`);
  for (const forged of [
    { path: ".git/config" },
    { path: "../outside/secret.txt" },
    { draft: "../../outside/draft" },
  ]) {
    forge(forged);
    expect(await undo(folders)).toMatch(/^stale/);
  }
  forge({ folders: ["../outside/empty", join(folders.outside, "empty")] });
  expect(await undo(folders)).toEqual(["a.txt"]);
  expect(existsSync(join(folders.outside, "empty"))).toBe(true);
  expect(read(folders, ".git/config")).toBe("mine\n");
});
