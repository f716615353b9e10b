// What tests are written for: the code, the definitions that it uses, and a test to follow.
import { fence } from "../context/fence.ts";
import type { CodeAnalysis, CodeSymbol } from "../symbols/code-analysis.ts";
import { flattenSymbols } from "../symbols/flatten-symbols.ts";
import { AppError } from "../errors/app-error.ts";
import type { ChatRequest } from "../turn/chat-model.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import { prepare } from "./answer.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Services } from "./flow.ts";
import { type Place, placeOf } from "./place.ts";
import { type TestFramework, findTestFramework } from "./test-framework.ts";
import { textsFor } from "./texts.ts";
import { withVariables } from "./with-variables.ts";

export interface TestSubject {
  place: Place;
  analysis: CodeAnalysis;
  framework: TestFramework | undefined;
  /** For templates, the first to be dropped first: definitions, reference test, class. */
  variables: Record<string, string>;
}

const mostDefinitions = 10;
const longestDefinition = 4_000;

export async function findTestSubject(
  turn: Turn,
  services: Services,
  target: EditTarget,
): Promise<TestSubject> {
  const analysis = await services.code.analyze(target.text, target.language, target.path);
  const place = namedPlace(turn, target, analysis) ?? placeOf(turn, target, analysis);
  const framework = findTestFramework(target.language, turn.context.packageFiles);
  const testPath = framework?.testPath(target.path) ?? "";
  return {
    place,
    analysis,
    framework,
    variables: {
      subject: printSubject(turn, target, place),
      placeLines: `${place.startLine}-${place.endLine}`,
      definitions: printDefinitions(target, analysis, place),
      referenceTest: referenceTestOf(turn),
      framework: framework?.name ?? "",
      frameworkNote: framework?.note ?? "",
      testPath,
    },
  };
}

/**
 * Builds the prompt with as much of the subject as the model's window takes: first the definitions go,
 * then the reference test, then the rest of the class around the function.
 *
 * @throws AppError `prompt_too_large` if the function alone is too much
 */
export function prepareForTests(
  turn: Turn,
  services: Services,
  variables: Readonly<Record<string, string>>,
): { receipt: TurnEvent; request: ChatRequest; asked: Turn } {
  const steps = [[], ["definitions"], ["definitions", "referenceTest"]];
  for (const dropped of steps) {
    const kept = Object.entries(variables).filter(([name]) => !dropped.includes(name));
    const asked = withVariables(turn, Object.fromEntries(kept));
    try {
      return { ...prepare(asked, services), asked };
    } catch (thrown) {
      const isTooLarge = thrown instanceof AppError && thrown.code === "prompt_too_large";
      if (!isTooLarge || dropped === steps.at(-1)) throw thrown;
    }
  }
  throw new AppError("internal", "No step of the ladder was taken.");
}

/** The functions and methods of a file, from which one is chosen if nothing is selected. */
export function functionsOf({ symbols }: CodeAnalysis): CodeSymbol[] {
  const kinds = ["function", "method", "constructor"];
  return flattenSymbols(symbols).filter(
    ({ kind, body }) => kinds.includes(kind) && body !== undefined,
  );
}

const linesPattern = /\[lines (\d+)-(\d+)\]/;

/** Names the place of a symbol in a prompt; read back by {@link findTestSubject}. */
export function markLines({ range }: CodeSymbol, target: EditTarget): string {
  return `[lines ${range.startLine + target.linesAbove}-${range.endLine + target.linesAbove}]`;
}

/** The place that a click has named. */
function namedPlace(turn: Turn, target: EditTarget, analysis: CodeAnalysis): Place | undefined {
  const match = linesPattern.exec(turn.context.userInputPrompt ?? "");
  if (match === null) return undefined;
  const startLine = Number(match[1]) - target.linesAbove;
  const endLine = Number(match[2]) - target.linesAbove;
  const symbol = functionsOf(analysis).find(({ range }) => range.startLine === startLine);
  return { kind: "symbol", startLine, endLine, symbol };
}

function printSubject(turn: Turn, target: EditTarget, place: Place): string {
  const { startLine, endLine, symbol } = place;
  const { linesAbove, path, language } = target;
  const code = linesBetween(target.text, startLine, endLine);
  const name = [symbol?.container, symbol?.name].filter((part) => part).join(".");
  const head = textsFor(turn.locale).subject(
    path,
    name,
    startLine + linesAbove,
    endLine + linesAbove,
  );
  return `${head}\n${fence(code, language)}`;
}

/** What the code uses and this file defines, imports first. */
function printDefinitions(target: EditTarget, analysis: CodeAnalysis, place: Place): string {
  const { startLine, endLine } = place;
  const range = { startLine, startColumn: 1, endLine, endColumn: Number.MAX_SAFE_INTEGER };
  const used = new Set(analysis.identifiersIn(range));
  const isOutside = (symbol: CodeSymbol) =>
    symbol.range.endLine < startLine || symbol.range.startLine > endLine;
  const symbols = flattenSymbols(analysis.symbols)
    .filter((symbol) => used.has(symbol.name) && isOutside(symbol))
    .slice(0, mostDefinitions);
  const parts = [
    ...analysis.imports.map(({ range: lines }) =>
      linesBetween(target.text, lines.startLine, lines.endLine),
    ),
    ...symbols.map((symbol) =>
      linesBetween(target.text, symbol.range.startLine, symbol.range.endLine).slice(
        0,
        longestDefinition,
      ),
    ),
  ];
  return parts.length === 0 ? "" : fence(parts.join("\n\n"), target.language);
}

/** The best passage of the knowledge that is a test. */
function referenceTestOf({ context }: Turn): string {
  const references = (context.knowledgeBase ?? []).flatMap((base) => base.references ?? []);
  const isTest = /(?:^|[/_.-])(?:test|tests|spec|specs)(?:[/_.-]|$)|Tests?\.\w+$/;
  const reference = references.find(({ metadata }) =>
    isTest.test(metadata?.fileName || metadata?.source || ""),
  );
  return reference === undefined ? "" : fence(reference.chunk);
}

function linesBetween(text: string, startLine: number, endLine: number): string {
  return text
    .split(/\r?\n/)
    .slice(startLine - 1, endLine)
    .join("\n");
}
