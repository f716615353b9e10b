import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { printPath } from "../turn/context/context.ts";
import { AppError } from "../base/errors/app-error.ts";
import { describeIssue } from "../base/errors/describe-issue.ts";
import { ConfigError } from "./config.ts";
import { AgentDefinition } from "../turn/agent-definition.ts";
import { didYouMean } from "../base/errors/names.ts";
import { listRecalls } from "../knowledge/retriever.ts";

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
  const definition = parseDefinition(json, path);
  try {
    check(definition);
  } catch (cause) {
    if (cause instanceof AppError) throw new ConfigError(`${path}: ${cause.message}`, { cause });
    throw cause;
  }
  return withTexts(definition, path);
}

/** @throws ConfigError that names the file and what is at fault in it */
export function parseDefinition(json: unknown, path: string): AgentDefinition {
  const parsed = AgentDefinition.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) =>
      `${issue.path.length === 0 ? "the file" : printPath(issue.path)} ${describeIssue(issue, json)}`,
  );
  throw new ConfigError(`${path}: ${problems.join("; ")}. Check it with: rightseat lint ${path}`);
}

/** What an entry of `openSpecList` says in place of a description: a file, from the folder of the settings. */
export function isSpecFile(openSpec: unknown): openSpec is string {
  return typeof openSpec === "string" && /^[^\n]{1,4096}\.(?:json|ya?ml)$/.test(openSpec);
}

/** With the texts of the files that it names as descriptions. @throws ConfigError */
function withTexts(definition: AgentDefinition, path: string): AgentDefinition {
  const { openSpecList } = definition;
  if (!openSpecList) return definition;
  const readText = (file: string): string => {
    try {
      return readFileSync(resolve(dirname(path), file), "utf8");
    } catch (cause) {
      throw new ConfigError(`${path}: the description ${file} cannot be read.`, { cause });
    }
  };
  return {
    ...definition,
    openSpecList: openSpecList.map((entry) =>
      isSpecFile(entry["openSpec"]) ? { ...entry, openSpec: readText(entry["openSpec"]) } : entry,
    ),
  };
}

/**
 * Looks for definitions that search knowledge which is not there, and for those that never search what is
 * there; a sentence for each.
 *
 * @param knowledgeBaseIds the knowledge bases that there are; undefined without a knowledge folder
 */
export function findKnowledgeProblems(
  agents: readonly AgentDefinition[],
  knowledgeBaseIds: readonly string[] | undefined,
): string[] {
  if (knowledgeBaseIds !== undefined && agents.length === 0)
    return [
      "RIGHTSEAT_KNOWLEDGE is set, but there is no agent here: only definitions that requests bring can search it.",
    ];
  return agents.flatMap((agent) => {
    const recalls = listRecalls(agent);
    if (recalls.length === 0)
      return knowledgeBaseIds === undefined
        ? []
        : [
            `RIGHTSEAT_KNOWLEDGE is set, but agent "${agent.name}" never searches it. Give one of its commands the context variable ${JSON.stringify(recalling)}.`,
          ];
    if (knowledgeBaseIds === undefined) {
      const commands = recalls.map(({ command }) => command).join(", ");
      return [
        `Agent "${agent.name}" sets recallByAgent (${commands}), but nothing can be searched. Set RIGHTSEAT_KNOWLEDGE to a folder.`,
      ];
    }
    const wanted = new Set(recalls.flatMap((recall) => recall.knowledgeBaseIds));
    return [...wanted]
      .filter((id) => !knowledgeBaseIds.includes(id.normalize("NFC")))
      .map((id) => describeUnknown(agent.name, id, knowledgeBaseIds));
  });
}

/** What a command collects, so that the agent searches. */
const recalling = { name: "knowledgeBase", resolverOptions: { recallByAgent: true } };

function describeUnknown(agent: string, id: string, known: readonly string[]): string {
  return `Agent "${agent}" searches the knowledge base ${JSON.stringify(id)}, which RIGHTSEAT_KNOWLEDGE does not have.${didYouMean(id, known)} It has: ${known.join(", ") || "none"}.`;
}
