import { AppError } from "../errors/app-error.ts";
import { ConfigError } from "../config.ts";

/** Ends the process with exit code 1; what the user can mend is told without a stack. */
export function failWith(thrown: unknown): never {
  const isPlain = thrown instanceof AppError || thrown instanceof ConfigError || isSystemError(thrown);
  const text = thrown instanceof Error ? (isPlain ? thrown.message : (thrown.stack ?? thrown.message)) : String(thrown);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** EADDRINUSE, EACCES and the like explain themselves. */
function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && typeof Reflect.get(thrown, "syscall") === "string";
}
