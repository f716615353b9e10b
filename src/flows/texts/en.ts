import type { EditErrorCode, EditLevel } from "../../edit/edit-unit.ts";
import type { CodeProblem } from "../../code/code-analysis.ts";
import type { RefusalCode } from "../../turn/proposed-edit.ts";

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

/** What flows say to people in their own words; the model's words are the prompts of the commands. */
export const en = {
  sources: "**Sources:**",

  unnamedFile: "file",
  newCode: (path: string, first: number, last: number) =>
    `**New code**, \`${path}\`, ${lines(first, last)}:`,
  wholeFile: (path: string) => `**\`${path}\`** with the change:`,
  otherFile: (path: string) => `This is proposed for \`${path}\`, which is not open here:`,
  /** A unit of a change, and how it was found. */
  foundAt: (unit: number, level: string, first: number, last: number) =>
    `Change ${unit}: ${lines(first, last)} (${level})`,
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
  } satisfies Record<EditLevel, string>,
  /** A unit of a change that was not found. */
  missed: (unit: number, code: EditErrorCode) =>
    `Change ${unit}: ${misses[code] ?? misses["no-match"]}`,
  brokenSyntax: (line: number, problem: string) =>
    `**Please check**: the code was free of syntax errors before, and now has one at line ${line}: ${problem}.`,
  /** @param why a sentence */
  tryAgain: (why: string) => `The change cannot be made: ${why} The model is asked once more.`,
  notApplied: (why: string) => `**Nothing was changed**: ${why}`,
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
  } satisfies Record<RefusalCode, string>,
  nearest: "The nearest place differs:",
  proposed: "The model proposed:",
  noChange: "No change was proposed.",
  /** Why the model is asked once more where its code could not be read. */
  unread: "its code could not be read as a change of the file.",
  /** Above several complete changes. */
  chooseOption: "**Nothing was changed yet**: the answer offers several changes. Choose one.",
  choosePlace: (unit: number) =>
    `**Nothing was changed yet**: change ${unit} fits several places. Choose the one that is meant.`,
  /** Above several places that a question names. */
  chooseNamed: "The question names several places. Choose the one that is meant.",
  /** Above the places that a selection without a usable position may mean. */
  chooseSelected: "The position of the selection is not known. Choose the code that is meant.",
  /** Above the places of a file that has nothing where the question, or a click, says. */
  chooseGone: (place: string) =>
    `The place that is named was not found: ${place}. Choose the code that is meant.`,
  /** Below the beginning of a long question. */
  questionCut: "(The question is longer and was cut here.)",
  place: (first: number, last: number, symbol: string, text: string) =>
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

  /** What prompts are told of the code. */
  placeInPrompt: (name: string, first: number, last: number) =>
    `${name === "" ? "" : `${name}, `}${lines(first, last)}`,
  problem: ({ kind, text }: CodeProblem) => problems[kind](text),
  syntaxProblem: (line: number, problem: string) => `Line ${line}: ${problem}`,
  subject: (path: string, name: string, first: number, last: number) =>
    `${path}, ${name === "" ? "" : `${name}, `}${lines(first, last)}`,

  retry: { title: "Try again", message: "Ask the model the same again" },
  /** Buttons or nodes of trees that one answer has no room for. */
  leftOut: "Not all next steps are shown: there are more of them than one answer has room for.",
  startOver: {
    title: "Start over",
    message: "Show what this agent can do",
    prompt: "",
  },

  /** Above the list of what can be typed, where there are no buttons. */
  typeNext: "**You can type next:**",
  /** @param words as Markdown code */
  typed: (words: string, message: string) => `${words}: ${message}`,
  /** Above the list that the numbers mean. */
  typedNumbers: (words: string) => `${words}, with numbers of this list:`,
  /** For the model: what was chosen from such a list. */
  chosenNumbers: (numbers: readonly string[]) =>
    `${numbers.length === 1 ? "Number" : "Numbers"} ${numbers.join(", ")} of the last list in your answer.`,
};

export type Texts = typeof en;
