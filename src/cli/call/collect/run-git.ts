import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** What a git command prints, without the last line end; undefined when it fails or there is no git. */
export async function runGit(directory: string, ...args: string[]): Promise<string | undefined> {
  try {
    // Optional locks would let a status of the person's own fail.
    const { stdout } = await execute("git", args, {
      cwd: directory,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    });
    return stdout.replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
