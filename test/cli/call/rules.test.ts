import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { json, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { git, temporaryFolder } from "./temporary-folder.ts";

const script = fileURLToPath(new URL("../../../src/cli.ts", import.meta.url));

/** What `call chat` sends to a server, and what it tells the person. */
async function callServer(...options: string[]) {
  const directory = temporaryFolder({ "AGENTS.md": "Use tabs.\n" });
  git(directory, "init");
  const bodies: unknown[] = [];
  const server = createServer();
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(await json(incoming));
    response.setHeader("content-type", "text/event-stream");
    response.end("data: [DONE]\n\n");
  };
  server.on("request", (...request) => void answer(...request));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const args = [script, "call", "chat", "--prompt=Why?", `--url=${url}`, ...options];
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const said = await text(child.stderr);
    return { body: JSON.stringify(bodies[0]), said };
  } finally {
    server.close();
  }
}

test("a server gets the rules of the project only with --rules, and the person is told", async () => {
  const without = await callServer();
  expect(without.body).not.toContain("Use tabs.");
  expect(without.said).not.toContain("AGENTS.md");
  const withRules = await callServer("--rules");
  expect(withRules.body).toContain(
    '{"name":"projectRules","value":{"filePath":"AGENTS.md","content":"Use tabs.\\n"}}',
  );
  expect(withRules.said).toContain("The rules of AGENTS.md go along.");
});
