// Files that a request names as `@path` and that do not come along: whoever named them is told why.
import { languageOf } from "../../../turn/context/language.ts";
import type { Message } from "../../../base/errors/app-error.ts";
import type { Workspace, WorkspaceProblem } from "../../../workspace/workspace.ts";

export interface LeftOut {
  path: string;
  why: Message;
}

/** Mentions that are looked at, and characters of a request. */
const [maxMentions, maxRequest] = [20, 8_000];
const mention = /(?<![\w@./-])@(\.{0,2}[\w/][\w./-]{0,200}|\.\w[\w./-]{0,200})/g;
/** Files that no grammar reads; `@app.route` is none. */
const endings =
  /\.(?:env|json|jsonl|ya?ml|toml|ini|cfg|conf|csv|tsv|xml|html?|css|scss|md|rst|txt|log|lock|pem|key|sql|sh|png|jpe?g|svg|pdf)$/i;

const reasons: Partial<Record<WorkspaceProblem["code"], Message>> = {
  "not-found": { en: "there is no such file", zh: "没有这个文件" },
  outside: { en: "it is outside of the folder", zh: "它在文件夹之外" },
  protected: { en: "it is never read", zh: "它永远不会被读取" },
  secret: {
    en: "it may hold secrets, or git ignores it; it is sent only if you allow it when asked",
    zh: "它可能包含机密，或被 git 忽略；只有在询问时得到允许才会发送",
  },
  "no-permission": { en: "you may not read it", zh: "没有读取权限" },
  "too-large": { en: "it is too large", zh: "它太大" },
  binary: { en: "it is not a text file", zh: "它不是文本文件" },
};
const unreadable: Message = { en: "it cannot be read", zh: "无法读取" };
const noRoom: Message = {
  en: "there is no room for the whole file; the model can read it in parts",
  zh: "没有空间容纳整个文件；模型可以分段读取",
};

/** @param brought paths of the files that come along */
export async function findLeftOut(
  workspace: Workspace,
  request: string,
  brought: readonly string[],
  signal: AbortSignal,
): Promise<LeftOut[]> {
  const left: LeftOut[] = [];
  for (const path of listMentions(request)) {
    const end = `/${path.replace(/^(?:\.\/)+/, "")}`;
    if (brought.some((one) => `/${one}`.endsWith(end))) continue;
    const read = await workspace.read(path, { signal });
    if (read.ok) left.push({ path, why: noRoom });
    else if (isMeant(path, read.problem.code))
      left.push({ path, why: reasons[read.problem.code] ?? unreadable });
  }
  return left;
}

function listMentions(request: string): string[] {
  const found = [...request.slice(0, maxRequest).matchAll(mention)].flatMap(([, path = ""]) => {
    let end = path.length;
    while (end > 0 && (path[end - 1] === "." || path[end - 1] === "-")) end -= 1;
    return path.slice(0, end);
  });
  return [...new Set(found)].filter((path) => path !== "").slice(0, maxMentions);
}

/** Packages, annotations and names of people begin like files, too; a folder is in the map. */
function isMeant(path: string, code: WorkspaceProblem["code"]): boolean {
  if (code === "wrong-kind") return false;
  if (code !== "not-found") return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return endings.test(name) || languageOf(path) !== "" || name.startsWith(".");
}
