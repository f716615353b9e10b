// Measures a search of a workspace in a running process against ripgrep's own time on the same files; it reports
// and does not judge. --quick only shows that it works.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findRipgrep } from "../../src/workspace/directory/search/ripgrep.node.ts";
import { createFolderSearch } from "../../src/workspace/directory/search/search-folder.node.ts";
import { compilePattern } from "../../src/workspace/search/compile-pattern.node.ts";
import { createIgnoreRules } from "../../src/workspace/directory/folder-rules.node.ts";
import { describeMachine, inTurn, median, print, printRange } from "./figures.ts";

const { values: given } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const [rounds, searchesInRound, files] = given.quick ? [1, 1, 200] : [5, 7, 10_000];
/** The most that a search may take, as a multiple of ripgrep's own time. */
const goal = 1.5;

const searches = [
  { name: "rare text", query: "handler_of_file_4242" },
  { name: "no hit", query: "nothing has this" },
  { name: "common text", query: "return" },
  { name: "any letter case", query: "HANDLER_OF_FILE_42", isCaseSensitive: false },
  { name: "expression", query: String.raw`function\s+handler_of_file_4\d+\(` },
  { name: "one kind of file", query: "handler_of_file", include: ["*.py"] },
  { name: "(a+)+$", query: "(a+)+$" },
];

const ripgrep = await findRipgrep();
if (ripgrep === undefined) throw new Error("ripgrep is not installed: npm ci brings it along.");
const folder = mkdtempSync(join(tmpdir(), "rightseat-bench-"));
try {
  fill(folder);
  print(
    `${describeMachine()}; ${files} files, ${rounds} rounds in turn, ` +
      `milliseconds as median (range) of the rounds' medians. Goal: ${goal} times ripgrep.`,
  );
  for (const search of searches) await measure(search, ripgrep);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(
  { name, query, isCaseSensitive = true, include = [] }: (typeof searches)[number],
  program: string,
): Promise<void> {
  const now = (): number => performance.now();
  const parts = { compile: compilePattern, now, maxTime: 600_000 };
  const asked = { query, isCaseSensitive, include, exclude: [], maxHits: 50 };
  const options = { signal: AbortSignal.timeout(3_600_000) };
  const ours = createFolderSearch({ ...parts, ripgrep: program });
  const walker = createFolderSearch({ ...parts, ripgrep: undefined });
  const searched = { realRoot: folder, outer: createIgnoreRules(), isClosed: () => false };
  const medianOf = async (work: () => Promise<unknown>, count = searchesInRound) => {
    const [times = []] = await inTurn([() => timeOf(work)], { warmUp: 0, rounds: count });
    return median(times);
  };
  const [alone = [], search = [], walked = []] = await inTurn(
    [
      () => medianOf(() => runAlone(program, query, isCaseSensitive, include)),
      () => medianOf(() => ours(searched, asked, options)),
      () => medianOf(() => walker(searched, asked, options), 1),
    ],
    { warmUp: 1, rounds },
  );
  const ratio = (median(search) / median(alone)).toFixed(2);
  print(
    `${name}: ripgrep ${printRange(alone)}, search ${printRange(search)}, ${ratio} times; walker ${printRange(walked)}`,
  );
}

/** What ripgrep takes by itself: what it prints is thrown away. */
function runAlone(
  program: string,
  query: string,
  isCaseSensitive: boolean,
  include: readonly string[],
): Promise<void> {
  const globs = include.flatMap((glob) => ["-g", glob]);
  const letters = isCaseSensitive ? "--case-sensitive" : "--ignore-case";
  const args = ["--no-config", "--hidden", "--json", letters, ...globs, "-e", query, "./"];
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  return new Promise((resolve) => child.once("close", () => resolve()));
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Source files of usual sizes, in a hundred folders. */
function fill(root: string): void {
  execFileSync("git", ["init", "--quiet", root]);
  writeFileSync(join(root, ".gitignore"), "node_modules/\n*.log\n");
  for (let nth = 0; nth < files; nth += 1) {
    const path = join(root, `packages/part-${nth % 100}/src`);
    mkdirSync(path, { recursive: true });
    const ending = ["ts", "py", "go", "md", "json"][nth % 5] ?? "ts";
    const head = `function handler_of_file_${nth}(value) {\n  return value + ${nth};\n}\n`;
    const body = `  const line = compute(value, ${nth}); // some words about it\n`.repeat(
      20 + (nth % 200),
    );
    writeFileSync(join(path, `file-${nth}.${ending}`), head + body);
  }
}
