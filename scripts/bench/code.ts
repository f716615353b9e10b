// Measures what it costs to read a usual file in a thread instead of where it is asked for; it reports and
// does not judge. With the folder of another checkout, its parser is measured in the same rounds;
// --quick only shows that it works.
import { globSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createCodeThreads } from "../../src/setup/threads/create-code-threads.node.ts";
import { loadGrammars } from "../../src/setup/load-grammars.node.ts";
import type { CodeParser } from "../../src/code/code-analysis.ts";
import type { CodeThreads } from "../../src/code/threads/create-code-pool.ts";
import { createCodeParser } from "../../src/setup/create-code-parser.ts";
import type { GrammarSource } from "../../src/code/tree/grammar-source.ts";
import { root } from "../run.ts";
import { describeMachine, fromCaller, inTurn, median, print } from "./figures.ts";

const { values: given, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [rounds, readsInRound, fileLength] = given.quick ? [1, 2, 2_000] : [7, 25, 30_000];

interface Contender {
  name: string;
  parser: CodeParser;
}

interface Sample {
  /** Milliseconds until the analysis was there and was looked into. */
  time: number;
  /** Milliseconds of this thread's own work; what it waits for costs it nothing. */
  loop: number;
}

/** The module of another checkout; what it exports is what ours did at some time. */
interface OtherModules {
  createCodeParser: (source: GrammarSource) => CodeParser;
  loadGrammars: () => GrammarSource;
}

const files = [
  { language: "typescript", pattern: "src/**/*.ts" },
  { language: "python", pattern: "{eval-cases,test/fixtures}/**/*.py" },
  { language: "go", pattern: "{eval-cases,test/fixtures}/**/*.go" },
].map(({ language, pattern }) => ({ language, text: readSome(pattern) }));

const other = positionals[0] === undefined ? undefined : fromCaller(positionals[0]);
const threads = createCodeThreads({ size: 2, maxTime: 60_000, maxWait: 60_000 });
const contenders: Contender[] = [
  ...(other === undefined ? [] : [{ name: `inline, ${other}`, parser: await loadOther(other) }]),
  { name: "inline", parser: createCodeParser(loadGrammars()) },
  { name: "thread", parser: threads },
];

print(`${describeMachine()}; ${rounds} rounds in turn.\n`);
print("Memory of threads that have read all of the files, in MB:");
const pools: CodeThreads[] = [];
for (const size of [1, 2]) {
  const before = process.memoryUsage().rss;
  const pool = createCodeThreads({ size, maxTime: 60_000, maxWait: 60_000 });
  pools.push(pool);
  for (const { text, language } of files)
    await Promise.all(
      Array.from({ length: size }, (_, nth) => pool.analyze(`${text}\n${nth}`, language)),
    );
  print(`  ${size}: ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)}`);
}
for (const pool of pools) pool.close();
print("\np50 in ms of a new text, and what of it holds the event loop:");
for (const { language, text } of files) {
  let nth = 0;
  const samples = await inTurn(
    contenders.map(
      ({ parser }) =>
        () =>
          readOnce(parser, `${text}\n${(nth += 1)}`, language),
    ),
    { warmUp: readsInRound, rounds: rounds * readsInRound },
  );
  print(`  ${language}, ${text.length} characters`);
  for (const [at, { name }] of contenders.entries()) {
    const all = samples[at] ?? [];
    const time = median(all.map((sample) => sample.time)).toFixed(2);
    const loop = median(all.map((sample) => sample.loop)).toFixed(2);
    print(`    ${name.padEnd(24)} ${time.padStart(7)} ${loop.padStart(7)}`);
  }
}
threads.close();

async function readOnce(parser: CodeParser, text: string, language: string): Promise<Sample> {
  const start = performance.now();
  const cpu = process.threadCpuUsage();
  const analysis = await parser.analyze(text, language);
  if (analysis.language === undefined) throw new Error(`The ${language} file was read plainly.`);
  const range = { startLine: 1, startColumn: 1, endLine: 200, endColumn: 1 };
  const found = [analysis.symbols, analysis.identifiersIn(range), analysis.branchesIn(range)];
  if (found.some(({ length }) => length === 0)) throw new Error("Nothing was found.");
  const { user, system } = process.threadCpuUsage(cpu);
  return { time: performance.now() - start, loop: (user + system) / 1000 };
}

async function loadOther(folder: string): Promise<CodeParser> {
  const load = (path: string): Promise<Partial<OtherModules>> =>
    import(pathToFileURL(`${folder}/${path}`).href) as Promise<Partial<OtherModules>>;
  const parser = await load("src/setup/create-code-parser.ts");
  const grammars = await load("src/setup/load-grammars.node.ts");
  if (parser.createCodeParser === undefined || grammars.loadGrammars === undefined)
    throw new Error(`${folder} is no checkout of this project.`);
  return parser.createCodeParser(grammars.loadGrammars());
}

/** As many files one behind the other as it takes. */
function readSome(pattern: string): string {
  const texts = globSync(pattern, { cwd: root }).map((path) => readFileSync(root + path, "utf8"));
  const joined = texts.toSorted().join("\n");
  return joined.repeat(Math.ceil(fileLength / joined.length)).slice(0, fileLength);
}
