import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs keep what outlasts a run and is not a setting: `$XDG_STATE_HOME/rightseat`, or the platform's place. */
export function findStateFolder(
  environment: Environment,
  home: string,
  platform: NodeJS.Platform,
): string {
  const given = environment["XDG_STATE_HOME"];
  if (given?.startsWith("/") === true) return join(given, "rightseat");
  if (platform === "win32")
    return join(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"), "rightseat");
  if (platform === "darwin") return join(home, "Library", "Application Support", "rightseat");
  return join(home, ".local", "state", "rightseat");
}

/** The folder of one root in the state folder; nobody else may look into it. */
export async function createRootFolder(stateFolder: string, realRoot: string): Promise<string> {
  const folder = join(stateFolder, "workspaces", nameOfRoot(realRoot));
  for (const name of ["locks", "turns"])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  return folder;
}

function nameOfRoot(realRoot: string): string {
  return createHash("sha256").update(realRoot).digest("hex").slice(0, 32);
}
