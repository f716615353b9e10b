// What opens the first prompt of an agent: a map of its files, and those that the request names.
import { fence } from "../../../context/fence.ts";
import { languageOf } from "../../../context/language.ts";
import { oneLine } from "../../../context/one-line.ts";
import { estimateTokens } from "../../../context/tokens.ts";
import { isSameFile } from "../../../edit/read/is-same-file.ts";
import type { SeenFiles } from "../../../tools/workspace/seen-files.ts";
import type { ContextReceipt } from "../../../turn/context-receipt.ts";
import type { PromptFacts } from "../../../turn/focus.ts";
import type { Turn } from "../../../turn/turn.ts";
import type { Workspace } from "../../../workspace/workspace.ts";
import type { Services } from "../../flow.ts";
import { findLeftOut } from "./find-left-out.ts";
import { describeReason } from "./map-reason.ts";
import { mapRepository, maxMapTokens, type RepositoryMap } from "./map-repository.ts";

/** Tokens of the files that are brought along; never more than a quarter of the window. */
const maxFiles = 12_000;
/** Files that are brought along, and files that the receipt names. */
const [maxBrought, maxNamed] = [5, 20];

export interface Brought {
  facts: PromptFacts;
  /** Why each file came. */
  files: NonNullable<ContextReceipt["files"]>;
  /** Why others that were named as `@path` did not. */
  leftOut: NonNullable<ContextReceipt["leftOut"]>;
}

/** @param seen hears of each file that the prompt shows whole */
export async function bringFiles(
  turn: Turn,
  { code, slices }: Pick<Services, "code" | "slices">,
  workspace: Workspace,
  seen: SeenFiles,
): Promise<Brought> {
  const { signal, locale, model } = turn;
  const request = turn.context.userInputPrompt ?? "";
  const maxTokens = Math.min(maxMapTokens, Math.floor(model.contextWindow / 8));
  const map = await mapRepository(workspace, request, { code, slices, signal, maxTokens });
  const named = await readNamed(turn, workspace, map, seen);
  const shown = turn.context.activeEditor?.filePath;
  const brought = shown ? [...named.paths, shown] : named.paths;
  const leftOut = await findLeftOut(workspace, request, brought, signal);
  const files = map.files
    .slice(0, maxNamed)
    .map(({ path, why }) => ({ path, why: describeReason(why)[locale] }));
  // A map of a single file says nothing that the file itself does not say.
  const repositoryMap = map.files.length > 1 ? map.text : "";
  return {
    facts: { repositoryMap, namedFiles: named.text },
    files,
    leftOut: leftOut.map(({ path, why }) => ({ path, why: why[locale] })),
  };
}

/** The texts of the files that the request names, or whose symbols it names, as far as there is room. */
async function readNamed(
  { context, model, signal }: Turn,
  workspace: Workspace,
  { files }: RepositoryMap,
  seen: SeenFiles,
): Promise<{ text: string; paths: string[] }> {
  const shown = context.activeEditor?.filePath;
  const wanted = files
    .filter(
      ({ path, why }) =>
        (why.kind === "named" || why.kind === "defines") && !(shown && isSameFile(path, shown)),
    )
    .slice(0, maxBrought);
  let left = Math.min(maxFiles, Math.floor(model.contextWindow / 4));
  const printed: string[] = [];
  const paths: string[] = [];
  for (const { path } of wanted) {
    const read = await workspace.read(path, { signal });
    if (!read.ok || read.value.isPart) continue;
    const { text, hash } = read.value;
    const tokens = estimateTokens(text);
    if (tokens > left) continue;
    left -= tokens;
    seen.note(path, hash);
    paths.push(path);
    printed.push(`\`${oneLine(path)}\`\n\n${fence(text, languageOf(path))}`);
  }
  return { text: printed.join("\n\n"), paths };
}
