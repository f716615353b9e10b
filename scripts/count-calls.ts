// Counts what one `explain` request costs of our own code: the calls of functions below src/, by V8's precise
// coverage, in a warm server whose model answers with five chunks. What else the machine does changes nothing.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { startServer } from "../src/node.ts";
import { configureLog } from "../src/setup/configure-log.node.ts";
import { parseConfig } from "../src/setup/config.ts";
import { createAnswer } from "./bench/fake-answer.ts";
import { createBody } from "./bench/bodies.ts";
import { root } from "./run.ts";

const usage = `Counts the calls of our own functions for one request of "explain", warm, with five chunks.

  npm run calls -- [options]

  --only NAME   ourPrompt, or plainTemplate (the request of the bench); both where absent
  --most N      so many files at most (all)
  --json        prints the two sums only, as JSON
  --check       exits with 1 above the numbers of src/budget.json`;

interface Call {
  /** Below src/. */
  file: string;
  name: string;
  count: number;
}

interface Sum {
  calls: number;
  files: number;
}

const chunks = 5;
/** By then everything is loaded, and what is kept between requests is there. */
const warmUps = 3;
/** Bytes may come in more pieces than usual, so the least counts that several requests take, of so many at most. */
const [enough, tries] = [3, 60];
/** Milliseconds after an answer until nothing more is done for it. */
const settling = 50;

const Budget = z.looseObject({
  calls: z.record(z.string(), z.tuple([z.int(), z.int()])),
});

const { values: given } = parseArgs({
  options: {
    only: { type: "string" },
    most: { type: "string" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (given.help) console.log(usage);
else await main();
process.exit();

async function main(): Promise<void> {
  const environment = {
    OPENAI_BASE_URL: await startModel(),
    OPENAI_API_KEY: "count",
    RIGHTSEAT_PORT: "0",
  };
  await configureLog(parseConfig(environment));
  const { url } = await startServer({ environment });
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const bodies = {
    ourPrompt: createBody("small", { hasTemplates: false }),
    plainTemplate: createBody("small"),
  };
  const sums: Record<string, Sum> = {};
  for (const [name, body] of Object.entries(bodies)) {
    if (name !== (given.only ?? name)) continue;
    const calls = await countCalls(session, url, body);
    sums[name] = sumOf(calls);
    if (!given.json) console.log(print(name, calls));
  }
  if (given.json) console.log(JSON.stringify(sums));
  if (given.check) check(sums);
}

/** A fake model in this process: it is not below src/, so nothing of it is counted. @returns its address */
async function startModel(): Promise<string> {
  const model = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "text/event-stream");
      response.setHeader("transfer-encoding", "chunked");
      response.flushHeaders();
      // The answer is framed already.
      response.chunkedEncoding = false;
      response.end(createAnswer(chunks));
    });
  });
  await once(model.listen(0, "127.0.0.1"), "listening");
  const address = model.address();
  return `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
}

async function countCalls(session: Session, url: string, body: string): Promise<readonly Call[]> {
  for (let nth = 0; nth < warmUps; nth += 1) await ask(url, body);
  let least: Call[] = [];
  for (let [nth, seen] = [0, 0]; nth < tries && seen < enough; nth += 1) {
    await takeCalls(session);
    await ask(url, body);
    const calls = await takeCalls(session);
    const difference = nth === 0 ? -1 : sumOf(calls).calls - sumOf(least).calls;
    if (difference <= 0) seen = difference === 0 ? seen + 1 : 1;
    if (difference < 0) least = calls;
  }
  return least;
}

/** The calls since the last time. */
async function takeCalls(session: Session): Promise<Call[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const source = pathToFileURL(`${root}src/`).href;
  return result
    .filter(({ url }) => url.startsWith(source))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName, ranges: [range] }) => ({
        file: url.slice(source.length),
        name: functionName === "" ? "(no name)" : functionName,
        count: range?.count ?? 0,
      })),
    )
    .filter(({ count }) => count > 0);
}

async function ask(url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  const isWhole = text.match(/@\d{6}:/g)?.length === chunks && text.endsWith("data: [DONE]\n\n");
  const actions = text.split("event: copilot_action").length - 1;
  if (!isWhole || actions < 2) throw new Error(`The answer is not whole: ${text}`);
  await wait(settling);
}

function sumOf(calls: readonly Call[]): Sum {
  return {
    calls: calls.reduce((sum, { count }) => sum + count, 0),
    files: new Set(calls.map(({ file }) => file)).size,
  };
}

/** A line for each file, those with the most calls first; its functions likewise. */
function print(name: string, all: readonly Call[]): string {
  const total = sumOf(all);
  const files = [...Map.groupBy(all, ({ file }) => file)]
    .map(([file, calls]) => ({ file, calls, sum: sumOf(calls).calls }))
    .toSorted((a, b) => b.sum - a.sum)
    .slice(0, given.most === undefined ? undefined : Number(given.most));
  const lines = files.map(({ file, calls, sum }) => {
    const functions = calls
      .toSorted((a, b) => b.count - a.count)
      .map((call) => `${call.name} ${call.count}`);
    return `${String(sum).padStart(6)}  ${file}: ${functions.join(", ")}`;
  });
  return [`${name}: ${total.calls} calls in ${total.files} files`, ...lines].join("\n");
}

function check(sums: Readonly<Record<string, Sum>>): void {
  const { calls: budget } = Budget.parse(
    JSON.parse(readFileSync(`${root}src/budget.json`, "utf8")),
  );
  for (const [name, { calls, files }] of Object.entries(sums)) {
    const [maxCalls, maxFiles] = budget[name] ?? [0, 0];
    if (calls <= maxCalls && files <= maxFiles) continue;
    const allowed = `${maxCalls} in ${maxFiles}`;
    console.error(`${name}: ${calls} calls in ${files} files, more than ${allowed}`);
    process.exitCode = 1;
  }
}
