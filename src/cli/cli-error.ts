/** What the person at the terminal can mend: told without a stack, and the exit code is 1. */
export class CliError extends Error {
  override readonly name = "CliError";
}
