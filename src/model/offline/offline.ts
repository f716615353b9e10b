import type { CodeParser, CodeSymbol } from "../../code/code-analysis.ts";
import { languageOf } from "../../code/language-of.ts";
import { plainCodeParser } from "../../code/plain/read-plainly.ts";
import { fence } from "../../base/text/fence.ts";
import { estimateTokens } from "../../turn/context/tokens.ts";
import type { ChatMessage } from "../../turn/chat-message.ts";
import type { ChatModel, Subject } from "../../turn/chat-model.ts";
import { estimateMessage } from "../../turn/message-tokens.ts";
import type { Usage } from "../../turn/turn-event.ts";
import { applyUnits } from "../../edit/apply-units.ts";
import { formatUnifiedDiff } from "../../edit/unified-diff.ts";
import { parseDiff } from "../../edit/read/parse-diff.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import { addDocComment } from "./docs.ts";
import {
  type Scene,
  code,
  cut,
  explainCode,
  isSilent,
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
 * A model that needs neither network nor key: it says what the code that a turn is about consists
 * of, and claims nothing that the text does not show. The same request gets the same answer.
 *
 * @param parser reads the code; without it lines and indentation are all that is seen
 * @param isOneTalk whether all answers go to one person: then only the first says what this model is
 */
export function offlineModel(parser: CodeParser = plainCodeParser, isOneTalk = false): ChatModel {
  let isIntroduced = false;
  return {
    name: "offline",
    contextWindow: 128_000,
    answerReserve: 4_096,
    isDeterministic: true,
    toolCalls: "none",
    async *stream({ messages, subject, locale = "en" }, { signal }) {
      const known = offlineTexts(locale);
      const texts = isOneTalk && isIntroduced ? { ...known, notice: "" } : known;
      isIntroduced = true;
      const about = subject?.();
      const answer = about
        ? await answerCommand(about, parser, texts, signal)
        : paragraphs(texts.notice, texts.nothingOpen);
      for (const text of cutAnswer(answer)) {
        if (signal.aborted) throw signal.reason;
        yield { type: "text-delta", text };
      }
      yield { type: "usage", usage: countUsage(messages, answer) };
      return "stop";
    },
  };
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
  const options = query === undefined ? { signal } : { signal, query };
  const analysis = await parser.analyze(file, language, path, options);
  const scene = { subject, analysis, place: placeOf(subject), texts };
  if (command.startsWith("unittest") && isSilent(analysis)) return nothing;
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

/** Line by line, as a model streams; long answers in larger pieces. */
function cutAnswer(answer: string): string[] {
  if (answer.length < 40_000) return answer.split(/(?<=\n)/);
  return answer.match(/[^]{4096}[^\n]*\n?|[^]+/g) ?? [];
}

function countUsage(messages: readonly ChatMessage[], answer: string): Usage {
  const prompt_tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
  const completion_tokens = estimateTokens(answer);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
