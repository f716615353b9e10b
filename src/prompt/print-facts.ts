import { noFocus, type PromptFacts } from "../turn/focus.ts";

const nothing: ReadonlyMap<string, string> = new Map();

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
