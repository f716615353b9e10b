// Writes two libraries for the bundle of the worker, without what it has no use for: in web-tree-sitter the parts for
// Node and for pages, and calls of `eval`, which keep all names around them; in liquidjs tags and filters that no
// template may use.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { allowedTags, filterNames } from "../src/prompt/liquid-language.ts";
import { root } from "./run.ts";

/** Before each build of the worker, and before its tests. */
export function trimLibraries(): void {
  const folder = `${root}.wrangler/libraries`;
  mkdirSync(folder, { recursive: true });
  const write = (name: string, from: string, trim: (library: string) => string): void =>
    writeFileSync(`${folder}/${name}`, trim(readFileSync(`${root}node_modules/${from}`, "utf8")));
  write("web-tree-sitter.js", "web-tree-sitter/web-tree-sitter.js", trimTreeSitter);
  write("liquidjs.js", "liquidjs/dist/liquid.browser.mjs", trimLiquid);
}

/** What does not name itself is left out by the bundler where nobody uses it. */
function trimTreeSitter(library: string): string {
  const naming = /^ *static \{\n *__name\(this, "\w+"\);\n *\}\n|^ *__name\(\w+, "\w+"\);\n/gm;
  const unnamed = replace(library, naming, "");
  const bare = replace(unnamed, /\beval\(func\)/g, "undefined");
  const alone = replace(bare, /await import\("[a-z/]+"\)/g, "{}");
  const isElsewhere = /^ *var ENVIRONMENT_IS_.*\n|ENVIRONMENT_IS_(?:WEB|WORKER|NODE)/gm;
  return replace(alone, isElsewhere, (found) => (found.startsWith(" ") ? "" : "false"));
}

/** The names of all tags and filters stay: that one is not available is told of these only. */
function trimLiquid(library: string): string {
  const shorter = replace(library, /^const tags = \{[^}]*\}/m, (list) =>
    list.replaceAll(entry, (all, name: string) => (name in allowedTags ? all : `'${name}': Tag`)),
  );
  const lists = /^var (?:misc = |\w+Filters = \/\*#__PURE__\*\/Object\.freeze\()\{[^}]*\}/gm;
  return replace(shorter, lists, (list) =>
    list.replaceAll(entry, (all, name: string) =>
      filterNames.includes(name) ? all : `'${name}': undefined`,
    ),
  );
}

/** In a table of a library. */
const entry = /^ {2,4}'?([a-z]\w*|#)'?: [\w$]+(?=,?$)/gm;

function replace(text: string, pattern: RegExp, by: string | ((match: string) => string)): string {
  const replaced = typeof by === "string" ? text.replace(pattern, by) : text.replace(pattern, by);
  if (replaced === text) throw new Error(`The library has nothing like ${pattern} any more.`);
  return replaced;
}

if (import.meta.main) trimLibraries();
