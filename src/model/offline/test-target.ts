// What a test file says of the code under test: its name, and how it is imported.
import type { CodeAnalysis, CodeRange, CodeSymbol } from "../../code/code-analysis.ts";
import { flattenSymbols } from "../../code/flatten-symbols.ts";
import { isCallable } from "./place.ts";

export interface TestTarget {
  /** With the types around it: `Cart.total`. */
  name: string;
  /** What a test imports: a function, or the type that holds the method; absent where there is nothing. */
  importName?: string;
  /** Tests in another file cannot reach it. */
  isHidden: boolean;
  source: string;
  path: string;
  testPath: string;
  language: string;
}

/**
 * @param symbol what was meant; what is local to a function is tested through that one
 * @param fallback names code that declares nothing
 */
export function findTestTarget(
  { symbols, language }: CodeAnalysis,
  symbol: CodeSymbol | undefined,
  fallback: string,
  files: Pick<TestTarget, "source" | "path" | "testPath" | "language">,
): TestTarget {
  const types = symbol === undefined ? [] : typesAround(symbols, symbol.range);
  const [owner, last = owner] = [types[0], types.at(-1)];
  if (owner === undefined || last === undefined)
    return { ...files, name: fallback, isHidden: false };
  // What is written apart from its type, as methods of Go are.
  const apart = isCallable(owner) ? owner.container?.split(".").at(-1) : undefined;
  const importName = nameOf(apart ?? owner.name, files.path);
  const names = types.map(({ name }) => nameOf(name, files.path));
  return {
    ...files,
    name: [...(apart === undefined ? [] : [apart]), ...names].join("."),
    importName,
    isHidden: isOutOfReach(
      { language: language ?? "", source: files.source, importName },
      owner,
      last,
    ),
  };
}

/** The symbols around a range without modules, outermost first, down to the first function. */
function typesAround(symbols: readonly CodeSymbol[], range: CodeRange): CodeSymbol[] {
  const around = flattenSymbols(symbols).filter((one) => holds(one.range, range));
  const last = around.findIndex(isCallable);
  const types = last === -1 ? around : around.slice(0, last + 1);
  return types.filter(({ kind }) => kind !== "module");
}

function holds(outer: CodeRange, inner: CodeRange): boolean {
  const start = outer.startLine - inner.startLine || outer.startColumn - inner.startColumn;
  return start <= 0 && (outer.endLine - inner.endLine || outer.endColumn - inner.endColumn) >= 0;
}

/** A default export without a name gets one from its file. */
function nameOf(name: string, path: string): string {
  if (name !== "default") return name;
  const words = stemOf(path).replace(/[^\p{L}\p{N}]+(.?)/gu, (_, sign: string) =>
    sign.toUpperCase(),
  );
  return words || "subject";
}

/** Of a language that hides what is private, or what is not exported. */
function isOutOfReach(
  {
    language,
    source,
    importName,
  }: Pick<TestTarget, "language" | "source"> & { importName: string },
  owner: CodeSymbol,
  last: CodeSymbol,
): boolean {
  if (/^(?:java|csharp|php)$/.test(language)) return /\bprivate\b/.test(last.signature);
  if (!/^(?:javascript|typescript|tsx)$/.test(language)) return false;
  const isPrivate = owner !== last && !last.isExported && owner.isExported;
  return isPrivate || !(owner.isExported || isRequired(source, importName));
}

/** Whether `module.exports` or `exports` names it. */
function isRequired(source: string, name: string): boolean {
  return (
    hasMatch(source, /\bexports\.([\p{L}\p{N}_$]+)/gu, name) ||
    hasMatch(source, requiredWhole, name) ||
    partsOf(source, /\bmodule\.exports\s*=\s*\{([^}]*)/g).some((text) =>
      hasMatch(text, names, name),
    )
  );
}

const names = /([\p{L}\p{N}_$]+)/gu;
const requiredWhole = /\bmodule\.exports\s*=\s*([\p{L}\p{N}_$]+)/gu;

/** What a pattern captures; names of files are parts of no pattern. */
function partsOf(source: string, pattern: RegExp): string[] {
  return Array.from(source.matchAll(pattern), ([, found = ""]) => found);
}

/** Whether what a pattern captures is somewhere the name. */
export function hasMatch(source: string, pattern: RegExp, name: string): boolean {
  return partsOf(source, pattern).includes(name);
}

/** The lines that import it into JavaScript; none where there is nothing to import. */
export function importScript({
  importName,
  isHidden,
  source,
  path,
  testPath,
}: TestTarget): string[] {
  if (importName === undefined || isHidden) return [];
  const from = JSON.stringify(pathFrom(testPath, path));
  if (isCommonJs(source)) {
    const isAll = hasMatch(source, requiredWhole, importName);
    return [`const ${isAll ? importName : `{ ${importName} }`} = require(${from});`];
  }
  const isDefault =
    hasMatch(source, exportedByDefault, importName) ||
    partsOf(source, /^export\s*\{([^}]*)/gm).some((list) => hasDefault(list, importName));
  // Without a name it is the default export.
  const isNameless = !hasMatch(source, names, importName);
  return [`import ${isDefault || isNameless ? importName : `{ ${importName} }`} from ${from};`];
}

function hasDefault(list: string, name: string): boolean {
  return list.split(",").some((one) => one.trim().split(/\s+/).join(" ") === `${name} as default`);
}

const exportedByDefault =
  /^export\s+default\s+(?:(?:abstract\s+)?class\s+|(?:async\s+)?function\b(?:\s*\*)?\s*)?([\p{L}\p{N}_$]+)/gmu;

export function isCommonJs(source: string): boolean {
  return /\bexports\b/.test(source) && !/^(?:import|export)\b/m.test(source);
}

/** Below `src` packages are named by their folders; elsewhere the test stands beside the file. */
export function importPython({ importName, path }: TestTarget): string[] {
  const module = path
    .replaceAll("\\", "/")
    .replace(/^(?:.*\/)?src\/|^.*\//, "")
    .replace(/(?:\/__init__)?\.pyw?$/, "")
    .replaceAll("/", ".");
  if (importName === undefined || !/^[\p{L}_][\p{L}\w.]*$/u.test(module)) return [];
  return [`from ${module} import ${importName}`];
}

/** The path of one file as another one writes it: `../src/cart.ts`. */
function pathFrom(here: string, there: string): string {
  const [from, to] = [here, there].map((path) =>
    path.split(/[\\/]/).filter((part) => part !== "."),
  );
  const isRooted = (parts: readonly string[] = []): boolean =>
    /^(?:[a-z]:)?$/i.test(parts[0] ?? "");
  if (from === undefined || to === undefined || isRooted(from) !== isRooted(to))
    return `./${baseOf(there)}`;
  const parting = to.findIndex((part, nth) => part !== from[nth] || nth === to.length - 1);
  const up = from.slice(parting + 1).map(() => "..");
  return [...(up.length === 0 ? ["."] : up), ...to.slice(parting)].join("/");
}

/** `cart.test.ts` of a path. */
export function baseOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? "";
}

/** `cart` of `src/cart.test.ts`. */
export function stemOf(path: string): string {
  return baseOf(path).split(".", 1)[0] ?? "";
}
