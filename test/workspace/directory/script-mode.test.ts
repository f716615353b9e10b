import { chmodSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { applyApproved, changeOf, codeOf } from "../workspace-suite.ts";
import { makeFolders, openFolder } from "./open-folder.ts";

const script = "#!/bin/sh\necho one\n";
const files = {
  "bin/one": script,
  "bin/two.py": "#!/usr/bin/env python3\n",
  "bin/notes.txt": "text\n",
  "lib/one.sh": script,
  "lib/two.sh": script,
};

async function modeOfNew(path: string, text: string): Promise<number> {
  const folders = makeFolders(files);
  for (const each of ["bin/one", "bin/two.py"]) chmodSync(folders.at(each), 0o755);
  const given = await openFolder(folders);
  const applied = await applyApproved(given, { path, before: undefined, after: text });
  expect(codeOf(applied)).toBeUndefined();
  return statSync(folders.at(path)).mode & 0o777;
}

test("a new script can be run where the scripts of its folder can", async () => {
  const usual = 0o666 & ~process.umask();
  expect(await modeOfNew("bin/new", script)).toBe(usual | ((usual & 0o444) >> 2));
  expect(await modeOfNew("bin/new.txt", "no script\n")).toBe(usual);
  expect(await modeOfNew("lib/new.sh", script)).toBe(usual);
  expect(await modeOfNew("new/first.sh", script)).toBe(usual);
});

test.each([0o755, 0o640, 0o600, 0o775])("an edit keeps the mode %o", async (mode) => {
  const folders = makeFolders(files);
  chmodSync(folders.at("lib/one.sh"), mode);
  const given = await openFolder(folders);
  const change = await changeOf(given.workspace, "lib/one.sh", "#!/bin/sh\necho two\n");
  expect(codeOf(await applyApproved(given, change))).toBeUndefined();
  expect(statSync(folders.at("lib/one.sh")).mode & 0o777).toBe(mode);
});
