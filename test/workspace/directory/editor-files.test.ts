// A folder whose files are open in an editor: what it shows counts, and what is written goes through it.
import { readFileSync, writeFileSync } from "node:fs";
import { array, assert, asyncProperty, boolean, constantFrom } from "fast-check";
import { expect, test } from "vitest";
import { applyApproved, changeOf, codeOf, valueOf, workspaceSuite } from "../workspace-suite.ts";
import { makeFolders, openFolder, openForSuite } from "./open-folder.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };

workspaceSuite("directory (through an editor)", (files) =>
  openForSuite(files, undefined, {
    read: async (real) => readFileSync(real, "utf8"),
    write: async (real, text) => {
      writeFileSync(real, text);
      return undefined;
    },
  }),
);

/** An editor that has one text open, and saves nothing. */
function createBuffer(text: string | undefined, refusal?: string) {
  const buffer = { text, written: 0 };
  return {
    buffer,
    editor: {
      read: async () => buffer.text,
      write: async (_: string, next: string) => {
        buffer.written += 1;
        if (refusal === undefined) buffer.text = next;
        return refusal;
      },
    },
  };
}

const lines = array(constantFrom("a", "中文", "", "\t b", "é".normalize("NFD")), {
  maxLength: 8,
});
const lineEnd = constantFrom("\n", "\r\n");

test("a text that differs in its line ends or its mark alone is the file; any other is what is shown", async () => {
  await assert(
    asyncProperty(lines, lineEnd, boolean(), lines, async (saved, end, marked, shown) => {
      const text = saved.map((line) => line + end).join("");
      const folders = makeFolders({ "a.txt": (marked ? "\uFEFF" : "") + text });
      const { editor, buffer } = createBuffer(saved.map((line) => `${line}\n`).join(""));
      const { workspace } = await openFolder(folders, { editor });
      const plain = await openFolder(folders);
      const onDisk = valueOf(await plain.workspace.read("a.txt", options));
      expect(valueOf(await workspace.read("a.txt", options))).toEqual(onDisk);
      buffer.text = shown.map((line) => `${line}\n`).join("");
      const read = valueOf(await workspace.read("a.txt", options));
      expect(read.text.replaceAll("\r\n", "\n")).toBe(buffer.text);
      // Saving it keeps the line ends of the file.
      if (text.includes("\r\n")) expect(read.text).not.toMatch(/(?<!\r)\n/);
      await workspace.close();
      await plain.workspace.close();
    }),
    { numRuns: 40 },
  );
});

test("a change of what is not saved is made in the editor, and one for the saved text is stale", async () => {
  const folders = makeFolders({ "a.txt": "saved\n" });
  const { editor, buffer } = createBuffer("open\n");
  const plain = await openFolder(folders);
  const forSaved = await changeOf(plain.workspace, "a.txt", "b\n");
  await plain.workspace.close();
  const given = await openFolder(folders, { editor });
  expect(codeOf(await applyApproved(given, forSaved))).toBe("stale");
  expect(buffer.written).toBe(0);
  valueOf(await applyApproved(given, await changeOf(given.workspace, "a.txt", "open, too\n")));
  expect(buffer).toEqual({ text: "open, too\n", written: 1 });
  expect(readFileSync(folders.at("a.txt"), "utf8")).toBe("saved\n");
  await given.workspace.close();
});

test("what an editor refuses is told in its words, and what it says and does not do is not believed", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  const { editor } = createBuffer("a\n", "The person does not\nwant it.");
  const given = await openFolder(folders, { editor });
  const refused = await applyApproved(given, await changeOf(given.workspace, "a.txt", "b\n"));
  expect(codeOf(refused)).toBe("not-approved");
  expect(JSON.stringify(refused)).toContain("The person does not want it.");
  await given.workspace.close();
  const idle = { read: editor.read, write: async () => undefined };
  const other = await openFolder(folders, { editor: idle });
  const change = await changeOf(other.workspace, "a.txt", "b\n");
  expect(codeOf(await applyApproved(other, change))).toBe("failed");
  await other.workspace.close();
});

test("a file in an encoding that the editor does not read is read and written on the disk", async () => {
  const folders = makeFolders({ "a.txt": Buffer.from("\uFEFFgröße 中\n", "utf16le") });
  const { editor, buffer } = createBuffer(readFileSync(folders.at("a.txt"), "utf8"));
  const given = await openFolder(folders, { editor });
  valueOf(await applyApproved(given, await changeOf(given.workspace, "a.txt", "kürze 文\n")));
  expect(readFileSync(folders.at("a.txt"), "utf16le")).toBe("\uFEFFkürze 文\n");
  expect(buffer.written).toBe(0);
  await given.workspace.close();
});

test("what a file cannot hold, and huge texts, leave it as it is", async () => {
  const folders = makeFolders({ "a.txt": "a\n" });
  for (const text of ["\ud800", "a\0b", "x".repeat(3 * 1024 * 1024)]) {
    const { workspace } = await openFolder(folders, { editor: createBuffer(text).editor });
    expect(valueOf(await workspace.read("a.txt", options)).text).toBe("a\n");
    await workspace.close();
  }
});
