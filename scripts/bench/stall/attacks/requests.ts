import { gzipSync } from "node:zlib";
import { type Attack, editorOf, repeatLines, toBody } from "../attack.ts";

const attack = (
  name: string,
  body: () => string | Uint8Array<ArrayBuffer>,
  more: Partial<Attack> = {},
): Attack => ({
  group: "request",
  name: `request: ${name}`,
  body,
  ...more,
});

const chat = (request: object): string => toBody("Done.", { command: "chat", ...request });
const question = { name: "userInputPrompt", value: "What is this?" };
const recall = {
  name: "searcher",
  version: "1",
  type: "proxy",
  commands: [
    {
      name: "chat",
      contextVariableCollectionStrategy: {
        type: "specify",
        contextVariables: [
          { name: "userInputPrompt" },
          { name: "knowledgeBase", resolveOptions: { recallByAgent: true } },
        ],
      },
    },
  ],
};
const ask = (name: string, value: string): Attack => ({
  group: "knowledge",
  name: `knowledge: ${name}`,
  body: () =>
    chat({ agentDefinition: recall, contextVariables: [{ name: "userInputPrompt", value }] }),
});

/** Bodies at the limits, definitions, clicks, the offline model, and questions to a knowledge folder. */
export const requestAttacks: readonly Attack[] = [
  attack("ten megabytes of empty lists", () => `[${"[],".repeat(3_400_000)}[]]`),
  attack("a million keys", () => `{${repeatLines(6e5, (nth) => `"k${nth}":0,`)}"z":0}`),
  attack("a million wrong items", () =>
    chat({ contextVariables: Array.from({ length: 1e6 }, () => 1) }),
  ),
  attack("100,000 wrong variables", () =>
    chat({ contextVariables: Array.from({ length: 1e5 }, (_, nth) => ({ name: nth })) }),
  ),
  attack("200,000 variables", () =>
    chat({
      contextVariables: Array.from({ length: 2e5 }, (_, nth) => ({ name: `v${nth}`, value: "" })),
    }),
  ),
  attack("a gzip bomb", () => new Uint8Array(gzipSync(Buffer.alloc(200e6, 32))), {
    headers: { "content-encoding": "gzip" },
  }),
  attack("quotes and backslashes", () => `{"a":"${'\\\\\\"'.repeat(2.5e6)}"}`),
  attack("300,000 commands", () =>
    JSON.stringify({
      agent: "a",
      command: "default",
      agentDefinition: {
        name: "a",
        commands: Array.from({ length: 150_000 }, (_, nth) => ({
          name: `command-${nth}`,
          description: "d",
        })),
      },
    }),
  ),
  attack("an unknown command of 150,000", () =>
    JSON.stringify({
      agent: "a",
      command: "comand",
      agentDefinition: {
        name: "a",
        commands: Array.from({ length: 150_000 }, (_, nth) => ({ name: `command-${nth}` })),
      },
    }),
  ),
  attack("10,000 knowledge references", () =>
    chat({
      contextVariables: [
        question,
        {
          name: "knowledgeBase",
          value: [
            {
              knowledgeBaseId: "a",
              references: Array.from({ length: 1e4 }, (_, nth) => ({
                score: 1,
                chunk: `passage ${nth} `.repeat(20),
                metadata: { fileName: `f${nth}`, source: "s" },
              })),
            },
          ],
        },
      ],
    }),
  ),
  attack("200 package files of 45 kB", () =>
    chat({
      contextVariables: [
        question,
        {
          name: "packageFiles",
          value: Array.from({ length: 200 }, (_, nth) => ({
            filepath: `${nth}/package.json`,
            content: '"dependency": "1.0.0",\n'.repeat(1_500),
          })),
        },
      ],
    }),
  ),
  attack("a conversation of 100,000 messages", () =>
    chat({
      contextVariables: [question],
      messages: Array.from({ length: 1e5 }, (_, nth) => ({
        role: nth % 2 ? "assistant" : "user",
        content: `message ${nth}`,
      })),
    }),
  ),
  attack("a question of nine megabytes", () =>
    chat({ contextVariables: [{ name: "userInputPrompt", value: "why? ".repeat(1.8e6) }] }),
  ),
  attack("a click with 50,000 units", () =>
    toBody("Done.", {
      command: "fix",
      contextVariables: [
        editorOf(repeatLines(20_000, (nth) => `line ${nth}`)),
        {
          name: "userInputPrompt",
          value: `Apply the change at line 1\n\n\`\`\`diff\nfile -; change 1: place 1 of 2, line 1\n${"------- SEARCH\nline\n=======\nb\n+++++++ REPLACE\n".repeat(5e4)}\`\`\``,
        },
      ],
    }),
  ),
  attack("cases to write, 200,000 lines", () =>
    toBody("Done.", {
      command: "unittest-write",
      contextVariables: [
        editorOf("export function add(a: number, b: number) { return a + b; }\n"),
        {
          name: "userInputPrompt",
          value: repeatLines(2e5, (nth) => `${nth}. happy path: case ${nth}`),
        },
      ],
    }),
  ),
  ...["explain", "fix", "docstring", "unittest-write"].map((command) =>
    attack(`the offline model, ${command}`, () =>
      toBody("offline", {
        command,
        contextVariables: [
          editorOf(
            repeatLines(
              1.5e4,
              (nth) => `function f${nth}(a, b) { if (a == b) return 1; /* TODO */ }`,
            ),
            "a.js",
            "javascript",
          ),
        ],
      }),
    ),
  ),
  ask(
    "a long question",
    "how does the adapter of the folder index tokenize words for passages ".repeat(40),
  ),
  ask(
    "words that are nearly words",
    repeatLines(180, (nth) => `adaptr${nth} foldr`),
  ),
  ask("Chinese", "如何配置知识库的检索和索引以及令牌化".repeat(120)),
];
