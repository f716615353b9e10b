import type { EditErrorCode } from "../../edit/edit-unit.ts";
import type { CodeProblem } from "../../code/code-analysis.ts";
import type { Texts } from "./flow-texts.ts";

function lines(first: number, last: number): string {
  return first >= last ? `line ${first}` : `lines ${first} to ${last}`;
}

const misses: Partial<Record<EditErrorCode, string>> & { "no-match": string } = {
  "no-match": "not found in the file",
  ambiguous: "fits several places",
  elision: "leaves out code that is not known",
};

const problems: Record<CodeProblem["kind"], (text: string) => string> = {
  missing: (text) => `${text} is missing`,
  unexpected: (text) => `unexpected ${text}`,
  "unexpected-end": () => "the text ends too early",
};

export const en: Texts = {
  greeting: (name, agent) => `Hello${name === "" ? "" : `, ${name}`}! This is ${agent}.\n\n`,
  offer: "What would you like to do?\n",
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
    prompt: "Recommend unit tests for this code.",
  },
  runCommand: (command) => `Run ${command}`,
  sources: "**Sources:**",

  unnamedFile: "file",
  newCode: (path, first, last) => `**New code**, \`${path}\`, ${lines(first, last)}:`,
  wholeFile: (path) => `**\`${path}\`** with the change:`,
  otherFile: (path) => `This is proposed for \`${path}\`, which is not open here:`,
  foundAt: (unit, level, first, last) => `Change ${unit}: ${lines(first, last)} (${level})`,
  levels: {
    exact: "found exactly",
    "line-ends": "found, with other line ends or trailing spaces",
    indentation: "found with another indentation, which was adapted",
    typography: "found, with other quotes, dashes or spaces",
    "blank-lines": "found, with other blank lines",
    elision: "found by the lines around the gap",
    decoration: "found after fences, line numbers or entities were taken off",
    "partial-line": "found inside a line",
    similar: "found with small misquotations; please check",
    "line-numbers": "by line numbers",
    "new-file": "fills the empty file",
    "whole-file": "replaces the whole file",
  },
  missed: (unit, code) => `Change ${unit}: ${misses[code] ?? misses["no-match"]}`,
  brokenSyntax: (line, problem) =>
    `**Please check**: the code was free of syntax errors before, and now has one at line ${line}: ${problem}.`,
  tryAgain: (why) => `The change cannot be made: ${why} The model is asked once more.`,
  notApplied: (why) => `**Nothing was changed**: ${why}`,
  refusals: {
    malformed: "the change is not in the expected format.",
    truncated: "the change was cut off.",
    "no-match": "the code to replace was not found in the file.",
    ambiguous: "the code to replace is in the file several times.",
    overlap: "two parts of the change contradict each other.",
    unquoted: "lines would be lost that the change does not name.",
    indentation: "the indentation of the new lines is not clear.",
    elision: "the change leaves out code, and it is not clear which.",
    "whole-file": "the change would replace the whole file.",
    "no-change": "the file already contains this change.",
    "missing-file": "there is no such file.",
    "line-range": "the change names lines that the file does not have.",
    "touches-code": "the change touches code, and only comments may change here.",
    "unknown-comments":
      "comments and code look alike in this language, so the change cannot be checked.",
  },
  nearest: "The nearest place differs:",
  proposed: "The model proposed:",
  noChange: "No change was proposed.",
  unread: "its code could not be read as a change of the file.",
  chooseOption: "**Nothing was changed yet**: the answer offers several changes. Choose one.",
  choosePlace: (unit) =>
    `**Nothing was changed yet**: change ${unit} fits several places. Choose the one that is meant.`,
  chooseNamed: "The question names several places. Choose the one that is meant.",
  chooseSelected: "The position of the selection is not known. Choose the code that is meant.",
  chooseGone: (place) =>
    `The place that is named was not found: ${place}. Choose the code that is meant.`,
  questionCut: "(The question is longer and was cut here.)",
  place: (first, last, symbol, text) =>
    `${lines(first, last)}${symbol === "" ? "" : `, ${symbol}`}: ${text}`,
  fileChanged: "The file has changed since, so the place was looked up again.",
  showWhole: {
    title: "Show the whole file",
    message: "Show the whole file with this change",
  },
  explainChange: {
    title: "Explain the change",
    message: "Explain what this change does and why",
  },

  placeInPrompt: (name, first, last) => `${name === "" ? "" : `${name}, `}${lines(first, last)}`,
  problem: ({ kind, text }) => problems[kind](text),
  syntaxProblem: (line, problem) => `Line ${line}: ${problem}`,
  subject: (path, name, first, last) =>
    `${path}, ${name === "" ? "" : `${name}, `}${lines(first, last)}`,

  chooseFunction: "Which function should be tested?",
  casesFor: (name) =>
    `Test cases for \`${name}\`. Choose one to have it written, or write them all.`,
  noCases: "The model did not return a list of test cases.",
  answered: "It answered:",
  noCode: "There is no code to test. Select some, or open a file.",
  retry: { title: "Try again", message: "Ask the model the same again" },
  testCase: ({ category, description }) => `${category}: ${description}`,
  category: (name) => name,
  addToTests: (path) =>
    `\`${path}\` exists already: these tests are added to it and do not replace it.`,
  addToSource: (path) => `Add this at the end of \`${path}\`; it does not replace the file.`,
  writeAll: (count) => ({
    title: "Write all",
    message: count === 1 ? "Write the test of this case" : `Write the tests of all ${count} cases`,
  }),
  moreCases: {
    title: "Recommend more cases",
    message: "Recommend test cases for this code",
  },
  knownCases: "These are written already:",
  allCases: "The happy path and the edge cases that the code shows.",
  leftOut: "Not all next steps are shown: there are more of them than one answer has room for.",
  startOver: {
    title: "Start over",
    message: "Show what this agent can do",
    prompt: "",
  },

  typeNext: "**You can type next:**",
  typed: (words, message) => `${words}: ${message}`,
  typedNumbers: (words) => `${words}, with numbers of this list:`,
  chosenNumbers: (numbers) =>
    `${numbers.length === 1 ? "Number" : "Numbers"} ${numbers.join(", ")} of the last list in your answer.`,
};
