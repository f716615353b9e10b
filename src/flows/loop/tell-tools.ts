import type { OfferedTool } from "../../turn/tool-call.ts";

/** The tools for a model that gets them in its prompt: name, what it does, and the schema of its arguments. */
export function tellTools(tools: readonly OfferedTool[]): string {
  return tools
    .map(
      ({ name, description, parameters }) =>
        `- \`${name}\`: ${description}\n  ${JSON.stringify(parameters)}`,
    )
    .join("\n");
}
