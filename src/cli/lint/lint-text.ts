import { printPath } from "../../turn/context/context.ts";
import { listRecalls } from "../../knowledge/retriever.ts";
import type { PromptLibrary } from "../../prompt/prompt-library.ts";
import type { TemplateEngine } from "../../prompt/template.ts";
import { AgentDefinition } from "../../turn/agent-definition.ts";
import { describeIssue } from "../../base/errors/describe-issue.ts";
import { findJsonPlaces } from "./json-places.ts";
import { lintDefinition } from "./lint-definition.ts";
import type { LintProblem } from "./lint-problem.ts";
import { salvageDefinition } from "./salvage-definition.ts";

/**
 * Checks the text of a definition file: JSON, then the schema, then what the definition says.
 *
 * @param hasKnowledge whether the settings name a knowledge folder
 */
export function lintText(
  text: string,
  prompts: PromptLibrary,
  engine: TemplateEngine,
  hasKnowledge = true,
): LintProblem[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    const { problem } = findJsonPlaces(text);
    const reason = problem?.message ?? (thrown instanceof Error ? thrown.message : String(thrown));
    return [{ path: "(file)", severity: "error", message: `not valid JSON: ${reason}` }];
  }
  const refused = lintSchema(json);
  const definition = salvageDefinition(json);
  if (definition === undefined) return refused;
  const found = [
    ...lintDefinition(definition, prompts, engine),
    ...(hasKnowledge ? [] : lintRecall(definition)),
  ];
  // What is said of a stand-in is not said of the file.
  return [
    ...refused,
    ...found.filter(({ path }) => !refused.some((at) => isWithin(path, at.path))),
  ];
}

function lintSchema(json: unknown): LintProblem[] {
  const issues = AgentDefinition.safeParse(json).error?.issues ?? [];
  return issues.map((issue) => ({
    path: issue.path.length === 0 ? "(file)" : printPath(issue.path),
    severity: "error",
    message: describeIssue(issue, json),
  }));
}

/** Tells that a definition wants knowledge which the settings here do not have; the server's may. */
function lintRecall(definition: AgentDefinition): LintProblem[] {
  const [first] = listRecalls(definition);
  if (first === undefined) return [];
  const index = definition.commands?.findIndex(({ name }) => name === first.command);
  const message =
    "recallByAgent is true, so the server needs RIGHTSEAT_KNOWLEDGE, which is not set here";
  return [{ path: `commands[${index}]`, severity: "info", message }];
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && /^(?:$|[.[])/.test(path.slice(outer.length));
}
