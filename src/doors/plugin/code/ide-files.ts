import { AppError } from "../../../base/errors/app-error.ts";
import type { IdeChange, IdeFiles, IdeWritten } from "../../../workspace/ide/ide-source.ts";
import type { IdePath, IdeServices } from "../ide/ide-services.ts";

/** The files of the plugin's project, as far as it has announced them; undefined where it hands out none. */
export function toIdeFiles(ide: IdeServices): IdeFiles | undefined {
  if (!ide.has("/read_file")) return undefined;
  const withService = <Port>(path: IdePath, port: Port): Port | undefined =>
    ide.has(path) ? port : undefined;
  return {
    read: (abspath, signal) => ide.call("/read_file", { abspath }, signal),
    list: withService("/list_files", (abspath: string, signal: AbortSignal) =>
      ide.call("/list_files", { abspath }, signal),
    ),
    write: withService("/write_file", (change: IdeChange, signal: AbortSignal) =>
      write(ide, change, signal),
    ),
  };
}

async function write(
  ide: IdeServices,
  { abspath, hashBefore, text }: IdeChange,
  signal: AbortSignal,
): Promise<IdeWritten> {
  try {
    const params = { abspath, before_hash: hashBefore, text };
    const reply = await ide.ask("/write_file", params, signal);
    if (!reply.ok) return { ok: false, reason: reply.error };
    return reply.result === true ? reply : { ok: false, reason: "" };
  } catch (thrown) {
    // The work goes on without: it may have been written, which the workspace finds out.
    if (thrown instanceof AppError && thrown.code === "ide_timeout")
      return { ok: false, reason: thrown.message };
    throw thrown;
  }
}
