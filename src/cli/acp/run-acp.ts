import { Readable, Writable } from "node:stream";
import { parseLocale } from "../../base/errors/locale.ts";
import { openConversations } from "../chat/run-chat.ts";
import { CliError } from "../cli-error.ts";
import { terminalLocale } from "../read/read-settings-file.ts";
import { cliTexts } from "../texts.ts";
import { type AcpOptions, createAcpAgent } from "./acp-agent.ts";

/**
 * `rightseat acp`: the agent of an editor that has started this process, and talks with it over its standard input and
 * output, a line of JSON for each message. It ends with the editor.
 *
 * @returns the exit code
 * @throws CliError where the package of the protocol is not installed
 */
export async function runAcp(options: AcpOptions): Promise<number> {
  const texts = cliTexts(parseLocale(options.language) ?? terminalLocale(process.env) ?? "en");
  const sdk = await import("@agentclientprotocol/sdk").catch((cause: unknown) => {
    if (Reflect.get(Object(cause), "code") !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new CliError(texts.acp.noPackage, { cause });
  });
  // Standard output has the protocol and nothing else, whatever a library prints.
  console.log = console.info = console.debug = console.error;
  const { store, conversations } = openConversations(texts);
  const { app, close } = createAcpAgent(sdk, { options, conversations, texts });
  // Without an encoding, streams hold bytes.
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(process.stdout);
  const connection = app.connect(sdk.ndJsonStream(output, input));
  const leave = (): void => connection.close();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, leave);
  try {
    await connection.closed;
  } finally {
    await close();
    await store.close();
    process.stdin.destroy();
  }
  const { reason }: { reason?: unknown } = connection.signal;
  if (reason instanceof sdk.MessageTooLargeError)
    throw new CliError(texts.acp.tooLarge(reason.maxMessageBytes));
  if (reason instanceof TypeError) throw new CliError(reason.message);
  return 0;
}
