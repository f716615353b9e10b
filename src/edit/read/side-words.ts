// The words by which models name the two sides of a change: in labels, rules, tags, and keys of JSON.
import { trimEndSigns } from "../../base/text/lines.ts";

/** The code as it was or as it is to be; `find` and `replace` are orders, which may name either. */
export type Side = "old" | "new" | "find" | "replace";

/** `to`: what follows is the new side, whatever came before. */
type Kind = Side | "to" | "filler";

const words: Readonly<Record<Kind, string>> = {
  old:
    "before was old original originally current existing previous buggy problematic broken incorrect wrong bad from " +
    "前 之前 原来 原先 原有 原始 原 旧 当前 目前 现有 错误 有问题 存在问题 问题 vorher alt antes avant ancien до было",
  new:
    "after new updated fixed improved optimized optimised refactored modified corrected revised changed rewritten " +
    "replaced replacement correct good better suggested proposed recommended 后 後 之后 现在 新 正确 建议 推荐 " +
    "nachher neu después despues depois après apres nouveau после стало",
  find: "find search locate 查找 搜索",
  replace:
    "replace change update modify 修改 改动 更改 变更 变 変更 优化 修复 修正 重构 调整 替换 更新 改进 改 把 将",
  to: "to with into by becomes become now should must use 为 成 应该 应",
  filler:
    "a an the and it its is are be read this that these which what here s following follows below like look looks for " +
    "in at on of step instead please your code text string content contents version implementation function method " +
    "two three class line lines block snippet part one state fix edit edits changes refactor refactoring optimization " +
    "optimisation modification código codigo コード 第 一 二 三 四 五 六 七 八 九 十 处 步 的 代码 版本 实现 写法 函数 " +
    "方法 内容 行 部分 如下 是 请 需要 可以 只需 只要 下面 以下 这段 这一行 这行 上述",
};
const kinds: ReadonlyMap<string, Kind> = new Map(
  (["filler", "to", "replace", "find", "new", "old"] as const).flatMap((kind) =>
    words[kind].split(" ").map((word) => [word, kind] as const),
  ),
);
const han = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー";
/** Chinese and Japanese have no spaces between words: of those that fit, the longest is meant. */
const inRow = [...kinds.keys()]
  .filter((word) => /[\u3040-\u30ff\p{Script=Han}]/u.test(word))
  .sort((one, other) => other.length - one.length);
// Its words are those above.
// oxlint-disable-next-line patterns/no-built-pattern
const token = new RegExp(`${inRow.join("|")}|[${han}]|[^${han}\\P{L}]+`, "gu");

/** The side that a phrase names; undefined where one of its words says anything else. */
export function sideOfPhrase(phrase: string): Side | undefined {
  const tokens = phrase.toLowerCase().match(token) ?? [];
  const telling = tokens.map((word) => kinds.get(word)).filter((kind) => kind !== "filler");
  let side: Side | undefined;
  let hasAim = false;
  for (const [nth, kind] of telling.entries()) {
    if (kind === undefined) return undefined;
    if (kind === "to") {
      // "Code to replace" is the old one, and so is what "should be changed".
      const next = telling[nth + 1];
      side = next === "replace" || next === "find" ? "old" : "new";
      hasAim = true;
    } else if (!hasAim && side !== "old" && side !== "new") side = kind;
  }
  return side;
}

const endSigns = ":：.。,，… \t*_`";
const place =
  / (?:in|at|from|of|on) (?:the file )?(?:lines? \d[\d–-]*|[\w-]*[./\\][\w./\\-]*|line)$/i;
const remark = /[(（][^()（）]{0,80}[)）]/g;

/** The side that a line above a block names for it; undefined if the line says anything else. */
export function labelOf(line: string): Side | undefined {
  if (line.length > 160) return undefined;
  const ends = [...line.matchAll(/[.!;][ \t]|[。！；]/g)].map(({ index }) => index + 1);
  const last = ends.findLast((end) => line.slice(end).trim() !== "") ?? 0;
  const sentence = line.slice(last).trim();
  // Code that it names says nothing, nor do remarks and the place that it names.
  const unnamed = sentence.replaceAll(/`[^`]*`/g, " ");
  const named = /\p{L}/u.test(unnamed) ? unnamed : sentence;
  const bare = trimEndSigns(named.replaceAll(remark, ""), endSigns).replace(place, "");
  // The last clause names the block if the sentence does not, as in "On line 4, change"; the first, if the rest says why.
  const [, clause = ""] = /[,，]([^,，]+)$/.exec(bare) ?? [];
  const [reason = ""] =
    /[,，]\s*(?:so|because|since|which|in order|以|这样|从而|因为).*$/i.exec(bare) ?? [];
  const short = reason === "" ? "" : bare.slice(0, -reason.length);
  return sideOfPhrase(bare) ?? sideOfPhrase(clause) ?? sideOfPhrase(short);
}

/** Whether a field, a tag or an attribute of the name, in whatever case, names a file. */
export function isPathName(name: string): boolean {
  return /^(?:(?:target[_-]?)?file[_-]?(?:path|name)?|path|uri)$/i.test(name);
}

const nouns = /(?:text|string|str|code|content|block|lines?|snippet)$/;
const oldName = /^(?:search|find|old|original|before|target|current|existing)$/;
const newName =
  /^(?:replace|replacement|replacewith|new|updated|modified|fixed|after|revised|improved)$/;

/** The side that the name of a field or a tag names, in whatever case, with `_` and `-` or without. */
export function sideOfName(name: string): "old" | "new" | undefined {
  const bare = name
    .slice(0, 40)
    .replaceAll(/[_\- ]/g, "")
    .toLowerCase()
    .replace(nouns, "");
  if (oldName.test(bare)) return "old";
  return newName.test(bare) ? "new" : undefined;
}
