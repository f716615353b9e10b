import type { CodeAnalysis, CodeParser, CodeSymbol } from "../../code/code-analysis.ts";
import { bareCode } from "../../code/same-code.ts";
import { languageOf } from "../../code/language-of.ts";
import { fence } from "../../base/text/fence.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";
import type { ChatRequest, Subject } from "../../turn/chat-model.ts";
import type { EndReason, ModelEvent } from "../../turn/turn-event.ts";
import { applyUnits } from "../../edit/apply-units.ts";
import { formatUnifiedDiff } from "../../edit/unified-diff.ts";
import { parseDiff } from "../../edit/read/parse-diff.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import {
  type Scene,
  code,
  cut,
  explainCode,
  list,
  paragraphs,
  placeOf,
  symbolOf,
} from "./explain.ts";
import { findFaults, maxRepairs, queryOf } from "./fix.ts";
import { proposeCases, testPathFor, writeTestSkeleton } from "./tests.ts";
import { type OfflineTexts, offlineTexts } from "./texts.ts";

/** Characters of a passage that are shown. */
const maxPassage = 1200;

/**
 * Says what the code that a turn is about consists of, and claims nothing that the text does not show. The same
 * request gets the same answer.
 *
 * @param parser reads the code
 * @param isIntroduced whether the person knows what answers here
 */
export async function* answerOffline(
  { messages, subject, locale = "en" }: ChatRequest,
  signal: AbortSignal,
  parser: CodeParser,
  isIntroduced: boolean,
): AsyncGenerator<ModelEvent, EndReason, void> {
  const texts = { ...offlineTexts(locale), ...(isIntroduced ? { notice: "" } : {}) };
  const about = subject?.();
  const answer = about
    ? await answerCommand(about, parser, texts, signal)
    : paragraphs(texts.notice, texts.nothingOpen);
  // As a model streams.
  for (const text of answer.split(/(?<=\n)/)) {
    signal.throwIfAborted();
    yield { type: "text-delta", text };
  }
  const prompt_tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
  const completion_tokens = estimateTokens(answer);
  const total_tokens = prompt_tokens + completion_tokens;
  yield { type: "usage", usage: { prompt_tokens, completion_tokens, total_tokens } };
  return "stop";
}

/** What is said, by command; of all others, and of code that is asked about, what it consists of. */
const writers: ReadonlyMap<string, (scene: Scene) => string> = new Map([
  ["fix", writeFix],
  ["optimize", ({ texts }: Scene) => paragraphs(texts.notice, texts.noOptimization)],
  ["docstring", writeDocComment],
  ["unittest", writeCases],
  ["unittest-write", writeTests],
]);

/** @throws the reason of the signal, once it is aborted */
async function answerCommand(
  subject: Subject,
  parser: CodeParser,
  texts: OfflineTexts,
  signal: AbortSignal,
): Promise<string> {
  const { file, language, path, command } = subject;
  const name = path === "" ? texts.unnamed : code(path);
  const noCode = file + path === "" ? texts.nothingOpen : texts.noCode(name);
  const nothing = paragraphs(texts.notice, noCode);
  const remark = command === "chat" ? writePassages(subject, texts) : "";
  if (file.trim() === "") return remark === "" ? nothing : paragraphs(texts.notice, remark);
  const query = command === "fix" ? queryOf(languageOf(language, path)) : undefined;
  const options = { signal, ...(query === undefined ? {} : { query }) };
  const analysis = await parser.analyze(file, language, path, options);
  const scene = { subject, analysis, place: placeOf(subject), texts };
  if (command.startsWith("unittest") && bareCode(analysis).text.trim() === "") return nothing;
  const write = writers.get(command);
  if (write !== undefined) return write(scene);
  const question = command === "chat" ? texts.freeQuestion : "";
  return paragraphs(texts.notice, remark, question, explainCode(scene));
}

function writePassages({ passages = [] }: Subject, texts: OfflineTexts): string {
  const quoted = passages.map(
    ({ source, text }) => `${code(source)}\n\n${fence(cut(text.trim(), maxPassage))}`,
  );
  return quoted.length === 0 ? "" : paragraphs(texts.passages, ...quoted);
}

function writeFix({ subject, analysis, place, texts }: Scene): string {
  const { faults, repaired } = findFaults(place, analysis);
  if (faults.length === 0) return paragraphs(texts.notice, texts.noFault);
  const edit = printChange(subject, repaired);
  const items = faults.map(({ line, says }, nth) => {
    const text = texts.fault(line + place.linesAbove, says);
    return edit !== "" && nth < maxRepairs ? text : `${text} ${texts.faultLeft}`;
  });
  return paragraphs(texts.notice, list(texts.faults, items, texts.more), edit);
}

function writeDocComment(scene: Scene): string {
  const { subject, analysis, place, texts } = scene;
  const meant = symbolOf(scene);
  const isBare = ({ docComment, kind }: CodeSymbol): boolean =>
    docComment === undefined && kind !== "variable" && kind !== "module";
  const others = place.isWholeFile ? analysis.symbols : [];
  const symbol = meant?.docComment === undefined ? meant : others.find(isBare);
  if (meant !== undefined && symbol === undefined)
    return paragraphs(texts.notice, texts.docPresent);
  const after = symbol && addDocComment(subject.language, analysis, symbol, texts);
  const edit = after === undefined ? "" : printChange(subject, after);
  return paragraphs(texts.notice, edit || texts.noDoc);
}

/** A change of the file, as a model would write it; "" where it cannot be applied, as where lines look like others. */
function printChange({ path, file }: Subject, after: string): string {
  const diff = parseDiff(formatUnifiedDiff("file", file, after));
  if (!diff.ok) return "";
  const result = applyUnits(file, diff.units);
  if (!result.ok || result.text !== after) return "";
  const escaped = path.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<file-edit filePath="${escaped}">\n${printUnits(diff.units)}</file-edit>\n`;
}

/** The JSON that flows ask models for. */
function writeCases(scene: Scene): string {
  const known = scene.subject.facts.knownCases ?? [];
  const test_cases = proposeCases(scene, new Set(known.map(({ description }) => description)));
  return `${JSON.stringify({ test_cases })}\n`;
}

function writeTests(scene: Scene): string {
  const { facts, language, path } = scene.subject;
  const { chosenCases = [] } = facts;
  const cases = chosenCases.length > 0 ? chosenCases : proposeCases(scene, new Set());
  const testPath = facts.testPath || testPathFor(path);
  const descriptions = cases.map(({ description }) => description);
  const skeleton = writeTestSkeleton(scene, testPath, descriptions);
  return paragraphs(code(testPath), fence(skeleton, language), scene.texts.skeletonNote);
}

// A doc comment that says what a signature shows.

/** Languages, how a line of a comment begins, the tag for what is given back ("": no tags), first and last line. */
type Style = readonly string[];

/** By the language of a grammar, or the editor's language id where no grammar reads it. */
const styles: readonly Style[] = [
  ["javascript typescript tsx vue", " *", "@returns", "/**", " */"],
  ["java php kotlin groovy scala c cpp", " *", "@return", "/**", " */"],
  ["python", "python"],
  ["go", "//"],
  ["csharp", "///", "", "/// <summary>", "/// </summary>"],
  ["rust swift dart zig", "///"],
  ["ruby", "#", "@return"],
  ["lua", "---", "@return"],
  ["shellscript bash sh perl r", "#"],
  ["sql haskell", "--"],
];

/**
 * The text with a doc comment before (in Python: in) a declaration; undefined where none can be written.
 *
 * @param language the editor's language id, for what no grammar reads
 */
function addDocComment(
  language: string,
  { language: known, source }: CodeAnalysis,
  symbol: CodeSymbol,
  texts: OfflineTexts,
): string | undefined {
  const isMeant = ([names = ""]: Style): boolean =>
    names.split(" ").includes(known ?? language.toLowerCase());
  const style = styles.find(isMeant);
  const isPython = known === "python";
  const at = isPython ? symbol.body : symbol.range;
  if (style === undefined || at === undefined) return undefined;
  const { text } = source;
  const [start] = source.offsetsOf(at);
  const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).replace("\uFEFF", "");
  const isShared = isPython && at.startLine <= symbol.range.startLine;
  if (isShared || indent.trim() !== "") return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const [first = "", ...rest] = printDoc(style, symbol, texts);
  const lines = [first, ...rest.map((line) => (indent + line).trimEnd())].map((line) => line + end);
  return `${text.slice(0, start)}${lines.join("")}${indent}${text.slice(start)}`;
}

/** The lines of a comment, without indentation. */
function printDoc(
  [languages, line = "", tag = "", open, close = ""]: Style,
  { name, parameters, returnType = "" }: CodeSymbol,
  { docSummary, docGo }: OfflineTexts,
): string[] {
  // A pattern has no name that a comment could use.
  const isName = /^[$@&*]*[\p{L}_][\p{L}\w$]*$/u;
  const names = parameters.map((one) => one.name).filter((one) => isName.test(one));
  const hasResult = !/^[:\->\s]*(?:void|None|unit|\(\))?$/.test(returnType);
  const summary = languages === "go" ? `${name} ${docGo}` : docSummary(name);
  if (languages === "python") {
    const takes =
      names.length === 0 ? [] : ["", "Args:", ...names.map((one) => `    ${one}: TODO`)];
    const parts = [...takes, ...(hasResult ? ["", "Returns:", "    TODO"] : [])];
    return parts.length === 0 ? [`"""${summary}"""`] : [`"""${summary}`, ...parts, '"""'];
  }
  const all = [...names.map((one) => `@param ${one} TODO`), ...(hasResult ? [`${tag} TODO`] : [])];
  const tags = tag === "" ? [] : all.map((one) => `${line} ${one}`);
  if (open === undefined) return [`${line} ${summary}`, ...tags];
  return [open, `${line} ${summary}`, ...(tags.length === 0 ? [] : [line]), ...tags, close];
}
