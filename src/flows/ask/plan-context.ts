// One plan of context for all built-in prompts: what of the editor's file they show, and what other files of the
// request define of it.
import * as z from "zod";
import { type ActiveEditor, cursorLineOf, focusOf } from "../../turn/context/active-editor.ts";
import { countLines } from "../../base/text/lines.ts";
import type { CodeAnalysis } from "../../code/code-analysis.ts";
import { findDefinitions, symbolAt } from "../../code/symbols.ts";
import type { LineRange } from "../../edit/edit-unit.ts";
import { type FilePlan, costOfLines, linesAround, planFile } from "../../prompt/plan-file.ts";
import type { Focus } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, analyzeTarget, hasCode, targetOf } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import { fence } from "../../base/text/fence.ts";
import { type KnowledgeReference, referencesOf, sourceOf } from "../../turn/context/variables.ts";
import { languageOf } from "../../turn/context/language.ts";
import { oneLine } from "../../base/errors/names.ts";
import { textOfLines } from "../place/lines-within.ts";

/** Of the model's window so much is for the file. */
const shareOfWindow = 1 / 3;

/** What a prompt is told by the plan. */
export interface PlannedContext {
  file?: FilePlan;
  /** Definitions from other files; "" where there is none. */
  definitions?: string;
}

export interface PlanOptions {
  /** The texts of the prompt: what they print as a whole needs no definitions out of it. */
  templates: readonly string[];
  /** Without a place all of a file is meant; else a long one is shown in outline. */
  meansWhole: boolean;
}

/**
 * A file that takes no more than its share of the model's window is shown whole, and then mostly nothing is
 * parsed. Of a longer one the place is shown with what belongs to it.
 */
export async function planContext(
  turn: Turn,
  services: Services,
  focus: Focus,
  options: PlanOptions,
): Promise<PlannedContext> {
  const editor = turn.context.activeEditor;
  if (editor === undefined) return {};
  const seen = focusOf(editor);
  const target = targetOf(editor, seen);
  if (!hasCode(target)) return {};
  const share = Math.floor(turn.model.contextWindow * shareOfWindow);
  const maxTokens = Math.min(share, services.maxFileTokens);
  const isSmall = fits(target.text, maxTokens);
  const others = listOtherFiles(turn, options.templates);
  if (isSmall && others.length === 0) {
    const place = placeIn(editor, seen, focus, target) ?? firstLine(seen);
    return { file: { isWhole: true, maxTokens, place, parts: () => linesAround(place) } };
  }
  const analysis = await analyzeTarget(turn, services, target);
  const meant = placeIn(editor, seen, focus, target, analysis);
  const { parts, names } = planFile(analysis, meant);
  const place = meant ?? firstLine(seen);
  const rest = meant === undefined && !options.meansWhole ? [] : linesAround(place);
  const isWhole = isSmall || (meant === undefined && options.meansWhole);
  const all = isWhole ? [...parts, ...rest] : parts;
  const file = { isWhole, maxTokens, place, parts: () => all };
  return { file, definitions: await printOtherDefinitions(turn, services, names, others) };
}

/** What the editor shows or has selected. */
type SeenLines = ReturnType<typeof focusOf>;

function fits(text: string, maxTokens: number): boolean {
  // A token is hardly ever longer; long texts are not counted then.
  if (text.length > maxTokens * 8) return false;
  return costOfLines(text, countLines(text)) <= maxTokens;
}

/** What is meant, where that is less than the file: what the flow knows, the selection, the code at the cursor, what is visible. */
function placeIn(
  editor: ActiveEditor,
  { kind, startLine, endLine }: SeenLines,
  { place }: Focus,
  { text }: EditTarget,
  analysis?: CodeAnalysis,
): LineRange | undefined {
  if (place !== undefined && !(place.startLine <= 1 && place.endLine >= countLines(text)))
    return place;
  if (kind === "selection") return { startLine, endLine };
  const line = cursorLineOf(editor);
  if (line !== undefined) {
    const { range } = (analysis && symbolAt(analysis, line)) ?? {};
    return range ?? { startLine: line, endLine: line };
  }
  return kind === "visible" ? { startLine, endLine } : undefined;
}

function firstLine({ startLine }: SeenLines): LineRange {
  return { startLine, endLine: startLine };
}

// Files of the request beside the one in the editor, and what they define.

export interface OtherFile {
  /** As the prompt names it. */
  source: string;
  path: string;
  text: string;
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

/** A file as variables of clients spell it. */
const GivenFile = z
  .looseObject({
    filePath: z.string().optional(),
    filepath: z.string().optional(),
    path: z.string().optional(),
    fileName: z.string().optional(),
    content: z.string().optional(),
    text: z.string().optional(),
  })
  .transform(({ filePath, filepath, path, fileName, content, text }) => ({
    path: filePath ?? filepath ?? path ?? fileName ?? "",
    text: content ?? text ?? "",
  }));

/**
 * The files of code that a prompt would not hold otherwise: those of variables that nobody documents, and package
 * files and passages of knowledge where its templates do not print them, or where there is too much of them.
 *
 * @param templates texts of the prompt
 */
function listOtherFiles(turn: Turn, templates: readonly string[]): OtherFile[] {
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
  const packages = packageFiles.map(({ filepath, content }) => toFile(filepath, content));
  return [
    ...codeOf([...context.others.values()].flatMap((value) => readFiles(value))),
    ...(packages.length === 0 || (isPrinted("packageFiles") && !isCut) ? [] : codeOf(packages)),
    ...(isPrinted("knowledgeBase") && !isCut ? [] : listPassages(turn)),
  ];
}

/** Files of code that came whole: of package files, and of variables that nobody documents; the first of those wanted. */
export function listGivenFiles({ context }: Turn, isWanted: IsWanted): OtherFile[] {
  const packages = (context.packageFiles ?? []).map(({ filepath, content }) =>
    toFile(filepath, content),
  );
  const others = [...context.others.values()].flatMap((value) => readFiles(value, maxPassages));
  return [...codeOf(packages, isWanted), ...codeOf(others, isWanted)];
}

/** The best passages of knowledge that are code. */
export function listPassages({ context }: Turn, isWanted?: IsWanted): OtherFile[] {
  const bases = (context.knowledgeBase ?? []).slice(0, maxPassages);
  const first = bases.map((base) => ({
    ...base,
    references: base.references?.slice(0, maxPassages),
  }));
  return codeOf(referencesOf(first).slice(0, maxPassages).map(fromReference), isWanted);
}

function fromReference(reference: KnowledgeReference): OtherFile {
  const { fileName, source } = reference.metadata ?? {};
  return { source: sourceOf(reference), path: fileName || source || "", text: reference.chunk };
}

function readFiles(value: unknown, most = maxFiles): OtherFile[] {
  return (Array.isArray(value) ? value.slice(0, most) : [value]).flatMap((item) => {
    const { path, text } = GivenFile.safeParse(item).data ?? { path: "", text: "" };
    return path === "" || text === "" ? [] : [toFile(path, text)];
  });
}

function toFile(path: string, text: string): OtherFile {
  return { source: oneLine(path), path, text };
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
