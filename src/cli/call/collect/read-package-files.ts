import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { PackageFiles } from "../../../turn/context/package-files.ts";
import { findWorkTree } from "../../../workspace/directory/folder-rules.node.ts";
import { readFileInside } from "./read-file-inside.ts";

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
