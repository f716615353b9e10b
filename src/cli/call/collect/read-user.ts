import { userInfo } from "node:os";
import type { UserInfo } from "../../../turn/context/user-info.ts";
import { runGit } from "./run-git.ts";

/** Who sits at the terminal: the account of the operating system, and the name that git signs with. */
export async function readUser(directory: string): Promise<UserInfo> {
  const id = readAccount();
  const name = (await runGit(directory, "config", "--get", "user.name")) || id;
  return { id, name, nickname: name };
}

function readAccount(): string {
  try {
    return userInfo().username;
  } catch {
    // In containers the user id often has no entry among the accounts.
    return process.env["USER"] || process.env["USERNAME"] || "unknown";
  }
}
