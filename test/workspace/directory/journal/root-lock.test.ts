import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createRootLock } from "../../../../src/workspace/directory/journal/root-state.node.ts";
import { applyApproved, changeOf, codeOf } from "../../workspace-suite.ts";
import { makeFolders, openFolder } from "../open-folder.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const module = new URL(
  "../../../../src/workspace/directory/journal/root-state.node.ts",
  import.meta.url,
).href;

/** A process that takes the lock, says so, and waits. */
async function startHolder(folder: string) {
  const program = `
    import { createRootLock } from ${JSON.stringify(module)};
    const taken = await createRootLock(${JSON.stringify(folder)}).take();
    console.log(taken.ok);
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, took: said.toString().trim() === "true" };
}

test("one of two has the lock, until it gives it back", async () => {
  const folder = makeFolder();
  const [one, other] = [createRootLock(folder), createRootLock(folder)];
  expect(await one.take()).toEqual({ ok: true, wasLeft: false });
  expect(await one.take()).toEqual({ ok: true, wasLeft: false });
  expect(await other.take()).toEqual({ ok: false, pid: process.pid });
  await one.release();
  expect(await other.take()).toEqual({ ok: true, wasLeft: false });
  await other.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("another process is named, and its lock is taken over when it was killed", async () => {
  const folder = makeFolder();
  const { child, took } = await startHolder(folder);
  expect(took).toBe(true);
  const lock = createRootLock(folder);
  expect(await lock.take()).toEqual({ ok: false, pid: child.pid });
  expect(await lock.look()).toMatchObject({ pid: child.pid });
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  expect(await lock.look()).toMatchObject({ locks: [{}], pid: undefined });
  expect(await lock.take()).toEqual({ ok: true, wasLeft: true });
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a process that has the id of one that is gone does not hold its lock", async () => {
  const folder = makeFolder();
  const holder = { pid: process.pid, started: "an-earlier-start:1", token: "x" };
  writeFileSync(join(folder, "lock.7"), JSON.stringify(holder));
  const lock = createRootLock(folder);
  expect(await lock.take()).toEqual({ ok: true, wasLeft: true });
  expect(readdirSync(folder)).toEqual(["lock.8"]);
});

test("a lock that says nothing that can be read is taken over", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "lock.1"), "{");
  writeFileSync(join(folder, "lock.2"), '{"pid":"1"}');
  expect(await createRootLock(folder).take()).toEqual({ ok: true, wasLeft: true });
});

test("a lock of another host counts as long as it is used, and then no longer", async () => {
  const folder = makeFolder();
  const path = join(folder, "lock.1");
  const holder = { pid: 2 ** 22 + 1, started: "elsewhere", token: "x", host: "another host" };
  writeFileSync(path, JSON.stringify(holder));
  const later = (minutes: number) => () => statSync(path).mtimeMs + minutes * 60_000;
  expect(await createRootLock(folder, later(9)).take()).toEqual({ ok: false, pid: holder.pid });
  expect(await createRootLock(folder, later(9)).look()).toMatchObject({ pid: holder.pid });
  expect(await createRootLock(folder, later(11)).take()).toEqual({ ok: true, wasLeft: true });
});

test("whoever uses a lock keeps it fresh, and one that lost it has to take it again", async () => {
  const folder = makeFolder();
  let time = Date.now();
  const lock = createRootLock(folder, () => time);
  await lock.take();
  time += 3_600_000;
  await lock.take();
  expect(statSync(join(folder, "lock.1")).mtimeMs).toBeCloseTo(time, -1);
  rmSync(join(folder, "lock.1"));
  expect((await createRootLock(folder).take()).ok).toBe(true);
  expect(await lock.take()).toEqual({ ok: false, pid: process.pid });
});

test("of many that want a lock that was left, one at most gets it", async () => {
  const folder = makeFolder();
  for (let round = 0; round < 20; round += 1) {
    const holder = { pid: 2 ** 22 + 1, started: "gone", token: "x" };
    writeFileSync(join(folder, "lock.1"), JSON.stringify(holder));
    const locks = Array.from({ length: 10 }, () => createRootLock(folder));
    const taken = await Promise.all(locks.map((lock) => lock.take()));
    expect(taken.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    for (const lock of locks) await lock.release();
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
});

test("a second workspace of the same folder reads, and is told who writes", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const [one, other] = [await openFolder(folders), await openFolder(folders)];
  expect(
    codeOf(await applyApproved(one, await changeOf(one.workspace, "a.txt", "b\n"))),
  ).toBeUndefined();
  const refused = await applyApproved(other, await changeOf(other.workspace, "a.txt", "c\n"));
  expect(codeOf(refused)).toBe("locked");
  if (!refused.ok) expect(refused.problem.message.en).toContain(`process ${process.pid}`);
  await one.workspace.close();
  expect(
    codeOf(await applyApproved(other, await changeOf(other.workspace, "a.txt", "c\n"))),
  ).toBeUndefined();
  await other.workspace.close();
});
