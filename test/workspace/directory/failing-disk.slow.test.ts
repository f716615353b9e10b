import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { refuseSystem } from "../../../src/workspace/problems.ts";
import type { EditFileJob } from "./edit-file.ts";
import { makeFolders, type TestFolders } from "./open-folder.ts";

const script = fileURLToPath(new URL("edit-file.ts", import.meta.url));
const nobody = 65_534;

/** Runs the edit in a process of its own; `limit` is the largest file that it may write, in blocks of 512 bytes. */
function edit(job: EditFileJob, limit?: number): string {
  const args = [script, JSON.stringify(job)];
  const done =
    limit === undefined
      ? spawnSync(process.execPath, args, { encoding: "utf8" })
      : // Whoever ignores the signal is told by an error instead of being killed.
        spawnSync(
          "sh",
          ["-c", `trap '' XFSZ; ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args],
          {
            encoding: "utf8",
          },
        );
  return done.stdout === "" ? done.stderr : done.stdout;
}

function forEverybody(folders: TestFolders): TestFolders {
  chmodSync(dirname(folders.root), 0o755);
  chmodSync(folders.stateFolder, 0o777);
  return folders;
}

/** Mounts a file system in memory over the workspace, which the test takes away again. */
function mountOver(folder: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", [folder]));
}

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
}

describe("as a user who may not write", () => {
  test.each([
    ["the file is read-only", 0o444, 0o777],
    ["its folder is closed for writing", 0o666, 0o555],
  ])("%s: nothing is written, and this is told", (_, mode, folderMode) => {
    const folders = forEverybody(makeFolders({ "a.txt": "a\n" }));
    chmodSync(folders.at("a.txt"), mode);
    chmodSync(folders.root, folderMode);
    const { root, stateFolder } = folders;
    const job = { root, stateFolder, path: "a.txt", uid: nobody };
    try {
      expect(edit({ ...job, after: "b\n" })).toBe("no-permission");
      expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a\n");
      expect(statSync(folders.at("a.txt")).mode & 0o777).toBe(mode);
      if (folderMode === 0o555) {
        expect(edit(job)).toBe("no-permission");
        expect(edit({ ...job, path: "new.txt", isNew: true, after: "x" })).toBe("no-permission");
        expect(edit({ ...job, path: "new/x.txt", isNew: true, after: "x" })).toBe("no-permission");
      }
      expect(readdirSync(root)).toEqual(["a.txt"]);
    } finally {
      chmodSync(folders.root, 0o755);
    }
  });

  test("what may not be read is told as well, and what may be is edited", () => {
    const folders = forEverybody(makeFolders({ "closed.txt": "a\n", "open.txt": "a\n" }));
    chmodSync(folders.at("closed.txt"), 0o000);
    chmodSync(folders.at("open.txt"), 0o666);
    chmodSync(folders.root, 0o777);
    const { root, stateFolder } = folders;
    const job = { root, stateFolder, uid: nobody, after: "b\n" };
    expect(edit({ ...job, path: "closed.txt" })).toBe("read: no-permission");
    expect(edit({ ...job, path: "open.txt" })).toBe("ok");
    expect(readFileSync(folders.at("open.txt"), "utf8")).toBe("b\n");
  });

  test("a state folder that cannot be written keeps the file as it is", () => {
    const folders = forEverybody(makeFolders({ "a.txt": "a\n" }));
    chmodSync(folders.root, 0o777);
    chmodSync(folders.at("a.txt"), 0o666);
    chmodSync(folders.stateFolder, 0o555);
    const { root, stateFolder } = folders;
    expect(edit({ root, stateFolder, path: "a.txt", uid: nobody, after: "b\n" })).toContain(
      "EACCES",
    );
    expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a\n");
  });
});

test("a file that is marked as read-only is not written by the superuser either", () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  chmodSync(folders.at("a.txt"), 0o444);
  const { root, stateFolder } = folders;
  expect(edit({ root, stateFolder, path: "a.txt", after: "b\n" })).toBe("no-permission");
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a\n");
});

test("a write that hits the limit of its process leaves the old file whole, and no draft", () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const { root, stateFolder } = folders;
  const job = { root, stateFolder, path: "a.txt", after: "b", times: 200_000 };
  expect(edit(job, 16)).toBe("disk-full");
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a\n");
  expect(readdirSync(root)).toEqual(["a.txt"]);
  expect(edit(job)).toBe("ok");
});

test("the owner and the mode of a file stay", () => {
  const folders = makeFolders({ "a.sh": "a\n" });
  const isSuper = process.getuid?.() === 0;
  if (isSuper) chownSync(folders.at("a.sh"), nobody, nobody);
  chmodSync(folders.at("a.sh"), 0o754);
  const { root, stateFolder } = folders;
  const { uid } = statSync(folders.at("a.sh"));
  expect(edit({ root, stateFolder, path: "a.sh", after: "b\n" })).toBe("ok");
  const now = statSync(folders.at("a.sh"));
  expect([now.uid, now.mode & 0o777]).toEqual([uid, 0o754]);
});

test.each([
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
  ["EFBIG", "disk-full"],
  ["EROFS", "read-only"],
  ["EACCES", "no-permission"],
  ["EPERM", "no-permission"],
  ["EIO", "failed"],
])("the error %s is told as %s", (code, problem) => {
  const error = Object.assign(new Error("it failed"), { code });
  expect(refuseSystem(error, "a.txt").problem.code).toBe(problem);
});

// The two tests above cover the same code where nobody may mount anything.
describe.runIf(canMount())("on a file system of its own", () => {
  test("a full disk leaves the old file whole, and no draft", () => {
    const folders = makeFolders();
    mountOver(folders.root, "256k");
    const { root, stateFolder } = folders;
    const job = { root, stateFolder, path: "a.txt", after: "b", times: 200_000 };
    expect(edit({ ...job, isNew: true, after: "a", times: 100_000 })).toBe("ok");
    expect(edit(job)).toBe("disk-full");
    expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a".repeat(100_000));
    expect(readdirSync(root)).toEqual(["a.txt"]);
    const created = edit({ ...job, path: "new/b.txt", isNew: true });
    expect(created).toBe("disk-full");
    expect(existsSync(folders.at("new/b.txt"))).toBe(false);
  });

  test("a full disk for the journal keeps the file as it is", () => {
    const folders = makeFolders({ "a.txt": "a".repeat(100_000) });
    mountOver(folders.stateFolder, "64k");
    const { root, stateFolder } = folders;
    expect(edit({ root, stateFolder, path: "a.txt", after: "b\n" })).toBe("disk-full");
    expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("a".repeat(100_000));
  });

  test("a disk that is mounted for reading is told as such", () => {
    const folders = makeFolders();
    mountOver(folders.root, "256k");
    mkdirSync(join(folders.root, "sub"));
    const { root, stateFolder } = folders;
    expect(edit({ root, stateFolder, path: "sub/a.txt", isNew: true, after: "a\n" })).toBe("ok");
    execFileSync("mount", ["-o", "remount,ro", root]);
    expect(edit({ root, stateFolder, path: "sub/a.txt", after: "b\n" })).toBe("read-only");
    expect(edit({ root, stateFolder, path: "sub/a.txt" })).toBe("read-only");
    expect(edit({ root, stateFolder, path: "b.txt", isNew: true, after: "b\n" })).toBe("read-only");
    expect(readFileSync(folders.at("sub/a.txt"), "utf8")).toBe("a\n");
  });
});
