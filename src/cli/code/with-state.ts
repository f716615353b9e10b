import { CliError } from "../cli-error.ts";
import { isSystemError } from "../fail-with.ts";
import type { CodeTexts } from "./code-texts.ts";

/**
 * Waits for what needs the folder of the journal.
 *
 * @throws CliError that names the folder where the system does not let us use it; what is thrown otherwise
 */
export async function withState<Value>(
  work: Promise<Value>,
  stateFolder: string,
  texts: CodeTexts,
): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!isSystemError(thrown) || !leadsTo(stateFolder, Reflect.get(thrown, "path"))) throw thrown;
    throw new CliError(texts.noState(stateFolder, String(Reflect.get(thrown, "code"))));
  }
}

/** A folder above may be what cannot be made. */
function leadsTo(stateFolder: string, path: unknown): boolean {
  if (typeof path !== "string") return false;
  return path.startsWith(stateFolder) || stateFolder.startsWith(path);
}
