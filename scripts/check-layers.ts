// Reads every import of src/ and says which ones break the rules of ARCHITECTURE.md: lower folders
// never import higher ones, doors stay apart, libraries and runtimes stay in their rooms, the clock and fetch are passed in.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** Lowest first: a folder imports only from itself and from those before it. */
const folders = [
  "base",
  "edit",
  "code",
  "turn",
  "prompt",
  "knowledge",
  "model",
  "workspace",
  "tools",
  "store",
  "flows",
  "run",
  "session",
  "doors",
  "setup",
];
const rootLayer = folders.length;
const entryLayer = rootLayer + 1;
/** A checker that reads nothing would report success. */
const fewestModules = 40;
/** Loads what is beside src/ when somebody asks for it. */
const evalCommand = "cli/commands.ts";

/** The text of every module by its path below src (`turn/turn.ts`). */
export type Modules = ReadonlyMap<string, string>;

export interface Import {
  from: string;
  /** As written. */
  specifier: string;
  /** The path below src; undefined for packages and for files outside of src. */
  to: string | undefined;
  /** It is loaded when it is first used. */
  isLater: boolean;
}

export function readModules(): Modules {
  const root = fileURLToPath(new URL("../src/", import.meta.url));
  const paths = globSync("**/*.ts", { cwd: root }).toSorted();
  return new Map(
    paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(root + path, "utf8")]),
  );
}

/** One line for each violation, naming file, import and rule. */
export function findViolations(modules: Modules): string[] {
  const imports = [...modules].flatMap(([path, text]) => listImports(path, text));
  const tooFew = modules.size < fewestModules ? [`saw only ${modules.size} modules`] : [];
  return [
    ...tooFew,
    ...findStrangers(modules),
    ...findRuntimes(modules),
    ...imports.flatMap((item) =>
      rules.flatMap((rule) => {
        const problem = rule(item);
        return problem === undefined ? [] : [`${item.from} imports ${item.specifier}: ${problem}`];
      }),
    ),
    ...findMissing(imports, modules),
    ...findCycles(imports, modules),
  ];
}

type Rule = (item: Import) => string | undefined;

const rules: readonly Rule[] = [
  function keepLayers({ from, to }) {
    if (to === undefined || layerOf(to) <= layerOf(from)) return undefined;
    return `${roomOf(to)} stands above ${roomOf(from)}`;
  },
  function keepDoorsApart({ from, to }) {
    if (to === undefined) return undefined;
    const [door, other] = [doorOf(from), doorOf(to)];
    const isForeign = door !== undefined && other !== undefined && door !== other;
    return isForeign ? "a door never imports another door" : undefined;
  },
  function keepHono({ from, specifier }) {
    const isAllowed = from === "app.ts" || from.startsWith("doors/");
    return isPackage(specifier, "hono") && !isAllowed
      ? "hono stays in doors/ and app.ts"
      : undefined;
  },
  function keepOpenAi({ specifier }) {
    return isPackage(specifier, "openai") ? "openai is a client for tests" : undefined;
  },
  function keepNode({ from, to }) {
    if (to === undefined || !to.endsWith(".node.ts")) return undefined;
    const isAllowed =
      from.endsWith(".node.ts") || (layerOf(from) === entryLayer && from !== "worker.ts");
    return isAllowed ? undefined : "*.node.ts is for node.ts, cli.ts, cli/ and other *.node.ts";
  },
  function keepEval({ from, specifier }) {
    if (!/^(?:\.\.\/)+eval\//.test(specifier) || from === evalCommand) return undefined;
    return `eval/ stands above src/; ${evalCommand} is its only way in`;
  },
  function keepWorker({ from, to }) {
    if (to === undefined || !to.endsWith(".worker.ts")) return undefined;
    const isAllowed = from.endsWith(".worker.ts") || from === "worker.ts";
    return isAllowed ? undefined : "*.worker.ts is for worker.ts and other *.worker.ts";
  },
];

/** Every import and re-export of one module, in no certain order; of types, too. */
export function listImports(from: string, text: string): Import[] {
  const code = withoutComments(text);
  const found = [
    ...code.matchAll(
      /^[ \t]*(?:import|export)\s(?<names>[^"';]*?)\bfrom\s*["'](?<specifier>[^"']+)["']/gm,
    ),
    ...code.matchAll(/^[ \t]*import\s*["'](?<specifier>[^"']+)["']/gm),
    ...code.matchAll(/\b(?<later>import)\(\s*["'`](?<specifier>[^"'`]+)["'`]/g),
  ];
  return found.map(({ groups = {} }) => {
    const specifier = groups["specifier"] ?? "";
    return {
      from,
      specifier,
      to: resolve(from, specifier),
      isLater: groups["later"] !== undefined,
    };
  });
}

function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, "").replaceAll(/^[ \t]*\/\/.*$/gm, "");
}

function resolve(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  return path.startsWith("../") ? undefined : path;
}

function layerOf(path: string): number {
  if (/^(?:node\.ts|worker\.ts|cli\.ts|cli\/.*)$/.test(path)) return entryLayer;
  return path.includes("/") ? folders.indexOf(folderOf(path)) : rootLayer;
}

function roomOf(path: string): string {
  if (layerOf(path) === entryLayer) return "an entry";
  return path.includes("/") ? `${folderOf(path)}/` : "the root";
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf("/"));
}

/** `copilot` of `doors/copilot/schema.ts`; undefined for what the doors share, which stands in `doors/http/`. */
function doorOf(path: string): string | undefined {
  return /^doors\/(?!http\/)([^/]+)\//.exec(path)?.[1];
}

function isPackage(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

/** The clock, timers, chance and the network, which whoever needs them is given. A method has types in its head. */
const runtime =
  /\b(?:Date\.now|new Date\(\)|performance\.now|Math\.random|crypto\.randomUUID|set(?:Timeout|Interval|Immediate))\b|(?<![.#\w])fetch\((?!\w+: )/;

/** Rooms and files that hold the runtime in their hands, each with its reason. */
const ownRuntime: ReadonlyMap<string, string> = new Map([
  ["setup/", "puts together what the entries pass in"],
  ["app.ts", "fetches key sets; its user brings none"],
  ["base/wire/patient-timer.ts", "the runtime's timers, as the port that is passed in"],
  ["base/wire/known-member.ts", "a secret of its own, which no caller should know"],
]);

/** Uses of the runtime outside of these and the entries. */
function findRuntimes(modules: Modules): string[] {
  return [...modules].flatMap(([path, text]) => {
    const isOwner = ownRuntime.has(path) || ownRuntime.has(`${folderOf(path)}/`);
    if (isOwner || layerOf(path) === entryLayer || path.endsWith(".node.ts")) return [];
    const [found] = runtime.exec(withoutComments(text)) ?? [];
    return found === undefined ? [] : [`${path} uses ${found}: it is passed in`];
  });
}

function findStrangers(modules: Modules): string[] {
  const strangers = [...modules.keys()].filter((path) => layerOf(path) === -1).map(folderOf);
  return [...new Set(strangers)].map((folder) => `${folder}/ has no place in the list of folders`);
}

/** An import that leads nowhere is one that this script did not understand. */
function findMissing(imports: readonly Import[], modules: Modules): string[] {
  return imports
    .filter(({ to }) => to?.endsWith(".ts") === true && !modules.has(to))
    .map(({ from, specifier }) => `${from} imports ${specifier}: there is no such module`);
}

/** Each cycle once, as `a.ts -> b.ts -> a.ts`. Types count: what needs each other belongs together. */
function findCycles(imports: readonly Import[], modules: Modules): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const trail: string[] = [];
  const cycles: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start !== -1) cycles.push(`import cycle: ${[...trail.slice(start), path].join(" -> ")}`);
    if (start !== -1 || done.has(path)) return;
    trail.push(path);
    // What is loaded when it is first used finds its importer complete.
    for (const { to, isLater } of targets.get(path) ?? [])
      if (to !== undefined && !isLater) visit(to);
    trail.pop();
    done.add(path);
  };
  for (const path of modules.keys()) visit(path);
  return cycles;
}

if (import.meta.main) {
  const modules = readModules();
  const violations = findViolations(modules);
  for (const violation of violations) console.error(violation);
  console.log(`layers: ${modules.size} modules, ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
