import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ContextVariable, parseContext } from "../../src/turn/context/context.ts";
import { estimateTokens } from "../../src/turn/tokens.ts";
import { AppError } from "../../src/base/errors/app-error.ts";
import { scriptedModel } from "../../src/testing.ts";
import { type Prompt, type PromptPlan, buildPrompt } from "../../src/prompt/build-prompt.ts";
import { describeContext } from "../../src/prompt/describe-context.ts";
import { createTemplateEngine } from "../../src/prompt/template.ts";
import type { MessageTemplate } from "../../src/turn/agent-definition.ts";
import { type ChatMessage, textOfMessage } from "../../src/turn/chat-message.ts";
import type { Turn } from "../../src/turn/turn.ts";

const engine = createTemplateEngine(() => 0);

interface Given {
  variables?: readonly ContextVariable[];
  history?: readonly ChatMessage[];
  /** The variables that the command declares, with their options. */
  collected?: readonly { name: string; resolverOptions?: unknown }[];
  /** The tokens that a prompt may take. */
  budget?: number;
}

function createTurn(given: Given = {}): Turn {
  const { variables = [], history = [], collected = [], budget = 10_000 } = given;
  return {
    id: "turn-1",
    agent: "a",
    command: "explain",
    definition: {
      name: "a",
      commands: [
        {
          name: "explain",
          contextVariableCollectionStrategy: { type: "specify", contextVariables: [...collected] },
        },
      ],
    },
    messageTemplates: undefined,
    modelConfiguration: {},
    context: parseContext(variables),
    history,
    locale: "en",
    caller: { forward: () => ({}) },
    model: scriptedModel([], { contextWindow: budget + 100, answerReserve: 100 }),
    modelId: undefined,
    extra: {},
    signal: new AbortController().signal,
  };
}

function build(templates: readonly (MessageTemplate | string)[], given?: Given): Prompt {
  const messages = templates.map((item) =>
    typeof item === "string" ? { role: "user" as const, template: item } : item,
  );
  return buildPrompt(createTurn(given), messages, engine);
}

function refusalOf(run: () => unknown): AppError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error("It was not refused.");
}

const question = { name: "userInputPrompt", value: "Why?" };
const rules = {
  name: "globalPrompts",
  value: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Be kind." },
    { role: "robot", content: "Be honest." },
    { content: "Be there." },
  ],
};
const history: ChatMessage[] = [
  { role: "user", content: "first question" },
  { role: "assistant", content: "first answer" },
];

function print({ messages }: Prompt): string[] {
  return messages.map((message) => `${message.role}: ${textOfMessage(message)}`);
}

test("a definition's templates become messages in their order, whichever field holds their text", () => {
  const prompt = build(
    [
      { role: "system", content: "You help {{ userInfo }}." },
      { role: "assistant", template: null, content: "Yes?" },
      { role: "user", template: "{{ userInputPrompt }}", content: "not this one" },
    ],
    { variables: [question, { name: "userInfo", value: { name: "ada" } }] },
  );
  expect(print(prompt)).toEqual(["system: You help ada.", "assistant: Yes?", "user: Why?"]);
});

test("rules and history stand before the last user message, history first", () => {
  const prompt = build(
    [
      { role: "system", template: "Help." },
      { role: "user", template: "Here is code." },
      "{{ userInputPrompt }}",
      { role: "assistant", template: "I think" },
    ],
    { variables: [question, rules], history },
  );
  expect(print(prompt)).toEqual([
    "system: Help.",
    "user: Here is code.",
    "user: first question",
    "assistant: first answer",
    "system: Be brief.",
    "user: Be kind.",
    "system: Be honest.",
    "system: Be there.",
    "user: Why?",
    "assistant: I think",
  ]);
});

test("without a user message the rules come last", () => {
  const prompt = build([{ role: "system", template: "Help." }], {
    variables: [{ name: "globalPrompts", value: [{ content: "Be brief." }] }],
  });
  expect(print(prompt)).toEqual(["system: Help.", "system: Be brief."]);
});

test("rules that a template prints itself are not doubled", () => {
  const prompt = build(["{{ globalPrompts }}\n{{ userInputPrompt }}"], {
    variables: [question, rules],
  });
  expect(print(prompt)).toEqual(["user: Be brief.\n\nBe kind.\n\nBe honest.\n\nBe there.\nWhy?"]);
});

test("a template of a tool is a message of the user, since it answers no call", () => {
  expect(print(build([{ role: "tool", template: "42" }]))).toEqual(["user: 42"]);
});

test("templates that all come out empty are the definition's fault", () => {
  const refusal = refusalOf(() => build(["{{ userInputPrompt }}", { role: "system" }]));
  expect(refusal.code).toBe("template_error");
  expect(refusal.message).toBe('All templates of command "explain" came out empty.');
});

test("a broken template is told with command, number, line and column, parsing as rendering", () => {
  const broken = refusalOf(() => build(["fine", "a\n {{ b"]));
  expect(broken.code).toBe("template_error");
  expect(broken.message).toMatch(
    /^Template 1 of command "explain" is broken at line 2, column 2: .*\.$/,
  );
  expect(broken.details.param).toBe("messageTemplates[1]");
  const endless = refusalOf(() => build(["{% for i in (1..1000000000) %}x{% endfor %}"]));
  expect(endless.code).toBe("template_error");
  expect(endless.message).toMatch(/^Template 0 .* rendering takes more than 50000 units/);
});

test("the options of the definition decide how the editor is printed", () => {
  const content = "one\ntwo\nthree\nfour\nfive\n";
  const editor = { content, selectedRanges: [{ content: "three", startLine: 3, endLine: 3 }] };
  const variables = [{ name: "activeEditor", value: editor }];
  const resolverOptions = { contentBeforeSelectionLines: 1, contentAfterSelectionLines: 0 };
  const collected = [{ name: "activeEditor", resolverOptions }];
  const excerpt = (given: Given): string =>
    build(["{{ activeEditor }}"], given).messages.map(textOfMessage)[0] ?? "";
  expect(excerpt({ variables, collected })).toContain("```\n  2 | two\n> 3 | three\n```");
  expect(excerpt({ variables })).toContain("```\n  1 | one\n  2 | two");
  const bad = [{ name: "activeEditor", resolverOptions: { contentBeforeSelectionLines: "x" } }];
  expect(excerpt({ variables, collected: bad })).toBe(excerpt({ variables }));
});

test("unknown variables are usable in templates, even under odd names", () => {
  const variables = [
    { name: "color", value: { name: "red" } },
    { name: "__proto__", value: { polluted: "yes" } },
    { name: "constructor", value: "built" },
  ];
  const text = "{{ color.name }} {{ constructor }} {{ __proto__.polluted }} [{{ polluted }}]";
  const prompt = build([text], { variables });
  expect(print(prompt)).toEqual(["user: red built yes []"]);
  expect(prompt.receipt.unknown).toEqual(["color", "__proto__", "constructor"]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("the receipt tells what came, what did not, and what nobody used", () => {
  const { receipt } = build(["{{ userInputPrompt }} {{ vcs.branchName }} {{ color }}"], {
    variables: [
      question,
      rules,
      { name: "packageFiles", value: [{ filepath: "a", content: "x".repeat(340) }] },
      { name: "color", value: "red" },
    ],
    collected: [{ name: "activeEditor" }, { name: "packageFiles" }, { name: "color" }],
  });
  expect(receipt).toMatchObject({
    command: "explain",
    model: "scripted",
    budget: 10_000,
    missing: ["activeEditor", "vcs"],
    unknown: ["color"],
    unused: ["packageFiles"],
  });
  expect(Object.keys(receipt.arrived).sort()).toEqual([
    "globalPrompts",
    "packageFiles",
    "userInputPrompt",
  ]);
  expect(receipt.arrived["packageFiles"]).toBe(estimateTokens("x".repeat(340)));
  expect(receipt.cut).toBeUndefined();
});

test("of templates that read nothing, the receipt lists all that came as unused", () => {
  const variables = [question, { name: "packageFiles", value: [{ filepath: "a", content: "x" }] }];
  const { receipt } = build(["hello"], { variables });
  expect(receipt.unused?.toSorted()).toEqual(["packageFiles", "userInputPrompt"]);
});

test("the receipt counts what the messages cost", () => {
  const { receipt, messages } = build(["{{ userInputPrompt }}"], {
    variables: [question, rules],
    history,
  });
  const texts = messages.reduce((sum, message) => sum + estimateTokens(textOfMessage(message)), 0);
  expect(receipt.tokens).toBeGreaterThan(texts);
  expect(receipt.tokens).toBeLessThan(texts + 10 * messages.length);
});

test("a command that asks no model has a receipt without figures of one", () => {
  const collected = [{ name: "userInfo" }, { name: "vcs" }];
  const receipt = describeContext(
    createTurn({ variables: [question, { name: "vcs", value: {} }], collected }),
  );
  expect(Object.keys(receipt).sort()).toEqual(["arrived", "command", "missing"]);
  expect(receipt.missing).toEqual(["userInfo"]);
});

const line = (text: string, index: number): string => `${text} ${index} ${"word ".repeat(12)}`;
const lines = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => line(text, index));

/** Ten of everything, and 400 lines around a selection. */
const much: Given = {
  variables: [
    { name: "userInputPrompt", value: "QUESTION" },
    {
      name: "packageFiles",
      value: lines("file", 10).map((content) => ({ filepath: "a.json", content })),
    },
    {
      name: "knowledgeBase",
      value: [
        { references: lines("passage", 5).map((chunk, index) => ({ chunk, score: index })) },
        { references: lines("passage", 5).map((chunk, index) => ({ chunk, score: index + 0.5 })) },
      ],
    },
    {
      name: "activeEditor",
      value: {
        content: [...lines("above", 200), "SELECTION", ...lines("below", 200)].join("\n"),
        selectedRanges: [{ content: "SELECTION", startLine: 201, endLine: 201 }],
      },
    },
  ],
  history: lines("earlier", 10).map((content) => ({ role: "user", content })),
  collected: [
    {
      name: "activeEditor",
      resolverOptions: { contentBeforeSelectionLines: 999, contentAfterSelectionLines: 999 },
    },
  ],
};
const muchTemplate =
  "{{ packageFiles }}\n{{ knowledgeBase }}\n{{ activeEditor }}\n{{ userInputPrompt }}";
const whole = build([muchTemplate], { ...much, budget: 1_000_000 }).receipt.tokens ?? 0;
const least = Number(
  /about (\d+) tokens/.exec(
    refusalOf(() => build([muchTemplate], { ...much, budget: 1 })).message,
  )?.[1],
);

test("cuts go by the declared order: package files, the worst knowledge, the oldest history, then surroundings", () => {
  expect(whole).toBeGreaterThan(10 * least);
  fc.assert(
    fc.property(fc.integer({ min: least, max: whole }), (budget) => {
      const { messages, receipt } = build([muchTemplate], { ...much, budget });
      const text = messages.map(textOfMessage).join("\n");
      const kept = (pattern: RegExp): string[] =>
        [...text.matchAll(pattern)].map((match) => match[1] ?? "");
      const files = kept(/^file (\d)/gm);
      const scores = kept(/\(score ([\d.]+)\)/g).map(Number);
      const earlier = kept(/^earlier (\d)/gm);
      const around = kept(/\| ((?:above|below) \d+)/g);

      expect(receipt.tokens).toBeLessThanOrEqual(budget);
      expect(text).toContain("> 201 | SELECTION");
      expect(text).toContain("QUESTION");
      // Of each kind the right ones are left.
      expect(files).toEqual(files.map((_, index) => String(index)));
      expect(scores).toEqual([4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5, 0].slice(0, scores.length));
      expect(earlier).toEqual(
        ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].slice(10 - earlier.length),
      );
      // A kind is touched only when nothing of the one before is left.
      if (scores.length < 10) expect(files).toEqual([]);
      if (earlier.length < 10) expect(scores).toEqual([]);
      if (around.length < 400) expect(earlier).toEqual([]);
      // The receipt tells the same.
      expect(receipt.cut ?? []).toEqual([
        ...(files.length < 10 ? [`packageFiles: ${10 - files.length} of 10`] : []),
        ...(scores.length < 10 ? [`knowledgeBase references: ${10 - scores.length} of 10`] : []),
        ...(earlier.length < 10 ? [`history messages: ${10 - earlier.length} of 10`] : []),
        ...(around.length < 400
          ? [`activeEditor: all but ${around.length / 2} lines around the focus`]
          : []),
      ]);
    }),
  );
});

test("what fits is not cut", () => {
  const { receipt, messages } = build([muchTemplate], { ...much, budget: whole });
  expect(receipt.cut).toBeUndefined();
  expect(messages.at(-1)?.content).toContain("file 9");
});

test("what no template reads is not cut, since that would save nothing", () => {
  const templates = ["{{ activeEditor }}\n{{ userInputPrompt }}"];
  const { receipt } = build(templates, { ...much, history: [], budget: least });
  expect(receipt.cut).toEqual([expect.stringMatching(/^activeEditor: /)]);
});

test("a selection and a question that do not fit are refused with both numbers and the model's name", () => {
  const refusal = refusalOf(() =>
    build(["{{ userInputPrompt }}"], {
      variables: [{ name: "userInputPrompt", value: "x".repeat(34_000) }],
      budget: 500,
    }),
  );
  expect(refusal.code).toBe("prompt_too_large");
  expect(refusal.status).toBe(413);
  const tokens = Number(/about (\d+) tokens/.exec(refusal.message)?.[1]);
  expect(tokens).toBeGreaterThanOrEqual(estimateTokens("x".repeat(34_000)));
  expect(refusal.message).toContain(
    'but model "scripted" takes 500 (window 600, 100 kept for the answer)',
  );
});

test("10,000 references are cut to the budget, from the lowest score", () => {
  const references = Array.from({ length: 10_000 }, (_, index) => ({
    score: (index * 7_919) % 10_000,
    chunk: `passage ${index} ${"word ".repeat(20)}`,
    metadata: { fileName: `/docs/${index}.md` },
  }));
  const variables = [question, { name: "knowledgeBase", value: [{ references }] }];
  const templates = ["{{ knowledgeBase }}\n{{ userInputPrompt }}"];
  for (const budget of [20_000, 400_000]) {
    const { receipt, messages } = build(templates, { variables, budget });
    expect(receipt.tokens).toBeLessThanOrEqual(budget);
    const text = messages.map(textOfMessage)[0] ?? "";
    const scores = [...text.matchAll(/\(score (\d+)\)/g)].map((match) => Number(match[1]));
    expect(scores).toEqual(scores.map((_, index) => 9_999 - index));
    expect(receipt.cut).toEqual([`knowledgeBase references: ${10_000 - scores.length} of 10000`]);
    expect(text.endsWith("Why?")).toBe(true);
  }
});

test("of 10,000 references no fewer stay than the budget has room for", () => {
  const references = Array.from({ length: 10_000 }, (_, index) => ({
    score: index,
    chunk: "word ".repeat(20),
    metadata: { fileName: `/docs/${index}.md` },
  }));
  const variables = [question, { name: "knowledgeBase", value: [{ references }] }];
  const templates = ["{{ knowledgeBase }}\n{{ userInputPrompt }}"];
  const { receipt } = build(templates, { variables, budget: 20_000 });
  // Near the budget is enough among so many.
  expect(receipt.tokens).toBeGreaterThan(19_000);
});

test("knowledge and history stay when leaving out the package files is enough", () => {
  const packageFile = { filepath: "src/some/deep/path/package.json", content: "{}" };
  const given: Given = {
    variables: [
      question,
      { name: "packageFiles", value: [packageFile] },
      { name: "knowledgeBase", value: [{ references: [{ score: 1, chunk: "a b c" }] }] },
    ],
    history: history.slice(0, 1),
  };
  const templates = ["{{ packageFiles }}\n{{ knowledgeBase }}\n{{ userInputPrompt }}"];
  const all = build(templates, given).receipt.tokens ?? 0;
  const { receipt } = build(templates, { ...given, budget: all - 12 });
  expect(receipt.cut).toEqual(["packageFiles: 1 of 1"]);
});

test("what a flow can spare of its own goes after all cuts, and then the context is tried whole again", () => {
  const packageFile = { filepath: "a.json", content: "file ".repeat(20) };
  const turn = createTurn({
    variables: [question, { name: "packageFiles", value: [packageFile] }],
  });
  const facts = {
    subject: "SUBJECT",
    definitions: "first ".repeat(100),
    referenceTest: "second ".repeat(10),
  };
  const templates = [
    {
      role: "user" as const,
      template: "{{ packageFiles }}{{ subject }}{{ definitions }}{{ referenceTest }}",
    },
  ];
  const plan: PromptPlan = {
    spare: ["definitions", "testPath", "referenceTest"],
    shown: ["userInputPrompt"],
  };
  const under = (budget: number) => {
    const model = scriptedModel([], { contextWindow: budget, answerReserve: 0 });
    return buildPrompt({ ...turn, model }, templates, engine, { facts }, plan);
  };
  const cutsOf = (budget: number) => under(budget).receipt.cut;
  const all = under(10_000).receipt.tokens ?? 0;
  expect(under(all).receipt).not.toHaveProperty("unused");
  expect(cutsOf(all)).toBeUndefined();
  expect(cutsOf(all - 1)).toEqual(["packageFiles: 1 of 1"]);
  expect(cutsOf(all - 100)).toEqual(["definitions"]);
  expect(Object.keys(under(all - 100).focus.facts)).toEqual(["subject", "referenceTest"]);
  expect(cutsOf(20)).toEqual(["packageFiles: 1 of 1", "definitions", "referenceTest"]);
  expect(refusalOf(() => under(5)).code).toBe("prompt_too_large");
  expect(Object.keys(facts)).toEqual(["subject", "definitions", "referenceTest"]);
});

test.each<[string, Given]>([
  ["rules", { variables: [rules] }],
  ["history", { history }],
  ["rules and history", { variables: [rules], history }],
])("%s alone make no prompt", (_, given) => {
  const refusal = refusalOf(() => build(["{{ userInputPrompt }}"], given));
  expect(refusal.code).toBe("template_error");
});

test("a large file is printed as far as it is needed", () => {
  const content = "some words in a line\n".repeat(100_000);
  const editor = { name: "activeEditor", value: { content, cursorOffset: 1_000_000 } };
  const { receipt } = build(["{{ activeEditor }}"], { variables: [editor] });
  expect(receipt.cut).toEqual([expect.stringMatching(/^activeEditor: all but \d+ lines/)]);
});

test("all renderings of a prompt share one budget", () => {
  const loop = "{% for i in (1..100000) %}{% assign a = i %}{% endfor %}".replace(
    "100000",
    "12000",
  );
  // Once there is enough; finding a cut renders it again.
  expect(build([`${loop}{{ packageFiles }}`], { ...much, budget: 100_000 }).messages).toHaveLength(
    11,
  );
  const refusal = refusalOf(() =>
    build([`${loop}${muchTemplate}`], { ...much, budget: least + 9 }),
  );
  expect(refusal.message).toMatch(
    /^Template 0 of command "explain" is broken at line 1, column \d+: rendering takes more than 50000 units of work; loop over less, or use fewer filters\.$/,
  );
});

test("templates of other commands cost nothing, however many there are", () => {
  const turn = createTurn({ variables: [question] });
  const huge = [{ role: "user" as const, template: "{{ a".repeat(9_000) }];
  const commands = Array.from({ length: 5_000 }, (_, index) => ({
    name: `c${index}`,
    messageTemplates: huge,
  }));
  const asked = { ...turn, definition: { name: "a", commands } };
  const messages = [{ role: "user" as const, template: "{{ userInputPrompt }}" }];
  expect(print(buildPrompt(asked, messages, engine))).toEqual(["user: Why?"]);
});
