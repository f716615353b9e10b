// What opens the first prompt of an agent: a map of its files, and the code that the request means.
import { fence } from "../../../base/text/fence.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { oneLine } from "../../../base/errors/names.ts";
import { estimateTokens } from "../../../turn/tokens.ts";
import { isSameFile } from "../../../edit/read/is-same-file.ts";
import { linesOf, trimEndSigns } from "../../../base/text/lines.ts";
import type { Message } from "../../../base/errors/app-error.ts";
import type { Locale } from "../../../base/errors/locale.ts";
import type { FileUse } from "../../../tools/tool.ts";
import type { Turn } from "../../../turn/turn.ts";
import type { Workspace, WorkspaceProblem } from "../../../workspace/workspace.ts";
import type { Services } from "../../flow.ts";
import { type RepositoryMap, mapRepository, maxMapTokens } from "./map-repository.ts";
import { type MapReason, type NamedSymbol, describeReason } from "./weigh-files.ts";

/** Tokens of the code that is brought along, as we estimate them: 12,000 at most; never more than a quarter of the window. */
const maxCode = 11_000;
/** Up to so many a file comes whole though the request names only a symbol of it. */
const smallFile = 3_000;
/** Files that come whole, definitions, and files that the receipt names. */
const [maxBrought, maxDefinitions, maxNamed] = [5, 10, 20];
/** Characters of which an estimate looks at all. */
const stretch = 32_768;

/**
 * @param seen hears of each file that the prompt shows whole
 * @returns facts for the prompt, why each file came, and why others that were named as `@path` did not
 */
export async function bringFiles(
  turn: Turn,
  { code }: Pick<Services, "code">,
  workspace: Workspace,
  seen: FileUse["seen"],
) {
  const { signal, locale, model } = turn;
  const request = turn.context.userInputPrompt ?? "";
  const maxTokens = Math.min(maxMapTokens, Math.floor(model.contextWindow / 8));
  const map = await mapRepository(workspace, request, { code, signal, maxTokens });
  const named = await readMeant(turn, workspace, map, seen);
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

/** Files that the request names come before those with definitions of what it names, and those before what may be meant. */
function listWanted({ files, definitions }: RepositoryMap) {
  const byPath = Map.groupBy(definitions.slice(0, maxDefinitions), ({ path }) => path);
  const wanted = new Map<string, MapReason>();
  const add = (path: string, why: MapReason): void => {
    if (!wanted.has(path)) wanted.set(path, why);
  };
  for (const { path, why } of files) if (why.kind === "named") add(path, why);
  for (const [path, [first]] of byPath) add(path, { kind: "defines", what: first?.name ?? "" });
  for (const { path, why } of files) if (why.kind === "defines") add(path, why);
  return Array.from(wanted, ([path, why]) => ({ path, why, symbols: byPath.get(path) ?? [] }));
}

/** The code that the request means, as far as there is room: whole files and definitions, each with what is shown of it. */
async function readMeant(
  { context, model, signal, locale }: Turn,
  workspace: Workspace,
  map: RepositoryMap,
  seen: FileUse["seen"],
): Promise<{ text: string; paths: string[] }> {
  const shown = context.activeEditor?.filePath;
  let left = Math.min(maxCode, Math.floor(model.contextWindow / 4));
  const printed: string[] = [];
  const paths: string[] = [];
  const cut: string[] = [];
  const take = (text: string): boolean => {
    const tokens = costOf(text);
    if (tokens > left) return false;
    left -= tokens;
    printed.push(text);
    return true;
  };
  for (const { path, why, symbols } of listWanted(map)) {
    if (shown && isSameFile(path, shown)) continue;
    const isNamed = why.kind === "named";
    const isFull = paths.length === maxBrought;
    if (!isNamed && symbols.length === 0 && (isFull || left < smallFile)) continue;
    const read = await workspace.read(path, { signal });
    if (!read.ok || read.value.isPart) continue;
    const { text, hash } = read.value;
    const head = `\`${oneLine(path)}\` (${describeReason(why)[locale]})`;
    const whole = `${head}\n\n${fence(text, languageOf(path))}`;
    const isSmall = isNamed || costOf(text) <= smallFile;
    if (isSmall && !isFull && take(whole)) {
      seen.set(path, hash);
      paths.push(path);
      continue;
    }
    const lines = linesOf(text);
    for (const symbol of symbols) {
      const part = fitPart(symbol, lines, left, locale);
      if (part !== undefined) take(part);
    }
    if (isNamed || symbols.length > 0) cut.push(`\`${oneLine(path)}\``);
  }
  const note = cut.slice(0, maxNamed).join(locale === "zh" ? "、" : ", ");
  if (cut.length > 0) printed.push(notWhole(note)[locale]);
  return { text: printed.join("\n\n"), paths };
}

/** The code of a definition under a line that says what it is; of one that is too long, its beginning. */
function fitPart(
  { path, name, lines: { startLine, endLine } }: NamedSymbol,
  all: readonly string[],
  room: number,
  locale: Locale,
): string | undefined {
  const lines = all.slice(startLine - 1, endLine);
  const print = (count: number): string => {
    const last = startLine + count - 1;
    const what = describeReason({ kind: "defines", what: name })[locale];
    const more = count < lines.length ? goesOn(endLine)[locale] : "";
    const place =
      locale === "zh"
        ? `${what}，第 ${startLine} 至 ${last} 行，共 ${all.length} 行${more}`
        : `${what}, lines ${startLine} to ${last} of ${all.length}${more}`;
    const code = fence(`${lines.slice(0, count).join("\n")}\n`, languageOf(path));
    return `\`${oneLine(path)}\` (${place})\n\n${code}`;
  };
  for (let count = lines.length; count > 0; count = Math.floor(count * 0.7))
    if (costOf(print(count)) <= room) return print(count);
  return undefined;
}

const goesOn = (line: number): Message => ({
  en: `; it goes on to line ${line}`,
  zh: `，其后至第 ${line} 行未显示`,
});
const notWhole = (files: string): Message => ({
  en: `Not shown whole: ${files}. Read what you need of them with \`read_file\` and line numbers.`,
  zh: `没有完整显示：${files}。需要时请用 \`read_file\` 按行号读取。`,
});

/** Of a long text all is looked at. */
function costOf(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length && tokens <= maxCode; at += stretch)
    tokens += estimateTokens(text.slice(at, at + stretch));
  return tokens;
}

// Files that a request names as `@path` and that do not come along: whoever named them is told why.

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
) {
  const left: { path: string; why: Message }[] = [];
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
  const found = [...request.slice(0, maxRequest).matchAll(mention)].map(([, path = ""]) =>
    trimEndSigns(path, ".-"),
  );
  return [...new Set(found)].filter((path) => path !== "").slice(0, maxMentions);
}

/** Packages, annotations and names of people begin like files, too; a folder is in the map. */
function isMeant(path: string, code: WorkspaceProblem["code"]): boolean {
  if (code === "wrong-kind") return false;
  if (code !== "not-found") return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return endings.test(name) || languageOf(path) !== "" || name.startsWith(".");
}
