import { cliTexts } from "../../../src/cli/texts.ts";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withState } from "../../../src/cli/code/open-folder.ts";
import { createRootFolder } from "../../../src/workspace/directory/journal/root-state.node.ts";
import { temporaryFolder } from "../call/temporary-folder.ts";

test("a place for the journal that cannot be used is named, with what to do", async () => {
  const state = join(temporaryFolder({ file: "no folder" }), "file", "rightseat");
  const opening = createRootFolder(state, "/project");
  await expect(withState(opening, state, cliTexts("en"))).rejects.toThrow(
    `The journal for undo cannot be kept in ${state} (ENOTDIR). Make that folder writable, or name another place with XDG_STATE_HOME.`,
  );
});

test("what has nothing to do with that place is thrown as it is", async () => {
  const folder = join(temporaryFolder({ file: "" }), "file", "a");
  await expect(withState(mkdir(folder), "/elsewhere", cliTexts("en"))).rejects.toThrow("ENOTDIR");
  const other = Promise.reject(new Error("other"));
  await expect(withState(other, "/elsewhere", cliTexts("en"))).rejects.toThrow("other");
});
