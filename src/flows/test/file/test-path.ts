// Where tests belong: what an answer says of it, else the convention of the project.
import { isAmongTests } from "../test-path.ts";
import { trimSigns } from "../../../base/text/lines.ts";
import { languageOf } from "../../../turn/context/language.ts";
import { isFileName } from "../../../turn/proposed-edit.ts";

/** What is known of the code under test. */
export interface TestedFile {
  /** As the editor names it. */
  path: string;
  text: string;
  /** The path of its test file by the convention of the project; "" where none is known. */
  testPath: string;
}

const maxLine = 300;

/** Lines with nothing but a path in backticks, as the prompt asks for. */
export function listedPaths(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^`([^`]+)`:?$/.exec(line.trimEnd())?.[1] ?? []);
}

/** The path that stands alone on the last line above a block: bold, as a heading, with a word before it. */
export function pathAbove(lines: readonly string[]): string | undefined {
  const line = lines.findLast((text) => text.trim() !== "") ?? "";
  if (line.length > maxLine) return undefined;
  const bare = line
    .trim()
    .replace(/^(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+/, "")
    .replaceAll(/[*`"']/g, "")
    .replace(/[:：]$/, "")
    .trim();
  return toPath(/^[\w\s一-鿿]{1,24}[:：]\s*(\S+)$/.exec(bare)?.[1] ?? bare);
}

/** `js:src/a.test.js`, `title="src/a.test.js"`, `js src/a.test.js`. */
export function pathInInfo(info: string): string | undefined {
  for (const word of info.slice(0, maxLine).split(/\s+/)) {
    const bare = word.replaceAll(/["'{}]/g, "");
    const path = toPath(bare.slice(Math.max(bare.lastIndexOf(":"), bare.lastIndexOf("=")) + 1));
    if (path !== undefined) return path;
  }
  return undefined;
}

/** The first line, if it is a comment with nothing but a path, or a word and a path. */
export function pathInComment(text: string): string | undefined {
  const [first = ""] = text.split("\n", 1);
  if (first.length > maxLine) return undefined;
  if (!/^\s*(?:\/\/|#|--|\/\*|<!--|;|%)/.test(first)) return undefined;
  const bare = trimSigns(first.replace(/<!--|-->/, ""), "/#*;%`- \t\r");
  return toPath(/^[\w\s一-鿿]{1,24}[:：]\s*(\S+)$/.exec(bare)?.[1] ?? bare);
}

/** The one test file of the tested language that sentences name; undefined if they name several. */
export function pathInText(lines: readonly string[], tested: TestedFile): string | undefined {
  const words = lines.flatMap((line) =>
    line.length > maxLine * 4 ? [] : line.split(/[\s`"'*()（）“”，。：；,;]+|[:.](?=\s|$)/),
  );
  const isMeant = (path: string): boolean =>
    isAmongTests(path) && familyOf(path) === familyOf(tested.path);
  const paths = new Set(words.flatMap((word) => toPath(word) ?? []).filter(isMeant));
  const [path] = paths;
  return paths.size === 1 ? path : undefined;
}

/** A bare name is meant in the folder of the convention. */
export function placePath(path: string, { testPath }: TestedFile): string {
  const folder = testPath.slice(0, testPath.lastIndexOf("/") + 1);
  return path.includes("/") || path.includes("\\") ? path : folder + path;
}

/** Whether both name the same file, as far as they name it. */
export function isSamePath(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

function toPath(word: string): string | undefined {
  const isPlain = /^[^\s<>|?*()[\]{}=,;]{1,200}$/.test(word) && isFileName(word);
  if (!isPlain || languageOf(word) === "" || word.includes("://")) return undefined;
  return word.split(/[/\\]/).includes("..") ? undefined : word.replace(/^\.\//, "");
}

/** JavaScript and TypeScript stand for each other. */
function familyOf(path: string): string {
  const language = languageOf(path);
  return /^(?:java|type)script(?:react)?$/.test(language) ? "script" : language;
}
