import { parseJson } from "../../base/text/json.ts";
import * as z from "zod";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { foldFileName, isInstalledFolder } from "../../workspace/paths/guarded-names.ts";
import { lstat, readdir, realpath } from "node:fs/promises";
import { hashBytes, readWhole } from "../../workspace/directory/open-file.node.ts";

/** Why a file is asked for whatever was allowed. Only source files that nothing of this is true of pass unasked. */
export type Guard = "hidden" | "installed" | "repository" | "other" | "config" | "check" | "test";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Endings of what people write as source code, and what no tool reads but as such. */
const sources = words(`
  ts tsx mts cts js jsx mjs cjs vue svelte astro coffee css scss sass less styl html htm hbs ejs pug njk liquid
  py pyi pyx rb erb haml slim php phtml twig go rs java kt scala groovy clj cljs cljc c h cc cpp cxx hh hpp hxx inl
  m mm swift cs fs fsi vb dart lua pl pm r jl ex heex erl hrl hs lhs elm ml mli nim cr zig d v pas f f90 f95 adb ads
  sol proto graphql gql thrift sql sh bash zsh fish ps1 psm1 bat cmd asm s glsl hlsl wgsl vert frag metal cu cuh
  el lisp scm rkt tcl awk cshtml razor jsp qml
`);
/** Of these, what tools run or read as configuration: the one list of names. Without letter case. */
const settings = [
  /\.(?:config|conf|setup|teardown|workspace|preset|rc|mix|build)\./,
  /^(?:jest|vitest|karma|webpack|rollup|vite|esbuild|babel|eslint|protractor|wdio|nightwatch|serverless|truffle|typedoc|electron-builder|sanity|gridsome)\./,
  /^(?:gulp|grunt|jake|cake|rake|webpack|knex|danger|task|nox|tox|fab|conan|locust|guard|cap|thor|make|mage|shake|pnpm|robo|jenkins|plop|broc|psake)file\./,
  /^(?:gatsby|truffle|brunch)-\w+\.|^(?:ember-cli-build|config-overrides|setupproxy)\./,
  // Of test runners, also as `setupVitest.ts`.
  /^(?:jest|vitest|mocha|karma|cypress|playwright|global|tests?)[-_]?(?:setup|teardown|preset|environment|runner|reporter)\.|^(?:setup|teardown)[-_]?(?:jest|vitest|mocha|tests?|files|after-?env)\./,
  // Of git and of package managers, also as `pre-commit.sh`.
  /^(?:(?:pre|post)(?:[-_](?:commit|merge(?:-commit)?|push|rebase|checkout|rewrite|applypatch|gen_project)|-?(?:un)?install)|(?:prepare-)?commit-msg|applypatch-msg|push-to-checkout|fsmonitor-watchman)\./,
  /^(?:setup|tasks|conf|env|build|conftest|dodo|duties|manage|sitecustomize|usercustomize|pavement|wscript|sconstruct|sconscript|presubmit|hubconf|versioneer|ez_setup|hatch_build|pdm_build|gunicorn_config|airflow_local_settings|.*-gdb)\.py$/,
  /^(?:build\.(?:rs|zig|pl|jl|clj|dart|cs)|package(?:@.*)?\.swift|package\.js|setup\.(?:hs|lhs|ml)|myocamlbuild\.ml|project\.clj|user\.clj|(?:extconf|mkrf_conf)\.rb|make\.jl|xmake\.lua|premake\d?\.lua|testem\.js|codegen\.ts|(?:rector|ecs|phinx|castor)\.php|(?:test|spec|rails)_helper\.rb)$/,
  /(?:^|\/)(?:(?:buildsrc|build-logic|magefiles|site_scons|fastlane|tuist|git[-_]?hooks|mise-tasks)\/|(?:fabfile|tasks)\/__init__\.py$|hooks\/(?:.*\/)?[^/]+\.(?:sh|bash|zsh|ps1)$)/,
  // Of builds and of frameworks, which are not below the sources.
  /^(?:(?!(?:src|lib|app)\/)[^/]+\/)*?(?:project\/(?:src\/.*\/)?[^/]+\.(?:scala|java)|config\/.*\.(?:rb|php))$/,
];
/** At the top of a package, where tools look: what is named as their files are, and what Windows runs in place of programs. */
const topSettings = /[^.](?:config|conf|file|[a-z]rc)\.[^.]+$|\.(?:bat|cmd)$/;
const manifests =
  "package.json pyproject.toml setup.py Cargo.toml go.mod composer.json Gemfile".split(" ");
/**
 * @param root absolute
 * @param isCheckFile whether the check runs or reads a file; without a check, tests are sources as others are
 * @returns what judges a file by all its names, from the root with "/", in any letter case and spelling
 */
export function createGuard(root: string, isCheckFile?: (path: string) => boolean) {
  const judge = (path: string): Guard | undefined => {
    const segments = foldPath(path).split("/");
    const name = segments.at(-1) ?? "";
    const folders = segments.slice(0, -1);
    // What Windows calls `.git` where a name must be short.
    if (segments.some((one) => /^(?:\.|$)|~\d/.test(one))) return "hidden";
    if (folders.some(isInstalledFolder)) return "installed";
    if (isInRepository(root, path)) return "repository";
    if (!sources.has(name.slice(name.lastIndexOf(".") + 1)) || !name.includes(".")) return "other";
    const isSettings = (one: RegExp): boolean => one.test(name) || one.test(segments.join("/"));
    const isTop = (): boolean =>
      folders.length === 0 || manifests.some((one) => existsSync(join(root, path, "..", one)));
    if (settings.some(isSettings) || (topSettings.test(name) && isTop())) return "config";
    if (isCheckFile === undefined) return undefined;
    return isCheckFile(path) ? "check" : isTestFile(path) ? "test" : undefined;
  };
  return (names: readonly string[]): Guard | undefined =>
    names.map(judge).find((guard) => guard !== undefined);
}

/** One form for all spellings of a path that a file system may take for the same. */
function foldPath(path: string): string {
  return path.split("/").map(foldFileName).join("/");
}

/** Whether a folder above looks like the data of git, which runs what these name. */
function isInRepository(root: string, path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return folders.some((name, nth) => {
    const folder = join(root, ...folders.slice(0, nth + 1));
    const has = (entry: string): boolean => existsSync(join(folder, entry));
    const isData = has("HEAD") && ["objects", "refs", "config", "hooks"].some(has);
    return isData || /\.git$/i.test(name);
  });
}

const testFolder =
  /^(?:tests?|specs?|__(?:tests?|mocks|snapshots|fixtures)__|test(?:data|that|utils?|helpers?|support|fixtures)|e2e|cypress|step_definitions|x?t)$|[-_.]tests?$|^test[-_.](?:data|utils?|helpers?|support|fixtures|lib|cases|resources)$/;
const testName =
  /^(?:tests?|spec|runtests|testthat|setuptests)$|^test[-_.]|[-_.]test$|[_.]tests$|_unittest$|\.test-d$|[_.]spec$|\.(?:e2e-spec|cy|e2e|steps)$/;
/** Where a capital letter alone tells the words apart. */
const camelName = /[a-z\d](?:Tests?|TestCase|Cest|IT|ITCase)$|^Test(?:[A-Z]|$)/;
const smallLetters = words("js jsx ts tsx cjs mjs cts mts py pyi go rb dart lua");

/** Whether test runners collect a source file by its name or folder, or read it along with those. */
function isTestFile(path: string): boolean {
  const [written, folded] = [path.split("/"), foldPath(path).split("/")];
  const [, stem = "", ending = ""] = /^(.*)\.([^.]*)$/.exec(folded.pop() ?? "") ?? [];
  const isTestFolder = (one: string, nth: number): boolean =>
    testFolder.test(one) ||
    /[a-z\d](?:Tests?|Specs?)$/.test(written[nth] ?? "") ||
    (one === "steps" && folded[nth - 1] === "features");
  if (folded.some(isTestFolder) || testName.test(stem)) return true;
  if (/^pyi?$/.test(ending)) return stem.startsWith("test");
  if (ending === "erl") return stem.endsWith("_suite");
  const name = (written.at(-1) ?? "").replace(/\.[^.]*$/, "");
  if (/^(?:groovy|kt|scala|hs|swift)$/.test(ending) && /(?:Spec|Suite)$/.test(name)) return true;
  return !smallLetters.has(ending) && camelName.test(name);
}

const maxWatched = 500;
/** What people write beside an agent, and no check is told anything by. */
const prose = /\.(?:md|markdown|txt|rst|adoc|log)$/i;

/** Notices that a file that decides what the check runs has become another one. */
export type GuardedWatch = Awaited<ReturnType<typeof watchGuarded>>;

/** Looks at the guarded files at the top of a folder, where tools look for them, and at those of the check. */
export async function watchGuarded(
  root: string,
  checkPaths: readonly string[],
  guard: (names: readonly string[]) => Guard | undefined,
) {
  const look = async (): Promise<Map<string, string>> => {
    const names = (await readdir(root)).filter(
      (name) => guard([name]) !== undefined && !prose.test(name),
    );
    const states = new Map<string, string>();
    // Most words of a command are no files.
    for (const path of new Set([...names, ...checkPaths])) {
      if (states.size === maxWatched) break;
      const state = await readState(join(root, path));
      if (state !== undefined) states.set(path, state);
    }
    return states;
  };
  let before = await look();
  const accepted = new Set<string>();
  return {
    accept: (path: string) => void accepted.add(foldPath(path)),
    /** The files that changed since the start, or since `renew`, and were not accepted. */
    async findChanged() {
      const now = await look();
      return [...new Set([...before.keys(), ...now.keys()])].filter(
        (path) => before.get(path) !== now.get(path) && !accepted.has(foldPath(path)),
      );
    },
    /** What the check itself has changed, the person has run. */
    async renew() {
      before = await look();
      accepted.clear();
    },
  };
}

async function readState(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => path);
  const read = await readWhole({ path, real });
  if (!read.ok) return undefined;
  // Of what is larger than anything that people write, the size has to do.
  return read.value === undefined ? String((await lstat(real)).size) : hashBytes(read.value.bytes);
}

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
  const packages = paths.filter((path) => posix.basename(path) === "package.json");
  for (const { text, isRecipe, from } of texts.values()) {
    const parts = text.split(/[\s;&|()"']+/);
    const programs = new Set(parts.map((word) => posix.basename(word).toLowerCase()));
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
    if (!parts.some((word) => scriptRunner.test(word))) continue;
    for (const path of packages.slice(0, maxPackages)) {
      const { data } = Scripts.safeParse(parseJson(await read(path)));
      for (const [name, body] of Object.entries(data?.scripts ?? {}))
        if (parts.some((word) => calls(word, name))) follow(path, body, from);
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

function spellings(path: string): string[] {
  const { dir, name } = posix.parse(path);
  const isMain = (name === "index" || name === "__main__") && dir !== "";
  return [path, posix.join(dir, name), ...(isMain ? [dir] : [])];
}
