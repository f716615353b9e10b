// `rightseat complete SHELL` prints a script; that script asks `rightseat complete -- WORDS` at each Tab.
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { foldSpaces } from "../edit/fold-spaces.ts";
import { parseConfig } from "../setup/config.ts";
import { loadAgents } from "../setup/load-agents.node.ts";
import type { AgentDefinition } from "../turn/agent-definition.ts";
import { guardScript } from "./complete/guard-script.ts";
import { listPaths } from "./complete/list-paths.ts";
import { commandNames } from "./ws/steps.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";

type Suggest = (value: string, description: string) => void;
type Suggester = (suggest: Suggest) => void;

/**
 * Adds the command `complete`: names of commands and options come from the program, files, agents and
 * their commands from here.
 *
 * @param words what follows `complete`; the last one is being typed
 */
export function addCompletion(program: Command, words: readonly string[]): void {
  const completion = tab(program);
  printGuarded(completion);
  const typed = (words.at(-1) ?? "").replace(/^--[\w-]+=/, "");
  const files: Suggester = (suggest) => {
    for (const path of listPaths(process.cwd(), typed)) suggest(path, "");
  };
  const complete = (command: string, place: string, suggester: Suggester): void => {
    const found = completion.commands.get(command);
    const part = place.startsWith("--")
      ? found?.options.get(place.slice(2))
      : found?.arguments.get(place);
    if (part !== undefined) part.handler = suggester;
  };
  complete("help", "COMMAND", (suggest) => {
    for (const { name, description } of describeCommands(program)) suggest(name, description);
  });
  complete("call", "COMMAND", suggestAgentCommands);
  complete("call", "--agent", suggestAgents);
  complete("ws", "COMMAND", oneOf(...commandNames));
  complete("ws", "FILE", files);
  for (const language of ["call", "code", "ws", "eval"])
    complete(language, "--language", oneOf("en", "zh"));
  complete("lint", "--format", oneOf("text", "json", "github"));
  complete("schema", "PART", oneOf("definition", "request"));
  for (const place of ["FILE", "--file", "--definition"]) complete("call", place, files);
  complete("code", "--dir", files);
  complete("edit", "--file", files);
  complete("lint", "FILES", files);
  complete("eval", "--answers", files);
  complete("undo", "--dir", files);
}

/** The library prints a script and does not hand it out. */
function printGuarded(completion: ReturnType<typeof tab>): void {
  const print = completion.setup.bind(completion);
  completion.setup = (name, executable, shell) => {
    const { log } = console;
    console.log = (script: string) => log(guardScript(shell, script));
    try {
      print(name, executable, shell);
    } finally {
      console.log = log;
    }
  };
}

function oneOf(...values: string[]): Suggester {
  return (suggest) => {
    for (const value of values) suggest(value, "");
  };
}

function describeCommands(program: Command): { name: string; description: string }[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
  }));
}

function suggestAgents(suggest: Suggest): void {
  for (const { name, description } of readAgents()) suggest(name, wordsOf(description));
}

/** Those of every agent that is configured here. */
function suggestAgentCommands(suggest: Suggest): void {
  for (const { commands } of readAgents()) {
    for (const { name, description } of commands ?? []) suggest(name, wordsOf(description));
  }
}

/** None where the settings or definitions are broken: at a Tab nobody wants to read about that. */
export function readAgents(): AgentDefinition[] {
  try {
    return loadAgents(parseConfig(process.env, readSettingsFile()).agents);
  } catch {
    return [];
  }
}

/** Only descriptions of one language are shown. */
function wordsOf(description: unknown): string {
  return typeof description === "string" ? foldSpaces(description) : "";
}
