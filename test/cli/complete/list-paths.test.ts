import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listPaths } from "../../../src/cli/complete.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "paths-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("a link that leads to itself, or nowhere, is offered as a file", () => {
  mkdirSync(join(directory, "folder"));
  symlinkSync("loop", join(directory, "loop"));
  symlinkSync("b", join(directory, "a"));
  symlinkSync("a", join(directory, "b"));
  symlinkSync("gone", join(directory, "dead"));
  expect(listPaths(directory, "")).toEqual(["a", "b", "dead", "folder/", "loop"]);
  expect(listPaths(directory, "loop/x")).toEqual([]);
});

test("what may not be looked at is offered as a file", async () => {
  writeFileSync(join(directory, "shut"), "");
  vi.resetModules();
  vi.doMock("node:fs", async (original) => ({
    ...(await original<typeof import("node:fs")>()),
    statSync: () => {
      throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    },
  }));
  const { listPaths: listShut } = await import("../../../src/cli/complete.ts");
  vi.doUnmock("node:fs");
  expect(listShut(directory, "s")).toEqual(["shut"]);
});

test("words that are no path complete to nothing", () => {
  for (const typed of ["\0", "a\0/b", `${"x".repeat(5_000)}/y`, "gone/"])
    expect(listPaths(directory, typed)).toEqual([]);
});
