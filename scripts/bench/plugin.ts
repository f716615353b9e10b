// Measures what the door of IDE plugins costs: memory of idle sockets, and CPU of a streamed chunk against
// that of the copilot door, both over the same fake model and by the same process. It reports, and judges only
// with --judge; --quick only shows that it works.
import { parseArgs } from "node:util";
import { printTable } from "../../eval/print-table.ts";
import { createLauncher } from "./launcher.ts";
import { median } from "./outcome.ts";
import { measureChunks } from "./plugin/measure-chunks.ts";
import { measureSockets } from "./plugin/measure-sockets.ts";

const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    judge: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
  },
});

interface Row {
  name: string;
  values: readonly number[];
  print: (value: number) => string;
  bound?: number;
}

async function main(): Promise<void> {
  const rounds = given.quick ? 1 : Math.max(1, Number(given.rounds) || 1);
  const launcher = createLauncher();
  const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);
  const where = launcher.isPinned ? "on pinned cores" : "NOT pinned to cores, so expect noise";
  print(`The plugin door on node ${process.version}, ${where}; ${rounds} rounds.\n`);
  const sockets = await measureSockets(launcher, {
    rounds,
    sockets: given.quick ? 50 : 1_000,
    progress,
  });
  const chunks = await measureChunks(launcher, {
    rounds,
    streams: given.quick ? 5 : 50,
    chunks: given.quick ? 20 : 200,
    progress,
  });
  const rows: Row[] = [
    { name: "memory of an idle socket", values: sockets, print: printKilobytes, bound: 40_000 },
    { name: "CPU of a chunk, copilot door", values: chunks.copilot, print: printMicroseconds },
    { name: "CPU of a chunk, plugin door", values: chunks.plugin, print: printMicroseconds },
    {
      name: "plugin / copilot",
      values: chunks.plugin.map((value, nth) => value / (chunks.copilot[nth] ?? Number.NaN)),
      print: (value) => value.toFixed(2),
      bound: 1.3,
    },
  ];
  print(printRows(rows));
  const missed = rows.filter((row) => row.bound !== undefined && median(row.values) > row.bound);
  if (given.judge && missed.length > 0)
    throw new Error(`Over the bound: ${missed.map(({ name }) => name).join(", ")}.`);
}

function printRows(rows: readonly Row[]): string {
  const head = ["", "median", "least", "most", "bound", ""];
  const body = rows.map(({ name, values, print: show, bound }) => [
    name,
    show(median(values)),
    show(Math.min(...values)),
    show(Math.max(...values)),
    bound === undefined ? "" : show(bound),
    bound === undefined ? "" : median(values) <= bound ? "reached" : "NOT reached",
  ]);
  return printTable([head, ...body], (column) => column > 0 && column < 5);
}

function printKilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

function printMicroseconds(seconds: number): string {
  return `${(seconds * 1e6).toFixed(1)} us`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  await main();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
