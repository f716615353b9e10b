import { constants, readdirSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { isUnder } from "../../../workspace/directory/resolve-path.node.ts";
import { isSecretPath } from "../../../workspace/paths/guarded-names.ts";
import { decodeFile } from "../../read/read-text-file.ts";
import type { ProjectRules } from "../../../turn/context/project-rules.ts";
import { findWorkTree } from "../../../workspace/directory/folder-rules.node.ts";
import type { PackageFiles } from "../../../turn/context/package-files.ts";

type InsideProblem = "missing" | "outside" | "too-large" | "no-file" | "no-text";

export type InsideFile =
  | {
      ok: true;
      /** Absolute, without links. */
      path: string;
      content: string;
      /** Its own name, or that of a folder on its way, says that there may be secrets. */
      isSecret: boolean;
    }
  | { ok: false; problem: InsideProblem };

/**
 * Reads a text file that must be inside of a folder, even after all links are followed.
 *
 * @param path absolute, or from the folder
 * @param maxSize in bytes
 */
export async function readFileInside(
  folder: string,
  path: string,
  maxSize: number,
): Promise<InsideFile> {
  let real: string;
  try {
    real = await realpath(resolve(folder, path));
  } catch {
    return refuse(isUnder(resolve(folder), resolve(folder, path)) ? "missing" : "outside");
  }
  const realFolder = await realpath(folder);
  if (!isUnder(realFolder, real)) return refuse("outside");
  try {
    // A pipe would wait for a writer, and a link may have taken the file's place since.
    const handle = await open(
      real,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const found = await handle.stat();
      if (!found.isFile()) return refuse("no-file");
      if (found.size > maxSize) return refuse("too-large");
      const content = decodeFile(await handle.readFile());
      if (content === undefined) return refuse("no-text");
      const isSecret = isSecretPath(relative(realFolder, real).split(sep).join("/"));
      return { ok: true, path: real, content, isSecret };
    } finally {
      await handle.close();
    }
  } catch {
    return refuse("no-file");
  }
}

function refuse(problem: InsideProblem): InsideFile {
  return { ok: false, problem };
}

/** Files with rules for agents; the first that is there counts. */
export const ruleFiles = ["AGENTS.md", "CLAUDE.md", ".cursorrules"];
/** In bytes. */
const maxRules = 32 * 1024;

export interface FoundRules {
  name: string;
  /** Undefined: they cannot be sent. */
  rules: ProjectRules | undefined;
  /** Why not. */
  problem?: Exclude<InsideProblem, "missing"> | "secret";
}

/** The project's rules for agents at the root of the repository; undefined where there are none. */
export async function readRules(directory: string): Promise<FoundRules | undefined> {
  const root = await findWorkTree(directory);
  if (root === undefined) return undefined;
  for (const name of ruleFiles) {
    const found = await readFileInside(root, name, maxRules);
    // A hostile repository may have a link in its place.
    if (found.ok && found.isSecret) return { name, rules: undefined, problem: "secret" };
    if (found.ok) return { name, rules: { filePath: name, content: found.content } };
    if (found.problem !== "missing") return { name, rules: undefined, problem: found.problem };
  }
  return undefined;
}

export const manifests = [
  "package.json",
  "go.mod",
  "Cargo.toml",
  "pyproject.toml",
  "requirements.txt",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "Gemfile",
  "composer.json",
];
/** Manifests that are sent. */
const maxFiles = 3;
/** A manifest that is longer says little of the project and much of its generator; in bytes. */
const maxFile = 64 * 1024;

/** The package manifests of the working directory, then those of the repository's root; at most three. */
export async function readPackageFiles(directory: string): Promise<PackageFiles> {
  const root = await findWorkTree(directory);
  const paths = [directory, ...(root === undefined ? [] : [root])].flatMap(listManifests);
  const found = new Map<string, string>();
  for (const path of paths) {
    if (found.size === maxFiles) break;
    // What cannot be read, or is a link to elsewhere, is left out: the person did not ask for it.
    const read = await readFileInside(root ?? directory, path, maxFile);
    if (read.ok && !read.isSecret)
      found.set(relative(directory, path).split(sep).join("/"), read.content);
  }
  return [...found].map(([filepath, content]) => ({ filepath, content }));
}

function listManifests(folder: string): string[] {
  const names = readdirSync(folder);
  const projects = names.filter((name) => name.endsWith(".csproj")).sort();
  return [...manifests.filter((name) => names.includes(name)), ...projects].map((name) =>
    join(folder, name),
  );
}
