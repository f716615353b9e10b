// `rightseat code` as a process of its own, in front of a mock model server that others wrote.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, vi } from "vitest";
import { startAimock } from "./e2e-aimock.ts";
import { type Program, spawnNode } from "./e2e-process.ts";

/** What the model does in one answer: says something, calls tools. */
export interface ModelStep {
  content?: string;
  calls?: readonly [tool: string, input: object][];
  /** It says nothing at all until the test is over. */
  hangs?: boolean;
  /** Its words come one after the other. */
  isSlow?: boolean;
  /** What somebody else does meanwhile. */
  meanwhile?: () => void | Promise<void>;
}

/** A folder with files, and the place where its journal lies; both are gone after the test. */
export interface Project {
  folder: string;
  home: string;
  read(path: string): string;
  has(path: string): boolean;
  write(path: string, text: string): void;
}

export function createProject(files: Readonly<Record<string, string>>): Project {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-code-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [folder, home] = [join(place, "project"), join(place, "home")];
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  mkdirSync(folder);
  mkdirSync(home);
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    folder,
    home,
    write,
    read: (path) => readFileSync(at(path), "utf8"),
    has: (path) => existsSync(at(path)),
  };
}

/** A model that does one step after the other; tool calls come in small chunks. */
export function startCoder(steps: readonly ModelStep[]): Promise<LLMock> {
  let next = 0;
  const over = new Promise<void>((resolve) => onTestFinished(() => resolve()));
  const stepAt = (nth: number): ModelStep => steps[Math.min(nth, steps.length - 1)] ?? {};
  const answer = async () => {
    const { content, calls = [], hangs = false, meanwhile } = stepAt(next);
    next += 1;
    await meanwhile?.();
    if (hangs) await over;
    const toolCalls = calls.map(([name, input], nth) => ({
      id: `call_${next}_${nth}`,
      name,
      arguments: JSON.stringify(input),
    }));
    if (toolCalls.length === 0) return { content: content ?? "" };
    return content === undefined ? { toolCalls } : { content, toolCalls };
  };
  const isSlow = (): boolean => stepAt(next).isSlow === true;
  return startAimock((mock) =>
    mock
      .on({ predicate: isSlow }, answer, { chunkSize: 7, latency: 30 })
      .on({ predicate: () => !isSlow() }, answer, { chunkSize: 7 }),
  );
}

/** The settings with which a process asks that model. */
export function coderSettings({ home }: Project, mock: LLMock): Record<string, string> {
  return {
    HOME: home,
    RIGHTSEAT_OPENAI_BASE_URL: `${mock.url}/v1`,
    RIGHTSEAT_OPENAI_API_KEY: "mock-key-that-no-check-sees",
  };
}

/** A server of MCP at whose start the person presses Ctrl-C; it says nothing, and soon ends. */
export const stoppedStart = {
  RIGHTSEAT_MCP_SERVERS: JSON.stringify({
    mcpServers: {
      shop: {
        command: process.execPath,
        args: ["-e", 'process.kill(process.ppid, "SIGINT"); setTimeout(() => undefined, 500)'],
      },
    },
  }),
};

export const cliPath = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** Starts `rightseat code` without a terminal. */
export function startCode(
  project: Project,
  mock: LLMock,
  args: readonly string[],
  settings: Record<string, string> = {},
): Program {
  return spawnNode([cliPath, "code", "--dir", project.folder, ...args], {
    ...coderSettings(project, mock),
    ...settings,
  });
}

export interface CodeResult {
  code: number | null;
  out: string;
  err: string;
}

export async function runCode(
  project: Project,
  mock: LLMock,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<CodeResult> {
  const program = startCode(project, mock, args, settings);
  const code = await program.exited;
  return { code, out: program.stdout, err: program.stderr };
}

/** Takes the last run back as a person does. */
export async function runUndo({ folder, home }: Project): Promise<CodeResult> {
  const program = spawnNode([cliPath, "undo", "--dir", folder], { HOME: home });
  const code = await program.exited;
  return { code, out: program.stdout, err: program.stderr };
}

/** Resolves when it has shown that step on standard error. */
export function untilShown(program: Program, text: string): Promise<void> {
  return vi.waitFor(() => expect(program.stderr).toContain(text), { timeout: 50_000 });
}

/** The units of an edit, as the tools take them. */
function unit(search: string, replace: string): string {
  return `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`;
}

export function edit(path: string, search: string, replace: string): [string, object] {
  const input = { target_file: path, instructions: "as asked", code_edit: unit(search, replace) };
  return ["edit_file", input];
}

export function create(path: string, text: string): [string, object] {
  return ["edit_file", { target_file: path, instructions: "as asked", code_edit: text }];
}

export function finish(response = "Done."): ModelStep {
  return { calls: [["finish", { response }]] };
}
