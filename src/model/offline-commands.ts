// What the offline model answers to commands that want more than an outline: true, and usable as it is.
import type { CodeAnalysis, CodeParser, CodeSymbol } from "../symbols/code-analysis.ts";
import { symbolAt } from "../symbols/symbol-at.ts";
import type { Subject } from "../turn/chat-model.ts";
import { proposeDocComment } from "./offline-docs.ts";
import { findMechanicalFixes, printFileEdit } from "./offline-fix.ts";
import { proposeCases, writeTestSkeleton } from "./offline-tests.ts";
import type { OfflineTexts } from "./offline-texts.ts";

type Write = (subject: Subject, analysis: CodeAnalysis, texts: OfflineTexts) => string;

const writers: ReadonlyMap<string, Write> = new Map([
  ["fix", writeFix],
  ["optimize", (_subject, _analysis, texts) => `${texts.notice}\n\n${texts.noOptimization}\n`],
  ["docstring", writeDocComment],
  ["unittest", writeCases],
  ["unittest-write", writeTests],
]);

/** Undefined for commands that get the outline. */
export async function answerCommand(
  subject: Subject,
  code: CodeParser,
  texts: OfflineTexts,
): Promise<string | undefined> {
  const write = writers.get(subject.command);
  if (write === undefined) return undefined;
  const analysis = await code.analyze(subject.file, subject.language, subject.path);
  return write(subject, analysis, texts);
}

function writeFix(subject: Subject, analysis: CodeAnalysis, texts: OfflineTexts): string {
  const { file, language, path } = subject;
  const place = placeOf(subject);
  const { faults, units } = findMechanicalFixes(file, language, place, analysis);
  if (units.length === 0) return `${texts.notice}\n\n${texts.noFault}\n`;
  const list = faults.map(({ line, fault }) => `- ${texts.fault(line, fault)}`).join("\n");
  return `${texts.notice}\n\n${list}\n\n${printFileEdit(path, units)}`;
}

function writeDocComment(subject: Subject, analysis: CodeAnalysis, texts: OfflineTexts): string {
  const symbol = symbolOf(subject, analysis) ?? analysis.symbols[0];
  const { file, language, path } = subject;
  const unit = symbol && proposeDocComment(file, language, symbol, texts);
  return unit === undefined
    ? `${texts.notice}\n\n${texts.hasDoc}\n`
    : `${texts.notice}\n\n${printFileEdit(path, [unit])}`;
}

function writeCases(subject: Subject, analysis: CodeAnalysis, texts: OfflineTexts): string {
  const symbol = symbolOf(subject, analysis);
  return proposeCases(symbol?.name ?? subject.path, symbol, analysis, texts);
}

function writeTests(subject: Subject, analysis: CodeAnalysis, texts: OfflineTexts): string {
  const { variables, path, language } = subject;
  const framework = variables.get("framework") ?? "";
  const testPath = variables.get("testPath") ?? "";
  const cases = (variables.get("cases") ?? "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\d+\.\s*)?(?:(?:happy path|edge case):\s*)?/, "").trim())
    .filter((line) => line !== "");
  const name = symbolOf(subject, analysis)?.name ?? "subject";
  const code = writeTestSkeleton(framework, name, cases, path);
  return `\`${testPath}\`\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n${texts.skeletonNote}\n`;
}

function symbolOf(subject: Subject, analysis: CodeAnalysis): CodeSymbol | undefined {
  return symbolAt(analysis, placeOf(subject).startLine);
}

function placeOf({ place, file }: Subject): { startLine: number; endLine: number } {
  return place ?? { startLine: 1, endLine: file.split("\n").length };
}
