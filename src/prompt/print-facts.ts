import { noFocus, type PromptFacts } from "../turn/focus.ts";

const nothing: ReadonlyMap<string, string> = new Map();

type TextFact = Exclude<keyof PromptFacts, "chosenCases" | "openCases" | "knownCases">;

/** Names under which templates find facts. */
const named: Readonly<Record<TextFact | "cases", true>> = {
  place: true,
  diagnostics: true,
  intent: true,
  docStyle: true,
  definitions: true,
  subject: true,
  referenceTest: true,
  framework: true,
  frameworkNote: true,
  testPath: true,
  testFile: true,
  testIndent: true,
  testImport: true,
  wishes: true,
  example: true,
  examplePath: true,
  exampleLine: true,
  exampleSearch: true,
  exampleReplace: true,
  workspaceRoot: true,
  toolList: true,
  repositoryMap: true,
  namedFiles: true,
  checkCommand: true,
  editPath: true,
  numberedFile: true,
  instructions: true,
  codeEdit: true,
  report: true,
  problem: true,
  cases: true,
};

export const factNames: ReadonlySet<string> = new Set(Object.keys(named));

/** What flows have found out, as templates see it: by the variable's name, without what is blank. */
export function printFacts(facts: PromptFacts): ReadonlyMap<string, string> {
  // Most turns find nothing out.
  if (facts === noFocus.facts) return nothing;
  const { chosenCases = [], openCases, knownCases: _, ...texts } = facts;
  const cases =
    chosenCases.length === 0 ? openCases : chosenCases.map(({ line }) => line).join("\n");
  const printed: Record<string, string | undefined> = { ...texts, cases };
  const found = new Map<string, string>();
  for (const [name, text] of Object.entries(printed)) {
    if (text !== undefined && text !== "") found.set(name, text);
  }
  return found;
}
