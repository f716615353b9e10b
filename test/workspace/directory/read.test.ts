import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { maxWholeFile } from "../../../src/workspace/directory/open-file.node.ts";
import { applyApproved, changeOf, codeOf, valueOf } from "../workspace-suite.ts";
import { makeFolders, openFolder } from "./open-folder.ts";

const options = { signal: AbortSignal.timeout(3_600_000) };

function utf16(text: string, isBig: boolean): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBig ? bytes.swap16() : bytes;
}

test.each([
  ["utf-16le", utf16("汉字 😀\r\nb\r\n", false)],
  ["utf-16be", utf16("汉字 😀\r\nb\r\n", true)],
  ["utf-8", Buffer.from("\ufeff汉字 😀\r\nb\r\n")],
])(
  "a file in %s is read, and written in the same encoding with its mark",
  async (encoding, bytes) => {
    const folders = makeFolders({ "a.txt": bytes });
    const given = await openFolder(folders);
    const file = valueOf(await given.workspace.read("a.txt", options));
    expect(file).toMatchObject({ text: "汉字 😀\r\nb\r\n", encoding, bom: true, totalLines: 2 });
    expect(file.hash).toBe(createHash("sha256").update(bytes).digest("hex"));
    const change = await changeOf(given.workspace, "a.txt", "汉字 😀\r\nc\r\n");
    expect(codeOf(await applyApproved(given, change))).toBeUndefined();
    const again = valueOf(await given.workspace.read("a.txt", options));
    expect(again).toMatchObject({
      text: "汉字 😀\r\nc\r\n",
      encoding,
      bom: true,
      size: bytes.length,
    });
  },
);

test.each([
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
  [[0x61, 0, 0x62]],
  // 測試 in Big5, or two other characters in GB18030.
  [[0xb4, 0xfa, 0xb8, 0xd5]],
  [[0xff, 0xfe, 0x61, 0x00, 0x62]],
  [[0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]],
])("a file of the bytes %j is refused with its size", async (bytes) => {
  const { workspace } = await openFolder(makeFolders({ file: Uint8Array.from(bytes) }));
  const result = await workspace.read("file", options);
  expect(codeOf(result)).toBe("binary");
  if (!result.ok) expect(result.problem.message.en).toContain(`binary data, ${bytes.length} bytes`);
});

test("a large file is read in ranges, with the hash and the lines of all of it", async () => {
  const line = "line of text\r\n";
  const count = Math.ceil(maxWholeFile / line.length) + 10;
  const text = line.repeat(count);
  const folders = makeFolders({ "large.txt": text });
  const { workspace } = await openFolder(folders);
  expect(codeOf(await workspace.read("large.txt", options))).toBe("too-large");
  const read = async (startLine: number, endLine: number) =>
    workspace.read("large.txt", { ...options, lines: { startLine, endLine } });
  const hash = createHash("sha256").update(text).digest("hex");
  const last = {
    text: line,
    startLine: count,
    totalLines: count,
    hash,
    isPart: true,
    size: text.length,
  };
  expect(valueOf(await read(count, count + 5))).toMatchObject(last);
  expect(valueOf(await read(2, 3))).toMatchObject({ text: line + line, startLine: 2 });
  expect(codeOf(await read(1, count))).toBe("too-large");
  appendFileSync(folders.at("large.txt"), "end");
  expect(valueOf(await read(count + 1, count + 1))).toMatchObject({
    text: "end",
    totalLines: count + 1,
  });
});

test("a large file in UTF-16 is read in ranges, too, and one that turns binary is refused", async () => {
  const line = "汉字😀\n";
  const text = line.repeat(300_000);
  const folders = makeFolders({ "large.txt": utf16(text, true) });
  const { workspace } = await openFolder(folders);
  const lines = { startLine: 299_999, endLine: 300_000 };
  const file = valueOf(await workspace.read("large.txt", { ...options, lines }));
  expect(file).toMatchObject({ text: line + line, totalLines: 300_000, encoding: "utf-16be" });
  writeFileSync(
    folders.at("binary"),
    Buffer.concat([Buffer.alloc(maxWholeFile + 1, "a"), Buffer.alloc(9)]),
  );
  expect(codeOf(await workspace.read("binary", { ...options, lines }))).toBe("binary");
});

test("a file of many gigabytes is looked at as far as the bound", async () => {
  const folders = makeFolders({ "huge.txt": "a\nb\n" });
  truncateSync(folders.at("huge.txt"), 2 ** 31);
  const { workspace } = await openFolder(folders);
  const lines = { startLine: 1, endLine: 2 };
  // What is missing of it reads as NUL.
  expect(codeOf(await workspace.read("huge.txt", { ...options, lines }))).toBe("binary");
});

test("a line that is longer than what may be asked for is refused, and held by nobody", async () => {
  const folders = makeFolders({ "one-line.txt": "a".repeat(maxWholeFile + 512 * 1024) });
  const { workspace } = await openFolder(folders);
  const lines = { startLine: 1, endLine: 1 };
  expect(codeOf(await workspace.read("one-line.txt", { ...options, lines }))).toBe("too-large");
});

test("a file that somebody keeps writing to is never read half old and half new", async () => {
  const folders = makeFolders({ "a.txt": "a".repeat(100_000) });
  const { workspace } = await openFolder(folders);
  let letter = 0;
  const writing = setInterval(() => {
    letter = (letter + 1) % 26;
    writeFileSync(folders.at("a.txt"), String.fromCharCode(97 + letter).repeat(100_000));
  }, 0);
  try {
    for (let nth = 0; nth < 50; nth += 1) {
      const result = await workspace.read("a.txt", options);
      if (result.ok) expect(new Set(result.value.text).size).toBeLessThanOrEqual(1);
      else expect(result.problem.code).toBe("stale");
    }
  } finally {
    clearInterval(writing);
  }
});

test("ignored files are secret as others, by the rules of every folder above them", async () => {
  const folders = makeFolders({
    ".gitignore": "*.log\n/dist/\n",
    "src/.gitignore": "!keep.log\ngenerated/\n",
    "a.log": "x",
    "dist/a.js": "x",
    "src/keep.log": "x",
    "src/generated/a.ts": "x",
    "src/a.ts": "x",
  });
  const { workspace } = await openFolder(folders);
  for (const path of ["a.log", "dist/a.js", "src/generated/a.ts"]) {
    expect(codeOf(await workspace.read(path, options))).toBe("secret");
    const read = await workspace.read(path, { ...options, mayBeSecret: true });
    expect(valueOf(read).text).toBe("x");
  }
  for (const path of ["src/keep.log", "src/a.ts", ".gitignore"])
    expect(codeOf(await workspace.read(path, options))).toBeUndefined();
  const listing = await workspace.list(".", { ...options, maxEntries: 99, depth: 3 });
  const names = JSON.stringify(valueOf(listing)).matchAll(/"name":"([^"]+)"/g);
  expect([...names].map(([, name]) => name)).toEqual([
    ".gitignore",
    "src",
    ".gitignore",
    "a.ts",
    "keep.log",
  ]);
  expect(codeOf(await workspace.list("dist", { ...options, maxEntries: 9, depth: 0 }))).toBe(
    "secret",
  );
});

test("a folder of many files is listed in order, and the rest is counted", async () => {
  const folders = makeFolders();
  mkdirSync(folders.at("many"));
  for (let nth = 0; nth < 3_000; nth += 1)
    writeFileSync(folders.at(`many/${(nth * 7) % 3_000}.txt`), "");
  const { workspace } = await openFolder(folders);
  const listing = valueOf(await workspace.list("many", { ...options, maxEntries: 10, depth: 1 }));
  const sorted = Array.from({ length: 3_000 }, (_, nth) => `${nth}.txt`).sort();
  expect(listing.entries.map(({ name }) => name)).toEqual(sorted.slice(0, 10));
  expect(listing.more).toBe(2_990);
});
