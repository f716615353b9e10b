import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTargetFile, writeTarget } from "../../src/cli/edit/write-target.ts";
import { temporaryFolder } from "./call/temporary-folder.ts";

test("a file that was changed between reading and writing is not overwritten", async () => {
  const folder = temporaryFolder({ "a.txt": "a\n" });
  const path = join(folder, "a.txt");
  const target = readTargetFile(path);
  writeFileSync(path, "c\n");
  await expect(writeTarget(target, "b\n")).rejects.toThrow(
    /was changed by somebody else in the meantime/,
  );
  expect(readFileSync(path, "utf8")).toBe("c\n");
  expect(readdirSync(folder)).toEqual(["a.txt"]);
});

test("a file that has gone, or has come, since it was looked for is left as it is", async () => {
  const folder = temporaryFolder({ "a.txt": "a\n" });
  const [gone, come] = [join(folder, "a.txt"), join(folder, "b.txt")];
  const targets = [readTargetFile(gone), readTargetFile(come)];
  rmSync(gone);
  writeFileSync(come, "somebody's\n");
  for (const target of targets)
    await expect(writeTarget(target, "x\n")).rejects.toThrow(/was changed/);
  expect(existsSync(gone)).toBe(false);
  expect(readFileSync(come, "utf8")).toBe("somebody's\n");
  expect(readdirSync(folder)).toEqual(["b.txt"]);
});

test("a file is read with its byte-order mark, and written back as it was", async () => {
  const folder = temporaryFolder({ "a.txt": "\uFEFFa\r\n" });
  const path = join(folder, "a.txt");
  const target = readTargetFile(path);
  expect(target.found?.text).toBe("\uFEFFa\r\n");
  await writeTarget(target, target.found?.text ?? "");
  expect([...readFileSync(path)]).toEqual([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a]);
});
