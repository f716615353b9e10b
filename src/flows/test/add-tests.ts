import type { EditUnit } from "../../edit/edit-unit.ts";
import { trimEndSigns } from "../../base/text/trim.ts";
import { type JoinOptions, joinTests } from "./file/join-tests.ts";
import type { ExistingTests } from "./project-tests.ts";

/**
 * The change of a test file that adds tests at its end, without imports that it has. Undefined where only a
 * passage of it is known, or the two are not clearly one file.
 */
export async function addTests(
  { text, isWhole }: ExistingTests,
  added: string,
  options: JoinOptions,
): Promise<EditUnit | undefined> {
  if (!isWhole) return undefined;
  const search = `${trimEndSigns(text.replaceAll("\r\n", "\n"), "\n")}\n`;
  // A model may have written the whole file after all.
  const isRepeated = added.startsWith(search.trimEnd());
  const replace = isRepeated ? added : await joinTests([search, added], options);
  return replace === undefined ? undefined : { search, replace };
}
