// `rightseat complete SHELL` prints a script; that script asks `rightseat complete -- WORDS` at each Tab.
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { foldSpaces } from "../base/text/lines.ts";
import { parseConfig } from "../setup/config.ts";
import { loadAgents } from "../setup/load-agents.node.ts";
import type { AgentDefinition } from "../turn/agent-definition.ts";
import { commandNames } from "./ws/request.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { suggestName } from "../base/errors/names.ts";
import { ownCommands } from "../flows/own-commands.ts";
import { CliError } from "./cli-error.ts";

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
  /** What may be written in a place, by its name in the help, which may follow the command's. */
  const suggesters: Readonly<Record<string, Suggester>> = {
    "help COMMAND": (suggest) => {
      for (const command of program.commands) suggest(command.name(), command.description());
    },
    "call COMMAND": suggestAgentCommands,
    "call agent": suggestAgents,
    "ws COMMAND": oneOf(...commandNames),
    "lint format": oneOf("text", "json", "github"),
    "schema PART": oneOf("definition", "request"),
    language: oneOf("en", "zh"),
    ...Object.fromEntries(pathPlaces.map((place) => [place, files])),
  };
  for (const [name, { arguments: operands, options }] of completion.commands)
    for (const [place, part] of [...operands, ...options]) {
      const suggester = suggesters[`${name} ${place}`] ?? suggesters[place];
      if (suggester !== undefined) part.handler = suggester;
    }
}

const pathPlaces =
  "FILE|FILES|call file|edit file|call definition|code dir|undo dir|eval answers|eval tasks".split(
    "|",
  );

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
function readAgents(): AgentDefinition[] {
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

/** Of each shell, the lines that need what may not be there, such as bash-completion, and what they become. */
const changes: Readonly<Record<string, readonly (readonly [line: RegExp, becomes: string])[]>> = {
  bash: [
    // The scripts of other programs set them, too.
    [/^readonly (\w+)=/gm, "[[ ${$1+x} ]] || readonly $1="],
    [
      /^ {4}_get_comp_words_by_ref /gm,
      "    declare -F _get_comp_words_by_ref >/dev/null && type compopt >/dev/null 2>&1 || return 0\n$&",
    ],
  ],
  zsh: [[/^compdef /gm, "(( ! ${+functions[compdef]} )) || $&"]],
  fish: [[/^ {4}set -l results \((\w+) /gm, "    type -q $1; or return 0\n$&"]],
  powershell: [
    [
      /^Register-ArgumentCompleter .*$/gm,
      "if (Get-Command Register-ArgumentCompleter -ErrorAction SilentlyContinue) { $& }",
    ],
  ],
};

/** The script so that the shell prints nothing, and goes on, where it lacks what completions need. */
function guardScript(shell: string, script: string): string {
  return (changes[shell] ?? []).reduce(
    (text, [line, becomes]) => text.replaceAll(line, becomes),
    script,
  );
}

/** Paths that are offered at once. */
const maxPaths = 500;
/** Folders that are entered because nothing else fits. */
const maxSteps = 16;

/**
 * The paths that begin with what was typed; a folder ends with a slash. A folder that alone fits is offered
 * with what it holds, since shells put a space behind the only candidate.
 */
export function listPaths(directory: string, typed: string): string[] {
  let found = listOne(directory, typed);
  for (let step = 0; step < maxSteps; step += 1) {
    const [only, ...others] = found;
    if (only === undefined || others.length > 0 || !only.endsWith("/")) break;
    found = [only, ...listOne(directory, only)];
    if (found.length === 1) break;
  }
  return found;
}

function listOne(directory: string, typed: string): string[] {
  const end = typed.lastIndexOf("/") + 1;
  const [folder, start] = [typed.slice(0, end), typed.slice(end)];
  return readNames(resolve(directory, folder))
    .filter((name) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
    .slice(0, maxPaths)
    .map((name) => `${folder}${name}${isFolder(join(directory, folder, name)) ? "/" : ""}`);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** False also for what cannot be looked at, such as a link that leads to itself. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * What was probably meant: a command of the terminal, or one of an agent, which `call` and `ws` run.
 *
 * @param known the commands of the terminal
 */
export function unknownCommand(name: string, known: readonly string[]): CliError {
  const ofAgents = [...ownCommands, ...readAgents().flatMap(({ commands }) => commands ?? [])];
  const meant = new Map<string, string>([
    ...commandNames.map((one) => [one, `ws ${one}`] as const),
    ...ofAgents.map((one) => [one.name, `call ${one.name}`] as const),
    ...known.map((one) => [one, one] as const),
  ]);
  const near = suggestName(name, known) ?? "";
  const found =
    meant.get(name) ?? meant.get(near) ?? meant.get(suggestName(name, [...meant.keys()]) ?? "");
  const advice = found === undefined ? "Ask --help for what there is." : `Did you mean ${found}?`;
  return new CliError(`Unknown command '${name}'. ${advice}`);
}
