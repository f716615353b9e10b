/** What programs read to know what they run, at the top of a folder. */
const recipes: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  tox: ["tox.ini", "setup.cfg", "pyproject.toml"],
  nox: ["noxfile.py"],
  composer: ["composer.json"],
  ant: ["build.xml"],
};

/** The files that a command reads its recipes from. What these name is run by the check as if the command named it. */
export function recipesOfCheck(command: readonly string[]): string[] {
  const programs = command.map((word) => word.slice(word.lastIndexOf("/") + 1));
  const files = programs.flatMap((name) => (Object.hasOwn(recipes, name) ? recipes[name] : []));
  return [...new Set(files.filter((file) => file !== undefined))];
}
