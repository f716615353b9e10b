// Writing the tests of an answer to a file of their own.
import { cliTexts } from "../../../../src/cli/texts.ts";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { findTestFile, writeTestFile } from "../../../../src/cli/call/choose/apply-change.ts";
import { createTerminal } from "../../../../src/cli/call/terminal.ts";
import { appliedEdit, newFile } from "../proposed-edits.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const tests = 'test("a", () => {});\n';

test("the new file of an answer is the file and its text", async () => {
  const directory = temporaryFolder();
  expect(await findTestFile([newFile("src/a.test.ts", tests)], directory)).toEqual({
    name: "src/a.test.ts",
    path: join(directory, "src/a.test.ts"),
    text: tests,
  });
});

test("no new file, more than one, one without a text, and a change of a file offer nothing", async () => {
  const directory = temporaryFolder();
  const file = newFile("a.test.ts", tests);
  const change = appliedEdit("b.ts", "a\n", [{ search: "a\n", replace: "b\n" }]);
  expect(await findTestFile([], directory)).toBeUndefined();
  expect(await findTestFile([file, newFile("b.test.ts", tests)], directory)).toBeUndefined();
  expect(await findTestFile([{ ...file, units: [], isCut: true }], directory)).toBeUndefined();
  expect(await findTestFile([change], directory)).toBeUndefined();
});

test("nothing is offered outside of the folder, nor where something is", async () => {
  const directory = temporaryFolder({ "taken.test.ts": "mine" });
  symlinkSync(tmpdir(), join(directory, "out"));
  symlinkSync("nowhere", join(directory, "dangling.test.ts"));
  const refused = [
    "../a.test.ts",
    "/tmp/a.test.ts",
    "out/a.test.ts",
    "taken.test.ts",
    ".",
    "dangling.test.ts",
    `${"a".repeat(300)}.test.ts`,
    "a\0.test.ts",
    "npm test",
    " ",
    "x/",
  ];
  for (const name of refused)
    expect(await findTestFile([newFile(name, tests)], directory)).toBeUndefined();
  expect((await findTestFile([newFile("..a/b.test.ts", tests)], directory))?.name).toBe(
    "..a/b.test.ts",
  );
});

test.each([
  ["en", "src/a.test.ts was created.\n"],
  ["zh", "src/a.test.ts 已创建。\n"],
] as const)("the file is written with its folders, and that is said (%s)", async (locale, said) => {
  const { written, err, path } = await write("src/a.test.ts", locale);
  expect({ written, err }).toEqual({ written: true, err: said });
  expect(readFileSync(path, "utf8")).toBe('test("a", () => {});\n');
});

test("a file that has come up in the meantime is left alone", async () => {
  const { written, err, path } = await write("a.test.ts", "en", (at) => writeFileSync(at, "mine"));
  expect(written).toBe(false);
  expect(err).toContain("was changed by somebody else in the meantime");
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("a folder that cannot be made is told, and nothing is thrown", async () => {
  const { written, err, path } = await write("a/b.test.ts", "en", (at) => {
    writeFileSync(join(at, "../../a"), "a file");
  });
  expect(written).toBe(false);
  expect(err).toContain("ENOTDIR");
  expect(existsSync(path)).toBe(false);
});

async function write(
  name: string,
  locale: "en" | "zh",
  meanwhile: (path: string) => void = () => {},
) {
  const directory = temporaryFolder();
  const file = await findTestFile([newFile(name, tests)], directory);
  if (file === undefined) throw new Error("no file was found");
  meanwhile(file.path);
  const stderr = new PassThrough();
  const terminal = createTerminal(new PassThrough(), stderr);
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const written = await writeTestFile(file, terminal, cliTexts(locale));
  return { written, err: String(stderr.read() ?? ""), path: file.path };
}
