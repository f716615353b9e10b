import { statSync } from "node:fs";
import { Command, Option } from "commander";
import { productVersion } from "../setup/check-node.node.ts";
import { CliError } from "./cli-error.ts";
import { isNpmScript } from "./npm-script.ts";

export async function run(): Promise<void> {
  leaveWhenNobodyReads();
  enterCallerDirectory();
  const program = createProgram();
  const written = process.argv.slice(2);
  const [command, ...words] = written;
  if (command === "complete") {
    const { addCompletion } = await import("./complete.ts");
    addCompletion(program);
  } else {
    // The library that completes adds the command itself.
    const rows =
      "complete  Print the completion script of a shell\n[SHELL]  bash, zsh, fish or powershell";
    program.addCommand(describe(rows).copyInheritedSettings(program));
  }
  try {
    // Help for a command that does not exist is refused as the command itself.
    const [isHelp, name] = command === "help" ? [true, words[0]] : [false, command];
    const isKnown = name !== undefined && [...namesOf(program), ...ownOptions].includes(name);
    const given = isKnown ? written : await findMeant(program, isHelp, name, written);
    await program.parseAsync(given, { from: "user" });
  } catch (thrown) {
    const { failWith } = await import("./fail-with.ts");
    failWith(thrown);
  }
}

/**
 * Goes to the folder where the person is. `npm run rightseat` starts us in the folder of package.json,
 * although the arguments come from elsewhere (INIT_CWD); a script of another name has arguments of its
 * own, which are written for that folder.
 */
function enterCallerDirectory(): void {
  const { INIT_CWD: folder } = process.env;
  if (!isNpmScript() || !folder) return;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) process.chdir(folder);
}

const ownOptions = ["-h", "--help", "-v", "--version"];

/**
 * The arguments that stand for some whose first one is no command of the terminal: `call` of a command of an agent, else
 * the conversation, with what is no name as its first question.
 *
 * @throws CliError for the name of a command that does not exist
 */
async function findMeant(
  program: Command,
  isHelp: boolean,
  name: string | undefined,
  written: readonly string[],
): Promise<string[]> {
  if (name === undefined && isHelp) return [...written];
  // Words with nothing but these signs in them may be misspelt commands.
  if (name !== undefined && /^[\w:.-]+$/.test(name) && !name.startsWith("-")) {
    const { isAgentCommand, unknownCommand } = await import("./complete.ts");
    if (!isAgentCommand(name)) throw unknownCommand(name, namesOf(program));
    return isHelp ? ["help", "call"] : ["call", ...written];
  }
  return ["chat", ...written];
}

function namesOf(program: Command): string[] {
  return ["help", ...program.commands.map((command) => command.name())];
}

/** Ends the process with 0 when somebody stops to read what it prints (`| head`): that is no failure. */
function leaveWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (Reflect.get(error, "code") === "EPIPE") process.exit(0);
      throw error;
    });
  }
}

export function createProgram(): Command {
  const program = new Command("rightseat")
    .description("The agent in the copilot's other seat")
    .version(productVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print help for a command")
    .helpCommand("help [COMMAND]", "Print help for a command")
    .configureOutput({ outputError: (text, write) => write(`${sentenceOf(text)}\n`) });
  for (const rows of commandRows.split("\n\n"))
    program.addCommand(describe(rows).copyInheritedSettings(program));
  return program;
}

/**
 * What the parser complains of (`error: unknown option '--luod'`, and perhaps `(Did you mean --loud?)` on a
 * line of its own), in one line and as a sentence like all our errors.
 */
function sentenceOf(text: string): string {
  const [problem = "", hint] = text.trim().split("\n");
  const plain = problem
    .replace(/^error: /, "")
    .replace(/^option '(--[\w-]+) [^']*' argument missing$/, "$1 needs a value: $1=VALUE")
    .replaceAll(/'(--?[\w-]+)'/g, "$1");
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1).replace(/\.$/, "");
  const advice = hint?.replace(/^\((.*)\)$/, "$1") ?? "Ask --help for what there is.";
  return `${sentence}. ${advice}`;
}

/**
 * A command and what it takes, a row each: its name, an argument (`[FILE]`) or an option, two spaces, what help says of
 * it, and perhaps two spaces and, for an option, what may be written (`en|zh`), or `several` if it may be given several
 * times.
 */
type Rows = string;

/** The options of the commands that show an answer. */
const answerRows: Rows = `--prompt <TEXT>  what you ask; text from a pipe is added to it
  --url <URL>  the server to ask, as http://127.0.0.1:18080, or by its WebSocket ws://127.0.0.1:18080/ws; without it, the agent runs in this process
  --key <KEY>  the key for that server, or for the platform's model
  --language <LANGUAGE>  the language of the answer  en|zh
  --plain  print the answer as the model wrote it, without colours`;

/** All commands but `complete`, with an empty line between them. */
const commandRows: Rows = `
  serve  Serve the endpoint
  --port <PORT>  the port to listen on (stronger than the settings)
  --host <HOST>  the address to listen on

  call  Run a command on the code in this folder, as an IDE would
  <COMMAND>  explain, fix, unittest, chat, default, ...
  [FILE]  the file in the editor; FILE:10-20 selects lines, FILE:10:5 sets a cursor
  ${answerRows}
  --file <FILE>  the file in the editor, as the argument FILE
  --lines <A-B>  the lines that are selected in the file, such as 10-20
  --agent <NAME>  the agent to ask (default: the first one)
  --definition <FILE>  an agent definition (JSON) to send along
  --model <NAME>  the model, if the definition names none
  --rules  send AGENTS.md (else CLAUDE.md, .cursorrules) of the repository, as is usual without --url
  --no-rules  do not send it
  --receipt  print to standard error what became of the context
  --raw  print the bytes of the stream, and nothing else

  chat  Talk with the agent about the folder that you are in; the same without a command
  [QUESTION...]  the first question; from a pipe, it is answered, and that is all
  -c, --continue  go on with the last conversation in this folder
  -r, --resume [ID]  go on with another one
  --list  list all conversations
  --delete <ID>  delete a conversation
  --agent <NAME>  the agent to ask (default: the first one that is configured)
  --model <NAME>  a model of the settings (default: the first one)
  --key <KEY>  the key for the platform's model
  --yes  write source files without asking; all others are asked for
  --allow <PATTERN>  write source files of paths that fit without asking, such as 'src/**'; may be given several times  several
  --force  have the agent work in your home folder, too, or in one around it
  --language <LANGUAGE>  the language of the answer  en|zh
  --plain  print answers as the model wrote them, without colours

  acp  Be the agent of an editor that speaks the Agent Client Protocol, over standard input and output
  --agent <NAME>  the agent to ask (default: the first one that is configured)
  --model <NAME>  a model of the settings (default: the first one)
  --key <KEY>  the key for the platform's model
  --force  have the agent work in your home folder, too, or in one around it
  --language <LANGUAGE>  the language of the answers  en|zh

  code  Have the agent change the code in a folder until a request is done
  [REQUEST...]  what is to be done, in quotes; after --, a command that checks the work, such as npm test
  --dir <FOLDER>  the folder to work in (default: this one)
  --force  work in your home folder, too, or in one around it
  --yes  write source files without asking; all others are asked for
  --allow <PATTERN>  write source files of paths that fit without asking, such as 'src/**'; may be given several times  several
  --model <NAME>  a model of the settings (default: the first one)
  --key <KEY>  the key for the platform's model
  --max-steps <N>  the most answers of the model
  --language <LANGUAGE>  the language of the answer  en|zh
  --json  print one JSON document to standard output at the end, and nothing else
  --plain  print the answer as the model wrote it, without colours

  ws  Run a command on the code in this folder over a WebSocket, as an IDE plugin would
  <COMMAND>  explain, fix, docstring, optimize, unittest, chat, code, models, or a name of the protocol such as exec_fix
  [FILE]  the file in the editor; FILE:10-20 selects lines, FILE:10:5 a function; for code, what is to be done
  ${answerRows}
  --model <NAME>  the model; "plugin NAME" is one of the settings here (default: the agent chooses)
  --no-stream  wait for the whole answer
  --yes  let code write source files of this project without asking
  --force  offer the files of your home folder, too, or of one around it
  --receipt  print to standard error what the agent asks of the project
  --raw  print the messages as they come, a line each, and no answer

  edit  Apply SEARCH/REPLACE units to a file
  --file <FILE>  the file to edit; the diff, or a model's answer, comes on standard input
  --dry-run  print the unified diff, and write nothing
  --json  print the result as JSON, with the text after the edit
  --jsonl  answer each line {id, before, diff} of standard input with {id, ok, after, error}

  lint  Check agent definitions
  [FILES...]  definitions, or folders of them (default: the configured folder)
  --format <FORMAT>  how problems are printed; github makes annotations (default: text)  text|json|github

  eval  Ask a model what the flows ask, and count what can be done with its answers
  --model <NAME>  a model of the settings, or offline (default: the first one)
  --flow <NAMES>  flows, separated by commas, such as fix,unittest; or code, which does tasks in copies of small projects: what the model writes is run there
  --file <NAMES>  files of the cases, with --flow code names of tasks, separated by commas
  --language <LANGUAGE>  the language of the prompts  en|zh
  --key <KEY>  the key for the platform's model
  --concurrency <N>  turns at once (default: 4)
  --cases  print a line for each case, with what was wrong
  --json  print all figures and cases as JSON
  --expect-sound  exit with 1 if a turn failed, the syntax of a file or of written tests is broken, a doc comment changed code, JSON stayed invalid, or an answer was not whole
  --answers [FOLDER]  ask no model: play the answers of a folder (in a clone, by default that of the project) through the flows, and exit with 1 if one is wrong
  --expect-right <N>  with --answers or --flow code, exit with 1 if fewer come out as expected, in percent
  --tasks <FOLDER>  with --flow code, the folder of the tasks (in a clone, by default that of the project)
  --recorded  with --flow code, ask no model: make the recorded calls of each task

  session  Talk to a session server, or be one
  <ACTION>  init, chat, history, stop, clear, or serve
  [WORDS...]  for init the file that describes the session (- reads standard input); else the session's id, and for chat what you say
  --url <URL>  the server (default: http://127.0.0.1:9527)
  --key <KEY>  the key for that server
  --task <ID>  the task, for chat and stop
  --config <FILE>  for serve, the file with its address, port and log level (default: config/config.json)
  --log <FILE>  for serve, the file of the log (default: log/agent.log)

  mcp  Serve the agent as tools of the Model Context Protocol, on standard input and output
  --dir <FOLDER>  the folder whose files may be read (default: this one)
  --code  let the agent work on the files of the folder, and ask the person before each change
  --yes  with --code, write source files without asking; all others are asked for
  --allow <PATTERN>  with --code, write source files of paths that fit without asking, such as 'src/**'; may be given several times  several
  --force  serve your home folder, too, or one around it
  --key <KEY>  the key for the platform's model
  --language <LANGUAGE>  the language of the answers  en|zh

  schema  Print the JSON Schema of agent definitions, requests and sessions
  [PART]  definition, request or session (default: all)

  undo  Take back what the coding agent has changed in a folder
  [TURN]  the run to take back, with all after it (default: the last one)
  --dir <FOLDER>  the folder that the agent worked in (default: .)
  --list  list the runs that can be taken back
  --dry-run  print the unified diff, and write nothing
`;

/** A command: its arguments, then its options. @returns the exit code. @throws CliError, ConfigError, AppError: what is told without a stack */
type Run = (...given: never[]) => number | Promise<number>;

/** What commands do is loaded when they are called, so that each starts as fast as it can. */
const runs: Readonly<Record<string, () => Promise<Run>>> = {
  serve: async () => (await import("./serve.ts")).runServe,
  call: async () => (await import("./call.ts")).runCallCommand,
  chat: async () => (await import("./chat/run-chat.ts")).runChat,
  acp: async () => (await import("./acp/acp-agent.ts")).runAcp,
  code: async () => (await import("./code/run-code.ts")).runCode,
  ws: async () => (await import("./ws/run-ws.ts")).runWs,
  edit: async () => (await import("./edit/edit-file.ts")).runEdit,
  lint: async () => (await import("./lint.ts")).runLint,
  eval: async () => (await import("../../eval/eval.ts")).runEval,
  session: async () => (await import("./session.ts")).runSession,
  mcp: async () => (await import("./mcp.ts")).runMcp,
  schema: async () => (await import("./schema.ts")).runSchema,
  undo: async () => (await import("./undo.ts")).runUndo,
};

// Descriptions are read at every start, so they import next to nothing.

function describe(text: Rows): Command {
  const [[name, description = ""] = [], ...rows] = text
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/ {2,}/));
  const command = new Command(name).description(description);
  for (const [flags = "", meaning = "", values] of rows)
    if (!flags.startsWith("-")) command.argument(flags, meaning);
    else command.addOption(createOption(flags, meaning, values));
  const load = runs[command.name()];
  if (command.name() === "code") command.usage('[options] "REQUEST" [-- CHECK...]');
  return command.action(async (...given: unknown[]) => {
    const work = await load?.();
    // As the command's rows describe it.
    process.exitCode = await work?.(...(given as never[]));
  });
}

/** An option. Of one that needs a value, an empty one is refused, and so is one that is not among the choices. */
function createOption(flags: string, text: string, values = ""): Option {
  const option = new Option(flags, text);
  if (!option.required) return option;
  const choices = values.includes("|") ? values.split("|") : undefined;
  if (choices !== undefined) option.choices(choices);
  return option.argParser<unknown>((value, before) => {
    if (values === "several") return Array.isArray(before) ? [...before, value] : [value];
    if (value === "") throw new CliError(`${option.long} needs a value: ${option.long}=VALUE.`);
    if (choices?.includes(value) === false)
      throw new CliError(
        `${option.long} ${value} is not known. Write one of: ${choices.join(", ")}.`,
      );
    return value;
  });
}
