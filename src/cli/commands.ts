import { Command, Option } from "commander";
import { productVersion } from "../setup/check-node.node.ts";
import type { CallOptions } from "./call.ts";
import type { CodeOptions } from "./code/run-code.ts";
import type { EditOptions } from "./edit/edit-file.ts";
import type { LintOptions } from "./lint.ts";
import type { ServeOptions } from "./serve.ts";
import type { UndoOptions } from "./undo.ts";
import type { WsOptions } from "./ws/run-ws.ts";
import { CliError } from "./cli-error.ts";
import type { EvalArguments } from "../../eval/options.ts";

/**
 * All commands but `complete`, as descriptions: what a command does is loaded when it is called, so that each starts as
 * fast as it can.
 */
export function createProgram(): Command {
  const program = new Command("rightseat")
    .description("The agent in the copilot's other seat")
    .version(productVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print help for a command")
    .helpCommand("help [COMMAND]", "Print help for a command")
    .configureOutput({ outputError: (text, write) => write(`${sentenceOf(text)}\n`) });
  const commands = [
    serveCommand(),
    callCommand(),
    codeCommand(),
    wsCommand(),
    editCommand(),
    lintCommand(),
    evalCommand(),
    schemaCommand(),
    undoCommand(),
  ];
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
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

/** What help tells of `rightseat complete SHELL`; the library that does it adds the command itself. */
export function completeCommand(): Command {
  return new Command("complete")
    .description("Print the completion script of a shell")
    .argument("[SHELL]", "bash, zsh, fish or powershell");
}

/** `rightseat call`: sends what an IDE would send from here, and shows the answer. */
function callCommand(): Command {
  return addAnswerOptions(new Command("call"))
    .description("Run a command on the code in this folder, as an IDE would")
    .argument("<COMMAND>", "explain, fix, unittest, chat, default, ...")
    .argument("[FILE]", "the file in the editor; FILE:10-20 selects lines, FILE:10:5 sets a cursor")
    .addOption(valueOption("--file <FILE>", "the file in the editor, as the argument FILE"))
    .addOption(
      valueOption("--lines <A-B>", "the lines that are selected in the file, such as 10-20"),
    )
    .addOption(valueOption("--agent <NAME>", "the agent to ask (default: the first one)"))
    .addOption(valueOption("--definition <FILE>", "an agent definition (JSON) to send along"))
    .addOption(valueOption("--model <NAME>", "the model, if the definition names none"))
    .option(
      "--rules",
      "send AGENTS.md (else CLAUDE.md, .cursorrules) of the repository, as is usual without --url",
    )
    .option("--no-rules", "do not send it")
    .option("--receipt", "print to standard error what became of the context")
    .option("--raw", "print the bytes of the stream, and nothing else")
    .action((command: string, place: string | undefined, options: CallOptions) =>
      runAction(async () => {
        const isSocket = /^wss?:/i.test(options.url ?? "");
        const ask = isSocket
          ? (await import("./ws/run-ws.ts")).callSocket
          : (await import("./call.ts")).runCall;
        return ask({ ...options, command, place });
      }),
    );
}

/** `rightseat code`: has the coding agent work in a folder until a request is done. */
function codeCommand(): Command {
  return new Command("code")
    .description("Have the agent change the code in a folder until a request is done")
    .usage('[options] "REQUEST" [-- CHECK...]')
    .argument(
      "[REQUEST...]",
      "what is to be done, in quotes; after --, a command that checks the work, such as npm test",
    )
    .addOption(valueOption("--dir <FOLDER>", "the folder to work in (default: this one)"))
    .option("--force", "work in your home folder, too, or in one around it")
    .option("--yes", "write source files without asking; all others are asked for")
    .addOption(
      new Option(
        "--allow <PATTERN>",
        "write source files of paths that fit without asking, such as 'src/**'; may be given several times",
      ).argParser((pattern: string, before?: string[]) => [...(before ?? []), pattern]),
    )
    .addOption(valueOption("--model <NAME>", "a model of the settings (default: the first one)"))
    .addOption(valueOption("--key <KEY>", "the key for the platform's model"))
    .addOption(valueOption("--max-steps <N>", "the most answers of the model"))
    .addOption(valueOption("--language <LANGUAGE>", "the language of the answer: en or zh"))
    .option("--json", "print one JSON document to standard output at the end, and nothing else")
    .option("--plain", "print the answer as the model wrote it, without colours")
    .action((operands: string[], options: CodeOptions) =>
      runAction(async () => {
        const { runCode } = await import("./code/run-code.ts");
        return runCode({ ...options, ...splitOperands(operands, process.argv.slice(2)) });
      }),
    );
}

/**
 * Parts what comes before `--` from what follows it.
 *
 * @param operands everything that is not an option, in its order
 * @param written the whole command line
 * @returns the check is undefined without a `--`
 */
export function splitOperands(
  operands: readonly string[],
  written: readonly string[],
): { words: string[]; check: string[] | undefined } {
  const mark = written.indexOf("--");
  if (mark === -1) return { words: [...operands], check: undefined };
  const count = written.length - mark - 1;
  const border = Math.max(0, operands.length - count);
  return { words: operands.slice(0, border), check: operands.slice(border) };
}

/** `rightseat edit`: applies SEARCH/REPLACE units to a file, or to texts that come as JSON lines. */
function editCommand(): Command {
  return new Command("edit")
    .description("Apply SEARCH/REPLACE units to a file")
    .addOption(
      valueOption(
        "--file <FILE>",
        "the file to edit; the diff, or a model's answer, comes on standard input",
      ),
    )
    .option("--dry-run", "print the unified diff, and write nothing")
    .option("--json", "print the result as JSON, with the text after the edit")
    .option(
      "--jsonl",
      "answer each line {id, before, diff} of standard input with {id, ok, after, error}",
    )
    .action((options: EditOptions) =>
      runAction(async () => {
        const { runEdit } = await import("./edit/edit-file.ts");
        return runEdit(options);
      }),
    );
}

/** `rightseat lint`: checks agent definitions, and exits with 1 if one needs a change. */
function lintCommand(): Command {
  return new Command("lint")
    .description("Check agent definitions")
    .argument("[FILES...]", "definitions, or folders of them (default: the configured folder)")
    .addOption(
      valueOption("--format <FORMAT>", "text, json, or github for annotations (default: text)"),
    )
    .action((files: string[], options: LintOptions) =>
      runAction(async () => {
        const { runLint } = await import("./lint.ts");
        return runLint(files, options);
      }),
    );
}

/** `rightseat schema`: prints JSON Schemas, for editors and for people who write a client. */
function schemaCommand(): Command {
  return new Command("schema")
    .description("Print the JSON Schema of agent definitions and requests")
    .argument("[PART]", "definition or request (default: both)")
    .action((part: string | undefined) =>
      runAction(async () => {
        const { runSchema } = await import("./schema.ts");
        return runSchema(part);
      }),
    );
}

/** `rightseat serve`: starts the Node server and says what it is and how to try it. */
function serveCommand(): Command {
  return new Command("serve")
    .description("Serve the endpoint")
    .addOption(valueOption("--port <PORT>", "the port to listen on (stronger than the settings)"))
    .addOption(valueOption("--host <HOST>", "the address to listen on"))
    .action((options: ServeOptions) =>
      runAction(async () => {
        const { runServe } = await import("./serve.ts");
        return runServe(options);
      }),
    );
}

/** `rightseat undo`: takes back what the coding agent has written in a folder. */
function undoCommand(): Command {
  return new Command("undo")
    .description("Take back what the coding agent has changed in a folder")
    .argument("[TURN]", "the run to take back, with all after it (default: the last one)")
    .addOption(valueOption("--dir <FOLDER>", "the folder that the agent worked in (default: .)"))
    .option("--list", "list the runs that can be taken back")
    .option("--dry-run", "print the unified diff, and write nothing")
    .action((turn: string | undefined, options: UndoOptions) =>
      runAction(async () => {
        const { runUndo } = await import("./undo.ts");
        return runUndo(turn, options);
      }),
    );
}

/** `rightseat ws`: the terminal as an IDE plugin, over one WebSocket. */
function wsCommand(): Command {
  return addAnswerOptions(new Command("ws"))
    .description(
      "Run a command on the code in this folder over a WebSocket, as an IDE plugin would",
    )
    .argument(
      "<COMMAND>",
      "explain, fix, docstring, optimize, unittest, chat, code, models, or a name of the protocol such as exec_fix",
    )
    .argument(
      "[FILE]",
      "the file in the editor; FILE:10-20 selects lines, FILE:10:5 a function; for code, what is to be done",
    )
    .addOption(
      valueOption(
        "--model <NAME>",
        'the model; "plugin NAME" is one of the settings here (default: the agent chooses)',
      ),
    )
    .option("--no-stream", "wait for the whole answer")
    .option("--yes", "let code write source files of this project without asking")
    .option("--force", "offer the files of your home folder, too, or of one around it")
    .option("--receipt", "print to standard error what the agent asks of the project")
    .option("--raw", "print the messages as they come, a line each, and no answer")
    .action((command: string, place: string | undefined, options: WsOptions) =>
      runAction(async () => {
        const { runWs } = await import("./ws/run-ws.ts");
        return runWs({ ...options, command, place });
      }),
    );
}

// What the descriptions of all commands share. They are read at every start, so they import next to nothing.

/**
 * An option with a value. An empty one is refused.
 *
 * @param flags as `--file <FILE>`
 */
function valueOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string) => {
    if (value === "") throw new CliError(`${option.long} needs a value: ${option.long}=VALUE.`);
    return value;
  });
}

/** Runs a command: what it returns is the exit code. */
async function runAction(work: () => Promise<number>): Promise<void> {
  process.exitCode = await work();
}

/** The options of the commands that show an answer. */
function addAnswerOptions(command: Command): Command {
  return command
    .addOption(valueOption("--prompt <TEXT>", "what you ask; text from a pipe is added to it"))
    .addOption(
      valueOption(
        "--url <URL>",
        "the server to ask, as http://127.0.0.1:18080, or by its WebSocket ws://127.0.0.1:18080/ws; without it, the agent runs in this process",
      ),
    )
    .addOption(valueOption("--key <KEY>", "the key for that server, or for the platform's model"))
    .addOption(valueOption("--language <LANGUAGE>", "the language of the answer: en or zh"))
    .option("--plain", "print the answer as the model wrote it, without colours");
}

/** `rightseat eval`: asks a model what the flows ask, and counts what can be done with the answers. */
function evalCommand(): Command {
  return new Command("eval")
    .description("Ask a model what the flows ask, and count what can be done with its answers")
    .addOption(
      valueOption("--model <NAME>", "a model of the settings, or offline (default: the first one)"),
    )
    .addOption(
      valueOption(
        "--flow <NAMES>",
        "flows, separated by commas, such as fix,unittest; or code, which does tasks in copies of small projects: what the model writes is run there",
      ),
    )
    .addOption(
      valueOption(
        "--file <NAMES>",
        "files of the cases, with --flow code names of tasks, separated by commas",
      ),
    )
    .addOption(valueOption("--language <LANGUAGE>", "the language of the prompts: en or zh"))
    .addOption(valueOption("--key <KEY>", "the key for the platform's model"))
    .addOption(valueOption("--concurrency <N>", "turns at once (default: 4)"))
    .option("--cases", "print a line for each case, with what was wrong")
    .option("--json", "print all figures and cases as JSON")
    .option(
      "--expect-sound",
      "exit with 1 if a turn failed, the syntax of a file or of written tests is broken, a doc comment changed code, JSON stayed invalid, or an answer was not whole",
    )
    .option(
      "--answers [FOLDER]",
      "ask no model: play the answers of a folder (in a clone, by default that of the project) through the flows, and exit with 1 if one is wrong",
    )
    .addOption(
      valueOption(
        "--expect-right <N>",
        "with --answers or --flow code, exit with 1 if fewer come out as expected, in percent",
      ),
    )
    .addOption(
      valueOption(
        "--tasks <FOLDER>",
        "with --flow code, the folder of the tasks (in a clone, by default that of the project)",
      ),
    )
    .option("--recorded", "with --flow code, ask no model: make the recorded calls of each task")
    .action((options: EvalArguments) =>
      runAction(async () => {
        const { runEval } = await import("../../eval/eval.ts");
        return runEval(options);
      }),
    );
}
