import * as z from "zod";
import { fence } from "./fence.ts";
import { languageOf } from "./language.ts";
import { oneLine } from "./one-line.ts";

export const PackageFilesOptions = z.looseObject({
  /** The most files to collect. */
  maximumNumber: z.int().min(0).nullish(),
});

/** The project's package manifests (package.json, go.mod, pom.xml, ...), with their whole text. */
export const PackageFiles = z.array(z.looseObject({ filepath: z.string(), content: z.string() }));
export type PackageFiles = z.infer<typeof PackageFiles>;

export function renderPackageFiles(files: PackageFiles): string {
  return files
    .map((file) => `${oneLine(file.filepath)}\n${fence(file.content, languageOf(file.filepath))}`)
    .join("\n\n");
}
