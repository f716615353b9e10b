// What the text around code blocks, and remarks in them, order besides.
import { isSolid, joinLines, linesOf } from "../../../base/text/lines.ts";
import { importedNames } from "../../../edit/align/line-version.ts";
import { codeIn, isEven, isImport, isImportLine } from "../../../edit/align/source-lines.ts";
import { applyCodeEdit } from "../../../edit/apply-code-edit.ts";
import { applyUnits } from "../../../edit/edit-session.ts";
import { readToldChanges, type ToldChange } from "../../../edit/read/blocks/quoted-change.ts";
import type { TextLine } from "../../../edit/read/blocks/quoted-sentences.ts";
import { unusedImports } from "../../../edit/read/blocks/unmet-change.ts";
import {
  asksForLess,
  asksToReplace,
  ordersIn,
  quotedIn,
  sentencesOf,
  speaksOfLess,
  withoutRemarks,
} from "../../../edit/read/blocks/told-words.ts";
import type { CodeBlock } from "../../../edit/read/file-edit.ts";
import { announcesMore, tellsRemoval } from "./block-words.ts";
import { hasWord } from "./named-lines.ts";
import { moveImport } from "./told-place.ts";

/** The text without a block that the line above it orders to remove. */
export function removeAsTold(text: string, block: CodeBlock): string {
  if (!speaksOfLess(block.above)) return text;
  const above = withoutRemarks(sentencesOf(block.above).findLast(speaksOfLess) ?? "");
  const lead = { text: above, line: block.line - 1, isCode: false };
  const remove = (known: string, code: string): string =>
    applyTold(known, [lead], [{ ...block, code }], ({ replace }) => replace === "");
  const removed = remove(text, block.code);
  if (removed !== text) return removed;
  // Imports may be apart.
  const lines = linesOf(block.code).filter(isSolid);
  const areImports =
    lines.length <= maxImports && lines.every((one) => isImport(one) && isEven([one]));
  let rest = text;
  for (const line of areImports ? lines : []) {
    const next = remove(rest, `${line}\n`);
    if (next === rest) return text;
    rest = next;
  }
  return rest;
}

/** Of more, none goes. */
const maxImports = 50;

/** The text with what lines of text order, if that is all that counts. */
function applyTold(
  text: string,
  lines: readonly TextLine[],
  quoted: readonly CodeBlock[],
  counts: (unit: ToldChange) => boolean,
): string {
  const units = readToldChanges(lines, quoted, text);
  const result = units.length > 0 && units.every(counts) ? applyUnits(text, units) : undefined;
  return result?.ok === true ? result.text : text;
}

/** The text without the lines behind which a block has a comment that orders to remove them. */
export function removeAsRemarked(text: string, { code }: Pick<CodeBlock, "code">): string {
  const all = linesOf(text);
  const gone = linesOf(code)
    .filter(ordersToRemove)
    .map((line) => all.findIndex((one) => one.trim() === codeIn(line).trim()));
  const isOnce = (at: number): boolean =>
    all.filter((one) => one.trim() === all[at]?.trim()).length === 1;
  const places = new Set(gone.filter((at) => at !== -1 && isOnce(at)));
  return places.size === 0 ? text : joinLines(all.filter((_, at) => !places.has(at)));
}

export function ordersToRemove(line: string): boolean {
  const remark = line.slice(codeIn(line).length);
  const order = /^\W*(?:remove|delete)(?: (?:this|the))?(?: \w+)?\W*$|^\W*(?:删除|移除)/i;
  return codeIn(line).trim() !== "" && order.test(remark);
}

/** The text with what the lines around a block order besides, or say of imports, of which no block shows anything. */
export function changeAsTold(
  text: string,
  { above = "", below = "" }: Partial<Pick<CodeBlock, "above" | "below">>,
  blocks: readonly Pick<CodeBlock, "code">[],
): string {
  if (!`${above}${below}`.includes("`")) return text;
  const isShown = (code: string): boolean =>
    code !== "" && blocks.some((block) => block.code.includes(code));
  const isNew = ({ search, replace }: ToldChange): boolean => !isShown(search) && !isShown(replace);
  // The last sentence above leads to the block.
  const told = [...sentencesOf(above).slice(0, -1), below].join("\n");
  const clauses = told
    .replaceAll(/`[^`]*`|[;；]\s*/g, (part) => (part.startsWith("`") ? part : "\n"))
    .split("\n")
    .map((one, line) => ({ text: one, line, isCode: false }));
  const [own, ...others] = blocks.flatMap(({ code }) => linesOf(code).filter(isImport));
  const place = (known: string, sentence: string): string =>
    own === undefined || others.length > 0 || !/\bimport\b|导入/i.test(sentence)
      ? known
      : moveImport(known, own, sentence);
  return [above, below]
    .flatMap(sentencesOf)
    .reduce(
      (known, sentence, nth, all) =>
        place(
          sentence.length <= maxSentence && outOfImport.test(sentence)
            ? withoutImported(known, sentence, all[nth - 1])
            : changeImport(known, sentence),
          sentence,
        ),
      applyTold(text, clauses, [], isNew),
    );
}

/** In characters: a longer one takes nothing out of an import. */
const maxSentence = 1_000;
/** What goes from an import, and not with it. */
const outOfImport =
  /\b(?:remove|delete|drop)\b[^;.]*?\bfrom (?:the |that |its |your )?(?:[`\w.]+ )?(?:imports?\b|`import )|(?:删除|移除|去掉|删掉)[^，。]*导入[^，。]{0,6}[中里]的|导入[^，。]{0,6}[中里][^，。]*(?:删除|移除|去掉|删掉)/i;

/** The text without the names that a sentence, or the one before it, takes out of the one import that has them. */
function withoutImported(text: string, sentence: string, before = ""): string {
  const namesIn = (line: string): ReadonlySet<string> =>
    new Set(isImport(line) ? importedNames(line) : []);
  const isThat = /\b(?:it|them|that|this)\b|[它其]/i.test(sentence.replaceAll(/`[^`]*`/g, ""));
  const known = linesOf(text).map(namesIn);
  const own = quotedIn(sentence).filter((one) => known.some((names) => names.has(one)));
  const names = own.length > 0 || !isThat ? own : quotedIn(before).slice(0, 1);
  return names.reduce((rest, name) => {
    const lines = linesOf(rest);
    const at = lines.findIndex((line) => namesIn(line).has(name));
    const line = lines[at] ?? "";
    const parts = line.split(/(?<=[,{(])|(?=[})])/);
    const nth = parts.findIndex((part) => part.replace(/,$/, "").trim() === name);
    if (at === -1 || namesIn(line).size === 1)
      return joinLines(lines.filter((_, one) => one !== at));
    const [gone = ""] = nth === -1 ? [] : parts.splice(nth, 1);
    // The comma before the last of them goes with it, and its space stays.
    if (nth > 0 && !gone.endsWith(","))
      parts[nth - 1] = parts[nth - 1]?.replace(/,$/, "") + gone.slice(gone.trimEnd().length);
    return joinLines(lines.with(at, parts.join("")));
  }, text);
}

/** The text with the import that a sentence, or a part of it, says is added, or is to go or no more there. */
function changeImport(text: string, sentence: string): string {
  const areSeveral = quotedIn(sentence).filter((one) => isImport(one.trim())).length > 1;
  const parts = areSeveral ? (sentence.match(/(?:`[^`]*`|[^`,，;；])+/g) ?? []) : [sentence];
  return parts.reduce(changeOneImport, text);
}

function changeOneImport(text: string, said: string): string {
  const [unused] = unusedImports(said, text);
  const isLess = unused !== undefined || tellsRemoval(said) || asksForLess(said);
  const isAdded = !isLess && announcesMore(said);
  const isSaid = isLess || (isAdded && ordersIn(said).length > 0);
  const lines = linesOf(text);
  // "The import of `java.util.HashMap`"
  const isOf = !isAdded && /\b(?:imports?|includes?|using)\b|导入|引用/i.test(said);
  const toImports = (quoted: string): string[] => {
    if (isImport(quoted) && /\s/.test(quoted)) return [quoted];
    return isOf ? lines.filter((line) => isImportLine(line.trim()) && hasWord(line, quoted)) : [];
  };
  const shown = quotedIn(said).flatMap((quoted) => toImports(quoted.trim()));
  const [only, ...more] = new Set(shown.filter((one) => lines.includes(one) !== isAdded));
  if (!isSaid || only === undefined || more.length > 0) return text;
  const result = isAdded
    ? applyCodeEdit(text, only, { isAdded })
    : applyUnits(text, [{ search: `${only}\n`, replace: "" }]);
  return result.ok ? result.text : text;
}

/** The text without the import that others replace. */
export function withoutReplacedImport(
  text: string,
  { code, above }: Pick<CodeBlock, "code" | "above">,
): string {
  const own = linesOf(code).filter(isSolid);
  const quoted = ordersIn(above).filter(asksToReplace).flatMap(quotedIn);
  const isOld = (line: string): boolean =>
    isImport(line) && !own.includes(line) && quoted.some((one) => hasWord(line, one));
  const old = quoted.length > 0 && own.every(isImport) ? linesOf(text).filter(isOld) : [];
  return old.length === 1 ? joinLines(linesOf(text).filter((line) => !isOld(line))) : text;
}
