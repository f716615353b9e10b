import { AppError } from "../base/errors/app-error.ts";
import type { Locale } from "../base/errors/locale.ts";
import { ConfigError } from "../setup/config.ts";
import { escapeControls } from "./call/show/escape-controls.ts";
import { CliError } from "./cli-error.ts";

/** Options that stood in for environment variables, by the name of the variable. */
type Flags = Readonly<Record<string, string>>;

/** Ends the process with exit code 1; what the user can mend is told without a stack. */
export function failWith(thrown: unknown, flags: Flags = {}): never {
  const problem = describeThrown(thrown, flags, process.env["RIGHTSEAT_CONFIG"]);
  process.stderr.write(`${escapeControls(problem)}\n`);
  process.exit(1);
}

/** @param settingsFile the settings file where it is not `rightseat.json` */
export function describeThrown(thrown: unknown, flags: Flags, settingsFile: string | undefined) {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof ConfigError)
    return nameSources(thrown.message, flags, settingsFile || "rightseat.json");
  if (Reflect.get(thrown, "code") === "EADDRINUSE") return describeTakenAddress(thrown);
  return tellProblem(thrown, "en") ?? thrown.stack ?? thrown.message;
}

/** What a person can mend, in their language; undefined for a fault of the program. */
export function tellProblem(thrown: unknown, locale: Locale): string | undefined {
  if (thrown instanceof AppError) return thrown.messageIn(locale);
  const isPlain =
    thrown instanceof CliError || thrown instanceof ConfigError || isSystemError(thrown);
  return isPlain ? thrown.message : undefined;
}

/** Settings know environment and rightseat.json only; the person gave an option, or named a file. */
function nameSources(message: string, flags: Flags, settingsFile: string): string {
  return message
    .split("\n")
    .map((line) => {
      const variable = Object.keys(flags).find((name) => line.startsWith(`${name}:`));
      if (variable !== undefined) return `${flags[variable]}${line.slice(variable.length)}`;
      return line.replace(/^rightseat\.json(?=: | must )/, () => settingsFile);
    })
    .join("\n");
}

function describeTakenAddress(thrown: Error): string {
  const host = String(Reflect.get(thrown, "address"));
  const address = `${host.includes(":") ? `[${host}]` : host}:${String(Reflect.get(thrown, "port"))}`;
  return `${address} is in use by another program. Choose another port with --port PORT or RIGHTSEAT_PORT.`;
}

/** EACCES and the like explain themselves. */
export function isSystemError(thrown: unknown): thrown is Error & { syscall: string } {
  return thrown instanceof Error && typeof Reflect.get(thrown, "syscall") === "string";
}

/** What to do where a server did not answer. fetch hides the system's code one level down. */
export function describeUnreachable(server: string, thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : undefined;
  const found: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  const code = typeof found === "string" ? found : "";
  if (/CERT|SIGNATURE/.test(code))
    return `The certificate of ${server} is not trusted (${code}). Name the file of one that vouches for it with NODE_EXTRA_CA_CERTS.`;
  const reason = code === "" && cause instanceof Error ? cause.message : code;
  return `${server} cannot be reached${reason && ` (${reason})`}. Does the server run there?`;
}

/** The exit code of a program that Ctrl-C has stopped. */
export const exitStopped = 130;

/**
 * Aborts a signal on Ctrl-C. Who presses it twice does not want to wait for the end of anything: the
 * process ends at once.
 *
 * @param leave is called before the process ends so
 * @returns `stop` aborts the signal, however often it is called; `interrupt` does what Ctrl-C does; after `release`, or
 * the end of the block, Ctrl-C does what it did before
 */
export function stopOnInterrupt(leave = (): void => undefined) {
  const stopped = new AbortController();
  const { signal } = stopped;
  const stop = (): void => stopped.abort();
  const interrupt = (): void => {
    if (signal.aborted) {
      leave();
      process.exit(exitStopped);
    }
    stop();
  };
  process.on("SIGINT", interrupt);
  const release = (): void => void process.off("SIGINT", interrupt);
  return { signal, stop, interrupt, release, [Symbol.dispose]: release };
}

/** Has a thing closed at the end of the block: `await using app = closing(await createTerminalApp(config, agents))`. */
export function closing<Thing extends { close(): unknown }>(thing: Thing): Thing & AsyncDisposable {
  return Object.assign(thing, {
    async [Symbol.asyncDispose]() {
      await thing.close();
    },
  });
}
