// Every context variable with every field that the platform document names (ContextVariable).
import type { VariableName } from "../../../src/turn/context/variables.ts";

export const documented = {
  userInputPrompt: "为什么这里会报错？",
  userInfo: { id: "u-17", name: "ada", nickname: "艾达" },
  vcs: {
    type: "git",
    branchName: "feature/counter",
    upstreamBranchName: "origin/feature/counter",
    remoteUrl: "https://git.example/counter.git",
    remotes: ["https://git.example/counter.git", "git@git.example:counter.git"],
  },
  knowledgeBase: [
    {
      knowledgeBaseId: "kb-1",
      references: [
        {
          score: 0.82,
          chunk: "Counters are never negative.",
          metadata: {
            fileName: "/指南/开发指南.md",
            sourceType: "doc",
            source: "/home/ada/guide.md",
            startPos: 3,
            endPos: 5,
          },
        },
      ],
    },
  ],
  activeEditor: {
    filePath: "src/counter.ts",
    language: "typescript",
    content: "let count = 0;\ncount++;\n",
    cursorOffset: 15,
    startLine: 1,
    startColumn: 1,
    endLine: 3,
    endColumn: 1,
    selectedRanges: [
      {
        content: "count++;",
        startLine: 2,
        startColumn: 1,
        endLine: 2,
        endColumn: 9,
        contentBeforeSelection: "let count = 0;\n",
        contentAfterSelection: "\n",
      },
    ],
    visibleRange: {
      content: "let count = 0;\ncount++;\n",
      startLine: 1,
      startColumn: 1,
      endLine: 3,
      endColumn: 1,
    },
  },
  globalPrompts: [{ role: "system", content: "回答要简短。" }],
  packageFiles: [{ filepath: "package.json", content: '{ "name": "counter" }' }],
  projectRules: { filePath: "AGENTS.md", content: "Use tabs." },
} as const satisfies Record<VariableName, unknown>;
