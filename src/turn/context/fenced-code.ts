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

/** A block by its place: characters of the text, `end` exclusive. */
interface Block {
  start: number;
  end: number;
  info: string;
  text: string;
}

/** Further ones are not looked at: nobody sends so many, and each costs time. */
const maxRules = 10_000;
/** In characters; what follows says nothing about language and path. */
const maxInfo = 500;
/** How lines begin that may open or close a block. */
const rulePattern = /^ {0,3}(?<rule>`{3,}|~{3,})/gm;

/**
 * The fenced blocks of a Markdown text, in order, at most the first 5,000. A block without an end reaches to
 * the end of the text (CommonMark, fenced code blocks).
 */
export function readFencedCode(markdown: string): FencedCode[] {
  return findBlocks(markdown).map(({ start, end, info, text }) => {
    const words = info.split(/\s+/);
    const inside = words.map(toPath).find((path) => path !== "") ?? "";
    const above = markdown.lastIndexOf("\n", start - 2) + 1;
    const before = inside === "" && start > 0 ? toPath(markdown.slice(above, start)) : "";
    return {
      text,
      language: toLanguage(words[0] ?? ""),
      path: inside || before,
      around: () => (markdown.slice(0, before === "" ? start : above) + markdown.slice(end)).trim(),
    };
  });
}

/**
 * The code that a message is about: its one block, else the last one of the messages before. Undefined where there is
 * none, or several of which the reader must choose.
 */
export function findFencedCode(asked: string, earlier: readonly string[]): FencedCode | undefined {
  const blocks = readFencedCode(asked);
  if (blocks.length > 0) return blocks.length === 1 ? blocks[0] : undefined;
  for (const text of earlier.toReversed()) {
    const block = readFencedCode(text).at(-1);
    if (block !== undefined) return { ...block, around: () => asked };
  }
  return undefined;
}

function findBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { rule: string; info: string; start: number; inside: number } | undefined;
  const close = (until: number, end: number): void => {
    if (open === undefined) return;
    const { start, info, inside } = open;
    const text = markdown.slice(inside, until).replaceAll("\r\n", "\n");
    const isEnded = text === "" || text.endsWith("\n");
    blocks.push({ start, end, info, text: isEnded ? text : `${text}\n` });
    open = undefined;
  };
  let rules = 0;
  for (const { index, 0: opening, groups } of markdown.matchAll(rulePattern)) {
    if (++rules > maxRules) break;
    const { rule = "" } = groups ?? {};
    const lineEnd = markdown.indexOf("\n", index);
    const after = lineEnd === -1 ? markdown.length : lineEnd + 1;
    const rest = markdown.slice(index + opening.length, after);
    if (open !== undefined) {
      if (rule.startsWith(open.rule) && rest.trim() === "") close(index, after);
    } else if (!rule.startsWith("`") || !rest.includes("`")) {
      open = { rule, info: rest.trim().slice(0, maxInfo), start: index, inside: after };
    }
  }
  if (rules <= maxRules) close(markdown.length, markdown.length);
  return blocks;
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
