import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lintDefinition, lintText } from "../../../src/cli/lint/lint-definition.ts";
import { loadPromptFiles } from "../../../src/setup/load-prompt-files.node.ts";
import { createPromptLibrary } from "../../../src/prompt/prompt-library.ts";
import { createTemplateEngine } from "../../../src/prompt/template.ts";
import type { CollectedVariable, CommandDefinition } from "../../../src/turn/agent-definition.ts";

const prompts = createPromptLibrary(loadPromptFiles());
const engine = createTemplateEngine(() => 0);
const normal: CommandDefinition = { name: "default" };

function command(
  name: string,
  template: string | undefined,
  ...contextVariables: CollectedVariable[]
): CommandDefinition {
  return {
    name,
    ...(template === undefined ? {} : { messageTemplates: [{ role: "user", template }] }),
    contextVariableCollectionStrategy: { type: "specify", contextVariables },
  };
}

/** The problems as lines, without the path that all variables share. */
function lint(commands: CommandDefinition[], name = "agent"): string[] {
  return lintDefinition({ name, commands }, prompts, engine).map(
    ({ path, severity, message }) =>
      `${path.replace("contextVariableCollectionStrategy.contextVariables", "…")}: ${severity}: ${message}`,
  );
}

test("a definition that wants knowledge is told what the settings here lack", () => {
  const knowledgeBase = { name: "knowledgeBase", resolverOptions: { recallByAgent: true } };
  const commands = [normal, command("explain", undefined, knowledgeBase, { name: "activeEditor" })];
  const text = JSON.stringify({ name: "agent", commands });
  const wants = { path: "commands[1]", severity: "info" };
  expect(lintText(text, prompts, engine, false)).toMatchObject([wants]);
  expect(lintText(text, prompts, engine, true)).toEqual([]);
});

test("the shipped definition has no problems", () => {
  const text = readFileSync(
    new URL("../../../agent-definitions/rightseat.json", import.meta.url),
    "utf8",
  );
  expect(lintText(text, prompts, engine)).toEqual([]);
});

test("text that is no JSON and values that the schema refuses are errors with their place", () => {
  expect(lintText("{ name }", prompts, engine)).toMatchObject([
    { path: "(file)", severity: "error", message: expect.stringMatching(/^not valid JSON: /) },
  ]);
  expect(lintText("[]", prompts, engine)).toMatchObject([{ path: "(file)", severity: "error" }]);
  const text = JSON.stringify({
    name: "a",
    commands: [{ name: "default", messageTemplates: [{ role: "boss", template: "" }] }],
  });
  expect(lintText(text, prompts, engine)).toMatchObject([
    { path: "commands[0].messageTemplates[0].role", severity: "error" },
  ]);
});

test("a misspelt variable is told with the name that was meant, once", () => {
  expect(lint([normal, command("explain", undefined, { name: "activeEditdor" })])).toEqual([
    'commands[1].…[0].name: warning: unknown variable "activeEditdor"; did you mean activeEditor?',
  ]);
});

test("a variable that nobody documents is worth a note only", () => {
  expect(lint([normal, command("a", "{{ ticket }}", { name: "ticket" })])).toEqual([
    'commands[1].…[0].name: info: unknown variable "ticket": the platform does not document it; it reaches templates as it comes',
  ]);
});

test("a variable that the command's own templates do not read is collected in vain", () => {
  const list = [{ name: "vcs" }, { name: "userInputPrompt" }, { name: "globalPrompts" }];
  expect(lint([normal, command("a", "{{ userInputPrompt }}", ...list)])).toEqual([
    'commands[1].…[0]: warning: "vcs" is collected, but command "a" never uses it',
  ]);
});

test("a command without templates is measured against its built-in prompt", () => {
  expect(
    lint([normal, command("fix", undefined, { name: "activeEditor" }, { name: "vcs" })]),
  ).toEqual(['commands[1].…[1]: warning: "vcs" is collected, but command "fix" never uses it']);
});

test("a command that asks no model uses nothing, and default what chat uses", () => {
  const list = [{ name: "activeEditor" }, { name: "globalPrompts" }];
  expect(lint([normal, command("version", undefined, ...list)])).toEqual([
    'commands[1].…[0]: warning: "activeEditor" is collected, but command "version" never uses it',
    'commands[1].…[1]: warning: "globalPrompts" is collected, but command "version" never uses it',
  ]);
  expect(lint([command("default", undefined, ...list)])).toEqual([]);
});

test("knowledge is used by the commands that show it as a tree, whatever their templates read", () => {
  const list = [{ name: "activeEditor" }, { name: "knowledgeBase" }];
  expect(lint([normal, command("explain", "{{ activeEditor }}", ...list)])).toEqual([]);
  expect(lint([normal, command("other", "{{ activeEditor }}", ...list)])).toHaveLength(1);
});

test("a template variable that the command does not collect is told, with the name that was meant", () => {
  expect(
    lint([normal, command("a", "{{ vcs }} {{ activeEdtor.content }}", { name: "activeEditor" })]),
  ).toEqual([
    'commands[1].messageTemplates[0].template: warning: reads "vcs", which command "a" does not collect; add it to contextVariables',
    'commands[1].messageTemplates[0].template: warning: reads "activeEdtor", which command "a" does not collect; did you mean activeEditor?',
    'commands[1].…[0]: warning: "activeEditor" is collected, but command "a" never uses it',
  ]);
});

test("names that a template makes itself need no collection", () => {
  const template =
    "{% assign a = 1 %}{% for file in packageFiles %}{{ file.filepath }}{{ a }}{{ forloop.index }}{% endfor %}";
  expect(lint([normal, command("a", template, { name: "packageFiles" })])).toEqual([]);
});

test("the agent's own templates serve the commands that have none", () => {
  const definition = {
    name: "agent",
    messageTemplates: [{ role: "user" as const, content: "{{ vcs }}" }],
    commands: [normal],
  };
  expect(lintDefinition(definition, prompts, engine)).toMatchObject([
    { path: "messageTemplates[0].content", message: expect.stringContaining('"vcs"') },
  ]);
});

test("a definition without the default command is refused", () => {
  expect(lint([])).toEqual([
    'commands: error: there is no command "default", which clients send when the person chooses none',
  ]);
});

test("a command name that comes twice is an error at the second place", () => {
  expect(lint([normal, normal])).toEqual([
    'commands[1].name: error: command "default" stands here a second time (first as commands[0]); it is never run',
  ]);
});

test("a command that has nothing to ask a model is told", () => {
  expect(lint([normal, { name: "poem" }])).toEqual([
    'commands[1].messageTemplates: warning: command "poem" has no messageTemplates and no built-in prompt, so there is nothing to ask a model',
  ]);
});

test("both spellings of the options in one variable are told, and that the file mixes them", () => {
  const both = { name: "activeEditor", resolveOptions: {}, resolverOptions: {} };
  expect(lint([normal, command("explain", undefined, both)])).toEqual([
    "commands: warning: options are spelt resolveOptions (1) and resolverOptions (1) in one file; use one spelling, as a platform may know only one",
    "commands[1].…[0]: warning: both resolverOptions and resolveOptions are given; resolverOptions is read, the other one is not",
  ]);
});

test("one spelling of the options in all of a file is fine, whichever it is", () => {
  for (const key of ["resolveOptions", "resolverOptions"]) {
    expect(
      lint([
        normal,
        command("explain", undefined, {
          name: "activeEditor",
          [key]: { contentBeforeSelectionLines: 3 },
        }),
      ]),
    ).toEqual([]);
  }
});

test("options of a wrong type are errors with their path", () => {
  const variables = [
    { name: "activeEditor", resolverOptions: { contentBeforeSelectionLines: "3" } },
    { name: "packageFiles", resolverOptions: 3 },
  ];
  const lines = lint([normal, command("explain", undefined, ...variables)]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^commands\[1\]\.…\[0\]\.resolverOptions\.contentBeforeSelectionLines: error: /,
  );
  expect(lines[1]).toMatch(/^commands\[1\]\.…\[1\]\.resolverOptions: error: /);
});

test("a broken template is an error with line and column, and an unknown filter is one", () => {
  const lines = lint([
    normal,
    command("a", "hello\n{% if %}"),
    command("b", "{{ userInputPrompt | shout }}", { name: "userInputPrompt" }),
  ]);
  expect(lines[0]).toMatch(
    /^commands\[1\]\.messageTemplates\[0\]\.template: error: line 2, column 6: /,
  );
  expect(lines[1]).toMatch(
    /^commands\[2\]\.messageTemplates\[0\]\.template: error: line 1, column \d+: .*shout/,
  );
  expect(lines).toHaveLength(2);
});

test("keys that nearly are documented ones are told with the key that was meant, others are not", () => {
  const text = JSON.stringify({
    name: "a",
    descripton: "",
    icon: "star",
    modelConfigration: {},
    modelConfiguration: { modelNam: "m", topK: 3, thinking: true },
    commands: [
      {
        name: "default",
        messageTemplats: [],
        contextVariableCollectionStrategy: {
          type: "specify",
          contextVariable: [],
          contextVariables: [
            {
              name: "activeEditor",
              resolverOption: {},
              resolverOptions: { contentBeforeSelectionLinez: 3, depth: 1 },
            },
          ],
        },
        messageTemplates: [{ role: "user", templat: "", template: "{{ activeEditor }}" }],
      },
    ],
  });
  const strategy = "commands[0].contextVariableCollectionStrategy";
  const meant = [
    ["descripton", "description"],
    ["modelConfigration", "modelConfiguration"],
    ["modelConfiguration.modelNam", "modelName"],
    ["commands[0].messageTemplats", "messageTemplates"],
    [`${strategy}.contextVariable`, "contextVariables"],
    [`${strategy}.contextVariables[0].resolverOption`, "resolverOptions"],
    ["commands[0].messageTemplates[0].templat", "template"],
    [
      `${strategy}.contextVariables[0].resolverOptions.contentBeforeSelectionLinez`,
      "contentBeforeSelectionLines",
    ],
  ];
  const found = lintText(text, prompts, engine);
  expect(found).toHaveLength(meant.length);
  for (const [path = "", near] of meant) {
    const message = `unknown key "${path.split(".").at(-1)}" is not read; did you mean ${near}?`;
    expect(found).toContainEqual({ path, severity: "warning", message });
  }
});

test("a collection strategy that the platform does not document is told", () => {
  const strange = { name: "default", contextVariableCollectionStrategy: { type: "all" } };
  expect(lint([strange])).toEqual([
    'commands[0].contextVariableCollectionStrategy.type: warning: unknown strategy "all"; the platform documents only "specify"',
  ]);
});

test("a step of a template path that nearly is a documented field is told once, with the field", () => {
  const template =
    "{{ activeEditor.filepath }}{{ activeEditor.filepath }}{{ activeEditor.selectedRange[0].content }}" +
    "{{ packageFiles[0].filePath }}{{ packageFiles.size }}{{ activeEditor.selectedRanges.first.endLine }}" +
    "{{ activeEditor.theme }}{{ activeEditor['language'] }}";
  const at = "commands[1].messageTemplates[0].template: warning: reads";
  const list = [{ name: "activeEditor" }, { name: "packageFiles" }];
  expect(lint([normal, command("a", template, ...list)])).toEqual([
    `${at} "activeEditor.filepath", which nobody documents; did you mean activeEditor.filePath?`,
    `${at} "activeEditor.selectedRange", which nobody documents; did you mean activeEditor.selectedRanges?`,
    `${at} "packageFiles[0].filePath", which nobody documents; did you mean packageFiles[0].filepath?`,
  ]);
});

test("values that the schema refuses hide nothing else, and are told once", () => {
  const text = JSON.stringify({
    name: "a b",
    version: 3,
    commands: [
      "nonsense",
      {
        name: "default",
        messageTemplates: [
          { role: "boss", template: "{{ vcs }}" },
          { role: "user", template: "{% if %}" },
        ],
      },
      { messageTemplates: [{ role: "user", template: "{{ userInfo.nickname }}" }] },
    ],
  });
  const found = lintText(text, prompts, engine).map(({ path, severity }) => `${severity} ${path}`);
  expect(found).toEqual([
    "error version",
    "error commands[0]",
    "error commands[1].messageTemplates[0].role",
    "error commands[2].name",
    "warning name",
    "error commands[1].messageTemplates[1].template",
    "warning commands[1].messageTemplates[0].template",
    "warning commands[2].messageTemplates[0].template",
  ]);
});

test("a broken template hides nothing of the others beside it", () => {
  const broken: CommandDefinition = {
    name: "a",
    messageTemplates: [
      { role: "system", template: "{% if %}" },
      { role: "user", template: "{{ vcs.branchname }}" },
    ],
  };
  expect(lint([normal, broken])).toEqual([
    expect.stringMatching(/^commands\[1\]\.messageTemplates\[0\]\.template: error: line 1/),
    expect.stringContaining('[1].template: warning: reads "vcs", which command "a" does not'),
    expect.stringContaining("did you mean vcs.branchName?"),
  ]);
});

test("a template of the whole agent is checked once, whether several commands use it or none", () => {
  const messageTemplates = [{ role: "user" as const, template: "{% if %}" }];
  for (const own of [undefined, [{ role: "user" as const, template: "hello" }]]) {
    const commands = ["default", "a"].map((name) => ({ name, messageTemplates: own }));
    expect(lintDefinition({ name: "x", messageTemplates, commands }, prompts, engine)).toEqual([
      expect.objectContaining({ path: "messageTemplates[0].template", severity: "error" }),
    ]);
  }
});

test("templates that are larger than the files of an operator may be are told with the limit", () => {
  const half = { role: "user" as const, template: "{{ 'a' | upcase }}".repeat(1_500) };
  expect(lint([normal, { name: "go", messageTemplates: [half, half] }])).toEqual([
    "commands[1].messageTemplates[1].template: error: line 1, column 1: the templates of a command may hold 2000 filters and operators together",
  ]);
});
