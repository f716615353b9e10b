import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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

test("words that are no path complete to nothing", () => {
  for (const typed of ["\0", "a\0/b", `${"x".repeat(5_000)}/y`, "gone/"])
    expect(listPaths(directory, typed)).toEqual([]);
});
