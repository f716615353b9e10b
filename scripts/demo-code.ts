// Shows the coding agent at work: `rightseat code` on a copy of a small project, in front of a server of this process
// that plays a recorded model. The check runs for real, and `rightseat undo` takes the changes back.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadTasks } from "../eval/code/coding-task.ts";
import { formatUnifiedDiff } from "../src/edit/unified-diff.ts";

type Task = ReturnType<typeof loadTasks>[number];

const taskId = "ts-missing-validation";
const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
/** What a quick model takes for an answer, in milliseconds. */
const thinkingTime = 150;

export async function showCodingAgent(): Promise<void> {
  const task = loadTasks(undefined).find(({ id }) => id === taskId);
  if (task === undefined) throw new Error(`There is no task ${taskId} any more.`);
  const place = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-demo-")));
  const model = await startRecordedModel(task);
  try {
    const folder = join(place, "bookings");
    for (const [path, text] of task.before) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    await showRun(task, place, folder, model.url);
  } finally {
    model.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function showRun(task: Task, place: string, folder: string, url: string): Promise<void> {
  const settings = {
    XDG_STATE_HOME: join(place, "state"),
    LOCALAPPDATA: join(place, "state"),
    RIGHTSEAT_OPENAI_BASE_URL: url,
    RIGHTSEAT_OPENAI_API_KEY: "none",
  };
  const start = (args: readonly string[]): Promise<void> => runCli(args, folder, settings);
  // The shell's node may be too old for TypeScript.
  const [, ...rest] = task.check;
  await start(["code", task.request, "--yes", "--language", "en", "--", "node", ...rest]);
  print("\n");
  for (const path of task.filesToChange)
    print(formatUnifiedDiff(path, task.before.get(path), read(folder, path)));
  print("\n");
  await start(["undo"]);
  const left = task.filesToChange.filter((path) => read(folder, path) !== task.before.get(path));
  if (left.length > 0) throw new Error(`undo has not restored ${left.join(", ")}.`);
}

async function runCli(
  args: readonly string[],
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  print(`$ rightseat ${args.map(quote).join(" ")}\n`);
  // The `node` of the check is the one that runs us, and nobody's settings count.
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:RIGHTSEAT|OPENAI|COPILOT)_/.test(name),
  );
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(own), PATH: path, ...settings },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`rightseat ${args[0] ?? ""} ended with ${String(code)}.`);
}

interface RecordedModel {
  url: string;
  close(): void;
}

/** Answers each request with the next recorded call, as servers of real models do. */
async function startRecordedModel({ calls }: Task): Promise<RecordedModel> {
  const left = calls.values();
  const server = createServer((request, response) => {
    let asked = 0;
    request.on("data", (bytes: Uint8Array) => (asked += bytes.length));
    request.on("end", () => void answer(response, left.next().value, asked));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/v1`, close };
}

/** @param asked the length of the request in bytes; four of them count as a token */
async function answer(
  response: ServerResponse,
  call: Task["calls"][number] | undefined,
  asked: number,
): Promise<void> {
  await setTimeout(thinkingTime);
  const send = (delta: object, end: string | null, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: end }];
    const chunk = { id: "demo", object: "chat.completion.chunk", created: 1, model: "recorded" };
    response.write(`data: ${JSON.stringify({ ...chunk, choices, ...more })}\n\n`);
  };
  response.setHeader("content-type", "text/event-stream");
  if (call !== undefined) {
    const { tool: name, params } = call;
    const said = params["explanation"] ?? params["instructions"] ?? "";
    send({ role: "assistant", content: said }, null);
    const made = { name, arguments: JSON.stringify(params) };
    send(
      { tool_calls: [{ index: 0, id: `call_${name}`, type: "function", function: made }] },
      null,
    );
  }
  const prompt = Math.ceil(asked / 4);
  const written = Math.ceil(JSON.stringify(call ?? "").length / 4);
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: written,
    total_tokens: prompt + written,
  };
  send({}, call === undefined ? "stop" : "tool_calls", { usage });
  response.end("data: [DONE]\n\n");
}

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function quote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function print(text: string): void {
  process.stdout.write(text);
}
