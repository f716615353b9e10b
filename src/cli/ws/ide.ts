// Answers IDE services from the files of a folder, with the code parser. What a name means is not resolved as a
// compiler would: definitions are found by their spelling and by the imports of the file that uses them.
import * as z from "zod";
import { join, resolve } from "node:path";
import type {
  CodeAnalysis,
  CodeParser,
  CodeRange,
  CodeSymbol,
  SymbolKind,
} from "../../code/code-analysis.ts";
import { findDefinitions, flattenSymbols, namesBoundBy, symbolAt } from "../../code/symbols.ts";
import { codeLanguageOf } from "../../code/language-of.ts";
import { idePaths } from "../../doors/plugin/ide-services.ts";
import { Offset, type WireRange } from "../../doors/plugin/schema.ts";
import {
  type NamesOf,
  createLinkNames,
  isUnder,
} from "../../workspace/directory/resolve-path.node.ts";
import { refuse } from "../../workspace/problems.ts";
import {
  isPrivatePath,
  listProjectFiles,
  readFileInside,
  toSlashes,
} from "../call/collect/project-files.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import { createApprovals, printChanges } from "../../workspace/approvals.ts";
import type { DirectoryWorkspace } from "../../workspace/directory/directory-workspace.node.ts";
import { createSearchedWorkspace } from "../code/open-folder.ts";
import { createLocks } from "../../workspace/locks.ts";
import { escapeLine } from "../call/show/escape-controls.ts";
import { note } from "../call/terminal.ts";
import { type Person, type PersonParts, createAsk } from "../code/ask.ts";
import { createGuard } from "../code/guard.ts";

export type IdeAnswer = { result: unknown } | { error: string };

export type AnswerIde = (path: string, params: unknown) => Promise<IdeAnswer>;

const Params = z.looseObject({ abspath: z.string().min(1).max(4_096) });
const PlaceParams = z.looseObject({ line: Offset, character: Offset });

/** The services that the terminal offers, by their paths: those for code in the editor, then those for work on files. */
export function listServices(isWork: boolean, writes: boolean): readonly string[] {
  return idePaths.slice(0, writes ? 6 : isWork ? 5 : 4);
}

/**
 * Nothing outside of the folder is read, also not by way of links, and no hidden file.
 *
 * @param root absolute, without links
 * @param write writes a file; undefined if nothing may be written
 */
export function createIdeAnswers(root: string, code: CodeParser, write?: AnswerIde): AnswerIde {
  const project = openProject(root, code);
  return async (path, params) => {
    if (!listServices(true, write !== undefined).includes(path))
      return { error: "This service is not offered here." };
    if (path === "/write_file" && write !== undefined) return write(path, params);
    const { data } = Params.safeParse(params);
    if (data === undefined) return { error: "abspath must be the path of a file or folder." };
    if (path === "/list_files") {
      const files = await project.list(data.abspath);
      return files === undefined
        ? { error: "The folder is outside of the project." }
        : { result: files };
    }
    const found = await project.read(data.abspath);
    if (!found.ok) return { error: found.problem.message.en };
    const { path: real, content: text } = found.value;
    if (path === "/read_file") return { result: text };
    const analysis = await code.analyze(text, undefined, real);
    if (path === "/get_document_symbols") return { result: toWireSymbols(analysis.symbols) };
    const place = PlaceParams.safeParse(params).data;
    if (place === undefined) return { error: "line and character must be numbers from 0." };
    const file = { path: real, text, analysis };
    return { result: await findLocations(project, file, place, path !== "/find_def_locations") };
  };
}

/** A file that is sent, and one that is searched, in bytes. */
const [maxFile, maxSearched] = [512 * 1_024, 128 * 1_024];
/** Files of the project that are read to find a definition, and those that hold the name and are parsed for it. */
const [maxRead, maxParsed] = [300, 12];
const maxLocations = 5;

interface ProjectFile {
  path: string;
  text: string;
  analysis: CodeAnalysis;
}

type Project = ReturnType<typeof openProject>;

/** The files of one folder and those below it, for one command: what was searched is not read again. */
function openProject(root: string, code: CodeParser) {
  const findLinks = createLinkNames(root);
  const searched = new Map<string, string>();
  let files: Promise<string[]> | undefined;
  const pathOf = (absolute: string): string => toSlashes(root, absolute);
  /** A text file of the project none of whose names is hidden. @param path absolute, or from the root */
  const read = async (path: string, maxSize = maxFile, namesOf?: NamesOf) => {
    const found = await readFileInside(root, path, maxSize);
    if (!found.ok) return found;
    const further = (namesOf ?? (await findLinks()))(pathOf(found.value.path));
    const written = pathOf(resolve(root, path));
    // The root may be reached by another way, too.
    const names = [...(written.startsWith("../") ? [] : [written]), ...further];
    return names.some(isPrivatePath)
      ? refuse("secret", { en: "Hidden files are not shown.", zh: "不显示隐藏文件。" })
      : found;
  };
  return {
    read,
    pathOf,
    /** The files below a folder that are not hidden, from it and with slashes; undefined for one outside of the project. */
    async list(folder: string): Promise<string[] | undefined> {
      const below = resolve(root, folder);
      if (!isUnder(root, below)) return undefined;
      const prefix = below === root ? "" : `${pathOf(below)}/`;
      // Files are made and deleted while the agent works.
      const all = await listProjectFiles(root);
      return all.flatMap((file) => (file.startsWith(prefix) ? [file.slice(prefix.length)] : []));
    },
    /** What is wanted of the symbols of a name in other files. @param isCandidate takes a path from the root, with slashes */
    async search(name: string, isCandidate: (path: string) => boolean, isWanted: SymbolTest) {
      files ??= listProjectFiles(root);
      const namesOf = await findLinks();
      const found: WireLocation[] = [];
      let parsed = 0;
      for (const file of (await files).filter(isCandidate).slice(0, maxRead)) {
        const known = searched.get(file) ?? (await read(file, maxSearched, namesOf));
        const text = typeof known === "string" ? known : known.ok ? known.value.content : "";
        searched.set(file, text);
        if (!text.includes(name)) continue;
        const path = join(root, file);
        const analysis = await code.analyze(text, undefined, path);
        found.push(...definitionsIn({ path, analysis }, name, isWanted));
        parsed += 1;
        if (found.length >= maxLocations || parsed === maxParsed) break;
      }
      return found.slice(0, maxLocations);
    },
  };
}

type SymbolTest = (symbol: CodeSymbol) => boolean;

interface WireLocation {
  abspath: string;
  range: WireRange;
}

/** Languages in which a file uses nothing of another one that it does not import. */
const importing: ReadonlySet<string | undefined> = new Set(["javascript", "python"]);
/** Languages whose files use each other. */
const families: Readonly<Record<string, string>> = {
  typescript: "javascript",
  tsx: "javascript",
  cpp: "c",
};
const isType: SymbolTest = ({ kind }) => /^(?:class|interface|struct|trait|enum|type)$/.test(kind);

/**
 * Where the name at a place is defined, or its type, which for a parameter is the one that it is declared with; at most
 * five places.
 *
 * @param place from 0
 */
async function findLocations(
  project: Project,
  file: ProjectFile,
  { line, character }: { line: number; character: number },
  ofType: boolean,
): Promise<WireLocation[]> {
  const { symbols } = file.analysis;
  // Symbols tell where their declaration begins, which is often a keyword.
  const symbol = flattenSymbols(symbols).find(
    ({ range }) => range.startLine === line + 1 && range.startColumn === character + 1,
  );
  const found =
    symbol === undefined
      ? identifierAt(file.text, line, character)
      : { name: symbol.name, isMember: false };
  if (found === undefined) return [];
  if (!ofType) return locate(project, file, found, () => true);
  const { signature = "" } = symbolAt(file.analysis, line + 1) ?? {};
  const parts = signature.split(/[(),]/).map(namesIn);
  // A parameter and the names in its type.
  const names = parts.find((each) => each.includes(found.name)) ?? [found.name];
  const located: WireLocation[] = [];
  for (const name of new Set(names.slice(0, maxLocations)))
    located.push(...(await locate(project, file, { name, isMember: false }, isType)));
  return located.slice(0, maxLocations);
}

function namesIn(text: string): string[] {
  return text.match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu) ?? [];
}

/** `isMember`: it follows a dot or an arrow. */
type NameAt = { name: string; isMember: boolean };

/** The name that covers a place, or ends right before it; undefined without one. */
export function identifierAt(text: string, line: number, character: number): NameAt | undefined {
  const code = text.split(/\r\n|\r|\n/)[line] ?? "";
  for (const { 0: name, index } of code.matchAll(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu)) {
    if (character < index) return undefined;
    if (character <= index + name.length)
      return { name, isMember: /(?:\.|->|::)$/.test(code.slice(Math.max(0, index - 2), index)) };
  }
  return undefined;
}

/** In its own file, else in files of the project that its imports look like, else, for some languages, in others. */
async function locate(
  project: Project,
  file: ProjectFile,
  { name, isMember }: NameAt,
  isWanted: SymbolTest,
): Promise<WireLocation[]> {
  const own = definitionsIn(file, name, isWanted);
  if (own.length > 0) return own.slice(0, maxLocations);
  const { imports } = file.analysis;
  const binding = imports.filter((one) => namesBoundBy(one, file.analysis).includes(name));
  const isBound = binding.length > 0;
  const isLikely = createHint((isBound ? binding : imports).map(({ source }) => source));
  const [here, family] = [project.pathOf(file.path), familyOf(file.path)];
  const isOther = (path: string): boolean => path !== here && familyOf(path) === family;
  // A local name of these languages would be found where it has nothing to do with this one.
  const passes = isBound || !importing.has(family) ? [true, false] : [true];
  for (const likely of passes) {
    const isCandidate = (path: string): boolean => isOther(path) && isLikely(path) === likely;
    const found = await project.search(name, isCandidate, (symbol) => {
      const isValue = /^(?:variable|property)$/.test(symbol.kind);
      return isWanted(symbol) && (isBound || !isValue || isMember);
    });
    if (found.length > 0) return found;
  }
  return [];
}

function definitionsIn(
  { path, analysis }: Pick<ProjectFile, "path" | "analysis">,
  name: string,
  isWanted: SymbolTest,
): WireLocation[] {
  return findDefinitions([name], [{ analysis }])
    .filter(({ symbol }) => isWanted(symbol))
    .map(({ symbol }) => ({ abspath: path, range: toWireRange(symbol.range) }));
}

/** What the language of a file is, as far as other files are concerned; undefined where no grammar reads it. */
function familyOf(path: string): string | undefined {
  const language = codeLanguageOf(undefined, path);
  return language && (families[language] ?? language);
}

/** Whether a path looks like what one of the imports means: `shop.item` and `./item.js` may be `shop/item.py` or `item/index.ts`. */
function createHint(sources: readonly string[]): (path: string) => boolean {
  const names = new Set(
    sources.flatMap((source) =>
      source
        .split(/[./:\\"'<>]+/)
        .filter((part) => part !== "" && !/^(?:[cm]?[jt]sx?|h|hpp)$/.test(part))
        .slice(-2),
    ),
  );
  return (path) => {
    const [folder = "", name = ""] = `/${path}`.split("/").slice(-2);
    return names.has(name.replace(/\..*/s, "")) || (folder !== "" && names.has(folder));
  };
}

export interface WireSymbol {
  name: string;
  /** As VS Code names its kinds of symbols. */
  kind: string;
  range: WireRange;
  children: WireSymbol[];
}

const maxSymbols = 2_000;
/** Kinds whose names in VS Code differ from ours by more than a capital letter. */
const otherKinds = new Map<SymbolKind, string>([
  ["trait", "Interface"],
  ["type", "TypeParameter"],
]);

/** From lines and columns that count from 1; `endColumn` is exclusive on both sides. */
export function toWireRange({ startLine, startColumn, endLine, endColumn }: CodeRange): WireRange {
  return {
    start: { line: startLine - 1, character: startColumn - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

/** The tree of a file's symbols, cut where it holds too many. */
function toWireSymbols(symbols: readonly CodeSymbol[]): WireSymbol[] {
  let left = maxSymbols;
  const convert = (level: readonly CodeSymbol[]): WireSymbol[] =>
    level.flatMap((symbol) => (left-- > 0 ? [toWireSymbol(symbol, convert(symbol.children))] : []));
  return convert(symbols);
}

export function toWireSymbol({ name, kind, range }: CodeSymbol, children: WireSymbol[]) {
  const shown = otherKinds.get(kind) ?? kind.charAt(0).toUpperCase() + kind.slice(1);
  return { name, kind: shown, range: toWireRange(range), children };
}

// Writes files of a folder as an agent asks, once the person has seen the change; `rightseat undo` takes it back.

const WriteParams = z.looseObject({
  abspath: z.string().min(1).max(4_096),
  before_hash: z.string().max(64).nullable(),
  text: z
    .string()
    .max(2 * 1_024 * 1_024)
    .nullable(),
});

interface WriterParts extends Pick<PersonParts, "terminal" | "texts" | "signal"> {
  root: string;
  request: string;
  /** Source files are written without asking. */
  isYes: boolean;
  person: Person | undefined;
  /** Where the journal is kept; the person's own place for it where absent. */
  stateFolder?: string | undefined;
}

/** Answers `/write_file`, one question after the other; `close` lets go of the folder. */
export function createFileWriter(parts: WriterParts) {
  const { root, stateFolder, request, isYes, person, terminal, texts, signal } = parts;
  const approvals = createApprovals({ now: Date.now });
  const locks = createLocks();
  const guard = createGuard(root);
  let opened: Promise<DirectoryWorkspace> | undefined;
  const open = (): Promise<DirectoryWorkspace> =>
    (opened ??= createSearchedWorkspace({ root, stateFolder, request, approvals }));
  const ask = createAsk({
    rules: {
      isYes,
      allows: () => false,
      guardOf: async (path) => guard(await (await open()).namesOf(path)),
    },
    approvals,
    person,
    texts,
    onRefusal: (paths) => note(texts.asksAlways(paths.map(escapeLine).join(", ")), terminal),
    onAllowed(diff) {
      const [before = "", after = ""] = diff.slice(diff.search(/^--- /m)).split("\n", 2);
      note(texts.writes(escapeLine(after.endsWith("/dev/null") ? before : after)), terminal);
    },
  });
  const write = async (params: unknown): Promise<IdeAnswer> => {
    const { data } = WriteParams.safeParse(params);
    if (data === undefined) return { error: "abspath, before_hash and text are needed." };
    const workspace = await open();
    const located = await workspace.locate(data.abspath);
    if (!located.ok) return { error: located.problem.message.en };
    const path = located.value;
    const names = await workspace.namesOf(path);
    if (names.some(isPrivatePath)) return { error: "Hidden files are not written." };
    const read = await workspace.read(path, { signal });
    if (!read.ok && read.problem.code !== "not-found") return { error: read.problem.message.en };
    const before = read.ok ? { text: read.value.text, hash: read.value.hash } : undefined;
    // As the other side knows the text: without a byte order mark, whatever the encoding.
    const hash = before === undefined ? null : await hashText(before.text);
    if (hash !== data.before_hash) return { error: "The file has changed since it was read." };
    const after = data.text ?? undefined;
    const checked = await workspace.check({ path, before, after }, { signal });
    if (!checked.ok) return { error: checked.problem.message.en };
    const change = checked.value;
    const diff = printChanges([change]);
    const decision = await ask({ kind: "change", changes: [change], diff, why: "" }, signal);
    if (!decision.ok) return { error: decision.reason };
    const applied = await workspace.apply(change, decision.approval, { signal });
    return applied.ok ? { result: true } : { error: applied.problem.message.en };
  };
  return {
    answer: (_: string, params: unknown) => locks.run("", () => write(params)),
    close: async (): Promise<void> => (await opened?.catch(() => undefined))?.close(),
  };
}
