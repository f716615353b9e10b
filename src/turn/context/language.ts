/** Endings that are the editor's language id themselves. */
const ids = new Set(
  "c cpp css go html java json lua php scala sql swift toml vue xml yaml zig".split(" "),
);
const others: Readonly<Record<string, string>> = {
  cc: "cpp",
  cs: "csharp",
  cxx: "cpp",
  gradle: "groovy",
  h: "c",
  hpp: "cpp",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  mod: "go",
  ps1: "powershell",
  psm1: "powershell",
  pwsh: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
};

/** The editor's language id for a path, by its ending; "" when the ending tells nothing. */
export function languageOf(path: string): string {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (ids.has(ending)) return ending;
  return Object.hasOwn(others, ending) ? (others[ending] ?? "") : "";
}
