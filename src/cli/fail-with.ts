import { AppError } from "../errors/app-error.ts";
import { ConfigError } from "../config.ts";
import { CliError } from "./cli-error.ts";

const plainErrors = [AppError, ConfigError, CliError];

/** Ends the process with exit code 1; what the user can mend is told without a stack. */
export function failWith(thrown: unknown): never {
  const isPlain = plainErrors.some((kind) => thrown instanceof kind) || isSystemError(thrown);
  const text =
    thrown instanceof Error
      ? isPlain
        ? thrown.message
        : (thrown.stack ?? thrown.message)
      : String(thrown);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** EADDRINUSE, EACCES and the like explain themselves. */
function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && typeof Reflect.get(thrown, "syscall") === "string";
}
