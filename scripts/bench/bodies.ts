/** `small`: a question about a short file, some 3.8 kB. `large`: a file of 5,000 lines with references, some 180 kB. */
export type BodyName = "small" | "large";

/** Functions of the file; length of the selection, and of what comes after it; references and their length; files. */
const sizes = {
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
  const system = "You are a code assistant for {{userInfo.nickname}}. Branch {{vcs.branchName}}.";
  const user =
    "Explain this {{activeEditor.language}} code from {{activeEditor.filePath}}:\n```\n{{activeEditor.content}}\n```\n{{userInputPrompt}}";
  const messageTemplates = Object.entries({ system, user }).map(([role, template]) => ({
    role,
    template,
  }));
  const more = {
    ...(hasTemplates && { messageTemplates }),
    modelConfiguration: { temperature: 0.2, maxTokens: 2_048 },
  };
  const resolverOptions = { contentBeforeSelectionLines: 20 };
  return {
    name: "helper",
    commands: commands.map((name) => ({ name, ...more })),
    contextVariables: [{ name: "activeEditor", resolverOptions }],
  };
}

function createVariables(size: (typeof sizes)[BodyName]): object[] {
  const { functions, selection, references, passage, packageFiles } = size;
  const code = many(
    functions,
    (nth) =>
      `export function f${nth}(a, b) {\n  // 计算 step ${nth + 1}\n  const r = a * ${nth + 2} + b;\n  return r > 0 ? r : -r;\n}`,
  ).join("\n");
  const selected = {
    ...startOf(code, selection),
    contentBeforeSelection: "",
    contentAfterSelection: code.slice(selection, 2 * selection),
  };
  const { content, ...range } = startOf(code, code.length);
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
    activeEditor: {
      filePath: "/home/u/src/a.ts",
      language: "typescript",
      content,
      cursorOffset: 10,
      ...range,
      selectedRanges: [selected],
      visibleRange: startOf(code, 2 * selection),
    },
    globalPrompts: [{ role: "system", content: "回答用中文" }],
    knowledgeBase: [
      {
        knowledgeBaseId: "kb1",
        references: many(references, (nth) => createReference(nth, code.slice(0, passage))),
      },
    ],
    packageFiles: many(packageFiles, createPackageFile),
  }).map(([name, value]) => ({ name, value }));
}

/** The first characters of the file, and where they end. */
function startOf(code: string, length: number) {
  const content = code.slice(0, length);
  const lines = content.split("\n");
  const endColumn = (lines.at(-1) ?? "").length + 1;
  return { content, startLine: 1, startColumn: 1, endLine: lines.length, endColumn };
}

function createReference(nth: number, text: string): object {
  const sourceType = nth % 2 === 0 ? "code" : "doc";
  const place = { sourceType, source: `github.com/x/y/${nth}.md`, startPos: nth, endPos: nth + 20 };
  const metadata = { fileName: `/指南/${nth}.md`, ...place };
  return { score: Number((0.9 - nth / 100).toFixed(2)), chunk: `知识片段 ${text}`, metadata };
}

function createPackageFile(nth: number): object {
  const names = many(60, (number) => [`dep-${number}`, `^1.2.${number}`] as const);
  const file = { name: `p${nth}`, dependencies: Object.fromEntries(names) };
  return { filepath: `/home/u/p${nth}/package.json`, content: JSON.stringify(file, null, 2) };
}

function many<Item>(length: number, create: (nth: number) => Item): Item[] {
  return Array.from({ length }, (_, nth) => create(nth));
}
