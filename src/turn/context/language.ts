/** Endings that are the editor's language id themselves. */
const ids = new Set(
  (
    "c cpp css dart dockerfile glsl go groovy html ini java json less lua makefile php r scala scss sql svelte swift toml " +
    "vue xml yaml zig"
  ).split(" "),
);
const others: Readonly<Record<string, string>> = {
  cc: "cpp",
  clj: "clojure",
  cs: "csharp",
  cxx: "cpp",
  ex: "elixir",
  exs: "elixir",
  frag: "glsl",
  gd: "gdscript",
  gradle: "groovy",
  h: "c",
  hcl: "terraform",
  hpp: "cpp",
  hs: "haskell",
  jl: "julia",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  mod: "go",
  pl: "perl",
  ps1: "powershell",
  psm1: "powershell",
  pwsh: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  sv: "systemverilog",
  tf: "terraform",
  ts: "typescript",
  tsx: "typescriptreact",
  v: "verilog",
  vert: "glsl",
  yml: "yaml",
};

/** The editor's language id for a path, by its ending, or its name where it has none; "" when that tells nothing. */
export function languageOf(path: string): string {
  const ending =
    /(?:\.|\b(?=(?:docker|make)file$))([^./\\]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  if (ids.has(ending)) return ending;
  return Object.hasOwn(others, ending) ? (others[ending] ?? "") : "";
}
