// Requests as an IDE sends them; nothing here may come from node:.
import type { App } from "../../src/app.ts";

const content = [
  "import { readFile } from 'node:fs/promises';",
  "",
  "// TODO: cache what was read",
  "export async function countLines(path: string): Promise<number> {",
  "  const text = await readFile(path, 'utf8');",
  "  return text.split('\\n').length;",
  "}",
  "",
].join("\n");

const selection = content.split("\n").slice(3, 7).join("\n");

/** Every documented variable, with values of every documented field. */
export const contextVariables = [
  { name: "userInputPrompt", value: "What happens with an empty file?" },
  { name: "userInfo", value: { id: "u-17", name: "ada", nickname: "Ada" } },
  {
    name: "vcs",
    value: {
      type: "git",
      branchName: "main",
      upstreamBranchName: "origin/main",
      remoteUrl: "https://ada:secret@git.example/lines.git",
      remotes: ["https://ada:secret@git.example/lines.git"],
    },
  },
  {
    name: "activeEditor",
    value: {
      filePath: "src/count-lines.ts",
      language: "typescript",
      content,
      cursorOffset: content.indexOf("export"),
      startLine: 1,
      startColumn: 1,
      endLine: 8,
      endColumn: 1,
      selectedRanges: [
        {
          content: selection,
          startLine: 4,
          startColumn: 1,
          endLine: 7,
          endColumn: 2,
          contentBeforeSelection: "// TODO: cache what was read\n",
          contentAfterSelection: "\n",
        },
      ],
      visibleRange: { content, startLine: 1, startColumn: 1, endLine: 8, endColumn: 1 },
    },
  },
  { name: "globalPrompts", value: [{ role: "system", content: "Never mention the weather." }] },
  {
    name: "packageFiles",
    value: [{ filepath: "package.json", content: '{ "name": "lines", "type": "module" }' }],
  },
] as const;

export const knowledgeBase = {
  name: "knowledgeBase",
  value: [
    {
      knowledgeBaseId: "kb-1",
      references: [
        {
          score: 0.4,
          chunk: "Line counts include the last, empty line.",
          metadata: {
            fileName: "/guide/lines.md",
            sourceType: "doc",
            source: "docs/lines.md",
            startPos: 3,
            endPos: 5,
          },
        },
        {
          score: 0.9,
          chunk: "countLines is used by the report.",
          metadata: { fileName: "/src/report.ts", sourceType: "code", source: "src/report.ts" },
        },
      ],
    },
  ],
} as const;

export function copilotRequest(
  command: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { agent: "rightseat", command, contextVariables, ...more };
}

export interface PostOptions {
  path?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  method?: string;
}

/** Posts a body as JSON; text goes as it is. */
export async function post(app: App, body: unknown, options: PostOptions = {}): Promise<Response> {
  const { path = "/", headers = {}, method = "POST", signal } = options;
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { host: "localhost", "content-type": "application/json", ...headers },
    ...(method === "GET" ? {} : { body: isBody(body) ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return app.fetch(request);
}

function isBody(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** A whole response as text: status, the headers that we set, a blank line, the body. */
export async function printResponse(response: Response): Promise<string> {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).sort();
  return `${response.status}\n${headers.join("\n")}\n\n${await response.text()}`;
}
