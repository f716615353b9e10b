// The language of code that comes without a path, by what only that language writes.
import { trimEndSigns } from "../base/text/lines.ts";

/** What speaks for a language, each sign once; the first of equals wins. Lines have no blanks at their ends. */
const signs: readonly (readonly [language: string, ...patterns: RegExp[]])[] = [
  [
    "python",
    /^[ \t]*(?:async )?def \w+\(.*:[ \t]*(?:#.*)?$/m,
    /^[ \t]*(?:elif .*|except\b.*|with .+ as .+):/m,
    /^[ \t]*(?:from [\w.]+ import\b|import [\w.]+(?: as \w+)?$)/m,
    /\bself\.\w/,
    /^[ \t]*class \w+(?:\(.*\))?:/m,
    /^[ \t]*(?:if|for|while) .+:$/m,
  ],
  [
    "typescript",
    /^[ \t]*(?:export )?(?:interface|type) \w+/m,
    /[\w)\]]\??: (?:string|number|boolean|unknown|void)\b/,
    /\bas const\b/,
    /\bimport type\b/,
  ],
  [
    "javascript",
    /\b(?:const|let) [\w{[]/,
    /=>/,
    /\bfunction\b ?\w*\(/,
    /\b(?:require\(|module\.exports|console\.)/,
    /===/,
    /\basync\b|\bawait\b/,
  ],
  ["go", /^func (?:\(.+\) )?\w+\(/m, /:=/, /^package \w+$/m, /\berr != nil\b/, /\bfmt\./],
  [
    "rust",
    /\bfn \w+(?:<.*>)?\(/,
    /\blet (?:mut )?\w+/,
    /\bimpl\b/,
    /->/,
    /[a-z]!\(/,
    /\bpub (?:fn|struct|enum)\b/,
  ],
  [
    "java",
    /\b(?:public|private|protected) (?:static |final )*[\w<>[\]]+ \w+\(/,
    /\bSystem\.out\./,
    /^import java/m,
    /^[ \t]*@Override\b/m,
    /\bnew \w+(?:<.*>)?\(/,
  ],
  [
    "csharp",
    /^using [\w.]+;/m,
    /\bnamespace \w/,
    /\bConsole\.Write/,
    /\bvar \w+ = new\b/,
    /\bforeach \(/,
    /\b(?:public|private|internal) (?:static |sealed )*(?:class|record|decimal|string|int|bool|void) \w/,
    /\b(?:decimal|string|int|bool) \w+[;,)]/,
    /\{ get; (?:private )?(?:set|init); \}/,
  ],
  ["cpp", /#include <\w+>/, /\bstd::/, /\btemplate ?</, /\bcout\b/, /::\w+\(/],
  [
    "c",
    /#include [<"]\w+\.h[>"]/,
    /\bprintf\(/,
    /\bmalloc\(/,
    /\b(?:int|void|char) \*?\w+\(.*\)\s*\{/,
  ],
  ["ruby", /^[ \t]*def \w+[?!]?(?:\(.*\))?$/m, /^[ \t]*end$/m, /\bputs\b/, /\bdo \|/, /@\w+ =/],
  ["php", /\$\w+[,)]/, /\$\w+->\w/, /<\?php/, /\$\w+ =/, /\$this->/, /\bfunction \w+\(.*\$/],
  ["html", /<!doctype html/i, /<\/(?:div|body|html|p)>/i],
  ["sql", /\bselect\b[\s\S]{1,500}\bfrom\b/i, /\binsert into\b/i, /\bcreate table\b/i],
];
/** In characters; more of it says nothing more. */
const maxLength = 20_000;

/** The editor's language id for code; "" where nothing tells it. */
export function guessLanguage(code: string): string {
  const text = code
    .slice(0, maxLength)
    .split("\n")
    .map((line) => trimEndSigns(line, " \t\r"))
    .join("\n");
  let best = { language: "", count: 0 };
  for (const [language, ...patterns] of signs) {
    const count = patterns.filter((pattern) => pattern.test(text)).length;
    if (count > best.count) best = { language, count };
  }
  return best.language;
}
