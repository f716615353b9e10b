import type { Locale } from "../errors/locale.ts";

/** What flows say to people in their own words; the model's words come from `prompt/builtin`. */
export interface Texts {
  greeting(name: string, agent: string): string;
  offer: string;
  noCommands: string;
  version(agent: string, version: string, model: string): string;
  fix: { title: string; message: string; prompt: string };
  unittest: { title: string; message: string; prompt: string };
  /** The button of a command that a definition lists without a description. */
  runCommand(command: string): string;
  explainPassage: string;
}

const en: Texts = {
  greeting: (name, agent) => `Hello${name === "" ? "" : `, ${name}`}! This is ${agent}.\n\n`,
  offer: "What shall we do?\n",
  noCommands: "Ask me anything about the code in front of you.\n",
  version: (agent, version, model) => `${agent} ${version}, answering with the model "${model}".\n`,
  fix: {
    title: "Fix",
    message: "Look for the mistakes in this code and repair them",
    prompt: "Fix this code.",
  },
  unittest: {
    title: "Write unit tests",
    message: "Write unit tests for this code",
    prompt: "Write unit tests for this code.",
  },
  runCommand: (command) => `Run ${command}`,
  explainPassage: "Explain this passage.",
};

const zh: Texts = {
  greeting: (name, agent) => `你好${name === "" ? "" : `，${name}`}！我是 ${agent}。\n\n`,
  offer: "想做什么？\n",
  noCommands: "关于眼前的代码，有任何问题都可以问我。\n",
  version: (agent, version, model) => `${agent} ${version}，使用模型“${model}”回答。\n`,
  fix: { title: "修复", message: "找出这段代码中的错误并修复", prompt: "修复这段代码。" },
  unittest: {
    title: "编写单元测试",
    message: "为这段代码编写单元测试",
    prompt: "为这段代码编写单元测试。",
  },
  runCommand: (command) => `执行 ${command}`,
  explainPassage: "解释这段内容。",
};

const texts: Record<Locale, Texts> = { en, zh };

export function textsFor(locale: Locale): Texts {
  return texts[locale];
}
