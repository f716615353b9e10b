/** How a language writes comments: to the end of the line, or between two marks. */
export interface CommentMarks {
  readonly line?: string;
  readonly block?: readonly [open: string, close: string];
}

/** Language ids of editors and the names that fences have; a new one is one more word. */
const languages: readonly (readonly [marks: CommentMarks, names: string])[] = [
  [
    { line: "//", block: ["/*", "*/"] },
    "js javascript javascriptreact mjs cjs jsx ts typescript typescriptreact tsx java kotlin kt scala c h cpp c++ cc " +
      "cs csharp go rust rs swift dart php json jsonc scss less groovy",
  ],
  [
    { line: "#" },
    "py python rb ruby shellscript sh bash zsh shell yaml yml toml makefile make dockerfile perl r elixir julia " +
      "coffeescript powershell nim properties",
  ],
  [{ line: "--", block: ["/*", "*/"] }, "sql"],
  [{ line: "--" }, "lua haskell elm ada vhdl"],
  [{ line: "%" }, "latex tex erlang matlab prolog"],
  [{ line: ";" }, "clojure lisp scheme ini asm"],
  [{ block: ["/*", "*/"] }, "css"],
  [{ block: ["<!--", "-->"] }, "html xml markdown vue svelte"],
];
const marksOf: ReadonlyMap<string, CommentMarks> = new Map(
  languages.flatMap(([marks, names]) => names.split(" ").map((name) => [name, marks] as const)),
);

/** @returns undefined for a language that is not known here */
export function commentMarksOf(language: string): CommentMarks | undefined {
  return marksOf.get(language.toLowerCase());
}
