import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FileChange } from "../../../src/workspace/workspace.ts";
import { applyApproved, changeOf, codeOf, valueOf } from "../workspace-suite.ts";
import { makeFolders, openFolder } from "./open-folder.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };

test("another process that reads all the time never sees a file that is half written", async () => {
  const textOf = (nth: number): string => `${nth}\n`.repeat(20_000);
  const folders = makeFolders({ "a.txt": textOf(0) });
  // Says how often it read, and which texts were neither old nor new.
  const program = `
    import { readFileSync } from "node:fs";
    let [reads, torn] = [0, 0];
    process.on("SIGTERM", () => { console.log(JSON.stringify({ reads, torn })); process.exit(); });
    console.log("begun");
    const look = () => {
      const lines = readFileSync(process.argv[1], "utf8").split("\\n");
      reads += 1;
      if (lines.length !== 20_001 || new Set(lines).size !== 2) torn += 1;
      setImmediate(look);
    };
    look();`;
  const args = ["--input-type=module", "-e", program, folders.at("a.txt")];
  const reader = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  reader.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(reader.stdout, "data");
  const given = await openFolder(folders);
  for (let nth = 1; nth <= 30; nth += 1)
    valueOf(await applyApproved(given, await changeOf(given.workspace, "a.txt", textOf(nth))));
  const ended = once(reader, "close");
  reader.kill("SIGTERM");
  await ended;
  const { reads, torn } = JSON.parse(said.split("\n")[1] ?? "") as { reads: number; torn: number };
  expect(reads).toBeGreaterThan(0);
  expect(torn).toBe(0);
});

test("a file that somebody else changes after it was read is not written over", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const given = await openFolder(folders);
  const change = await changeOf(given.workspace, "a.txt", "b\n");
  writeFileSync(folders.at("a.txt"), "mine\n");
  expect(codeOf(await given.workspace.check(change, options))).toBe("stale");
  expect(codeOf(await applyApproved(given, change))).toBe("stale");
  expect(codeOf(await applyApproved(given, { ...change, after: undefined }))).toBe("stale");
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("mine\n");
});

test("a file that comes before it is created stays as it is", async () => {
  const folders = makeFolders();
  const given = await openFolder(folders);
  const change: FileChange = { path: "a.txt", before: undefined, after: "b\n" };
  const approval = await given.approvals.approve([change]);
  writeFileSync(folders.at("a.txt"), "mine\n");
  expect(codeOf(await given.workspace.apply(change, approval, options))).toBe("exists");
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("mine\n");
});

test("an approval is not spent by a change that could not be made", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const given = await openFolder(folders);
  const change = await changeOf(given.workspace, "a.txt", "b\n");
  const approval = await given.approvals.approve([change]);
  writeFileSync(folders.at("a.txt"), "other\n");
  expect(codeOf(await given.workspace.apply(change, approval, options))).toBe("stale");
  writeFileSync(folders.at("a.txt"), "a\n");
  expect(codeOf(await given.workspace.apply(change, approval, options))).toBeUndefined();
});

test("many edits of many files at once are all made, and leave no draft", async () => {
  const names = Array.from({ length: 20 }, (_, nth) => `${nth}.txt`);
  const folders = makeFolders(Object.fromEntries(names.map((name) => [name, "a\n"])));
  const given = await openFolder(folders);
  await Promise.all(
    names.map(async (name) => {
      valueOf(await applyApproved(given, await changeOf(given.workspace, name, `${name}\n`)));
      valueOf(await applyApproved(given, { path: `new/${name}`, before: undefined, after: "n\n" }));
    }),
  );
  for (const name of names) expect(readFileSync(folders.at(name), "utf8")).toBe(`${name}\n`);
  expect(readdirSync(folders.at("new")).sort()).toEqual(names.toSorted());
  expect(readdirSync(folders.root).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("nothing is a turn until something is written", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const { workspace, approvals } = await openFolder(folders);
  const change = await changeOf(workspace, "a.txt", "b\n");
  expect(workspace.turn).toBeUndefined();
  valueOf(await workspace.apply(change, await approvals.approve([change]), options));
  expect(workspace.turn).toBe(1);
});

test("what is too large, or a folder, or below a file, is not written", async () => {
  const folders = makeFolders({
    "a.txt": "a\n",
    "folder/b.txt": "b\n",
    "big.txt": "x".repeat(2_100_000),
  });
  const given = await openFolder(folders);
  const large = await changeOf(given.workspace, "a.txt", "x".repeat(2_100_000));
  expect(codeOf(await applyApproved(given, large))).toBe("too-large");
  const change = { before: { text: "", hash: "" }, after: "x" };
  expect(codeOf(await applyApproved(given, { ...change, path: "folder" }))).toBe("wrong-kind");
  expect(codeOf(await applyApproved(given, { ...change, path: "folder", after: undefined }))).toBe(
    "wrong-kind",
  );
  expect(codeOf(await applyApproved(given, { ...change, path: "big.txt" }))).toBe("read-only");
  const below = await applyApproved(given, { path: "a.txt/b.txt", before: undefined, after: "x" });
  expect(below.ok).toBe(false);
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a\n");
});
