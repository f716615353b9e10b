// Coding agents that others wrote use an agent of ours as their model, with their own tools.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import { createProject } from "../helpers/e2e-code.ts";
import { startMocked } from "../helpers/e2e-aimock.ts";
import { installClient } from "../helpers/real-clients.ts";

const patient = { timeout: 400_000 };
const before = "let total = 0;\nfor (const item of items) total =+ item;\n";
const after = before.replace("=+", "+=");
const key = "key-of-this-test";

interface Agent {
  package: string;
  bin: string;
  args: readonly string[];
  /** Its files of settings, by paths below its home. */
  files(baseUrl: string): Record<string, object>;
  environment?(baseUrl: string): Record<string, string>;
  /** The call of its own tool that makes the change. */
  edit(path: string): [string, object];
}

const agents: readonly Agent[] = [
  {
    package: "@qwen-code/qwen-code@0.24.4",
    bin: "qwen",
    args: ["--approval-mode", "yolo", "--auth-type", "openai", "-p"],
    files: () => ({}),
    environment: (baseUrl) => ({
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: baseUrl,
      OPENAI_MODEL: "rightseat",
    }),
    edit: (path) => ["edit", { file_path: path, old_string: "total =+", new_string: "total +=" }],
  },
  {
    package: "opencode-ai@1.18.33",
    bin: "opencode",
    args: ["run", "-m", "rightseat/rightseat"],
    files: (baseURL) => ({
      ".config/opencode/opencode.json": {
        provider: {
          rightseat: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL, apiKey: key },
            models: { rightseat: {} },
          },
        },
      },
    }),
    edit: (path) => ["edit", { filePath: path, oldString: "total =+", newString: "total +=" }],
  },
  {
    package: "@tencent-ai/agent-sdk@0.3.201",
    bin: "../@tencent-ai/agent-sdk/cli/bin/codebuddy",
    args: ["--model", "rightseat", "-y", "-p"],
    files: (baseUrl) => ({
      ".codebuddy/models.json": {
        models: [
          {
            id: "rightseat",
            name: "Rightseat",
            vendor: "own",
            apiKey: key,
            maxInputTokens: 100_000,
            maxOutputTokens: 8_000,
            url: `${baseUrl}/chat/completions`,
            supportsToolCall: true,
            supportsImages: false,
          },
        ],
        availableModels: ["rightseat"],
      },
    }),
    edit: (path) => ["Edit", { file_path: path, old_string: "total =+", new_string: "total +=" }],
  },
  {
    package: "@mariozechner/pi-coding-agent@0.73.1",
    bin: "pi",
    args: ["--provider", "rightseat", "--model", "rightseat", "-p"],
    files: (baseUrl) => ({
      ".pi/agent/models.json": {
        providers: {
          rightseat: {
            baseUrl,
            api: "openai-completions",
            apiKey: key,
            models: [{ id: "rightseat" }],
          },
        },
      },
    }),
    edit: (path) => ["edit", { path, edits: [{ oldText: "total =+", newText: "total +=" }] }],
  },
];

test.each(agents)("$package edits a file with its own tools", patient, async (agent) => {
  const bin = join(installClient(agent.package), ".bin", agent.bin);
  const project = createProject({ "sum.js": before });
  const path = join(project.folder, "sum.js");
  const asked: unknown[] = [];
  const { server } = await startMocked((mocked) => {
    const answer = ({ tools = [], messages }: ChatCompletionRequest) => {
      const names = tools.map(({ function: { name } }) => name);
      asked.push(messages);
      const [name, args] = agent.edit(path);
      const read = names.find((each) => /^read/i.test(each));
      const results = messages.filter(({ role }) => role === "tool").length;
      if (tools.length === 0) return { content: "A sum" };
      const call = (tool: string, input: object) => ({
        toolCalls: [{ id: `call_${results}`, name: tool, arguments: JSON.stringify(input) }],
      });
      if (results === 0 && read !== undefined)
        return call(read, { path, filePath: path, file_path: path, absolute_path: path });
      return results < 2 ? call(name, args) : { content: "The sum is right now." };
    };
    mocked.on({ predicate: () => true }, answer, { chunkSize: 9 });
  });
  const baseUrl = `${server.url}/v1`;
  for (const [name, value] of Object.entries(agent.files(baseUrl))) {
    const file = join(project.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  }
  const child = spawn(bin, [...agent.args, "Mend the sum in sum.js"], {
    cwd: project.folder,
    env: {
      PATH: process.env["PATH"],
      HOME: project.home,
      NO_PROXY: "127.0.0.1,localhost",
      ...agent.environment?.(baseUrl),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ code, said, text: project.read("sum.js") }).toMatchObject({
    code: 0,
    said: expect.stringContaining("The sum is right now."),
    text: after,
  });
  // Its own prompt is the system's, word for word; ours is not in front of it.
  expect(asked.length).toBeGreaterThan(2);
  expect(JSON.stringify(asked)).not.toContain("Rightseat");
});
