// What the offline model answers, by command: true, and usable as it is.
import { fence } from "../../turn/context/fence.ts";
import { languageOf } from "../../code/language-of.ts";
import type { CodeAnalysis, CodeParser, CodeSymbol } from "../../code/code-analysis.ts";
import type { Steps } from "../../edit/steps.ts";
import type { ListedCase } from "../../turn/test-case.ts";
import type { Subject } from "../../turn/chat-model.ts";
import type { Slices } from "../../turn/slices.ts";
import { type OfflineCase, proposeCases } from "./cases.ts";
import { proposeDocComment } from "./docs.ts";
import { explainCode, maskComments } from "./explain.ts";
import { findRulesOf, type KnownChange, readChange } from "./explain-change.ts";
import { findMechanicalFixes } from "./fix.ts";
import { type CodePlace, placeOf, symbolOf } from "./place.ts";
import { code, list, paragraphs, quote } from "./print.ts";
import { queryOf, repairsOf } from "./repairs/repairs-of.ts";
import { findTestTarget } from "./test-target.ts";
import { testPathFor, writeTestSkeleton } from "./tests.ts";
import type { OfflineTexts } from "./texts.ts";
import { printFileEdit } from "./units.ts";

interface Scene {
  subject: Subject;
  analysis: CodeAnalysis;
  place: CodePlace;
  texts: OfflineTexts;
  /** The change that the question holds. */
  change?: KnownChange | undefined;
}

const writers: ReadonlyMap<string, (scene: Scene) => Steps<string>> = new Map([
  ["fix", writeFix],
  ["optimize", writeNoOptimization],
  ["docstring", writeDocComment],
  ["unittest", writeCases],
  ["unittest-write", writeTests],
  ["explain", writeExplanation],
  ["chat", writeChat],
]);

interface Asked {
  parser: CodeParser;
  slices: Slices;
  texts: OfflineTexts;
  signal: AbortSignal;
}

/** @throws the reason of the signal, once it is aborted */
export async function answerCommand(
  subject: Subject,
  { parser, texts, slices, signal }: Asked,
): Promise<string> {
  const { file, language, path, command } = subject;
  const isTest = command.startsWith("unittest");
  const name = path === "" ? texts.unnamed : code(path);
  const noCode = isTest ? texts.noCodeToTest(name) : texts.emptyCode(name);
  const nothing = paragraphs(texts.notice, file + path === "" ? texts.nothingOpen : noCode);
  const passages = command === "chat" ? writePassages(subject, texts) : "";
  if (file.trim() === "") return passages === "" ? nothing : paragraphs(texts.notice, passages);
  const steps = command === "explain" ? readChange(subject) : undefined;
  const change = steps && (await slices.run("offline model", steps, signal));
  const query = queryOf(repairsOf(languageOf(language, path)));
  const isSearched = query !== undefined && (command === "fix" || change !== undefined);
  const options = isSearched ? { signal, query } : { signal };
  const analysis = await parser.analyze(change?.before ?? file, language, path, options);
  const scene = { subject, analysis, place: placeOf(subject), texts, change };
  return slices.run("offline model", write(scene, nothing), signal);
}

/** @param nothing what is said where there is no code to test */
function* write(scene: Scene, nothing: string): Steps<string> {
  const { command, file } = scene.subject;
  if (command.startsWith("unittest")) {
    const masked = yield* maskComments(file, scene.analysis);
    if (masked.every((line) => line.trim() === "")) return nothing;
  }
  return yield* (writers.get(command) ?? writeOutline)(scene);
}

function* writeOutline({ subject, analysis, place, texts }: Scene, remark = ""): Steps<string> {
  const outline = yield* explainCode(subject, analysis, place, texts);
  return paragraphs(texts.notice, remark, outline);
}

/** Of a change that the question holds, the rules that make it. */
function* writeExplanation(scene: Scene): Steps<string> {
  const { change, analysis, texts } = scene;
  if (change === undefined || analysis.language === undefined) return yield* writeOutline(scene);
  const faults = yield* findRulesOf(change, analysis);
  const items = faults.map(({ line, says }) => texts.fault(line, says));
  const none = texts.noRuleOfChange(repairsOf(analysis.language).length);
  return paragraphs(texts.notice, list(texts.rulesOfChange, items, texts.more) || none);
}

function* writeChat(scene: Scene): Steps<string> {
  const { subject, texts } = scene;
  return yield* writeOutline(scene, paragraphs(writePassages(subject, texts), texts.freeQuestion));
}

function writePassages({ passages = [] }: Subject, texts: OfflineTexts): string {
  if (passages.length === 0) return "";
  const quoted = passages.map(({ source, text }) => `${code(source)}\n\n${quote(text)}`);
  return paragraphs(texts.passages, ...quoted);
}

function* writeNoOptimization({ texts }: Scene): Steps<string> {
  yield;
  return paragraphs(texts.notice, texts.noOptimization);
}

function* writeFix({ subject, analysis, place, texts }: Scene): Steps<string> {
  if (analysis.language === undefined) return paragraphs(texts.notice, texts.notRead);
  const { faults, units, left } = yield* findMechanicalFixes(place, analysis);
  if (faults.length === 0)
    return paragraphs(texts.notice, texts.noFault(repairsOf(analysis.language).length));
  const items = faults.map(({ line, says, change }) => {
    const text = texts.fault(line + place.linesAbove, says);
    return left.has(change) ? `${text} ${texts.faultLeft}` : text;
  });
  const edit = units.length === 0 ? "" : printFileEdit(subject.path, units);
  return paragraphs(texts.notice, list(texts.faults, items, texts.more), edit);
}

function* writeDocComment({ subject, analysis, place, texts }: Scene): Steps<string> {
  yield;
  const { file, language, path } = subject;
  const meant = symbolOf(analysis, place, path);
  const symbol = place.isWholeFile ? firstWithoutDoc(meant, analysis) : meant;
  const proposed = yield* proposeDocComment(file, language, analysis, symbol, texts);
  if ("refusal" in proposed) return paragraphs(texts.notice, texts.noDoc[proposed.refusal]);
  return paragraphs(texts.notice, printFileEdit(path, [proposed.unit]));
}

function firstWithoutDoc(main: CodeSymbol | undefined, { symbols }: CodeAnalysis): typeof main {
  if (main === undefined || main.docComment === undefined) return main;
  const isPlain = ({ docComment, kind }: CodeSymbol): boolean =>
    docComment === undefined && kind !== "variable" && kind !== "module";
  return symbols.find(isPlain) ?? main;
}

/** The JSON that flows ask models for. */
function* writeCases(scene: Scene): Steps<string> {
  yield;
  const known = descriptionsOf(scene.subject.facts.knownCases);
  return `${JSON.stringify({ test_cases: casesOf(scene, known) })}\n`;
}

function casesOf(scene: Scene, known: readonly string[]): OfflineCase[] {
  const { analysis, place, texts } = scene;
  const symbol = symbolOf(analysis, place, scene.subject.path);
  const { startLine, endLine, linesAbove } = place;
  const lines = { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 };
  const parameters = (symbol?.parameters ?? []).map(({ name }) => name);
  const subject = {
    name: targetOf(scene).name,
    parameters,
    range: symbol?.range ?? lines,
    linesAbove,
  };
  return proposeCases(subject, analysis, new Set(known), texts);
}

function* writeTests(scene: Scene): Steps<string> {
  yield;
  const { facts, language } = scene.subject;
  const chosen = descriptionsOf(facts.chosenCases);
  const cases = chosen.length > 0 ? chosen : descriptionsOf(casesOf(scene, []));
  const target = targetOf(scene);
  yield;
  const skeleton = writeTestSkeleton(facts.framework ?? "", target, cases, scene.texts);
  return paragraphs(code(target.testPath), fence(skeleton, language), scene.texts.skeletonNote);
}

function descriptionsOf(cases: readonly Pick<ListedCase, "description">[] = []): string[] {
  return cases.map(({ description }) => description);
}

function targetOf({ subject, analysis, place, texts }: Scene): ReturnType<typeof findTestTarget> {
  const { file: source, path, language, facts } = subject;
  const { startLine, endLine, linesAbove } = place;
  const fallback = texts.codeOfLines(startLine + linesAbove, endLine + linesAbove);
  const testPath = facts.testPath || testPathFor(path);
  const files = { source, path, testPath, language };
  return findTestTarget(analysis, symbolOf(analysis, place, path), fallback, files);
}
