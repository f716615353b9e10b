import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printPath } from "../turn/context/context.ts";
import { AppError } from "../base/errors/app-error.ts";
import { describeIssue } from "../base/errors/describe-issue.ts";
import { ConfigError } from "./config.ts";
import { AgentDefinition } from "../turn/agent-definition.ts";

/**
 * Reads every `*.json` of a folder as an agent definition; the shipped folder where none is named.
 *
 * @param check throws AppError for a definition with which the server does not start
 * @throws ConfigError naming the file and what is at fault in it, or the name that two files share
 */
export function loadAgents(
  folder: string | undefined,
  check: (definition: AgentDefinition) => void = () => {},
): AgentDefinition[] {
  const path = folder ?? fileURLToPath(new URL("../../agent-definitions", import.meta.url));
  const agents = new Map<string, AgentDefinition>();
  for (const file of listFiles(path)) {
    const definition = readDefinition(join(path, file), check);
    if (agents.has(definition.name))
      throw new ConfigError(`${join(path, file)}: a second agent is named "${definition.name}".`);
    agents.set(definition.name, definition);
  }
  return [...agents.values()];
}

function listFiles(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((file) => file.endsWith(".json"))
      .sort();
  } catch (cause) {
    throw new ConfigError(`The folder of agent definitions ${path} cannot be read.`, { cause });
  }
}

function readDefinition(
  path: string,
  check: (definition: AgentDefinition) => void,
): AgentDefinition {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ConfigError(`${path}: not readable as JSON.`, { cause });
  }
  const parsed = AgentDefinition.safeParse(json);
  if (parsed.success) {
    try {
      check(parsed.data);
    } catch (cause) {
      if (cause instanceof AppError) throw new ConfigError(`${path}: ${cause.message}`, { cause });
      throw cause;
    }
    return parsed.data;
  }
  const problems = parsed.error.issues.map(
    (issue) =>
      `${issue.path.length === 0 ? "the file" : printPath(issue.path)} ${describeIssue(issue, json)}`,
  );
  throw new ConfigError(`${path}: ${problems.join("; ")}. Check it with: rightseat lint ${path}`);
}
