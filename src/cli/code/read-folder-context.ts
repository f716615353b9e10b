import type { ContextVariable } from "../../turn/context/context.ts";
import { rulesVariable } from "../../turn/context/project-rules.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { manifests, ruleFiles } from "../call/collect/project-files.ts";

/** What is sent of each file, in characters; longer ones stay out. */
const [maxRules, maxManifest] = [32 * 1024, 64 * 1024];
const maxManifests = 3;

export interface FolderContext {
  variables: ContextVariable[];
  /** The file whose rules go along. */
  rules: string | undefined;
}

/**
 * The rules and the manifests at the top of the folder. They are read as the agent reads files, so that a link
 * out of the folder and an ignored file bring nothing; git is not asked, since a folder can tell git what to run.
 */
export async function readFolderContext(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<FolderContext> {
  const readFirst = async (
    names: readonly string[],
    most: number,
    count: number,
  ): Promise<{ name: string; text: string }[]> => {
    const found: { name: string; text: string }[] = [];
    for (const name of names) {
      if (found.length === count) break;
      const read = await workspace.read(name, { signal });
      if (read.ok && !read.value.isPart && read.value.text.length <= most)
        found.push({ name, text: read.value.text });
    }
    return found;
  };
  const [rules] = await readFirst(ruleFiles, maxRules, 1);
  const packages = await readFirst(manifests, maxManifest, maxManifests);
  const packageFiles = packages.map(({ name, text }) => ({ filepath: name, content: text }));
  const variables = [
    ...(packageFiles.length === 0 ? [] : [{ name: "packageFiles", value: packageFiles }]),
    ...(rules === undefined
      ? []
      : [{ name: rulesVariable, value: { filePath: rules.name, content: rules.text } }]),
  ];
  return { variables, rules: rules?.name };
}
