// The command as people and CI run it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

function run(args: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "eval", ...args], {
    encoding: "utf8",
    // Neither settings nor keys of whoever runs the tests; no settings file there either.
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { PATH: process.env["PATH"], RIGHTSEAT_RETRIES: "0", ...environment },
  });
  return { status, stdout, stderr };
}

test("the offline model is sound, and its figures come as JSON", { timeout: 60_000 }, () => {
  const { status, stdout } = run([
    "--model=offline",
    "--file=Invoice.java,cart.py",
    "--json",
    "--expect-sound",
  ]);
  expect(status).toBe(0);
  const { model, asked, cases, flows } = JSON.parse(stdout);
  expect({ model, asked }).toEqual({ model: "offline", asked: 11 });
  expect(cases).toHaveLength(11);
  expect(flows.at(-1)).toMatchObject({ flow: "total", cases: 11, failed: 0, calls: 11 });
});

test(
  "a model that cannot be reached gives failed cases, of which only --expect-sound makes a failure",
  {
    timeout: 60_000,
  },
  () => {
    // Port 1 of loopback refuses.
    const nobody = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    const args = ["--model", "openai", "--flow", "fix", "--file", "cart.py"];
    const lenient = run([...args, "--cases"], nobody);
    expect(lenient.status).toBe(0);
    expect(lenient.stdout).toContain(
      "BAD fix src/cart.py retry: failed. HTTP 502, upstream_unreach",
    );
    expect(run([...args, "--expect-sound"], nobody).status).toBe(1);
  },
);

test("wrong arguments are told in one line", { timeout: 60_000 }, () => {
  expect(run(["--model", "nope"])).toEqual({
    status: 1,
    stdout: "",
    stderr: 'Unknown model "nope". Configured are: offline.\n',
  });
  expect(run(["--concurrency", "0"]).stderr).toBe(
    '--concurrency must be a whole number from 1 to 99, not "0".\n',
  );
  expect(run(["--langauge", "zh"]).stderr).toBe(
    "Unknown option --langauge. Did you mean --language?\n",
  );
});

test("Ctrl-C shows what was done until then", { timeout: 60_000 }, async () => {
  let requests = 0;
  const server = createServer((incoming, response) => {
    incoming.resume();
    requests += 1;
    if (requests > 1) return void child.kill("SIGINT");
    const chunk = { choices: [{ index: 0, delta: { content: "It." }, finish_reason: "stop" }] };
    response.setHeader("content-type", "text/event-stream");
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const args = [script, "eval", "--model=openai", "--flow=explain", "--concurrency=1", "--cases"];
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { PATH: process.env["PATH"], OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [printed, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(status).toBe(130);
    expect(printed).toMatch(
      /^ok explain src\/Cart\.cs Cart: whole\n\nModel openai, 1 of 20 cases\n/,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
