// The path of a file, as a line above an edit names it.
import { trimEndSigns } from "../../trim-signs.ts";

const pathLike = /^(?:[A-Za-z]:)?[\\/]?(?:[\w.@+()[\]-]+[\\/])*[\w.@+()[\]-]+$/;
const extension = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Names of languages and tools that look like files. */
const product =
  /^(?:node|vue|next|nuxt|react|express|three|d3|chart|moment|require|angular|ember|backbone|asp|socket)\.(?:js|io|net)$/i;
const code =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|swift|m|mm|dart|lua|r|jl|ex|exs|erl|hs|ml|fs|vb|pl|sh|bash|zsh|ps1|sql|html?|xml|css|s[ac]ss|less|vue|svelte|json|ya?ml|toml|ini|cfg|conf|md|txt|gradle|proto|tf|lock|env|mk|cmake)$/i;

/** A word without blanks that is written like a path of a file. */
export function looksLikePath(text: string): boolean {
  if (text.length > 300 || !pathLike.test(text) || product.test(text)) return false;
  return extension.test(text) ? /[\\/]/.test(text) || code.test(text) : /[\\/]\w/.test(text);
}

const label =
  /^(?:file ?name|file ?path|file|path|in|update|edit|modify|change|changes (?:to|in)|文件名|文件路径|文件|路径|修改|在)[ \t]*[:：]?[ \t]*/i;
const commentStart = /^(?:\/\/+|#+|--+|;+|\/\*+|<!--)[ \t]*/;
const commentEnd = /(?:\*\/|-->)$/;
const listMark = /^(?:[-+•]|\d{1,3}[.)])[ \t]+/;

/**
 * The path that a line consists of: alone, in backticks, bold, as a heading or a comment, after `File:`.
 * Undefined if anything else stands on the line.
 */
export function pathOfLine(line: string): string | undefined {
  if (line.length > 400) return undefined;
  const bare = strip(
    line.trim().replace(listMark, "").replace(commentStart, "").replace(commentEnd, "").trim(),
  );
  const named = strip(bare.replace(label, ""));
  if (looksLikePath(named)) return named;
  return undefined;
}

/** The one path that a sentence or heading names; undefined for none and for several. */
export function pathInSentence(line: string): string | undefined {
  if (line.length > 1_000) return undefined;
  const alone = pathOfLine(line);
  if (alone !== undefined) return alone;
  const found = new Set<string>();
  for (const [word] of line.matchAll(/`[^`]+`|\*\*[^*]+\*\*|[\w.@+\\/-]+/g)) {
    const isMarked = /^[`*]/.test(word);
    const path = isMarked
      ? word.replace(/^(?:`|\*\*`?)|(?:`|`?\*\*)$/g, "")
      : word.replace(/\.$/, "");
    if (looksLikePath(path) && (isMarked ? code.test(path) : code.test(path))) found.add(path);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** The path in what stands after a code fence: `ts:src/a.ts`, `src/a.ts`, `ts title="src/a.ts"`. */
export function pathOfInfo(info: string): string | undefined {
  if (info.length > 400) return undefined;
  const attribute =
    /\b(?:title|file|filename|path|filepath|filePath)=(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))/.exec(
      info,
    );
  const named = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3];
  if (named !== undefined) return named;
  const words = info.trim().split(/[\s:]+/);
  return words.find((word) => looksLikePath(word));
}

function strip(text: string): string {
  const bare = text.replace(/^(?:#{1,6}[ \t]+|\*{1,2}|_{2}|`|["'([【])+/, "");
  return trimEndSigns(bare, ":：*`\"')]】 ");
}
