// Starts each benchmark with tiny sizes, and says which ones work. What they print is looked at by nobody,
// but for one word: a benchmark that measures nothing also ends well.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { run } from "../run.ts";
import { createSource } from "./edit/source-text.ts";

/** Commits of made-up files, as `bench:forms` reads them. */
const folder = mkdtempSync(`${tmpdir()}/bench-`);
const pairs = `${folder}/pairs.jsonl`;
const commits = [1, 2].map((nth) => {
  const lines = createSource(60, nth);
  const at = lines.findIndex((line, number) => number > 20 && line.startsWith("  return"));
  const toText = (all: readonly string[]): string => `${all.join("\n")}\n`;
  const after = toText(lines.toSpliced(at, 0, "  countEdits();"));
  return { id: `bench/${nth}`, path: `${nth}.ts`, before: toText(lines), after };
});
writeFileSync(pairs, commits.map((pair) => `${JSON.stringify(pair)}\n`).join(""));

const benches: readonly (readonly [name: string, script: string, args: string[], word: string])[] =
  [
    ["bench", "run.ts", ["--quick", "--only", "burst"], "burst"],
    [
      "stall",
      "run.ts",
      ["--only", "stall", "--attack", "gzip bomb", "--random", "0", "--rounds", "1"],
      "gzip bomb",
    ],
    ["session", "run.ts", ["--quick", "--only", "session", "--judge"], "open sockets"],
    ["bench:edit", "edit.ts", ["--quick"], "20 units"],
    ["bench:forms", "forms.ts", [pairs, "--flows", "1"], "100.00"],
    ["corpus:edit", "edit-corpus.ts", [], "classes"],
  ];

let failures = 0;
for (const [name, script, args, word] of benches) {
  const start = performance.now();
  const { ok, text } = run("node", [`${import.meta.dirname}/${script}`, ...args]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const works = ok && text.includes(word);
  console.log(`${works ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
  if (!works) console.log(text);
  if (!works) failures += 1;
}
rmSync(folder, { recursive: true });
process.exitCode = failures === 0 ? 0 : 1;
