import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGuard, watchGuarded } from "../../../../src/cli/code/guard.ts";
import { temporaryFolder } from "../../call/temporary-folder.ts";

test("a guarded file that changes, comes or goes is noticed, and one that the person accepted is not", async () => {
  const folder = temporaryFolder({ "package.json": "{}", Makefile: "a:", "src/a.js": "1" });
  const watch = await watchGuarded(folder, [], createGuard(folder));
  expect(await watch.findChanged()).toEqual([]);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "src/a.js"), "2");
  writeFileSync(join(folder, ".npmrc"), "a=b");
  rmSync(join(folder, "Makefile"));
  expect((await watch.findChanged()).toSorted()).toEqual([".npmrc", "Makefile", "package.json"]);
  watch.accept("Package.json");
  watch.accept("Makefile");
  expect(await watch.findChanged()).toEqual([".npmrc"]);
  await watch.renew();
  expect(await watch.findChanged()).toEqual([]);
});

test("files of the check are watched wherever they are, and a pipe holds nothing up", async () => {
  const folder = temporaryFolder({ "scripts/check.sh": "true" });
  execFileSync("mkfifo", [join(folder, "Makefile")]);
  const watch = await watchGuarded(
    folder,
    ["scripts/check.sh", "not-there.sh"],
    createGuard(folder),
  );
  writeFileSync(join(folder, "scripts/check.sh"), "false");
  writeFileSync(join(folder, "not-there.sh"), "true");
  expect(await watch.findChanged()).toEqual(["scripts/check.sh", "not-there.sh"]);
});

test("words that name no file leave room for those that do", async () => {
  const folder = temporaryFolder({ "check.sh": "true" });
  const words = Array.from({ length: 1_000 }, (_, nth) => `word${nth}`);
  const watch = await watchGuarded(folder, [...words, "check.sh"], createGuard(folder));
  writeFileSync(join(folder, "check.sh"), "false");
  expect(await watch.findChanged()).toEqual(["check.sh"]);
});
