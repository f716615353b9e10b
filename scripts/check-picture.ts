// Prints the picture of src/ and says where it breaks: the longest file, the fullest folder, and how many
// modules a module imports. A newcomer keeps files and folders of this size in mind.
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { listImports, type Modules, readModules } from "./check-layers.ts";
import { root } from "./run.ts";

/** In lines. */
const maxFile = 300;
/** In `.ts` files; subfolders count for themselves. */
const maxFolder = 20;
/**
 * Modules of src/ that a module in the middle imports, when the rooms were last rebuilt. More means that
 * a reader has to know more to understand one file.
 */
const maxMedianFanOut = 3;
/** Folders that may hold more files, each with the reason. None now. */
const fullFolders: ReadonlyMap<string, string> = new Map();
/** A checker that reads nothing would report success. */
const fewestModules = 40;

export interface Picture {
  modules: number;
  longest: Measure;
  fullest: Measure;
  medianFanOut: number;
  widest: Measure;
}

interface Measure {
  /** A file or folder below src; empty for src itself. */
  path: string;
  size: number;
}

export function takePicture(modules: Modules): Picture {
  const fanOut = listFanOut(modules);
  return {
    modules: modules.size,
    longest: findLargest(listFiles(modules)),
    fullest: findLargest(listFolders(modules)),
    medianFanOut: median(fanOut.map(({ size }) => size)),
    widest: findLargest(fanOut),
  };
}

/** One line for each thing that breaks the picture. */
export function findBlemishes(
  modules: Modules,
  hasReadme: (folder: string) => boolean = isExplained,
): string[] {
  const { medianFanOut } = takePicture(modules);
  const folders = listFolders(modules);
  return [
    ...(modules.size < fewestModules ? [`saw only ${modules.size} modules`] : []),
    ...listFiles(modules)
      .filter(({ size }) => size > maxFile)
      .map(({ path, size }) => `${path} has ${size} lines, more than ${maxFile}`),
    ...folders
      .filter(({ path, size }) => size > maxFolder && !fullFolders.has(path))
      .map(({ path, size }) => `${path}/ has ${size} files, more than ${maxFolder}`),
    ...listRooms(folders)
      .filter((room) => !hasReadme(room))
      .map((room) => `${room}/ has no README.md that says what it is for`),
    ...(medianFanOut > maxMedianFanOut
      ? [`a module imports ${medianFanOut} others (median), more than ${maxMedianFanOut}`]
      : []),
  ];
}

function listFiles(modules: Modules): Measure[] {
  return [...modules].map(([path, text]) => ({ path, size: countLines(text) }));
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function listFolders(modules: Modules): Measure[] {
  const folders = Map.groupBy(modules.keys(), (path) =>
    path.includes("/") ? posix.dirname(path) : "",
  );
  return [...folders].map(([path, files]) => ({ path, size: files.length }));
}

/** Each folder with modules, and each top folder, which may hold only others. */
function listRooms(folders: readonly Measure[]): string[] {
  const rooms = folders.flatMap(({ path }) => [path.split("/")[0] ?? "", path]);
  return [...new Set(rooms)].filter((room) => room !== "");
}

/** How many different modules of src/ each module imports, types included. */
function listFanOut(modules: Modules): Measure[] {
  return [...modules].map(([path, text]) => {
    const targets = listImports(path, text).map(({ to }) => to);
    const size = new Set(targets.filter((to) => to?.endsWith(".ts") === true)).size;
    return { path, size };
  });
}

/** The first of the largest. */
function findLargest(measures: readonly Measure[]): Measure {
  const none: Measure = { path: "", size: 0 };
  return measures.reduce((largest, next) => (next.size > largest.size ? next : largest), none);
}

function median(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function isExplained(folder: string): boolean {
  return existsSync(`${root}src/${folder}/README.md`);
}

if (import.meta.main) {
  const modules = readModules();
  const { longest, fullest, medianFanOut, widest } = takePicture(modules);
  const blemishes = findBlemishes(modules);
  for (const blemish of blemishes) console.error(blemish);
  console.log(
    [
      `longest file: ${longest.path}, ${longest.size} lines of at most ${maxFile}`,
      `fullest folder: ${fullest.path}/, ${fullest.size} files of at most ${maxFolder}`,
      `imports of a module: median ${medianFanOut} of at most ${maxMedianFanOut}; most: ${widest.size} (${widest.path})`,
      `picture: ${modules.size} modules, ${blemishes.length} blemishes`,
    ].join("\n"),
  );
  process.exitCode = blemishes.length === 0 ? 0 : 1;
}
