// Processes that write to one file of SQLite are killed at random moments: what they were told is written is there.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite-store.node.ts";
import { spawnNode } from "../helpers/e2e-process.ts";
import { seededRandom } from "../helpers/seeded-random.ts";

const writer = fileURLToPath(new URL("../helpers/store-writer.ts", import.meta.url));
const kills = 200;

test("what was acknowledged is there after 200 kills of writers, once, in order and without gaps", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rightseat-kill-"));
  const path = join(folder, "store.db");
  const random = seededRandom(20_261_123);
  const known: { id: string; position: number; length: number }[] = [];
  const spawn = (nth: number) => spawnNode([writer, path, `${nth}`], {});
  // Two write at any time: the killed one leaves the other at work.
  const running = [spawn(0)];
  for (let nth = 1; nth <= kills; nth++) {
    running.push(spawn(nth));
    const [oldest = expect.fail()] = running.splice(0, 1);
    await oldest.prints(/\n/);
    await wait(random() * 40);
    oldest.child.kill("SIGKILL");
    await oldest.exited;
    expect(oldest.stderr).toBe("");
    // The last line may be half a line.
    for (const line of oldest.stdout.split("\n").slice(0, -1)) {
      const [id = "", position, length] = line.split(" ");
      known.push({ id, position: Number(position), length: Number(length) });
    }
  }
  for (const program of running) await program[Symbol.asyncDispose]();
  const store = openSqliteStore({ path, now: Date.now });
  const all = await store.read("log", 0, 10_000_000);
  expect(all).toHaveLength(await store.lengthOf("log"));
  expect(new Set(all).size).toBe(all.length);
  expect(known.length).toBeGreaterThan(kills);
  for (const { id, position, length } of known) {
    const wanted = Array.from({ length }, (_, entry) => `${id}.${entry}`);
    if (all.slice(position, position + length).join() !== wanted.join())
      expect.fail(`The entries of ${id} are not at ${position}.`);
  }
  // Told or not, an append is there as a whole.
  for (let at = 0; at < all.length;) {
    const [id = "", nth = ""] = /^\d+\.\d\.(\d+)/.exec(all[at] ?? "") ?? [];
    const wanted = Array.from({ length: 1 + (Number(nth) % 4) }, (_, entry) => `${id}.${entry}`);
    if (all.slice(at, at + wanted.length).join() !== wanted.join())
      expect.fail(`The append of ${id} is torn.`);
    at += wanted.length;
  }
  await store.close();
  rmSync(folder, { recursive: true });
}, 600_000);
