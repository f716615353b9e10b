import { commands } from "../../doors/plugin/schema.ts";
import { didYouMean } from "../../turn/agents/resolve-turn.ts";
import { CliError } from "../cli-error.ts";

/** One request, and what it needs beside the things that all have. */
export interface Step {
  /** As the protocol names it. */
  cmd: string;
  needs: "nothing" | "question" | "work" | "code" | "function" | "cases";
}

const listing: Step = { cmd: "list_model", needs: "nothing" };
const recommend = "exec_unittest_recommend";

/** What may be written: short names first, then those of the protocol. */
export const commandNames: readonly string[] = [
  "models",
  ...[...commands.values()].map(({ command }) => command),
  listing.cmd,
  ...commands.keys(),
];

/**
 * The requests of a command: one for most. `unittest` sends two, and the second takes the cases of the first.
 *
 * @throws CliError when there is no such command
 */
export function findSteps(written: string): readonly [Step, ...Step[]] {
  if (written === "models" || written === listing.cmd) return [listing];
  const [cmd] =
    [...commands].find(([name, { command }]) => [name, command].includes(written)) ?? [];
  if (cmd === undefined)
    throw new CliError(
      `Unknown command ${JSON.stringify(written)}.${didYouMean(written, commandNames)} There are: ${commandNames.join(", ")}.`,
    );
  const step = { cmd, needs: needOf(cmd) };
  return cmd === recommend && written !== cmd
    ? [step, { cmd: "exec_unittest_code", needs: "cases" }]
    : [step];
}

function needOf(cmd: string): Step["needs"] {
  if (commands.get(cmd)?.opensFiles === true) return "work";
  const fields = new Set(commands.get(cmd)?.needs.flat());
  if (fields.has("msg")) return "question";
  if (fields.has("func_name")) return "function";
  return fields.has("test_cases_str") ? "cases" : "code";
}
