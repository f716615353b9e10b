import { fence } from "../../context/fence.ts";
import { referencesOf, sourceOf } from "../../context/knowledge-base.ts";
import { languageOf } from "../../context/language.ts";
import type { CodeAnalysis, CodeRange } from "../../code/code-analysis.ts";
import { findDefinitions } from "../../code/find-definitions.ts";
import type { Turn } from "../../turn/turn.ts";
import type { EditTarget } from "../edit/edit-target.ts";
import type { Services } from "../flow.ts";
import { linesBetween } from "../place/lines-between.ts";

const maxDefinitions = 10;
const maxDefinition = 4_000;
/** Passages of knowledge that are looked into. */
const maxPassages = 20;

interface GivenFile {
  /** Undefined: the editor's. */
  source?: string;
  text: string;
  language: string;
  analysis: CodeAnalysis;
}

type Lines = Pick<CodeRange, "startLine" | "endLine">;

/**
 * What the code uses, as far as the editor's file or a passage of the knowledge defines it, after the
 * imports of the file.
 *
 * @param code the lines of the target that use it
 * @param known the lines of the target that the prompt shows anyway
 */
export async function printDefinitions(
  turn: Turn,
  services: Services,
  target: EditTarget,
  code: Lines,
  known: Lines = code,
): Promise<string> {
  const { text, language, path } = target;
  const { signal } = turn;
  const analysis = await services.code.analyze(text, language, path, { signal });
  const own: GivenFile = { text, language, analysis };
  const files = [own, ...(await readPassages(turn, services))];
  const used = analysis.identifiersIn({ ...code, startColumn: 1, endColumn: Infinity });
  const found = findDefinitions(used, files)
    .filter(({ file, symbol }) => file !== own || !overlap(symbol.range, known))
    .slice(0, maxDefinitions);
  const inFile = [
    ...analysis.imports,
    ...found.flatMap((one) => (one.file === own ? one.symbol : [])),
  ];
  const inPassages = found.filter(({ file }) => file !== own);
  return [
    ...(inFile.length === 0 ? [] : [printAll(own, inFile)]),
    ...inPassages.map(({ file, symbol }) => `${file.source}\n${printAll(file, [symbol])}`),
  ].join("\n\n");
}

async function readPassages({ context, signal }: Turn, { code }: Services): Promise<GivenFile[]> {
  const references = referencesOf(context.knowledgeBase ?? []).filter(
    ({ metadata }) => languageOf(metadata?.fileName || metadata?.source || "") !== "",
  );
  return Promise.all(
    references.slice(0, maxPassages).map(async (reference) => {
      const name = reference.metadata?.fileName || reference.metadata?.source || "";
      const analysis = await code.analyze(reference.chunk, undefined, name, { signal });
      return {
        source: sourceOf(reference),
        text: reference.chunk,
        language: languageOf(name),
        analysis,
      };
    }),
  );
}

function overlap(one: Lines, other: Lines): boolean {
  return one.startLine <= other.endLine && one.endLine >= other.startLine;
}

function printAll({ text, language }: GivenFile, parts: readonly { range: Lines }[]): string {
  const texts = parts.map(({ range }) =>
    linesBetween(text, range.startLine, range.endLine).slice(0, maxDefinition),
  );
  return fence(texts.join("\n\n"), language);
}
