// `rightseat mcp` as a process of its own, with the official client at its standard input and output.
import { Client, type CallToolResult, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type ModelStep,
  type Project,
  cliPath,
  coderSettings,
  createProject,
  startCoder,
} from "../helpers/e2e-code.ts";
import { eras, textOfResult } from "../helpers/mcp-client.ts";

const unit = "Four.\n\n------- SEARCH\nconst a = 1;\n=======\nconst a = 4;\n+++++++ REPLACE\n";

interface Options extends ClientOptions {
  era?: (typeof eras)[number];
  args?: readonly string[];
}

async function connect(
  project: Project,
  steps: readonly ModelStep[],
  { era = "auto", args = [], ...options }: Options = {},
) {
  const mock = await startCoder(steps);
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era }, ...options },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliPath, "mcp", ...args],
    cwd: project.folder,
    env: { PATH: process.env["PATH"] ?? "", ...coderSettings(project, mock) },
    stderr: "pipe",
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, mock, transport };
}

const files = { "src/a.ts": "const a = 1;\n", ".env": "KEY=planted-secret\n" };

describe.each(eras)("over standard input and output, in the revision %s,", (era) => {
  test("a file is read where the call names it, but no secret and nothing outside", async () => {
    const project = createProject(files);
    const { client, mock } = await connect(project, [{ content: unit }], { era });
    const call = (path: string): Promise<CallToolResult> =>
      client.callTool({ name: "rightseat_fix", arguments: { path, startLine: 1 } });
    const { structuredContent } = await call("src/a.ts");
    expect(structuredContent).toMatchObject({
      edits: [{ result: { status: "applied", changes: [{ text: "const a = 4;\n" }] } }],
    });
    // What is proposed is the client's to write.
    expect(project.read("src/a.ts")).toBe("const a = 1;\n");
    const asked = mock.getRequests().length;
    for (const path of [".env", "../home", "/etc/passwd"]) {
      const refused = await call(path);
      expect(refused.isError).toBe(true);
      expect(textOfResult(refused)).not.toMatch(/planted|root:/);
    }
    expect(mock.getRequests().length).toBe(asked);
  });

  test("the coding agent writes what the person has said yes to, and nothing else", async () => {
    const project = createProject(files);
    const edit = (code: string): ModelStep => ({
      calls: [
        ["edit_file", { target_file: "src/a.ts", instructions: "Change it", code_edit: code }],
      ],
    });
    const steps: ModelStep[] = [
      edit("------- SEARCH\nconst a = 1;\n=======\nconst a = 2;\n+++++++ REPLACE\n"),
      edit("------- SEARCH\nconst a = 2;\n=======\nconst a = 3;\n+++++++ REPLACE\n"),
      { calls: [["finish", { summary: "It is two." }]] },
    ];
    const { client, mock } = await connect(project, steps, {
      era,
      args: ["--code"],
      capabilities: { elicitation: { form: {} } },
    });
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      const decision = questions.length === 1 ? "yes" : "no";
      return { action: "accept", content: { decision, why: "Leave it at two." } };
    });
    const { tools } = await client.listTools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(["rightseat_code"]);
    const result = await client.callTool({
      name: "rightseat_code",
      arguments: { question: "Make it two." },
    });
    expect(questions).toHaveLength(2);
    expect(questions[0]).toContain("+const a = 2;");
    expect(questions[1]).toContain("+const a = 3;");
    expect(project.read("src/a.ts")).toBe("const a = 2;\n");
    expect(JSON.stringify(mock.getRequests().at(-1)?.body)).toContain("Leave it at two.");
    expect(textOfResult(result)).toContain("It is two.");
  });

  test("where nobody can be asked, only what was allowed before is written", async () => {
    const change: ModelStep = {
      calls: [
        [
          "edit_file",
          { target_file: "src/a.ts", instructions: "Two", code_edit: "const a = 2;\n" },
        ],
      ],
    };
    const steps = [change, { content: "Done." }];
    const call = { name: "rightseat_code", arguments: { question: "Make it two." } };
    const refused = createProject(files);
    const { client } = await connect(refused, steps, { era, args: ["--code"] });
    await client.callTool(call);
    expect(refused.read("src/a.ts")).toBe("const a = 1;\n");
    const allowed = createProject(files);
    const args = ["--code", "--allow", "src/**"];
    const { client: other } = await connect(allowed, steps, { era, args });
    await other.callTool(call);
    expect(allowed.read("src/a.ts")).toBe("const a = 2;\n");
  });

  test("a cancelled call ends the run, and the next one finds the folder free", async () => {
    const project = createProject(files);
    let asked = 0;
    const meanwhile = (): void => void (asked += 1);
    const steps: ModelStep[] = [{ hangs: true, meanwhile }, { content: "Nothing to do." }];
    const { client } = await connect(project, steps, { era, args: ["--code"] });
    const call = { name: "rightseat_code", arguments: { question: "Make it two." } };
    const stopped = new AbortController();
    const first = client.callTool(call, { signal: stopped.signal }).catch(() => undefined);
    await expect.poll(() => asked).toBe(1);
    stopped.abort();
    await first;
    await expect
      .poll(async () => textOfResult(await client.callTool(call)))
      .toContain("Nothing to do.");
  });
});

test("a file that is always asked for is not written by a yes to all, which was not offered", async () => {
  const project = createProject({ ...files, "package.json": "{}\n" });
  const unitOfName = '------- SEARCH\n{}\n=======\n{ "name": "a" }\n+++++++ REPLACE\n';
  const edit = { target_file: "package.json", instructions: "A name", code_edit: unitOfName };
  const steps: ModelStep[] = [{ calls: [["edit_file", edit]] }, { content: "Done." }];
  const { client } = await connect(project, steps, {
    args: ["--code", "--yes"],
    capabilities: { elicitation: { form: {} } },
  });
  const offered: unknown[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    offered.push(JSON.stringify(params));
    return { action: "accept", content: { decision: "all" } };
  });
  await client.callTool({ name: "rightseat_code", arguments: { question: "Name it." } });
  expect(offered).toEqual([expect.stringContaining('"enum":["yes","no"]')]);
  expect(project.read("package.json")).toBe("{}\n");
});

test("without --code the coding agent works on the files of the call, and writes none", async () => {
  const project = createProject(files);
  const change: ModelStep = {
    calls: [
      ["edit_file", { target_file: "src/a.ts", instructions: "Two", code_edit: "const a = 2;\n" }],
    ],
  };
  const { client } = await connect(project, [change, { content: "Done." }]);
  const { structuredContent } = await client.callTool({
    name: "rightseat_code",
    arguments: {
      question: "Make it two.",
      files: [{ path: "src/a.ts", content: "const a = 1;\n" }],
    },
  });
  expect(structuredContent).toMatchObject({
    edits: [{ filePath: "src/a.ts", result: { status: "applied" } }],
  });
  expect(project.read("src/a.ts")).toBe("const a = 1;\n");
});

test("the process ends when its client closes the input", async () => {
  const { client, transport } = await connect(createProject(files), [{ content: "Yes." }]);
  const { pid } = transport;
  await client.close();
  await expect
    .poll(() => {
      try {
        return process.kill(pid ?? 0, 0);
      } catch {
        return false;
      }
    })
    .toBe(false);
});
