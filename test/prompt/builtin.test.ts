import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ownCommands } from "../../src/flows/own-commands.ts";
import { createTestEngine } from "../helpers/render-template.ts";
import { parseContext } from "../../src/turn/context/context.ts";
import { isVariableName } from "../../src/turn/context/variables.ts";
import { Locale } from "../../src/base/errors/locale.ts";
import { loadPromptFiles } from "../../src/setup/load-prompt-files.node.ts";
import { createPromptLibrary } from "../../src/prompt/prompt-library.ts";
import { createScopes, noCut } from "../../src/prompt/scope.ts";
import {
  AgentDefinition,
  collectedBy,
  findCommand,
  textIn,
} from "../../src/turn/agent-definition.ts";
import { words } from "../helpers/words.ts";

/** Commands whose prompts print the editor and end with the question. */
const commands = ["chat", "explain", "fix", "optimize"];
/** Prompts by which flows ask once more. */
const furtherPrompts = ["cases-again", "edit-again", "plan-edit-again"];
const flowVariables = words`
  cases checkCommand codeEdit definitions diagnostics docStyle editPath example exampleLine
  examplePath exampleReplace exampleSearch framework frameworkNote instructions intent
  namedFiles numberedFile place problem referenceTest report repositoryMap subject syntaxErrors testFile
  testImport testIndent testPath toolList wishes workspaceRoot`;
const cases = Locale.options.flatMap((locale) =>
  commands.map((command) => [locale, command] as const),
);

const library = createPromptLibrary(loadPromptFiles());
const engine = createTestEngine();
const definition = AgentDefinition.parse(
  JSON.parse(
    readFileSync(new URL("../../agent-definitions/rightseat.json", import.meta.url), "utf8"),
  ),
);

const everything = [
  { name: "userInputPrompt", value: "Why does {{ userInfo }} fail?" },
  { name: "userInfo", value: { id: "u1", name: "alice", nickname: "Alice" } },
  { name: "vcs", value: { type: "git", branchName: "main" } },
  { name: "packageFiles", value: [{ filepath: "package.json", content: '{ "name": "shop" }' }] },
  {
    name: "knowledgeBase",
    value: [
      { references: [{ chunk: "Prices are in cents.", metadata: { fileName: "/money.md" } }] },
    ],
  },
  {
    name: "activeEditor",
    value: {
      filePath: "src/cart.ts",
      content: "let a = 1;\nlet b = a;\n",
      selectedRanges: [
        { content: "let b = a;", startLine: 2, startColumn: 1, endLine: 2, endColumn: 11 },
      ],
    },
  },
];

function templatesOf(locale: Locale, command: string) {
  const messages = library.find(command, locale) ?? [];
  return messages.map(({ role, template }) => ({ role, template: engine.compile(template ?? "") }));
}

function variablesOf(locale: Locale, command: string): string[] {
  return [
    ...new Set(templatesOf(locale, command).flatMap(({ template }) => [...template.variables])),
  ].sort();
}

/** What a request with these variables makes of the user message. */
function render(
  locale: Locale,
  command: string,
  values: typeof everything | { name: string; value: unknown }[],
): string {
  const used = new Set(variablesOf(locale, command));
  const context = parseContext(values);
  expect(context.dropped).toBeUndefined();
  const reading = { used, isDynamic: false, options: new Map() };
  const scope = createScopes(context, reading).under(noCut);
  const template = templatesOf(locale, command).at(-1)?.template;
  return template === undefined ? "" : template.render(scope, engine.createBudget());
}

test("every command of ours that asks a model has a prompt in every language, and there are no others", () => {
  const asking = ownCommands.filter(({ asksModel }) => asksModel).map(({ name }) => name);
  const names = Object.keys(loadPromptFiles());
  const expected = Locale.options.flatMap((locale) =>
    [...asking, ...furtherPrompts, "parts"].map((name) => `${locale}/${name}`),
  );
  expect(names.sort()).toEqual(expected.sort());
});

test.each(cases)(
  "%s/%s is a system message that never changes, a worked example of edits, and a user message with the context",
  (locale, command) => {
    const templates = templatesOf(locale, command);
    const hasExample = ["fix", "optimize"].includes(command);
    const example = hasExample ? ["user", "assistant"] : [];
    expect(templates.map(({ role }) => role)).toEqual(["system", ...example, "user"]);
    expect([...(templates[0]?.template.variables ?? [])]).toEqual([]);
    const unknown = variablesOf(locale, command).filter((name) => !isVariableName(name));
    expect(unknown.filter((name) => !flowVariables.includes(name))).toEqual([]);
    expect(variablesOf(locale, command)).toContain("activeEditor");
  },
);

test.each([...library.commands, ...furtherPrompts])(
  "both languages of %s use the same variables",
  (command) => {
    expect(variablesOf("zh", command)).toEqual(variablesOf("en", command));
  },
);

test.each(library.commands.filter((name) => name !== "code"))(
  "the shipped definition collects for %s what its templates use, and little more",
  (command) => {
    const collected = [...collectedBy(findCommand(definition, command)).keys()];
    const used = variablesOf("en", command).filter((name) => !flowVariables.includes(name));
    expect(used.filter((name) => !collected.includes(name))).toEqual([]);
    // Flows read the editor and the question themselves; states are bound to the person.
    const read = ["activeEditor", "globalPrompts", "userInfo", "userInputPrompt"];
    expect(collected.filter((name) => !used.includes(name) && !read.includes(name))).toEqual([]);
  },
);

test("the shipped definition has every command, with a description and the options of its variables", () => {
  expect(definition.commands?.map(({ name }) => name)).toEqual(ownCommands.map(({ name }) => name));
  for (const command of definition.commands ?? []) {
    expect(textIn(command.description, "en")).toMatch(/^[A-Z].*[^.]$/);
    expect(textIn(command.description, "zh")).toMatch(/^\p{Script=Han}.*[^。]$/u);
    expect(command.messageTemplates).toBeUndefined();
    expect(command.contextVariableCollectionStrategy?.type).toBe("specify");
    // The agent changes whole files.
    const isAgent = command.name === "code";
    for (const [name, options] of collectedBy(command)) {
      expect(options).toEqual(
        {
          activeEditor: isAgent
            ? undefined
            : { contentBeforeSelectionLines: 40, contentAfterSelectionLines: 40 },
          packageFiles: { maximumNumber: isAgent ? 10 : 3 },
          knowledgeBase: { knowledgeBaseIds: [], recallByAgent: false },
        }[name],
      );
    }
  }
  const collected = (name: string) => [...collectedBy(findCommand(definition, name)).keys()];
  expect(collected("default")).toEqual(collected("chat"));
  expect(collected("version")).toEqual([]);
});

test.each(cases)(
  "%s/%s puts the code last and the question at the very end, and renders no value twice",
  (locale, command) => {
    const text = render(locale, command, everything);
    const parts = [
      '{ "name": "shop" }',
      "[1] /money.md",
      "> 2 | let b = a;",
      "Why does {{ userInfo }} fail?",
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(text.endsWith("Why does {{ userInfo }} fail?")).toBe(true);
  },
);

test.each(cases)("%s/%s leaves no gap where a part is absent", (locale, command) => {
  const subsets = everything.map((_, index) => everything.filter((__, other) => other !== index));
  const single = everything.map((variable) => [variable]);
  for (const values of [everything, [], ...subsets, ...single]) {
    const text = render(locale, command, values);
    expect(text).not.toMatch(/\n{3,}|^\s|\s$|undefined|null|\[object/);
    // A heading stands only above something.
    expect(text).not.toMatch(/^# [^\n]*\n+# /m);
    expect(text).not.toMatch(/(?:^|\n)# [^\n]*$/);
  }
});

test.each(cases)("%s/%s treats empty values as absent ones", (locale, command) => {
  const empty = [
    { name: "userInputPrompt", value: " \n" },
    { name: "userInfo", value: { nickname: "" } },
    { name: "vcs", value: {} },
    { name: "packageFiles", value: [] },
    { name: "knowledgeBase", value: [{ knowledgeBaseId: "kb", references: [] }] },
    { name: "activeEditor", value: { filePath: "", content: "", selectedRanges: [] } },
  ];
  expect(render(locale, command, empty)).toBe(render(locale, command, []));
});

test.each(cases.filter(([, command]) => command !== "chat"))(
  "%s/%s asks for its own work when nothing is typed",
  (locale, command) => {
    const withCode = render(
      locale,
      command,
      everything.filter(({ name }) => name === "activeEditor"),
    );
    const withNothing = render(locale, command, []);
    const lastLine = withCode.split("\n").at(-1) ?? "";
    expect(lastLine).toMatch(locale === "zh" ? /^[^#]*代码.*。$/ : /^[A-Z].*this code.*\.$/);
    expect(withNothing).not.toContain(lastLine);
  },
);

test.each(cases)("%s/%s speaks its language", (locale, command) => {
  const system = library.find(command, locale)?.[0]?.template ?? "";
  expect(/\p{Script=Han}/u.test(system)).toBe(locale === "zh");
  expect(system).toContain(locale === "zh" ? "用中文回答" : "Answer in English");
  expect(system).toContain("[1]");
});
