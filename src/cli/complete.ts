// `rightseat complete SHELL` prints a script; that script asks `rightseat complete -- WORDS` at each Tab.
import { ShellCompDirective } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { foldSpaces } from "../base/text/lines.ts";
import { parseConfig } from "../setup/config.ts";
import { loadAgents } from "../setup/load-agents.node.ts";
import type { AgentDefinition } from "../turn/agent-definition.ts";
import { commandNames } from "./ws/request.ts";
import { readSettingsFile } from "./read/read-settings-file.ts";
import { suggestName } from "../base/errors/names.ts";
import { ownCommands } from "../flows/own-commands.ts";
import { CliError } from "./cli-error.ts";

type Suggest = (value: string, description: string) => void;
type Suggester = (suggest: Suggest) => void;

/** Adds the command `complete`: agents and their commands come from here, files from the shell. */
export function addCompletion(program: Command): void {
  const completion = tab(program);
  let isFile = false;
  const { log } = console;
  // The library prints, and hands nothing out.
  console.log = (text: string) => {
    const guarded = guards.reduce((script, [line, becomes]) => script.replace(line, becomes), text);
    // It never lets the shell complete files.
    log(isFile && text === noFiles ? ":0" : guarded);
  };
  const files: Suggester = () => {
    isFile = true;
  };
  /** What may be written in a place, by its name in the help, which may follow the command's. */
  const suggesters: Readonly<Record<string, Suggester>> = {
    "help COMMAND": suggestNames(() =>
      program.commands.map((one) => ({ name: one.name(), description: one.description() })),
    ),
    "call COMMAND": suggestNames(readCommands),
    "call agent": suggestNames(readAgents),
    "ws COMMAND": suggestNames(() => commandNames.map((name) => ({ name }))),
    "schema PART": suggestNames(() => [
      { name: "definition" },
      { name: "request" },
      { name: "session" },
    ]),
    ...Object.fromEntries(pathPlaces.map((place) => [place, files])),
  };
  // Commands of an agent need no `call` before them.
  const call = completion.commands.get("call");
  for (const { name, description } of readCommands()) {
    if (completion.commands.has(name)) continue;
    const command = completion.command(name, wordsOf(description)).argument("FILE", files);
    for (const [option, part] of call?.options ?? []) command.options.set(option, part);
  }
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

/** The last line of an answer to a shell that is not to complete files by itself. */
const noFiles = `:${ShellCompDirective.ShellCompDirectiveNoFileComp}`;

interface Named {
  name: string;
  description?: unknown;
}

function suggestNames(list: () => readonly Named[]): Suggester {
  return (suggest) => {
    for (const { name, description } of list()) suggest(name, wordsOf(description));
  };
}

function readCommands(): readonly Named[] {
  return readAgents().flatMap(({ commands }) => commands ?? []);
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

/**
 * Lines of scripts that need what may not be there, such as bash-completion, and what they become: so the shell prints
 * nothing, and goes on.
 */
const guards: readonly (readonly [line: RegExp, becomes: string])[] = [
  [/^complete -F /gm, "complete -o default -F "],
  // The scripts of other programs set them, too.
  [/^readonly (\w+)=/gm, "[[ ${$1+x} ]] || readonly $1="],
  [
    /^ {4}_get_comp_words_by_ref /gm,
    "    declare -F _get_comp_words_by_ref >/dev/null && type compopt >/dev/null 2>&1 || return 0\n$&",
  ],
  [/^compdef /gm, "(( ! ${+functions[compdef]} )) || $&"],
  [/^ {4}set -l results \((\w+) /gm, "    type -q $1; or return 0\n$&"],
  [
    /^Register-ArgumentCompleter .*$/gm,
    "if (Get-Command Register-ArgumentCompleter -ErrorAction SilentlyContinue) { $& }",
  ],
];

export function isAgentCommand(name: string): boolean {
  return agentCommands().includes(name);
}

function agentCommands(): string[] {
  return [...ownCommands, ...readCommands()].map(({ name }) => name);
}

/** What was probably meant: a command of the terminal, or one of an agent, which `call` and `ws` run. */
export function unknownCommand(name: string, known: readonly string[]): CliError {
  const meant = new Map<string, string>([
    ...commandNames.map((one) => [one, `ws ${one}`] as const),
    ...agentCommands().map((one) => [one, one] as const),
    ...known.map((one) => [one, one] as const),
  ]);
  const near = suggestName(name, known) ?? "";
  const found =
    meant.get(name) ?? meant.get(near) ?? meant.get(suggestName(name, [...meant.keys()]) ?? "");
  const advice = found === undefined ? "Ask --help for what there is." : `Did you mean ${found}?`;
  return new CliError(`Unknown command '${name}'. ${advice}`);
}
