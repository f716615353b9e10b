import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldName, isInstalledFolder } from "../../../workspace/paths/guarded-names.ts";
import { lstat, readdir, realpath } from "node:fs/promises";
import { hashBytes, readWhole } from "../../../workspace/directory/open-file.node.ts";

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
export function foldPath(path: string): string {
  return path.split("/").map(foldName).join("/");
}

/** Whether a folder above looks like the data of git, which runs what these name. */
function isInRepository(root: string, path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return folders.some((name, nth) => {
    const folder = join(root, ...folders.slice(0, nth + 1));
    const has = (entry: string): boolean => existsSync(join(folder, entry));
    return (
      /\.git$/i.test(name) || (has("HEAD") && ["objects", "refs", "config", "hooks"].some(has))
    );
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
export interface GuardedWatch {
  /** The person has said yes to a change of this file. */
  accept(path: string): void;
  /** The files that changed since the start, or since `renew`, and were not accepted. */
  findChanged(): Promise<string[]>;
  /** What the check itself has changed, the person has run. */
  renew(): Promise<void>;
}

/** Looks at the guarded files at the top of a folder, where tools look for them, and at those of the check. */
export async function watchGuarded(
  root: string,
  checkPaths: readonly string[],
  guard: (names: readonly string[]) => Guard | undefined,
): Promise<GuardedWatch> {
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
    accept: (path) => void accepted.add(foldPath(path)),
    async findChanged() {
      const now = await look();
      return [...new Set([...before.keys(), ...now.keys()])].filter(
        (path) => before.get(path) !== now.get(path) && !accepted.has(foldPath(path)),
      );
    },
    async renew() {
      before = await look();
      accepted.clear();
    },
  };
}

/** @returns undefined where there is no file */
async function readState(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => path);
  const read = await readWhole({ path, real });
  if (!read.ok) return undefined;
  // Of what is larger than anything that people write, the size has to do.
  return read.value === undefined ? String((await lstat(real)).size) : hashBytes(read.value.bytes);
}
