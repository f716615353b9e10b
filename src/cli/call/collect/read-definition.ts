import { toProblems } from "../../../context/context.ts";
import { AgentDefinition } from "../../../turn/agent-definition.ts";
import { CliError } from "../../cli-error.ts";
import { readTextFile } from "../../read-text-file.ts";

/** @throws CliError when the file is missing, no JSON, or no agent definition */
export function readDefinition(path: string): AgentDefinition {
  const parsed = AgentDefinition.safeParse(parseJson(path));
  if (parsed.success) return parsed.data;
  const problems = toProblems(parsed.error).map((problem) => `${problem.path}: ${problem.message}`);
  throw new CliError(`${path} is no agent definition. ${problems.join("; ")}`);
}

function parseJson(path: string): unknown {
  const text = readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError(`${path} is not valid JSON. Check it with: rightseat lint ${path}`, {
      cause,
    });
  }
}
