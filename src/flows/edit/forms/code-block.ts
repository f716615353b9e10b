// What a code block is to the file: code of it, of another language, a command, or an example.
import { isSolid, joinLines, linesOf } from "../../../base/text/lines.ts";
import { declaredName, isComment } from "../../../edit/align/source-lines.ts";
import { coveredCode, readWrapper } from "../../../edit/read/dress/tags.ts";
import type { CodeBlock } from "../../../edit/read/file-edit.ts";
import { isSameFile } from "../../../edit/read/is-same-file.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { mayBeTarget } from "../../place/edit-target.ts";
import type { EditScene } from "../show-edit.ts";
import { announcesExample } from "../../../edit/read/blocks/told-words.ts";

/** What the first word behind a fence says of the code in it: that it is of a language, of another one, or nothing. */
export function languageKind(info: string, language: string): "own" | "other" | "none" {
  const word = wordOf(info);
  const known = languageOf(`x.${word}`);
  if (word === "") return "none";
  if (familyOf(known || word) === familyOf(language)) return "own";
  const isOther = [notCode, anyText, settings].some((one) => one.test(word));
  return known !== "" || isOther ? "other" : "own";
}

const notCode =
  /^(?:sh|bash|shell|shellscript|zsh|fish|console|terminal|powershell|ps1|bat|cmd|output|log|mermaid)$/i;
/** It says nothing of code, and may be what came of it. */
const anyText = /^(?:te?xt|plain|plaintext|code|none)$/i;
const settings = /^(?:ini|cfg|conf|env|properties|dockerfile|makefile|diff|patch|csv|http)$/i;

function wordOf(info: string): string {
  return info.trim().split(/[\s:{]/, 1)[0] ?? "";
}

/** Whether a block may be meant as code of the file: not a command, an example, another file, or a quotation. */
export function mayChange(block: CodeBlock, { target, turn }: EditScene, text: string): boolean {
  const word = wordOf(block.info).replace(anyText, "");
  const known = languageOf(`x.${word}`);
  const isOwn = familyOf(known || word) === familyOf(target.language);
  const share = shareOf(block.code, text);
  const isHere =
    isSameFile(block.filePath, target.path) ||
    (share >= 0.5 && mayBeTarget(block.filePath, target, turn));
  if (!isHere) return false;
  if (notCode.test(word) && !isOwn) return false;
  const isOther = known !== "" && !isOwn && !isPart(known, target.path);
  if (isOther && share < 0.5) return false;
  const [fileLines, lines] = [text, block.code].map((one) =>
    linesOf(one).map((line) => line.trim()),
  );
  const heads = new Set(fileLines?.filter((line) => declaredName(line) !== undefined));
  return lines?.some((line) => heads.has(line)) === true || !announcesExample(block.above);
}

/** The text names a file of another language than the code is of. */
export function isOfOtherKind({ info, filePath = "" }: CodeBlock): boolean {
  const [own, named] = [languageOf(`x.${wordOf(info)}`), languageOf(filePath)];
  return own !== "" && named !== "" && familyOf(own) !== familyOf(named) && !isPart(own, filePath);
}

/** Whether files of this name hold code of the other language as well. */
function isPart(language: string, path: string): boolean {
  const isPage = /\.(?:html?|vue|svelte|astro|php|[jt]sx|jsp|erb)$/i.test(path);
  return (
    isPage && /^(?:html|xml|css|s[ac]ss|less|(?:java|type)script(?:react)?|tsx)$/.test(language)
  );
}

function familyOf(language: string): string {
  const name = language.toLowerCase();
  if (/^(?:shellscript|shell|[bkz]?a?sh)$/.test(name)) return "shell";
  return /^(?:(?:java|type)script(?:react)?|tsx)$/.test(name) ? "script" : name;
}

/** How much of the code the text has: what names another language may be a part of the file all the same. */
export function shareOf(code: string, text: string): number {
  const known = new Set(linesOf(text).map((line) => line.trim()));
  const lines = linesOf(code).filter(isSolid);
  return lines.filter((line) => known.has(line.trim())).length / lines.length;
}

/** Of code that only illustrates, the file has less. */
export const mostOffered = 0.3;

/** Pairs of lines. */
export const maxCompared = 50_000;

/** Lines that can be looked for in others, whatever their indentation. */
export function bareOf(code: string): string {
  const lines = code.trim().split("\n");
  return `\n${lines.map((line) => line.trim()).join("\n")}\n`;
}

/** It has all lines of an excerpt, comments aside, in their order. */
export function holdsLines(code: string, excerpt: string): boolean {
  const lines = linesOf(code).map((line) => line.trim());
  const wanted = linesOf(excerpt)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !isComment(line));
  let at = -1;
  if (wanted.length === 0) return bareOf(code).includes(bareOf(excerpt));
  return wanted.every((line) => (at = lines.indexOf(line, at + 1)) !== -1);
}

export function declaredIn(lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => declaredName(line.trim()) ?? []));
}

/** The code of an answer without fences, with text around it, as a block: most of its lines are the file's. */
export function unfencedCode(answer: string, text: string): CodeBlock[] {
  // Most of what is so much longer is not in the file.
  if (answer.length > 3 * text.length + 10_000) return [];
  const all = linesOf(answer.trimEnd());
  const covered = coveredCode(all, "");
  const lines = covered === all ? paragraphsIn(all, text) : covered;
  const code = joinLines(lines);
  const filePath = readWrapper(all.find(isSolid) ?? "")?.path;
  const block = { info: "", code, raw: answer, above: "", filePath, line: 1 };
  const solid = joinLines(linesOf(code).filter((line) => !isComment(line.trim())));
  const isCode = /\n./.test(code) && shareOf(solid, text) >= 0.5;
  return isCode ? [{ ...block, option: undefined, isClosed: true }] : [];
}

/** What is set apart by empty lines, from the first to the last of which the text has a line; none where a sentence is between. */
function paragraphsIn(lines: readonly string[], text: string): readonly string[] {
  const known = new Set(linesOf(text).map((line) => line.trim()));
  const isKnown = (line: string): boolean => line.trim().length > 3 && known.has(line.trim());
  const isEnd = (line: string | undefined): boolean => !isSolid(line ?? "");
  let [from, to] = [lines.findIndex(isKnown), lines.findLastIndex(isKnown)];
  while (from > 0 && !isEnd(lines[from - 1])) from -= 1;
  while (to < lines.length - 1 && !isEnd(lines[to + 1])) to += 1;
  const own = lines.slice(Math.max(0, from), to + 1);
  const isText = (line: string, nth: number): boolean =>
    isEnd(own[nth - 1]) && isEnd(own[nth + 1]) && isSentence(line);
  return own.some(isText) ? [] : own;
}

/** Several words, or some of Chinese, without the signs of code. */
function isSentence(line: string): boolean {
  const areWords =
    /^\S.* |\p{Script=Han}/u.test(line) && !/[(){}=;]/.test(line.replaceAll(/`[^`]*`/g, ""));
  return areWords && /[.:!?。：！？]$/.test(line);
}
