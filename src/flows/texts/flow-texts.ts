import type { EditErrorCode, EditLevel } from "../../edit/edit-unit.ts";
import type { CodeProblem } from "../../code/code-analysis.ts";
import type { RefusalCode } from "../../turn/proposed-edit.ts";
import type { TestCase } from "../../turn/test-case.ts";

/** What flows say to people in their own words; the model's words come from `prompt/builtin`. */
export interface Texts {
  greeting(name: string, agent: string): string;
  offer: string;
  noCommands: string;
  /** The question is left out of the buttons of a greeting. */
  version(agent: string, version: string, model: string): string;
  fix: { title: string; message: string; prompt: string };
  unittest: { title: string; message: string; prompt: string };
  /** The button of a command that a definition lists without a description. */
  runCommand(command: string): string;
  sources: string;

  unnamedFile: string;
  newCode(path: string, first: number, last: number): string;
  wholeFile(path: string): string;
  otherFile(path: string): string;
  /** A unit of a change, and how it was found. */
  foundAt(unit: number, level: string, first: number, last: number): string;
  levels: Record<EditLevel, string>;
  /** A unit of a change that was not found. */
  missed(unit: number, code: EditErrorCode): string;
  brokenSyntax(line: number, problem: string): string;
  /** @param why a sentence */
  tryAgain(why: string): string;
  notApplied(why: string): string;
  refusals: Record<RefusalCode, string>;
  nearest: string;
  proposed: string;
  noChange: string;
  /** Why the model is asked once more where its code could not be read. */
  unread: string;
  choosePlace(unit: number): string;
  /** Above several places that a question names. */
  chooseNamed: string;
  /** Above the places that a selection without a usable position may mean. */
  chooseSelected: string;
  /** Above several complete changes. */
  chooseOption: string;
  /** Above the places of a file that has nothing where the question, or a click, says. */
  chooseGone(place: string): string;
  /** Below the beginning of a long question. */
  questionCut: string;
  place(first: number, last: number, symbol: string, text: string): string;
  fileChanged: string;
  showWhole: { title: string; message: string };
  explainChange: { title: string; message: string };

  /** What prompts are told of the code. */
  placeInPrompt(name: string, first: number, last: number): string;
  problem(problem: CodeProblem): string;
  syntaxProblem(line: number, problem: string): string;
  subject(path: string, name: string, first: number, last: number): string;

  chooseFunction: string;
  casesFor(name: string): string;
  noCases: string;
  answered: string;
  noCode: string;
  retry: { title: string; message: string };
  testCase(item: TestCase): string;
  category(name: string): string;
  /** Where tests stand in the file under test. */
  addToTests(path: string): string;
  addToSource(path: string): string;
  writeAll(count: number): { title: string; message: string };
  moreCases: { title: string; message: string };
  knownCases: string;
  allCases: string;
  /** Buttons or nodes of trees that one answer has no room for. */
  leftOut: string;
  startOver: { title: string; message: string; prompt: string };

  /** Above the list of what can be typed, where there are no buttons. */
  typeNext: string;
  /** @param words as Markdown code */
  typed(words: string, message: string): string;
  /** Above the list that the numbers mean. */
  typedNumbers(words: string): string;
  /** For the model: what was chosen from such a list. */
  chosenNumbers(numbers: readonly string[]): string;
}
