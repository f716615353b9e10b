// What tests are written for: the place of the code, the framework, and a test to follow.
import { type ExistingTests, findProjectTests, isAmongTests } from "./project-tests.ts";
import { fence } from "../../base/text/fence.ts";
import { referencesOf } from "../../turn/context/variables.ts";
import type { CodeAnalysis, CodeSymbol } from "../../code/code-analysis.ts";
import { type Focus, type PromptFacts, withFacts } from "../../turn/focus.ts";
import type { Turn } from "../../turn/turn.ts";
import { type EditTarget, analyzeTarget } from "../place/edit-target.ts";
import type { Services } from "../flow.ts";
import { fullName, textOfLines } from "../place/match-names.ts";
import type { NamedLines } from "../place/place-words.ts";
import { type Place, placeOf } from "../place/place.ts";
import { type TestFramework, findTestFramework } from "./test-framework.ts";
import { textsFor } from "../texts.ts";
import type { ChatRequest } from "../../turn/chat-model.ts";
import type { TurnEvent } from "../../turn/turn-event.ts";
import { type FlowPlan, prepare } from "../ask/answer.ts";

export interface TestSubject {
  place: Place;
  analysis: CodeAnalysis;
  framework: TestFramework | undefined;
  /** The test file that is there already. */
  existing: ExistingTests | undefined;
  /** For the prompt; "" where there is nothing to tell. */
  facts: PromptFacts;
}

export async function findTestSubject(
  turn: Turn,
  services: Services,
  target: EditTarget,
  given: Focus,
): Promise<TestSubject> {
  const analysis = await analyzeTarget(turn, services, target);
  const place = onlyFunction(placeOf(turn, target, analysis), analysis);
  const { packageFiles } = turn.context;
  const signs = {
    prompt: `${turn.context.userInputPrompt ?? ""}\n${given.facts.wishes ?? ""}`,
    imports: printImports(analysis),
  };
  const find = (tests: string): { framework: TestFramework | undefined; usual: string } => {
    const framework = findTestFramework(target.language, packageFiles, { ...signs, tests });
    return { framework, usual: framework?.testPath(target.path, packageFiles ?? []) ?? "" };
  };
  const tests = findProjectTests(turn, target, analysis, find("").usual);
  const reference = given.facts.referenceTest ?? referenceTestOf(turn);
  const { framework, usual } = find(`${tests.followed}\n${reference}`);
  return {
    place,
    analysis,
    framework,
    existing: tests.existing,
    facts: {
      // Of a whole file nothing is around.
      place: place.kind === "file" ? "" : nameOf(place, target),
      subject: printSubject(turn, target, place, analysis),
      referenceTest: reference,
      framework: framework?.name ?? "",
      frameworkNote: framework?.note ?? "",
      testPath: framework?.isInSource === true ? usual : tests.path || usual,
      ...tests.facts,
    },
  };
}

function printImports({ imports, source }: CodeAnalysis): string {
  return imports.map(({ range }) => textOfLines(source, range.startLine, range.endLine)).join("\n");
}

/** A file with a single function is about that one. */
function onlyFunction(place: Place, analysis: CodeAnalysis): Place {
  const [only, ...others] = place.kind === "file" ? findTestable(analysis) : [];
  if (only === undefined || others.length > 0) return place;
  const { startLine, endLine } = only.symbol.range;
  return { kind: "symbol", startLine, endLine, symbol: only.symbol };
}

/** For the prompts of the next steps, which are about the same code wherever the cursor is by then. */
export function testedPlace({ place }: TestSubject, { named }: Focus): NamedLines {
  if (named !== undefined) return named;
  const { symbol, startLine, endLine } = place;
  const isWhole = symbol?.range.startLine === startLine && symbol.range.endLine === endLine;
  return { startLine, endLine, ...(isWhole ? { name: fullName(symbol) } : {}) };
}

/** The code under test, for a person: its name, else its lines. */
export function nameOf({ symbol, startLine, endLine }: Place, { path }: EditTarget): string {
  return symbol?.name ?? `${path}:${startLine}-${endLine}`;
}

function printSubject(
  turn: Turn,
  target: EditTarget,
  place: Place,
  { source }: CodeAnalysis,
): string {
  const { startLine, endLine, symbol } = place;
  const { path, language } = target;
  const name = symbol === undefined ? "" : fullName(symbol);
  const head = textsFor(turn.locale).subject(path, name, startLine, endLine);
  return `${head}\n${fence(textOfLines(source, startLine, endLine), language)}`;
}

/** The best passage of the knowledge that is a test. */
function referenceTestOf({ context }: Turn): string {
  const reference = referencesOf(context.knowledgeBase ?? []).find(({ metadata }) =>
    isAmongTests(metadata?.fileName || metadata?.source || ""),
  );
  return reference === undefined ? "" : fence(reference.chunk);
}

const plan: FlowPlan = {
  // Without a place nothing around it is shown.
  spare: ["definitions", "referenceTest", "testFile", "place"],
  repeatsDefinitions: true,
  // The cases came from it.
  shown: ["userInputPrompt"],
};

/**
 * Builds the prompt with as much of the subject as the model's window takes: package files, knowledge and
 * history go first, then lines of the file, then definitions from other files, then the reference test, then all that is around it. The
 * receipt names what went.
 *
 * @throws AppError `prompt_too_large` if the function alone is too much
 */
export function prepareForTests(
  turn: Turn,
  services: Services,
  given: Focus,
  { place: { startLine, endLine }, facts }: TestSubject,
): Promise<{ receipt: TurnEvent; request: ChatRequest; focus: Focus }> {
  // What the request says itself is stronger than what was found.
  const known = { ...facts, ...given.facts };
  const focus = { ...withFacts(given, known), place: { startLine, endLine } };
  return prepare(turn, services, focus, undefined, plan);
}

export interface TestableFunction {
  symbol: CodeSymbol;
  /** With the types around it: `Cart.total`. */
  name: string;
}

const callable = /^(?:function|method|constructor)$/;
const testModule = /^(?:tests?|specs?)$/i;

/**
 * The functions and methods of a file that tests can call: none that are local to others, no destructors,
 * and none of a module of tests.
 */
export function findTestable({ symbols }: CodeAnalysis): TestableFunction[] {
  return symbols.flatMap((symbol) => collect(symbol, []));
}

function collect(symbol: CodeSymbol, types: readonly string[]): TestableFunction[] {
  const { kind, name, body, children } = symbol;
  if (kind === "module") {
    return testModule.test(name) ? [] : children.flatMap((child) => collect(child, types));
  }
  if (!callable.test(kind)) return children.flatMap((child) => collect(child, [...types, name]));
  if (body === undefined || name.startsWith("~")) return [];
  return [{ symbol, name: nameWith(types, symbol) }];
}

/** A method that is written apart from its type names it as its container. */
function nameWith(types: readonly string[], { name, container }: CodeSymbol): string {
  const around = types.length > 0 || container === undefined ? types : [container];
  return [...around, name].join(".");
}
