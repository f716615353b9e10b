// What Tab completes in a message: commands and their values, files of the project, and names in their code.
import type { CodeParser } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/symbols.ts";
import { isCode } from "../../flows/loop/context/weigh-files.ts";
import { listProjectFiles, readFileInside } from "../call/collect/project-files.ts";
import type { LineOptions } from "./keyboard.ts";

export interface CompleteParts {
  root: string;
  code: CodeParser;
  /** What begins a command, `/` included. */
  commands: () => readonly string[];
  /** What may follow a command; undefined where that is a file. */
  valuesOf: (command: string) => readonly string[] | undefined;
}

type Completion = Awaited<ReturnType<LineOptions["complete"]>>;

/** Of files whose code is looked into. */
const [maxFiles, maxSize] = [400, 200 * 1024];
const maxHits = 100;

export function createCompleter(parts: CompleteParts): LineOptions["complete"] {
  const names = createSymbolList(parts);
  return async (line) => {
    const [, command] = /^(\/\S*)(?:\s|$)/.exec(line) ?? [];
    const end = line.split(/\s/).at(-1) ?? "";
    if (command !== undefined && end === line)
      return [withPrefix(parts.commands(), end).map((name) => `${name} `), end];
    const values = command === undefined ? undefined : parts.valuesOf(command);
    if (values !== undefined) return [withPrefix(values, end), end];
    const [mark = ""] = /^@?/.exec(end) ?? [];
    const word = end.slice(mark.length);
    if (mark === "" && command === undefined) return completeName(word, names, end);
    const files = (await listProjectFiles(parts.root)).toSorted();
    const found = findFiles(files, word).map((path) => mark + path);
    if (found.length > 0) return [among(end, found), end];
    const places = (await names())
      .filter(({ name }) => word !== "" && name.startsWith(word))
      .map(({ path, first, last }) => `${mark}${path}:${first}-${last}`);
    return [among(end, places), end];
  };
}

async function completeName(
  word: string,
  names: () => Promise<readonly NamedPlace[]>,
  end: string,
): Promise<Completion> {
  const start = word.split(/[^\p{L}\p{N}_$]/u).at(-1) ?? "";
  if (start.length < 2) return [[], end];
  const found = (await names()).map(({ name }) => name).filter((name) => name.startsWith(start));
  return [[...new Set(found)].toSorted().slice(0, maxHits), start];
}

function withPrefix(names: readonly string[], start: string): string[] {
  return names.filter((name) => name.startsWith(start));
}

/** Paths that begin so, up to their next folder, else those a name in which begins so. */
function findFiles(files: readonly string[], word: string): string[] {
  const steps = withPrefix(files, word).map((path) => {
    const slash = path.indexOf("/", word.length);
    return slash === -1 ? path : path.slice(0, slash + 1);
  });
  const [only, ...others] = new Set(steps);
  // One folder alone is gone through at once.
  if (only?.endsWith("/") === true && others.length === 0 && only !== word)
    return findFiles(files, only);
  if (only !== undefined) return [only, ...others].slice(0, maxHits);
  const small = word.toLowerCase();
  return files.filter((path) => `/${path.toLowerCase()}`.includes(`/${small}`)).slice(0, maxHits);
}

/** Of several that do not begin with it, the end of the line is one: so it stays until there is only one. */
function among(end: string, hits: readonly string[]): string[] {
  const [only, ...others] = hits.slice(0, maxHits);
  if (only === undefined || others.length === 0) return [...hits];
  return hits.every((hit) => hit.startsWith(end)) ? [...hits] : [end, only, ...others];
}

interface NamedPlace {
  name: string;
  path: string;
  first: number;
  last: number;
}

function createSymbolList({ root, code }: CompleteParts): () => Promise<NamedPlace[]> {
  const known = new Map<string, { content: string; places: NamedPlace[] }>();
  return async () => {
    const files = (await listProjectFiles(root)).filter(isCode);
    const found: NamedPlace[][] = [];
    for (const path of files.slice(0, maxFiles)) {
      const read = await readFileInside(root, path, maxSize);
      if (!read.ok || read.value.isSecret) continue;
      const { content } = read.value;
      let file = known.get(path);
      if (file?.content !== content) {
        const { symbols } = await code.analyze(content, undefined, path);
        const places = flattenSymbols(symbols).map(({ name, range: { startLine, endLine } }) => {
          return { name, path, first: startLine, last: endLine };
        });
        file = { content, places };
        known.set(path, file);
      }
      found.push(file.places);
    }
    return found.flat();
  };
}
