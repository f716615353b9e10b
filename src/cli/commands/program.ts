import { Command } from "commander";
import { productVersion } from "../../setup/product-version.node.ts";
import { callCommand } from "./call-command.ts";
import { codeCommand } from "./code-command.ts";
import { editCommand } from "./edit-command.ts";
import { evalCommand } from "./eval-command.ts";
import { lintCommand } from "./lint-command.ts";
import { schemaCommand } from "./schema-command.ts";
import { serveCommand } from "./serve-command.ts";
import { wsCommand } from "./ws-command.ts";
import { undoCommand } from "./undo-command.ts";

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
