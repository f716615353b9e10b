import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { printUnits } from "../../src/edit.ts";
import { temporaryFolder } from "../cli/call/temporary-folder.ts";

// Each test starts processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const source = "export function add(a: number, b: number) {\n  return a + b;\n}\n";

interface Run {
  code: number | null;
  out: string;
  err: string;
}

function start(directory: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [cli, "edit", ...args], {
    cwd: directory,
    env: { PATH: process.env["PATH"], HOME: directory, NO_COLOR: "1" },
  });
}

function run(directory: string, args: readonly string[], input = ""): Promise<Run> {
  const child = start(directory, args);
  // A command that refuses its arguments reads nothing.
  child.stdin?.on("error", () => undefined).end(input);
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

function unit(search: string, replace: string): string {
  return printUnits([{ search, replace }]);
}

test("edit applies a diff to the file, says how each unit was found, and leaves nothing else behind", async () => {
  const directory = temporaryFolder({ "add.ts": source });
  const diff = printUnits([
    { search: "return a + b;\n", replace: "return b + a;\n" },
    { search: source.slice(0, source.indexOf("\n") + 1), replace: "export function sum() {\n" },
  ]);
  expect(await run(directory, ["--file", "add.ts"], diff)).toEqual({
    code: 0,
    out: "",
    err: "Unit 1: indentation, line 2\nUnit 2: exact, line 1\nadd.ts was written.\n",
  });
  expect(readFileSync(join(directory, "add.ts"), "utf8")).toBe(
    "export function sum() {\n  return b + a;\n}\n",
  );
  expect(readdirSync(directory)).toEqual(["add.ts"]);
});

test("edit --dry-run prints the unified diff alone on standard output and writes nothing", async () => {
  const directory = temporaryFolder({ "add.ts": source });
  const diff = unit("  return a + b;\n", "  return b + a;\n");
  const { code, out, err } = await run(directory, ["--file", "add.ts", "--dry-run"], diff);
  expect(out).toBe(
    [
      "--- a/add.ts",
      "+++ b/add.ts",
      "@@ -1,3 +1,3 @@",
      " export function add(a: number, b: number) {",
      "-  return a + b;",
      "+  return b + a;",
      " }",
      "",
    ].join("\n"),
  );
  expect({ code, err }).toEqual({
    code: 0,
    err: "Unit 1: exact, line 2\nDry run: add.ts was not written.\n",
  });
  expect(readFileSync(join(directory, "add.ts"), "utf8")).toBe(source);
});

test("a refused edit leaves the file byte-identical, shows the nearest place, and exits with 1", async () => {
  const directory = temporaryFolder({ "add.ts": source });
  const before = statSync(join(directory, "add.ts"));
  const search = source.replace("return a + b", "return multiply(a, b, 1)");
  expect(await run(directory, ["--file", "add.ts"], unit(search, "gone\n"))).toEqual({
    code: 1,
    out: "",
    err: [
      "no-match: Unit 1: SEARCH was not found in the file. The nearest place is lines 1 to 3.",
      "  - only in SEARCH, + only in the file",
      "  1   export function add(a: number, b: number) {",
      "    -   return multiply(a, b, 1);",
      "  2 +   return a + b;",
      "  3   }",
      "add.ts was not changed.",
      "",
    ].join("\n"),
  });
  expect(readFileSync(join(directory, "add.ts"), "utf8")).toBe(source);
  expect(statSync(join(directory, "add.ts")).mtimeMs).toBe(before.mtimeMs);
});

test("an ambiguous edit shows every place that it fits, by its line", async () => {
  const directory = temporaryFolder({ "two.ts": `${source}${source.replace("add", "plus")}` });
  const { code, err } = await run(
    directory,
    ["--file", "two.ts"],
    unit("  return a + b;\n", "x\n"),
  );
  expect(code).toBe(1);
  expect(err).toMatch(/^ambiguous: .*\n {2}line 2: return a \+ b;\n {2}line 5: return a \+ b;\n/);
});

test("line ends and a byte-order mark stay as they are", async () => {
  const text = `\uFEFF${source.replaceAll("\n", "\r\n")}`;
  const directory = temporaryFolder({ "add.ts": text });
  const diff = unit("  return a + b;\n", "  // the sum\n  return a + b;\n");
  expect(await run(directory, ["--file", "add.ts"], diff)).toMatchObject({ code: 0 });
  expect(readFileSync(join(directory, "add.ts"), "utf8")).toBe(
    text.replace("  return", "  // the sum\r\n  return"),
  );
});

test("a file that is missing is created, with its folders, by an empty SEARCH, and by nothing else", async () => {
  const directory = temporaryFolder();
  const path = join(directory, "src/new.ts");
  const refused = await run(directory, ["--file", "src/new.ts"], unit("old\n", "new\n"));
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^missing-file: /) });
  expect(existsSync(join(directory, "src"))).toBe(false);
  expect(await run(directory, ["--file", "src/new.ts"], unit("", source))).toEqual({
    code: 0,
    out: "",
    err: "Unit 1: new-file, creates the file\nsrc/new.ts was created.\n",
  });
  expect(readFileSync(path, "utf8")).toBe(source);
});

test("an edit that replaces the whole file says so", async () => {
  const directory = temporaryFolder({ "add.ts": source, "empty.ts": "" });
  const whole = await run(directory, ["--file", "add.ts"], unit("", "1;\n"));
  expect(whole.err).toContain("Unit 1: whole-file, replaces the whole file (lines 1 to 3)\n");
  const empty = await run(directory, ["--file", "empty.ts"], unit("", "1;\n"));
  expect(empty.err).toBe("Unit 1: new-file, fills the empty file\nempty.ts was written.\n");
});

test("a link stays a link, and the file behind it keeps its mode", async () => {
  const directory = temporaryFolder({ "real/add.ts": source });
  chmodSync(join(directory, "real/add.ts"), 0o750);
  symlinkSync("real/add.ts", join(directory, "link.ts"));
  const diff = unit("  return a + b;\n", "  return b + a;\n");
  expect(await run(directory, ["--file", "link.ts"], diff)).toMatchObject({ code: 0 });
  expect(lstatSync(join(directory, "link.ts")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(directory, "real/add.ts"), "utf8")).toContain("b + a");
  expect(statSync(join(directory, "real/add.ts")).mode & 0o777).toBe(0o750);
  expect(readdirSync(join(directory, "real"))).toEqual(["add.ts"]);
});

test("a file that is no text, no file, or read-only is refused untouched", async () => {
  const latin = new Uint8Array([0x61, 0xe9, 0x0a]);
  const directory = temporaryFolder({
    "latin.txt": latin,
    "nul.bin": "a\0b\n",
    "read-only.txt": "a\n",
  });
  mkdirSync(join(directory, "folder"));
  chmodSync(join(directory, "read-only.txt"), 0o444);
  symlinkSync("nowhere", join(directory, "dangling"));
  const cases: [string, string][] = [
    ["latin.txt", "latin.txt is a binary file or not in UTF-8. It was not changed.\n"],
    ["nul.bin", "nul.bin is a binary file or not in UTF-8. It was not changed.\n"],
    ["folder", "folder is a folder. Give the path of a file.\n"],
    ["dangling", "dangling is a link that leads nowhere."],
    ["read-only.txt", "read-only.txt is read-only."],
  ];
  for (const [file, message] of cases) {
    const { code, out, err } = await run(directory, ["--file", file], unit("a\n", "b\n"));
    expect(err).toContain(message);
    expect({ code, out }).toEqual({ code: 1, out: "" });
  }
  expect([...readFileSync(join(directory, "latin.txt"))]).toEqual([...latin]);
  expect(readFileSync(join(directory, "nul.bin"), "utf8")).toBe("a\0b\n");
  expect(readFileSync(join(directory, "read-only.txt"), "utf8")).toBe("a\n");
});

test("of a model's answer the edits of the file are applied, and the others are named", async () => {
  const directory = temporaryFolder({ "src/add.ts": source });
  const answer = [
    "I change two files.",
    `<file-edit filePath="./src/add.ts">\n${unit("  return a + b;\n", "  return b + a;\n")}</file-edit>`,
    `<file-edit filePath="src/other.ts">\n${unit("x\n", "y\n")}</file-edit>`,
    "That is all.",
  ].join("\n");
  expect(await run(directory, ["--file", "src/add.ts"], answer)).toEqual({
    code: 0,
    out: "",
    err: "Unit 1: exact, line 2\nLeft out: the edit of src/other.ts.\nsrc/add.ts was written.\n",
  });
  const { code, err } = await run(directory, ["--file", "add.ts"], answer);
  expect({ code, err }).toEqual({
    code: 1,
    err: "The answer edits ./src/add.ts, src/other.ts, and not add.ts. Paths count from the working directory.\n",
  });
});

test("edit --json prints the result and nothing else, also of a refused edit", async () => {
  const directory = temporaryFolder({ "a.txt": "a\n" });
  const applied = await run(directory, ["--file", "a.txt", "--json"], unit("a\n", "b\n"));
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(applied.out)).toEqual({
    ok: true,
    text: "b\n",
    units: [{ level: "exact", startLine: 1, endLine: 1 }],
  });
  const refused = await run(directory, ["--file", "a.txt", "--json"], unit("zz\n", "b\n"));
  expect(refused).toMatchObject({ code: 1, err: "" });
  expect(JSON.parse(refused.out)).toMatchObject({
    ok: false,
    error: { code: "no-match", unit: 1 },
  });
});

test("what was typed wrong is said in one line, with exit code 1", async () => {
  const directory = temporaryFolder({ "a.txt": "a\n" });
  const cases: [string[], string][] = [
    [[], "edit needs --file FILE, the file to edit, or --jsonl."],
    [["--file", "a.txt"], "edit needs a diff on standard input"],
    [["--jsonl", "--file", "a.txt"], "--file does not go with --jsonl"],
    [["--jsonl", "--dry-run"], "--dry-run does not go with --jsonl"],
    [["--fiel", "a.txt"], "Unknown option --fiel. Did you mean --file?"],
    [["a.txt"], "Too many arguments for 'edit'. Expected 0 arguments but got 1: a.txt."],
    [["--file"], "--file needs a value"],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = await run(directory, args);
    expect(err).toContain(message);
    expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 1, out: "", lines: 2 });
  }
});

test("edit --jsonl answers each line before the next one is sent, and ends with 0", async () => {
  const child = start(temporaryFolder(), ["--jsonl"]);
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const ask = async (line: string): Promise<unknown> => {
    printed = "";
    child.stdin?.write(`${line}\n`);
    await vi.waitFor(() => expect(printed.endsWith("\n")).toBe(true), 30_000);
    return JSON.parse(printed);
  };
  const diff = unit("a\n", "b\n");
  expect(await ask(JSON.stringify({ id: 1, before: "a\n", diff }))).toEqual({
    id: 1,
    ok: true,
    after: "b\n",
    units: ["exact"],
  });
  expect(await ask("{")).toMatchObject({ ok: false });
  expect(await ask(JSON.stringify({ id: 2, before: "a\na\n", diff }))).toEqual({
    id: 2,
    ok: false,
    error: expect.stringMatching(/^ambiguous: Unit 1: /),
  });
  child.stdin?.end();
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
});
