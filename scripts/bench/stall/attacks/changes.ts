import { type Attack, editorOf, repeatLines, toBody } from "../attack.ts";

const unit = (search: string, replace: string): string =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;

const block = (path: string, units: string): string =>
  `<file-edit filePath="${path}">\n${units}</file-edit>\n`;

const attack = (
  name: string,
  command: string,
  contextVariables: () => unknown[],
  answer: () => string = () => "Done.",
): Attack => ({
  group: "changes",
  name: `changes: ${name}`,
  body: () => toBody(`changes: ${name}`, { command, contextVariables: contextVariables() }),
  answer,
});

const prompted = (value: string): object => ({ name: "userInputPrompt", value });
const packages = (count: number, content: (nth: number) => string): object => ({
  name: "packageFiles",
  value: Array.from({ length: count }, (_, nth) => ({
    filepath: `packages/p${nth}/index.ts`,
    content: content(nth),
  })),
});
const click = (border: string, sections: string): string =>
  `Apply the changes of a.ts\n\n\`\`\`\`diff\n${border}\n${sections}\`\`\`\``;

const lines = repeatLines(20_000, (nth) => `  const value${nth} = compute(${nth});`);
const rules = `${"=".repeat(500_000)}\n`;

/** Clicks on changes of files that somebody has written by hand. */
const clickAttacks = [
  attack("a click with 100,000 units of one file", "code", () => [
    editorOf(lines),
    prompted(
      click(
        "========",
        `file -\nedit "a.ts"\n${repeatLines(1e5, () => unit("line\n", "b\n").trimEnd())}`,
      ),
    ),
  ]),
  attack("a click with 320,000 files", "code", () => [
    editorOf(lines),
    prompted(click("====", 'file -\ndelete "a"\n====\n'.repeat(3.2e5))),
  ]),
  attack("a click with 1,000 files, each between 500 others", "code", () => [
    packages(500, (nth) => `export const value${nth} = ${nth};\n`),
    prompted(click("====", 'file -\nnew "b.ts"\n====\n'.repeat(999))),
  ]),
  attack("a click that changes one large file 900 times", "code", () => [
    editorOf(lines),
    prompted(
      click(
        "========",
        Array.from(
          { length: 900 },
          (_, nth) =>
            `file -\nedit "a.ts"\n${unit(`  const value${nth} = compute(${nth});\n`, "x();\n")}`,
        ).join("\n========\n"),
      ),
    ),
  ]),
  attack("a click of borders alone", "code", () => [
    editorOf(lines),
    prompted(click("====", "====\n".repeat(1.4e6))),
  ]),
  {
    group: "changes",
    name: "changes: a tampered state of four megabytes",
    body: () =>
      toBody("changes: a tampered state of four megabytes", {
        action: "confirm",
        state: `v1.0.${"A".repeat(4e6)}`,
      }),
  } satisfies Attack,
  {
    group: "changes",
    name: "changes: a tree of 100,000 nodes that comes back",
    body: () =>
      toBody("changes: a tree of 100,000 nodes that comes back", {
        action: "tree",
        nodeId: "file-99999",
        nodeAction: "click",
        state: {
          steps: Object.fromEntries(
            Array.from({ length: 1e5 }, (_, nth) => [`file-${nth}`, { command: "x", prompt: "" }]),
          ),
        },
      }),
  } satisfies Attack,
];

/** What a request may bring along, and what a model may answer about it. */
const answerAttacks = [
  attack("9,000 package files that name each other", "code", () => [
    packages(
      9_000,
      (nth) =>
        `import { f${nth + 1} } from "../p${nth + 1}";\nexport const f${nth} = f${nth + 1};\n`,
    ),
    prompted("Rename f1, f2, f3 and @packages/p7/index.ts"),
  ]),
  attack("500 package files of 18 kB", "code", () => [
    packages(500, (nth) =>
      repeatLines(300, (k) => `export function f${nth}_${k}() { return g${k}(); }`),
    ),
    prompted("Rename f1_1 and g7."),
  ]),
  attack("10,000 passages of knowledge", "code", () => [
    prompted("Rename f1 in f2.ts"),
    {
      name: "knowledgeBase",
      value: [
        {
          knowledgeBaseId: "a",
          references: Array.from({ length: 1e4 }, (_, nth) => ({
            score: 1,
            chunk: `function f${nth}() {}\n`.repeat(20),
            metadata: { fileName: `f${nth % 3}.ts`, source: "s" },
          })),
        },
      ],
    },
  ]),
  attack("an editor of nine megabytes", "code", () => [
    editorOf(repeatLines(3e5, (nth) => `const v${nth} = "${nth}";`)),
    prompted("Rename v7."),
  ]),
  attack(
    "2,000 calls in one answer",
    "code",
    () => [editorOf(lines), prompted("Do it.")],
    () => repeatLines(2_000, (nth) => `tool_code.readTool(filePath='a${nth}.ts')`),
  ),
  attack(
    "2,000 new files in an answer",
    "chat",
    () => [editorOf(lines), prompted("Do it.")],
    () => repeatLines(2_000, (nth) => block(`n${nth}.ts`, unit("", `${nth}\n`)).trimEnd()),
  ),
  attack(
    "2,000 files that are not at hand",
    "chat",
    () => [prompted("Do it.")],
    () => repeatLines(2_000, (nth) => block(`n${nth}.ts`, unit("a\n", `${nth}\n`)).trimEnd()),
  ),
  attack(
    "every line of a file is new",
    "chat",
    () => [editorOf(lines), prompted("Do it.")],
    () =>
      block(
        "a.ts",
        unit(
          lines,
          repeatLines(20_000, (nth) => `new ${nth}`),
        ),
      ),
  ),
  attack(
    "a line of half a megabyte of rules",
    "chat",
    () => [editorOf(`a\n${rules}b\n`), prompted("Do it.")],
    () => block("a.ts", unit("a\n", "c\n")),
  ),
  attack(
    "a new file of backticks and rules",
    "chat",
    () => [prompted("Do it.")],
    () =>
      block(
        "a.md",
        unit(
          "",
          repeatLines(2_000, (nth) => `${"=".repeat(nth)}\n${"`".repeat(nth)}`),
        ),
      ),
  ),
];

/** Proposals of changes to files, and clicks on them. */
export const changesAttacks: readonly Attack[] = [...clickAttacks, ...answerAttacks];
