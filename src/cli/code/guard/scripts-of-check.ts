import * as z from "zod";
import { parseJson } from "../../read/parse-json.ts";

/** Programs that run the scripts of a `package.json`; Node does with `--run`. */
const runners = new Set(
  (
    "npm pnpm yarn bun npx pnpx bunx node corepack run-s run-p npm-run-all npm-run-all2 " +
    "concurrently turbo nx lerna"
  ).split(" "),
);
/** What npm takes for `test`. */
const shortForms = new Map([
  ["t", "test"],
  ["tst", "test"],
  ["it", "test"],
]);
/** Scripts that call each other are followed so far. */
const maxScripts = 50;

const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });
const Parent = z.object({ workspaces: z.json() });

/** Whether a package.json has packages below it, whose scripts can be run from here. */
export function hasPackages(manifest: string): boolean {
  return Parent.safeParse(parseJson(manifest)).success;
}

/**
 * The texts of the scripts that a command has a package manager run, and of those that these run in turn. What
 * they name is run by the check as if the command named it.
 *
 * @param manifest the text of the package.json at the top of the folder
 */
export function scriptsOfCheck(command: readonly string[], manifest: string): string[] {
  const parsed = Manifest.safeParse(parseJson(manifest));
  if (!parsed.success) return [];
  const scripts = new Map(Object.entries(parsed.data.scripts));
  const found = new Map<string, string>();
  const open = namesIn(command.flatMap(splitWords));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    // `run-s test:*`, `run-p "test:**"`.
    if (name.includes(":*")) {
      const start = name.slice(0, name.indexOf("*"));
      open.push(...[...scripts.keys()].filter((one) => one.startsWith(start) && !found.has(one)));
      continue;
    }
    const script = scripts.get(name);
    if (script === undefined || found.has(name) || found.size === maxScripts) continue;
    found.set(name, script);
    open.push(...namesIn(splitWords(script)));
  }
  return [...found.values()];
}

/** Names that a package manager would look up, if one is called. */
function namesIn(words: readonly string[]): string[] {
  if (!words.some((word) => runners.has(word))) return [];
  return words
    .map((word) => shortForms.get(word) ?? word.replace(/^--run=|^npm:/, ""))
    .flatMap((name) => [`pre${name}`, name, `post${name}`]);
}

function splitWords(text: string): string[] {
  return text.split(/[\s;&|()"']/).filter((word) => word !== "");
}
