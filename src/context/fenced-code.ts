// Code that a person has put into Markdown, with what the text plainly says about it.
import { languageOf } from "./language.ts";

export interface FencedCode {
  /** Ends with a line break unless it is empty. */
  text: string;
  /** The editor's language id; "" where nothing tells it. */
  language: string;
  /** As the info string or the line before names it; "" where neither plainly does. */
  path: string;
  /** The text without the block and without the line that names its path. */
  around(): string;
}

/** Lines of a text, 0-based, `end` exclusive. */
interface Block {
  start: number;
  end: number;
  info: string;
  text: string;
}

/**
 * Every fenced block of a Markdown text, in order. A block without an end reaches to the end of the text
 * (CommonMark, fenced code blocks).
 */
export function readFencedCode(markdown: string): FencedCode[] {
  const lines = markdown.split(/\r?\n/);
  return findBlocks(lines).map(({ start, end, info, text }) => {
    const words = info.split(/\s+/);
    const inside = words.map(toPath).find((path) => path !== "") ?? "";
    const before = inside === "" ? toPath(lines[start - 1] ?? "") : "";
    const from = before === "" ? start : start - 1;
    return {
      text,
      language: toLanguage(words[0] ?? ""),
      path: inside || before,
      around: () => [...lines.slice(0, from), ...lines.slice(end)].join("\n").trim(),
    };
  });
}

function findBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const rule = ruleOf(lines[start]);
    const info = rule === undefined ? "" : (lines[start] ?? "").trim().slice(rule.length);
    if (rule === undefined || (rule.startsWith("`") && info.includes("`"))) continue;
    let end = start + 1;
    while (end < lines.length && !isClose(lines[end], rule)) end += 1;
    const text = lines.slice(start + 1, end).map((line) => `${line}\n`);
    blocks.push({ start, end: end + 1, info: info.trim(), text: text.join("") });
    start = end;
  }
  return blocks;
}

/** The run of backticks or tildes that a line begins with, if it is long enough for a fence. */
function ruleOf(line: string | undefined): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line ?? "")?.[1];
}

function isClose(line: string | undefined, open: string): boolean {
  const rule = ruleOf(line);
  return rule !== undefined && rule.startsWith(open) && line?.trim() === rule;
}

/** `src/cart.js`, also as `**src/cart.js**:`, `js:src/cart.js` or `title="src/cart.js"`; "" for all other texts. */
function toPath(words: string): string {
  const bare = words
    .trim()
    .replaceAll(/["'`*]/g, "")
    .replace(/[:：]$/, "");
  const path = bare.slice(Math.max(bare.lastIndexOf(":"), bare.lastIndexOf("=")) + 1);
  if (!/^[^\s<>|?]{1,300}$/.test(path) || !/[^/\\.]\.\w{1,10}$/.test(path)) return "";
  return path.includes("/") || languageOf(path) !== "" ? path : "";
}

/** The first word of an info string, unless it is a path or an attribute. */
function toLanguage(word: string): string {
  const name = /^[\w+#-]{1,40}(?![\w+#\-./\\=])/.exec(word.toLowerCase())?.[0] ?? "";
  return languageOf(`x.${name}`) || name;
}
