import { posix } from "node:path";
import * as z from "zod";
import { parseJson } from "../../read/read-text-file.ts";
import { foldPath } from "./create-guard.ts";

/** Texts that are followed, characters of one, names that are kept, and manifests of packages. */
const [maxTexts, maxText, maxNames, maxPackages] = [100, 100_000, 20_000, 50];
/** What the program of the same name reads to know what it runs. */
const recipe =
  /^(?:gnu|\.)?(make(?=file)|rake(?=file)|just(?=file)|task(?=file)|nox(?=file)|tox(?=\.ini))/;
const shell = /^#!.{0,100}\b(?:ba|da|z|k)?sh\b/;
const script = /\.(?:sh|bash|zsh|ksh|mk|mak|just)$/i;
const scriptRunner =
  /^(?:npm|pnpm|yarn|bun|npx|pnpx|bunx|node|corepack|run-[sp]|npm-run-all2?|concurrently|turbo|nx|lerna)$/;
/** Compilers read these: they are under test. */
const compiled = /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|s|rs|java|kt|scala|swift|cs|fs|go|o|a|so)$/i;
const Scripts = z.object({ scripts: z.record(z.string(), z.string()) });

/**
 * The files that a check names: in its command, and in recipes, shell scripts and scripts of `package.json` that it
 * runs. They need not be there yet, an ending may be missing, and a folder means what would be run of it.
 */
export async function filesOfCheck(
  command: readonly string[],
  { root, paths, read }: { root: string; paths: string[]; read: (path: string) => Promise<string> },
): Promise<{ isCheckFile: (path: string) => boolean; paths: readonly string[] }> {
  const named = new Set<string>();
  const texts = new Map([["", { text: command.join("\n"), isRecipe: false, from: ["."] }]]);
  const follow = (path: string, written: string, above: readonly string[]): void => {
    const [text, from] = [written.slice(0, maxText), [...new Set([posix.dirname(path), ...above])]];
    named.add(path);
    if (texts.size <= maxTexts) texts.set(`${path}\n${text}`, { text, isRecipe: true, from });
  };
  const manifests = paths.filter((path) => posix.basename(path) === "package.json");
  for (const { text, isRecipe, from } of texts.values()) {
    const words = text.split(/[\s;&|()"']+/);
    const programs = new Set(words.map((word) => posix.basename(word).toLowerCase()));
    const places = [...(isRecipe ? [] : command), ...namesIn(text, isRecipe)]
      .map((word) => (word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word))
      .filter((word) => isRecipe || !word.startsWith("/"))
      .flatMap((word) => from.map((folder) => posix.join(folder, `./${word}`).replace(/\/$/, "")))
      .filter((place) => place !== "." && !place.startsWith("../"));
    for (const place of places) if (named.size < maxNames) named.add(place);
    const near = new Set([...from, ...places]);
    for (const path of paths) {
      const program = recipe.exec(posix.basename(path).toLowerCase())?.[1];
      const isCalled =
        program !== undefined && (programs.has(program) || programs.has(`g${program}`));
      if (!near.has(path) && !(isCalled && near.has(posix.dirname(path)))) continue;
      const content = await read(path);
      if (isCalled || script.test(path) || shell.test(content)) follow(path, content, from);
    }
    if (!words.some((word) => scriptRunner.test(word))) continue;
    for (const path of manifests.slice(0, maxPackages)) {
      const { data } = Scripts.safeParse(parseJson(await read(path)));
      for (const [name, body] of Object.entries(data?.scripts ?? {}))
        if (words.some((word) => calls(word, name))) follow(path, body, from);
    }
  }
  const folded = new Set([...named].map(foldPath));
  const isNamed = (spelling: string): boolean => folded.has(spelling);
  return { paths: [...named], isCheckFile: (path) => spellings(foldPath(path)).some(isNamed) };
}

/** Whether a word calls a script, or one that runs before or after it: `npm t`, `node --run=lint`, `run-s ci:*`. */
function calls(word: string, name: string): boolean {
  const called = word.replace(/^--run=|^npm:/, "").replace(/^(?:t|tst|it)$/, "test");
  const [start = "", rest] = called.split("*", 2);
  if (rest !== undefined) return start.endsWith(":") && name.startsWith(start);
  return called === name || called === name.replace(/^(?:pre|post)/, "");
}

/** What in a text may be a path: words, their parts, and modules. */
export function namesIn(text: string, isRecipe: boolean): string[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => {
      const isRead = isRecipe && !/\brun\b/.test(line);
      const found = line
        .split(/[\s;&|()<>"'`=,@:{}$]+/)
        .filter((word) => word !== "" && !word.startsWith("-") && !(isRead && compiled.test(word)));
      const modules = found.filter((word) => /^\w+(?:\.\w+)+$/.test(word));
      return [...found, ...modules.map((word) => word.replaceAll(".", "/"))];
    });
}

/** A path as a command may write it: whole, without its ending, as its folder. */
function spellings(path: string): string[] {
  const { dir, name } = posix.parse(path);
  const isMain = (name === "index" || name === "__main__") && dir !== "";
  return [path, posix.join(dir, name), ...(isMain ? [dir] : [])];
}
