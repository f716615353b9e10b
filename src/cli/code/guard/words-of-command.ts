// What in a command, a script or a recipe may be the path of a file that it runs or reads.

/** Of one command or recipe. */
const maxWords = 2_000;
/** What only reads or compiles the sources that it is given: those are under test, and no test. */
const readers = new Set(
  (
    "cc gcc clang c++ g++ clang++ rustc javac kotlinc scalac swiftc csc vet fmt tsc tsup esbuild rollup webpack " +
    "vite parcel swc babel ncc eslint oxlint prettier oxfmt biome stylelint tslint jshint standard ruff black flake8 " +
    "mypy pyright pylint isort pyflakes py_compile compileall bandit rubocop phpstan psalm clang-format clang-tidy " +
    "cppcheck gofmt golangci-lint shellcheck"
  ).split(" "),
);
/** What looks for tests where it is told to: a folder is no program to them. */
const runners = new Set(
  "jest vitest pytest py.test mocha ava jasmine playwright cypress rspec phpunit pest nose2".split(
    " ",
  ),
);
const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|rb|php|c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|rs|go|java|kt|scala|swift|cs|fs|sh)$/i;
/** What a recipe compiles even where it does not say so in the same line. */
const compiled = /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|s|rs|java|kt|scala|swift|cs|fs|o|a|so)$/i;

/**
 * The words of a command, each argument as a whole and in its parts (`--config=x.json`, `sh -c "./a && ./b"`),
 * without options, and without sources that a compiler, bundler or linter is given.
 */
export function wordsOf(command: readonly string[]): string[] {
  const parts = command.filter((argument) => /[\s;&|()]/.test(argument));
  const whole = command.filter((argument) => !parts.includes(argument));
  return distinct([
    ...parts,
    ...wordsOfLine(whole),
    ...parts.flatMap(splitCommands).flatMap(wordsOfLine),
  ]);
}

/** The same of a text with many commands: a script, a Makefile. */
export function wordsOfText(text: string): string[] {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  const found = lines.flatMap((line) => {
    const mayRunSources = /\brun\b/.test(line);
    return splitCommands(line)
      .flatMap(wordsOfLine)
      .filter((word) => mayRunSources || !compiled.test(word));
  });
  return distinct(found);
}

/** Where a word of a recipe may lead: `$(CURDIR)/run.sh` has lost its beginning. */
export function placesOf(word: string, folders: readonly string[]): string[] {
  const relative = word.replace(/^\/+/, "");
  return folders.map((folder) => (folder === "" ? relative : `${folder}/${relative}`));
}

function splitCommands(text: string): string[][] {
  return text.split(/[;&|()\n]/).map((part) => part.split(/\s+/));
}

/** @param line the words of one simple command */
function wordsOfLine(line: readonly string[]): string[] {
  let [isRead, isSearched] = [false, false];
  const kept = line.flatMap((word, nth) => {
    const program = word.slice(word.lastIndexOf("/") + 1);
    isRead ||= readers.has(program);
    isSearched ||= runners.has(program);
    const path = word.replace(/^["']|["']$/g, "");
    // What an option is given may be a configuration.
    const isOperand = !word.startsWith("-") && !(line[nth - 1] ?? "").startsWith("-");
    const isFolder = !path.slice(path.lastIndexOf("/") + 1).includes(".") && !isProgram(program);
    if (isRead && (compiled.test(path) || (isOperand && sources.test(path)))) return [];
    if ((isRead || isSearched) && isOperand && isFolder) return [];
    return [word, ...word.split(/[\s<>"'`=,@:{}$]/)];
  });
  // `python -m tests.run` runs tests/run.py.
  const modules = kept.filter((word) => /^\w+(?:\.\w+)+$/.test(word));
  return [...kept, ...modules.map((word) => word.replaceAll(".", "/"))];
}

function isProgram(word: string): boolean {
  return readers.has(word) || runners.has(word);
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)]
    .filter((word) => word !== "" && !word.startsWith("-"))
    .slice(0, maxWords);
}
