// True commits, each written in the forms in which models write edits: what comes of them, against the true text.
//   npm run bench:forms -- PAIRS [--only FORM] [--limit N] [--flows N]
//   npm run bench:forms -- --take PAIRS [--each N] GITDIR...
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { parseArgs } from "node:util";
import { createAgent } from "../../eval/create-agent.ts";
import { readAnswer } from "../../eval/read-answer.ts";
import { applyCodeEdit, applyTextChanges, applyUnits, parseAnswer } from "../../src/edit.ts";
import { parseConfig } from "../../src/setup/config.ts";
import { createConfiguredThreads } from "../../src/setup/threads/create-code-threads.node.ts";
import { loadAgents } from "../../src/setup/load-agents.node.ts";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { scriptedModel } from "../../src/testing.ts";
import { computeEdit } from "../../src/tools/workspace/compute-edit.ts";
import { languageOf } from "../../src/turn/context/language.ts";
import { countChanged, forms, type Pair, type Written } from "./edit/forms.ts";
import { fromCaller, print, printTable, progress, runBench } from "./figures.ts";

const { values: given, positionals } = parseArgs({
  options: {
    take: { type: "string" },
    each: { type: "string", default: "200" },
    only: { type: "string", default: "" },
    limit: { type: "string", default: "Infinity" },
    flows: { type: "string", default: "1" },
  },
  allowPositionals: true,
});

const git = (folder: string, ...args: string[]): string =>
  spawnSync("git", ["--git-dir", folder, ...args], { encoding: "utf8", maxBuffer: 2 ** 30 }).stdout;

const known =
  /\.(?:[cm]?[jt]sx?|py|go|java|rs|c|h|cpp|hpp|cs|php|rb|kts?|swift|vue|svelte|ya?ml|sql|s?css|sh|bash|md|json|toml|tf|hcl|gradle|lua)$|Dockerfile[^/]*$/;
const madeByTools =
  /(?:^|\/)(?:node_modules|vendor|dist|build|testdata|__snapshots__)\/|\.min\.|lock|CHANGELOG/i;

/** Small edits out of a history, at most six of one file; which ones, a hash decides. */
function takePairs(folder: string, most: number): Pair[] {
  const name = basename(dirname(folder));
  const log = git(
    folder,
    "log",
    "--no-merges",
    "--no-renames",
    "--diff-filter=M",
    "--raw",
    "--no-abbrev",
    "--format=",
    "-n",
    "4000",
    "HEAD",
  );
  const rows = [...new Set(log.split("\n"))].flatMap((line) => {
    const [, from = "", to = "", path = ""] = /^:\S+ \S+ (\w+) (\w+) M\t(.+)$/.exec(line) ?? [];
    const order = createHash("sha1").update(line).digest("hex");
    return known.test(path) && !madeByTools.test(path) ? [{ from, to, path, order }] : [];
  });
  const pairs: Pair[] = [];
  const taken = new Map<string, number>();
  for (const { from, to, path } of rows.toSorted((a, b) => (a.order < b.order ? -1 : 1))) {
    const [before = "", after = ""] = [from, to].map((id) => git(folder, "cat-file", "blob", id));
    const pair = { id: `${name}/${to.slice(0, 8)}/${path}`, path, before, after };
    const count = taken.get(path) ?? 0;
    if (pairs.length >= most) break;
    if (count >= 6 || !isUsual(pair)) continue;
    taken.set(path, count + 1);
    pairs.push(pair);
  }
  progress(`${name}: ${pairs.length}`);
  return pairs;
}

function isUsual(pair: Pair): boolean {
  const { before, after } = pair;
  const isText = [before, after].every((text) => text.endsWith("\n") && !/\0|\r/.test(text));
  const isLong = before.length <= 60_000 && before.split("\n").length > 12;
  const bare = (text: string): string => text.replaceAll(/\s/g, "");
  if (!isText || !isLong || bare(before) === bare(after)) return false;
  const { hunks, lines } = countChanged(pair);
  return hunks <= 4 && lines <= 60;
}

/** The text that comes of an edit; undefined where it is refused. */
type Reader = (pair: Pair, written: Written) => Promise<string | undefined>;

const ofTool: Reader = async ({ path, before }, { edit = "" }) => {
  const { signal } = new AbortController();
  const { result } = await computeEdit(path, before, edit, undefined, signal);
  return result.ok ? result.text : undefined;
};

/** What is in the fences of an answer; ours begin and end with the same run. */
function blocksOf(answer: string): string[] {
  const blocks: string[][] = [];
  let rule: string | undefined;
  for (const line of answer.split("\n")) {
    if (rule === undefined && line.startsWith("```")) {
      rule = /^`+/.exec(line)?.[0];
      blocks.push([]);
    } else if (line === rule) rule = undefined;
    else if (rule !== undefined) blocks.at(-1)?.push(line);
  }
  return blocks.map((lines) => lines.join("\n"));
}

/** The first edit that the library finds in an answer; or the answer's code, block by block. */
const ofLibrary: Reader = async ({ before }, { answer = "" }) => {
  const { files } = parseAnswer(answer);
  const blocks = blocksOf(answer);
  let text = before;
  for (const { units, codeEdit, error } of files) {
    const edited = codeEdit ? applyCodeEdit(text, codeEdit.code) : applyUnits(text, units);
    if (error !== undefined || !edited.ok) return undefined;
    ({ text } = edited);
  }
  for (const code of files.length > 0 ? [] : blocks) {
    const edited = applyCodeEdit(text, code);
    if (!edited.ok) return undefined;
    ({ text } = edited);
  }
  return text === before ? undefined : text;
};

function createFlow(): { read: Reader; close: () => void } {
  const [code, config] = [createConfiguredThreads(parseConfig({})), parseConfig({})];
  const parts = { config, agents: loadAgents(undefined), promptFiles: loadPromptFiles(), code };
  const read: Reader = async ({ path: filePath, before: content }, { answer = "" }) => {
    const model = scriptedModel([answer.match(/[^]{1,400}/g) ?? []]);
    const chosen = { name: model.name, model, modelId: undefined };
    const activeEditor = { filePath, language: languageOf(filePath), content, selectedRanges: [] };
    const { signal } = new AbortController();
    const { response } = await createAgent({ ...parts, chosen }).ask(
      "fix",
      { activeEditor },
      signal,
    );
    const { edits } = await readAnswer(response, signal);
    // A model that is asked a second time does not say the same.
    if (model.requests.length > 1) return undefined;
    const [text] = edits.flatMap(({ result }) =>
      result.status === "applied" ? [applyTextChanges(content, result.changes)] : [],
    );
    return text;
  };
  return { read, close: () => code.close() };
}

interface Count {
  all: number;
  wrong: number;
  refused: number;
}

/** Empty lines, spaces at the ends of lines and a byte order mark aside: no answer shows these. */
const textOf = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");

/** The upper end of the 95 % interval of a share (Wilson), in percent. */
function boundOf(count: number, all: number): string {
  const [share, z] = [count / all, 1.96];
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z / (2 * all)) ** 2);
  return (((share + z ** 2 / (2 * all) + spread) / (1 + z ** 2 / all)) * 100).toFixed(1);
}

function printCount({ all, wrong, refused }: Count): string[] {
  if (all === 0) return ["", "", "", "", ""];
  const percent = (count: number): string => ((100 * count) / all).toFixed(2);
  const right = all - wrong - refused;
  return [`${all}`, percent(wrong), boundOf(wrong, all), percent(refused), percent(right)];
}

await runBench(async () => {
  if (given.take !== undefined) {
    const pairs = positionals.flatMap((folder) =>
      takePairs(fromCaller(folder), Number(given.each)),
    );
    writeFileSync(
      fromCaller(given.take),
      pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""),
    );
    return;
  }
  const text = readFileSync(fromCaller(positionals[0] ?? ""), "utf8").trim();
  const lines = text.split("\n").slice(0, Number(given.limit));
  const pairs = lines.map((line) => JSON.parse(line) as Pair);
  const flow = createFlow();
  /** Of every n-th pair, since a flow takes its time. */
  const nthFlow = Number(given.flows);
  const readers = { library: ofLibrary, edit_file: ofTool, fix: flow.read };
  const rows: string[][] = [];
  for (const [form, write] of Object.entries(forms)) {
    if (!form.includes(given.only)) continue;
    for (const [by, read] of Object.entries(readers)) {
      const count: Count = { all: 0, wrong: 0, refused: 0 };
      for (const [nth, pair] of pairs.entries()) {
        const written = by === "fix" && nth % nthFlow !== 0 ? undefined : write(pair);
        if ((by === "edit_file" ? written?.edit : written?.answer) === undefined) continue;
        const result = written && (await read(pair, written));
        count.all += 1;
        if (result === undefined) count.refused += 1;
        else if (textOf(result) !== textOf(pair.after)) count.wrong += 1;
      }
      rows.push([form, by, ...printCount(count)]);
    }
  }
  flow.close();
  print(
    printTable([["form", "by", "edits", "wrong %", "at most", "refused %", "right %"], ...rows]),
  );
  const [taken, all] = countTaken(pairs);
  print(`\nCode of one file that was given for another of its project: ${taken} of ${all} taken.`);
});

/** Files of which at least half of the lines are the same are copies of one another. */
function areCopies(one: Pair, other: Pair): boolean {
  const [own, theirs] = [one, other].map(
    ({ before }) => new Set(before.split("\n").filter((line) => line.trim().length > 3)),
  );
  if (own === undefined || theirs === undefined) return false;
  return [...own].filter((line) => theirs.has(line)).length * 2 >= Math.min(own.size, theirs.size);
}

/** Code without a path, with another file of the same project and language in place of its own. */
function countTaken(pairs: readonly Pair[]): [number, number] {
  const groups = Map.groupBy(pairs, ({ id, path }) => `${id.split("/")[0]} ${extname(path)}`);
  let [taken, all] = [0, 0];
  for (const group of groups.values()) {
    for (const [nth, pair] of group.entries()) {
      const other = group.slice(nth + 1).find(({ path }) => path !== pair.path);
      for (const form of ["function", "marks, 3 lines", "whole file"]) {
        const written = forms[form]?.(pair);
        if (other === undefined || written?.edit === undefined || areCopies(pair, other)) continue;
        all += 1;
        if (applyCodeEdit(other.before, written.edit, { isUnnamed: true }).ok) taken += 1;
      }
    }
  }
  return [taken, all];
}
