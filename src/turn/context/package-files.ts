import * as z from "zod";
import { fence } from "../../base/text/fence.ts";
import { languageOf } from "./language.ts";
import { oneLine } from "./one-line.ts";

export const PackageFilesOptions = z.looseObject({
  /** The most files to collect. */
  maximumNumber: z.int().min(0).nullish(),
});

/** The project's package manifests (package.json, go.mod, pom.xml, ...), with their whole text. */
export const PackageFiles = z.array(z.looseObject({ filepath: z.string(), content: z.string() }));
export type PackageFiles = z.infer<typeof PackageFiles>;

/** Prints the files, each under its path. */
export function printPackageFiles(files: PackageFiles): string {
  let text = "";
  for (const [index, { filepath, content }] of files.entries()) {
    const printed = `${oneLine(filepath)}\n${fence(content, languageOf(filepath))}`;
    text += `${index === 0 ? "" : "\n\n"}${printed}`;
  }
  return text;
}
