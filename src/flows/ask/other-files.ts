// Files of the request beside the one in the editor, and what they define.
import { type KnowledgeReference, originOf, referencesOf } from "../../turn/context/variables.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { findDefinitions } from "../../code/symbols.ts";
import { fence } from "../../base/text/fence.ts";
import { isRecord } from "../../base/text/json.ts";
import { languageOf } from "../../turn/context/language.ts";
import { oneLine } from "../../base/errors/names.ts";
import type { Turn } from "../../turn/turn.ts";
import type { Services } from "../flow.ts";
import { textOfLines } from "../place/find-names.ts";

export interface OtherFile {
  /** As the prompt names it. */
  source: string;
  path: string;
  text: string;
  /** Else a passage of it. */
  isWhole: boolean;
}

type IsWanted = (file: OtherFile) => boolean;

/** Of each kind so many are looked into. */
const maxFiles = 20;
const maxDefinitions = 10;
/** Passages of each knowledge base that are sorted; retrieval mostly sends the best first. */
const maxPassages = 500;
/** In characters. */
const [maxFile, maxDefinition, maxPath] = [200_000, 4_000, 1_000];
/** What a token is long at least, in characters of usual code. */
const charactersPerToken = 3;
/** These define nothing that code could use. */
const dataLanguages = new Set(["", "json", "toml", "xml", "yaml", "markdown", "html", "css"]);

/** What variables of clients call the path and the text of a file. */
const [pathFields, textFields] = [
  ["filePath", "filepath", "path", "fileName"],
  ["content", "text"],
];

/**
 * The files of code that a prompt would not hold otherwise: those of variables that nobody documents, and package
 * files and passages of knowledge where its templates do not print them, or where there is too much of them.
 */
export function listOtherFiles(turn: Turn, templates: readonly string[]): OtherFile[] {
  const { context, model } = turn;
  const { packageFiles = [], knowledgeBase = [] } = context;
  if (packageFiles.length + knowledgeBase.length + context.others.size === 0) return [];
  const isPrinted = (name: string): boolean => templates.some((text) => text.includes(name));
  const budget = (model.contextWindow - model.answerReserve) * charactersPerToken;
  let size = 0;
  for (const { content } of packageFiles) size += content.length;
  for (const { references } of knowledgeBase)
    for (const { chunk } of references ?? []) size += chunk.length;
  const isCut = size > budget / 2;
  const packages = packagesOf(turn);
  return [
    ...codeOf([...context.others.values()].flatMap((value) => readFiles(value))),
    ...(packages.length === 0 || (isPrinted("packageFiles") && !isCut) ? [] : codeOf(packages)),
    ...(isPrinted("knowledgeBase") && !isCut ? [] : listPassages(turn)),
  ];
}

/** The first of the wanted files of code: package files, those of variables that nobody documents, then passages. */
export function listWantedFiles(turn: Turn, isWanted: IsWanted): OtherFile[] {
  const { others } = turn.context;
  const given = [...others.values()].flatMap((value) => readFiles(value, maxPassages));
  return [
    ...codeOf(packagesOf(turn), isWanted),
    ...codeOf(given, isWanted),
    ...listPassages(turn, isWanted),
  ];
}

function packagesOf({ context }: Turn): OtherFile[] {
  return (context.packageFiles ?? []).map(({ filepath, content }) => toFile(filepath, content));
}

/** The best passages of knowledge that are code. */
function listPassages({ context }: Turn, isWanted?: IsWanted): OtherFile[] {
  const bases = (context.knowledgeBase ?? []).slice(0, maxPassages);
  const first = bases.map((base) => ({
    ...base,
    references: base.references?.slice(0, maxPassages),
  }));
  return codeOf(referencesOf(first).slice(0, maxPassages).map(fromReference), isWanted);
}

function fromReference(reference: KnowledgeReference): OtherFile {
  const { fileName, source } = reference.metadata ?? {};
  const path = fileName || source || "";
  return { source: originOf(reference), path, text: reference.chunk, isWhole: false };
}

function readFiles(value: unknown, most = maxFiles): OtherFile[] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, most) : [value];
  return items.filter(isRecord).flatMap((item) => {
    const read = (names: readonly string[] = []): string =>
      names.map((name) => item[name]).find((field) => typeof field === "string") ?? "";
    const [path, text] = [read(pathFields), read(textFields)];
    return path === "" || text === "" ? [] : [toFile(path, text)];
  });
}

function toFile(path: string, text: string): OtherFile {
  return { source: oneLine(path), path, text, isWhole: true };
}

function codeOf(files: readonly OtherFile[], isWanted: IsWanted = () => true): OtherFile[] {
  return files
    .filter(({ path, text }) => path.length <= maxPath && text.length <= maxFile)
    .filter((file) => !dataLanguages.has(languageOf(file.path)) && isWanted(file))
    .slice(0, maxFiles);
}

/** What files define of some names, each under its file; "" for nothing. */
export async function printOtherDefinitions(
  { signal }: Turn,
  { code }: Services,
  names: readonly string[],
  files: readonly OtherFile[],
): Promise<string> {
  const read = files.map(async (file): Promise<OtherFile & { analysis: CodeAnalysis }> => {
    const analysis = await code.analyze(file.text, undefined, file.path, { signal });
    return { ...file, analysis };
  });
  return findDefinitions(names, await Promise.all(read))
    .slice(0, maxDefinitions)
    .map(({ file, symbol: { range } }) => {
      const { source } = file.analysis;
      const text = textOfLines(source, range.startLine, range.endLine).slice(0, maxDefinition);
      return `${file.source}\n${fence(text, languageOf(file.path))}`;
    })
    .join("\n\n");
}
