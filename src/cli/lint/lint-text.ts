import { printPath } from "../../context/context.ts";
import type { PromptLibrary } from "../../prompt/prompt-library.ts";
import type { TemplateEngine } from "../../prompt/template.ts";
import { AgentDefinition } from "../../turn/agent-definition.ts";
import { lintDefinition } from "./lint-definition.ts";
import type { LintProblem } from "./lint-problem.ts";

/** Checks the text of a definition file: JSON, then the schema, then what the definition says. */
export function lintText(
  text: string,
  prompts: PromptLibrary,
  engine: TemplateEngine,
): LintProblem[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return [{ path: "(file)", severity: "error", message: `not valid JSON: ${reason}` }];
  }
  const parsed = AgentDefinition.safeParse(json);
  if (parsed.success) return lintDefinition(parsed.data, prompts, engine);
  return parsed.error.issues.map(({ path, message }) => ({
    path: path.length === 0 ? "(file)" : printPath(path),
    severity: "error",
    message,
  }));
}
