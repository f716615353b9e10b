// The note that stands for lines of a file that a prompt does not show. The edit engine knows it as a
// placeholder (`edit/placeholder.ts`), so that an echo of it never gets into a file.

type Style = readonly [open: string, close?: string];

const styles: Readonly<Record<string, Style>> = {
  hash: ["#"],
  dashes: ["--"],
  markup: ["<!--", " -->"],
  percent: ["%"],
  semicolon: [";"],
  block: ["/*", " */"],
};
const styleOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    hash: "python ruby shellscript yaml toml makefile dockerfile perl r elixir julia coffeescript powershell nim properties",
    dashes: "sql lua haskell elm ada vhdl",
    markup: "html xml markdown vue svelte",
    percent: "latex tex erlang matlab prolog",
    semicolon: "clojure lisp scheme ini asm",
    block: "css",
  }).flatMap(([style, languages]) => languages.split(" ").map((language) => [language, style])),
);

/**
 * @param count lines that are left out
 * @param language the editor's language id; of an unknown one the comments of C are taken
 */
export function printOmission(count: number, language: string): string {
  const style = Object.hasOwn(styleOf, language) ? styles[styleOf[language] ?? ""] : undefined;
  const [open, close = ""] = style ?? ["//"];
  return `${open} ... ${count} ${count === 1 ? "line" : "lines"} omitted ...${close}`;
}
