/** `small`: a question about a short file, some 3.8 kB. `large`: a file of 5,000 lines with references, some 180 kB. */
export type BodyName = "small" | "large";

interface Size {
  /** Functions of the file in the editor. */
  functions: number;
  /** Length of the selection, and of what comes after it, in characters. */
  selection: number;
  references: number;
  /** Of a reference, in characters. */
  passage: number;
  packageFiles: number;
}

const sizes: Record<BodyName, Size> = {
  small: { functions: 4, selection: 100, references: 1, passage: 155, packageFiles: 0 },
  large: { functions: 1_000, selection: 3_000, references: 20, passage: 2_200, packageFiles: 3 },
};

const commands = ["default", "explain", "fix", "unittest"];

/**
 * The request that an IDE sends for `explain`, with all seven context variables; the same bytes every time.
 *
 * @param hasTemplates whether each command brings templates of its own; where not, our prompt is rendered
 */
export function createBody(name: BodyName, { hasTemplates = true } = {}): string {
  return JSON.stringify({
    agent: "helper",
    command: "explain",
    model: "bench-1",
    stream: true,
    messages: [{ role: "user", content: "hello" }],
    agentDefinition: createDefinition(hasTemplates),
    contextVariables: createVariables(sizes[name]),
  });
}

function createDefinition(hasTemplates: boolean): object {
  const messageTemplates = [
    {
      role: "system",
      template: "You are a code assistant for {{userInfo.nickname}}. Branch {{vcs.branchName}}.",
    },
    {
      role: "user",
      template:
        "Explain this {{activeEditor.language}} code from {{activeEditor.filePath}}:\n```\n{{activeEditor.content}}\n```\n{{userInputPrompt}}",
    },
  ];
  const modelConfiguration = { temperature: 0.2, maxTokens: 2_048 };
  return {
    name: "helper",
    commands: commands.map((name) => ({
      name,
      ...(hasTemplates && { messageTemplates }),
      modelConfiguration,
    })),
    contextVariables: [
      { name: "activeEditor", resolverOptions: { contentBeforeSelectionLines: 20 } },
    ],
  };
}

function createVariables(size: Size): { name: string; value: unknown }[] {
  const code = createCode(size.functions);
  return Object.entries({
    userInputPrompt: "请解释这段代码",
    userInfo: { id: "u1", name: "alice", nickname: "爱丽丝" },
    vcs: {
      type: "git",
      branchName: "main",
      upstreamBranchName: "origin/main",
      remoteUrl: "https://git.example/x/y.git",
      remotes: ["origin"],
    },
    activeEditor: createEditor(code, size),
    globalPrompts: [{ role: "system", content: "回答用中文" }],
    knowledgeBase: [{ knowledgeBaseId: "kb1", references: createReferences(code, size) }],
    packageFiles: Array.from({ length: size.packageFiles }, (_, index) => createPackageFile(index)),
  }).map(([name, value]) => ({ name, value }));
}

function createCode(functions: number): string {
  const one = (nth: number): string =>
    `export function f${nth}(a, b) {\n  // 计算 step ${nth + 1}\n  const r = a * ${nth + 2} + b;\n  return r > 0 ? r : -r;\n}`;
  return Array.from({ length: functions }, (_, nth) => one(nth)).join("\n");
}

function createEditor(code: string, { selection }: Size): object {
  return {
    filePath: "/home/u/src/a.ts",
    language: "typescript",
    content: code,
    cursorOffset: 10,
    ...rangeOf(code),
    selectedRanges: [
      {
        ...startOf(code, selection),
        contentBeforeSelection: "",
        contentAfterSelection: code.slice(selection, 2 * selection),
      },
    ],
    visibleRange: startOf(code, 2 * selection),
  };
}

function startOf(code: string, length: number): object {
  const content = code.slice(0, length);
  return { content, ...rangeOf(content) };
}

/** Where a text that begins the file ends. */
function rangeOf(text: string): object {
  const lines = text.split("\n");
  return {
    startLine: 1,
    startColumn: 1,
    endLine: lines.length,
    endColumn: (lines.at(-1) ?? "").length + 1,
  };
}

function createReferences(code: string, { references, passage }: Size): object[] {
  return Array.from({ length: references }, (_, index) => ({
    score: Number((0.9 - index / 100).toFixed(2)),
    chunk: `知识片段 ${code.slice(0, passage)}`,
    metadata: {
      fileName: `/指南/${index}.md`,
      sourceType: index % 2 === 0 ? "code" : "doc",
      source: `github.com/x/y/${index}.md`,
      startPos: index,
      endPos: index + 20,
    },
  }));
}

function createPackageFile(index: number): object {
  const names = Array.from({ length: 60 }, (_, number) => [`dep-${number}`, `^1.2.${number}`]);
  const content = JSON.stringify(
    { name: `p${index}`, dependencies: Object.fromEntries(names) },
    null,
    2,
  );
  return { filepath: `/home/u/p${index}/package.json`, content };
}
