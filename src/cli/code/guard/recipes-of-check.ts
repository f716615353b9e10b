const makefiles = ["Makefile", "makefile", "GNUmakefile"];
/** What programs read to know what they run, by the program. */
const recipes: Readonly<Record<string, readonly string[]>> = {
  make: makefiles,
  gmake: makefiles,
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  tox: ["tox.ini", "setup.cfg", "pyproject.toml"],
  nox: ["noxfile.py"],
  composer: ["composer.json"],
  ant: ["build.xml"],
};
const allNames = new Set(Object.values(recipes).flat());
const scriptEndings = /\.(?:sh|bash|zsh|ksh|mk|mak|just)$/;

/** The names of files that the programs of a command read their recipes from, in the folder that they run in. */
export function recipeNamesOf(words: readonly string[]): string[] {
  // Makefiles call `$(MAKE)`.
  const programs = words.map((word) => word.slice(word.lastIndexOf("/") + 1).toLowerCase());
  const files = programs.flatMap((name) => (Object.hasOwn(recipes, name) ? recipes[name] : []));
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** Whether a file that a check names says in its text what is run: a Makefile, a shell script. */
export function isRecipe(path: string, text: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (allNames.has(name) || scriptEndings.test(name)) return true;
  const [first = ""] = text.slice(0, 200).split("\n", 1);
  return first.startsWith("#!") && /\b(?:ba|da|z|k)?sh\b/.test(first);
}
