import { listRecalls } from "../../knowledge/list-recalls.ts";
import type { AgentDefinition } from "../../turn/agent-definition.ts";
import type { LintProblem } from "./lint-problem.ts";

/** Tells that a definition wants knowledge which the settings here do not have; the server's may. */
export function lintRecall(definition: AgentDefinition): LintProblem[] {
  const [first] = listRecalls(definition);
  if (first === undefined) return [];
  const index = definition.commands?.findIndex(({ name }) => name === first.command);
  const message =
    "recallByAgent is true, so the server needs RIGHTSEAT_KNOWLEDGE, which is not set here";
  return [{ path: `commands[${index}]`, severity: "info", message }];
}
