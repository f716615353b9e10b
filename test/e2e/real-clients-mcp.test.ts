// Agents that people use call our tools over MCP: CodeBuddy Code, with a scripted model of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { cliPath, startCoder } from "../helpers/e2e-code.ts";
import { spawnNode } from "../helpers/e2e-process.ts";
import { startRightseat } from "../helpers/e2e-server.ts";
import { installClient } from "../helpers/real-clients.ts";

const patience = 600_000;
let codebuddy = "";
let conformance = "";

beforeAll(() => {
  const checks = installClient("@modelcontextprotocol/conformance@0.1.16");
  conformance = join(checks, "@modelcontextprotocol", "conformance", "dist", "index.js");
  const modules = installClient("@tencent-ai/agent-sdk@0.3.201");
  codebuddy = join(modules, "@tencent-ai", "agent-sdk", "cli", "bin", "codebuddy");
}, patience);

const unit = "Four.\n\n------- SEARCH\nconst a = 1;\n=======\nconst a = 4;\n+++++++ REPLACE\n";

/**
 * Runs CodeBuddy Code once: its model looks for our tool, as tools of servers are found by a search, calls it, and says
 * that it is done.
 *
 * @returns the results of the calls, as its model gets them, and the last words
 */
async function runCodeBuddy(server: object): Promise<{ results: string[]; said: string }> {
  const home = mkdtempSync(join(tmpdir(), "rightseat-codebuddy-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const toolName = "mcp__rightseat__rightseat_fix";
  const params = { path: "a.ts", code: "const a = 1;\n", startLine: 1 };
  const own = await startCoder([
    { calls: [["ToolSearch", { tool_names: [toolName] }]] },
    { calls: [["DeferExecuteTool", { toolName, params }]] },
    { content: "It is done." },
  ]);
  const write = (path: string, value: object): string => {
    writeFileSync(join(home, path), JSON.stringify(value));
    return join(home, path);
  };
  mkdirSync(join(home, ".codebuddy"));
  const model = {
    id: "scripted",
    name: "scripted",
    vendor: "test",
    apiKey: "any",
    maxInputTokens: 100_000,
    maxOutputTokens: 8_000,
    url: `${own.url}/v1/chat/completions`,
    supportsToolCall: true,
    supportsImages: false,
  };
  write(".codebuddy/models.json", { models: [model], availableModels: ["scripted"] });
  const config = write("mcp.json", { mcpServers: { rightseat: server } });
  const options = ["--model", "scripted", "--mcp-config", config, "-y"];
  const args = [codebuddy, "-p", "Fix a.ts", ...options, "--output-format", "stream-json"];
  await using program = spawnNode(args, { HOME: home, DISABLE_AUTOUPDATER: "1" }, home);
  await program.exited;
  const lines = program.stdout.split("\n").filter((line) => line.startsWith("{"));
  const events = lines.map((line) => JSON.parse(line) as { type: string; result?: string });
  const results = lines.filter((line) => line.includes('"tool_result"'));
  return { results, said: events.find(({ type }) => type === "result")?.result ?? program.printed };
}

test(
  "CodeBuddy Code calls rightseat_fix over HTTP, and its model gets the change",
  async () => {
    const mock = await startCoder([{ content: unit }]);
    const server = await startRightseat({
      RIGHTSEAT_API_KEYS: "a-key-of-ours",
      RIGHTSEAT_OPENAI_BASE_URL: `${mock.url}/v1`,
      RIGHTSEAT_OPENAI_API_KEY: "mock",
    });
    onTestFinished(() => server.close());
    const { results, said } = await runCodeBuddy({
      type: "http",
      url: `${server.url}/mcp`,
      headers: { authorization: "Bearer a-key-of-ours" },
    });
    expect(results[0]).toContain("rightseat_fix");
    expect(results[1]).toContain("+const a = 4;");
    expect(said).toBe("It is done.");
  },
  patience,
);

test(
  "CodeBuddy Code starts rightseat mcp itself",
  async () => {
    const mock = await startCoder([{ content: unit }]);
    const { results, said } = await runCodeBuddy({
      type: "stdio",
      command: process.execPath,
      args: [cliPath, "mcp", "--force"],
      env: { RIGHTSEAT_OPENAI_BASE_URL: `${mock.url}/v1`, RIGHTSEAT_OPENAI_API_KEY: "mock" },
    });
    expect(results[1]).toContain("+const a = 4;");
    expect(said).toBe("It is done.");
  },
  patience,
);

test.each(["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])(
  "the calls of the protocol's own conformance suite for %s pass",
  async (scenario) => {
    const server = await startRightseat();
    onTestFinished(() => server.close());
    const args = ["server", "--url", `${server.url}/mcp`, "--scenario", scenario];
    await using program = spawnNode([conformance, ...args], { HOME: tmpdir() }, tmpdir());
    await program.exited;
    expect(program.printed).toMatch(/Passed: (\d)\/\1, 0 failed, 0 warnings/);
  },
  patience,
);
