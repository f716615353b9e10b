// Where names are defined, by their spelling and by the imports of the file that uses them. What a name means is
// not resolved as a compiler would.
import { relative, sep } from "node:path";
import type { CodeImport, CodeSymbol, SymbolKind } from "../../../code/code-analysis.ts";
import { findDefinitions } from "../../../code/find-definitions.ts";
import { flattenSymbols } from "../../../code/flatten-symbols.ts";
import { symbolAt } from "../../../code/symbol-at.ts";
import { identifierAt } from "./identifiers.ts";
import { type Project, type ProjectFile, familyOf } from "./project.ts";
import { type WireRange, toWireRange } from "./wire-place.ts";

export interface WireLocation {
  abspath: string;
  range: WireRange;
}

/** From 0. */
export interface WirePlace {
  line: number;
  character: number;
}

const maxLocations = 5;
/** Files that hold the name and are parsed for it. */
const maxParsed = 12;
/** Languages in which a file uses nothing of another one that it does not import. */
const importing: ReadonlySet<string | undefined> = new Set(["javascript", "python"]);
const types: ReadonlySet<SymbolKind> = new Set([
  "class",
  "interface",
  "struct",
  "trait",
  "enum",
  "type",
]);

/** Where the name at a place is defined: in its own file, else in files of the project; at most five places. */
export async function findDefinitionLocations(
  project: Project,
  file: ProjectFile,
  place: WirePlace,
): Promise<WireLocation[]> {
  const found = nameAt(file, place);
  return found === undefined ? [] : locate(project, file, found, () => true);
}

/** Where the type of the name at a place is defined, which is its own place for a type, and that of its type for a parameter. */
export async function findTypeLocations(
  project: Project,
  file: ProjectFile,
  place: WirePlace,
): Promise<WireLocation[]> {
  const found = nameAt(file, place);
  if (found === undefined) return [];
  const { parameters = [] } = symbolAt(file.analysis, place.line + 1) ?? {};
  const declared = parameters.find(({ name }) => name === found.name)?.type;
  const names =
    declared === undefined
      ? [found.name]
      : (declared.match(/[\p{ID_Start}_][\p{ID_Continue}]*/gu) ?? []);
  const isType = ({ kind }: CodeSymbol): boolean => types.has(kind);
  const located: WireLocation[] = [];
  for (const name of new Set(names.slice(0, maxLocations)))
    located.push(...(await locate(project, file, { name, isMember: false }, isType)));
  return located.slice(0, maxLocations);
}

interface NameAt {
  name: string;
  /** It follows a dot or an arrow. */
  isMember: boolean;
}

/** Symbols tell where their declaration begins, which is often a keyword. */
function nameAt(
  { text, analysis }: ProjectFile,
  { line, character }: WirePlace,
): NameAt | undefined {
  const symbol = flattenSymbols(analysis.symbols).find(
    ({ range }) => range.startLine === line + 1 && range.startColumn === character + 1,
  );
  return symbol === undefined
    ? identifierAt(text, line, character)
    : { name: symbol.name, isMember: false };
}

async function locate(
  project: Project,
  file: ProjectFile,
  { name, isMember }: NameAt,
  isWanted: (symbol: CodeSymbol) => boolean,
): Promise<WireLocation[]> {
  const own = definitionsIn([file], name).filter(({ symbol }) => isWanted(symbol));
  if (own.length > 0) return toLocations(own);
  const { imports } = file.analysis;
  const binding = imports.filter(({ names }) => names.includes(name));
  const family = familyOf(file.path);
  const isBound = binding.length > 0;
  const likely = createHint(isBound ? binding : imports);
  const here = relative(project.root, file.path).split(sep).join("/");
  const isOther = (path: string): boolean => path !== here && familyOf(path) === family;
  const passes = [
    (path: string) => isOther(path) && likely(path),
    // A local name of these languages would be found where it has nothing to do with this one.
    ...(isBound || !importing.has(family)
      ? [(path: string) => isOther(path) && !likely(path)]
      : []),
  ];
  for (const isCandidate of passes) {
    const found = await search(project, isCandidate, name, (symbol) => {
      const isValue = /^(?:variable|property)$/.test(symbol.kind);
      return symbol.isExported && isWanted(symbol) && (isBound || !isValue || isMember);
    });
    if (found.length > 0) return toLocations(found);
  }
  return [];
}

interface Found {
  file: ProjectFile;
  symbol: CodeSymbol;
}

async function search(
  project: Project,
  isCandidate: (path: string) => boolean,
  name: string,
  isWanted: (symbol: CodeSymbol) => boolean,
): Promise<Found[]> {
  const found: Found[] = [];
  let parsed = 0;
  for await (const { path, text } of project.search(isCandidate)) {
    if (!text.includes(name)) continue;
    const file = await project.analyze(path, text);
    found.push(...definitionsIn([file], name).filter(({ symbol }) => isWanted(symbol)));
    parsed += 1;
    if (found.length >= maxLocations || parsed === maxParsed) break;
  }
  return found;
}

function definitionsIn(files: readonly ProjectFile[], name: string): Found[] {
  return findDefinitions(
    [name],
    files.map((file) => ({ file, analysis: file.analysis })),
  ).map(({ file: { file }, symbol }) => ({ file, symbol }));
}

function toLocations(found: readonly Found[]): WireLocation[] {
  return found
    .slice(0, maxLocations)
    .map(({ file, symbol }) => ({ abspath: file.path, range: toWireRange(symbol.range) }));
}

/** Whether a path looks like what one of the imports means: `shop.item` and `./item.js` may be `shop/item.py` or `item/index.ts`. */
function createHint(imports: readonly CodeImport[]): (path: string) => boolean {
  const names = new Set(
    imports.flatMap(({ source }) =>
      source
        .split(/[./:\\"'<>]+/)
        .filter((part) => part !== "" && !/^(?:[cm]?[jt]sx?|h|hpp)$/.test(part))
        .slice(-2),
    ),
  );
  return (path) => {
    const [folder = "", name = ""] = `/${path}`.split("/").slice(-2);
    return (
      names.has(name.slice(0, (name + ".").indexOf("."))) || (folder !== "" && names.has(folder))
    );
  };
}
