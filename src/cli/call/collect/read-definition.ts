import { describeIssue } from "../../../base/errors/describe-issue.ts";
import { printPath } from "../../../turn/context/context.ts";
import { AgentDefinition } from "../../../turn/agent-definition.ts";
import { CliError } from "../../cli-error.ts";
import { readTextFile } from "../../read/read-text-file.ts";

/** @throws CliError when the file is missing, no JSON, or no agent definition */
export function readDefinition(path: string): AgentDefinition {
  const json = parseJson(path);
  const parsed = AgentDefinition.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) =>
      `${issue.path.length === 0 ? "the file" : printPath(issue.path)} ${describeIssue(issue, json)}`,
  );
  throw new CliError(`${path} is not an agent definition: ${problems.join("; ")}.`);
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
