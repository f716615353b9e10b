// Clients that others wrote, installed apart from the project: they are heavy, and no part of it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Installs a package of npm in a folder of its own, which stays for the next run.
 *
 * @param wanted with its version: `acpx@0.19.1`
 * @returns the folder of its `node_modules`
 */
export function installClient(wanted: string): string {
  const folder = join(tmpdir(), "rightseat-clients", wanted.replaceAll(/[@/]/g, "_"));
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return modules;
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, "package.json"), "{}");
  const flags = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  const { status, stderr } = spawnSync("npm", ["install", ...flags, wanted], {
    cwd: fresh,
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`${wanted} could not be installed: ${stderr}`);
  rmSync(folder, { recursive: true, force: true });
  // Half an installation is never taken for one.
  renameSync(fresh, folder);
  return modules;
}
