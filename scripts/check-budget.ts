// Holds the size of src/: the lines and files of each room (src/budget.json), files that belong into the one
// that imports them, and folders that import each other. `--print` prints what the table would
// be today, `--list` the short files and the pairs.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { listImports, type Modules } from "./check-layers.ts";
import { root } from "./run.ts";

/** A file of fewer lines with one importer joins it. */
const fewestLines = 61;
/** A checker that reads nothing would report success. */
const fewestModules = 40;

/** Raised only in a commit of its own that says what the reader gets for it. */
export interface Budget {
  /** The lines and files of each room, `.ts` and `.liquid`; `.` is src itself. */
  rooms: Record<string, readonly [lines: number, files: number]>;
  /** Short files with one importer that are not part of a list, and pairs of folders that import each other. */
  splinters: number;
  mutualFolders: number;
  /** Imports of tests that reach below the top of a room: each breaks when its inside moves. They only become fewer. */
  deepImports: number;
}

export interface House {
  budget: Budget;
  splinters: string[];
  mutualFolders: string[];
}

export function measureHouse(modules: Modules, tests: Modules = new Map()): House {
  const rooms: Record<string, [number, number]> = {};
  for (const [path, text] of modules) {
    const room = path.includes("/") ? path.slice(0, path.indexOf("/")) : ".";
    const [lines, files] = rooms[room] ?? [0, 0];
    rooms[room] = [lines + countLines(text), files + 1];
  }
  const code = new Map([...modules].filter(([path]) => path.endsWith(".ts")));
  const splinters = findSplinters(code);
  const mutualFolders = findMutualFolders(code);
  return {
    budget: {
      rooms,
      splinters: splinters.length,
      mutualFolders: mutualFolders.length,
      deepImports: countDeepImports(tests, [...modules.keys()]),
    },
    splinters,
    mutualFolders,
  };
}

/** One line for each thing that is larger than the budget. */
export function findExcess(modules: Modules, budget: Budget, tests?: Modules): string[] {
  const { budget: today, splinters, mutualFolders } = measureHouse(modules, tests);
  return [
    ...(modules.size < fewestModules ? [`saw only ${modules.size} modules`] : []),
    ...Object.entries(today.rooms).flatMap(([room, [lines, files]]) => {
      const [maxLines, maxFiles] = budget.rooms[room] ?? [0, 0];
      return [
        ...(lines > maxLines ? [`${room}/ has ${lines} lines, more than ${maxLines}`] : []),
        ...(files > maxFiles ? [`${room}/ has ${files} files, more than ${maxFiles}`] : []),
      ];
    }),
    ...(splinters.length > budget.splinters ? splinters : []),
    ...(mutualFolders.length > budget.mutualFolders ? mutualFolders : []),
    ...(today.deepImports > budget.deepImports
      ? [
          `tests import ${today.deepImports} modules below the top of a room, more than ${budget.deepImports}: test what the files at its top show`,
        ]
      : []),
    ...[...(tests ?? [])]
      .filter(([, text]) => /^[ \t]*vi\.(?:mock|doMock|resetModules)\(/m.test(text))
      .map(([path]) => `${path} replaces modules, which files of tests share`),
  ];
}

/**
 * Platform files, what is loaded when it is first used, and members of a list (their importer has many of
 * their folder) are files of their own.
 */
function findSplinters(modules: Modules): string[] {
  const importers = new Map<string, Set<string>>();
  const later = new Set<string>();
  for (const [path, text] of modules) {
    for (const { to, isLater } of listImports(path, text)) {
      if (to === undefined) continue;
      importers.set(to, (importers.get(to) ?? new Set()).add(path));
      if (isLater) later.add(to);
    }
  }
  const isMember = (path: string, importer: string): boolean => {
    const siblings = [...importers].filter(
      ([other, by]) => listOf(other) === listOf(path) && by.size === 1 && by.has(importer),
    );
    return siblings.length > 4;
  };
  return [...modules].flatMap(([path, text]) => {
    const [importer, ...others] = importers.get(path) ?? [];
    if (importer === undefined || others.length > 0 || later.has(path)) return [];
    const isOwn = countLines(text) >= fewestLines || /\.(?:node|worker)\.ts$/.test(path);
    return isOwn || isMember(path, importer) ? [] : [`${path} belongs into ${importer}`];
  });
}

/** Where a file would be the member of a list: its folder, or the folders of which each has one of its name. */
function listOf(path: string): string {
  return path.endsWith("/command.ts") ? posix.dirname(posix.dirname(path)) : posix.dirname(path);
}

/** Two folders, neither inside the other, that import each other; all are inside the root. */
function findMutualFolders(modules: Modules): string[] {
  const arrows = new Set<string>();
  for (const [path, text] of modules) {
    for (const { to } of listImports(path, text)) {
      if (to !== undefined) arrows.add(`${posix.dirname(path)} ${posix.dirname(to)}`);
    }
  }
  return [...arrows].flatMap((arrow) => {
    const [from = "", to = ""] = arrow.split(" ");
    const isInside = [from, to].includes(".") || from === to || has(from, to) || has(to, from);
    return !isInside && from < to && arrows.has(`${to} ${from}`)
      ? [`${from}/ and ${to}/ import each other`]
      : [];
  });
}

function has(folder: string, other: string): boolean {
  return `${other}/`.startsWith(`${folder}/`);
}

/** The top of a room are its own files; where it has none, as in base/ and doors/, those of its folders. */
function countDeepImports(tests: Modules, paths: readonly string[]): number {
  const tops = new Map<string, number>();
  for (const path of paths) {
    const [room = "", ...rest] = path.split("/");
    tops.set(room, Math.min(tops.get(room) ?? rest.length, rest.length));
  }
  return [...tests].flatMap(([path, text]) =>
    listImports(path, text).filter(({ specifier }) => {
      const [, below] = /^(?:\.\.\/)+src\/(.+)$/.exec(specifier) ?? [];
      const [room = "", ...rest] = (below ?? "").split("/");
      return rest.length > (tops.get(room) ?? 0);
    }),
  ).length;
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

export function readHouse(): Modules {
  return readFolder("src", "**/*.{ts,liquid}");
}

export function readTests(): Modules {
  return readFolder("test", "**/*.ts");
}

function readFolder(folder: string, pattern: string): Modules {
  const paths = globSync(pattern, { cwd: root + folder }).map((path) => path.replaceAll("\\", "/"));
  return new Map(
    paths
      .filter((path) => !path.startsWith("fixtures/"))
      .toSorted()
      .map((path) => [path, readFileSync(`${root}${folder}/${path}`, "utf8")]),
  );
}

if (import.meta.main) {
  const modules = readHouse();
  const tests = readTests();
  const { budget, splinters, mutualFolders } = measureHouse(modules, tests);
  const allowed = JSON.parse(readFileSync(`${root}src/budget.json`, "utf8"));
  // What others look at, such as the calls of a request, stays as it is.
  if (process.argv.includes("--print"))
    console.log(JSON.stringify({ ...allowed, ...budget }, null, 2));
  else if (process.argv.includes("--list"))
    console.log([...splinters, ...mutualFolders].join("\n"));
  else {
    const excess = findExcess(modules, allowed, tests);
    for (const line of excess) console.error(line);
    const sizes = Object.values(budget.rooms);
    const [lines, files] = [0, 1].map((at) =>
      sizes.reduce((sum, size) => sum + (size[at] ?? 0), 0),
    );
    console.log(
      `house: ${lines} lines in ${files} files, ${budget.splinters} splinters, ${budget.mutualFolders} mutual folders, ${budget.deepImports} deep imports of tests`,
    );
    process.exitCode = excess.length === 0 ? 0 : 1;
  }
}
