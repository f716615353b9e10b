import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeTexts } from "../../../src/cli/code/code-texts.ts";
import { findFolder } from "../../../src/cli/code/open-folder.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";

const texts = codeTexts("en");

test("a link leads to the folder itself", () => {
  const folder = temporaryFolder({ "a.txt": "a" });
  const link = join(temporaryFolder({}), "link");
  symlinkSync(folder, link);
  expect(findFolder(link, texts)).toBe(findFolder(folder, texts));
});

test.skipIf(process.platform === "win32").each([
  ["/", /is not a project: the agent would work on the whole disk/],
  ["/./", /is not a project/],
  ["/proc/self", /is not a project/],
  ["/dev", /is not a project/],
])("%s is refused, whatever leads to it", (root, why) => {
  const link = join(temporaryFolder({}), "link");
  symlinkSync(root, link);
  expect(() => findFolder(root, texts)).toThrow(why);
  expect(() => findFolder(link, texts)).toThrow(why);
});

test("what cannot be a folder is told in words", () => {
  const file = join(temporaryFolder({ "a.txt": "a" }), "a.txt");
  expect(() => findFolder(file, texts)).toThrow(`--dir ${file} is not a folder.`);
  expect(() => findFolder(`${file}/b`, texts)).toThrow(/does not exist|cannot be opened/);
  const loop = join(temporaryFolder({}), "loop");
  symlinkSync(loop, loop);
  expect(() => findFolder(loop, texts)).toThrow(`--dir ${loop} cannot be opened (ELOOP).`);
  expect(() => findFolder("a".repeat(5_000), texts)).toThrow("cannot be opened (ENAMETOOLONG)");
});
