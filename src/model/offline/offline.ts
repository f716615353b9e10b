import type {
  CodeAnalysis,
  CodeLanguage,
  CodeMatch,
  CodeParser,
  CodeSymbol,
} from "../../code/code-analysis.ts";
import { bareCode } from "../../code/same-code.ts";
import { codeLanguageOf } from "../../code/language-of.ts";
import { listParameters } from "../../code/symbols.ts";
import { fence } from "../../base/text/fence.ts";
import { cutText } from "../../base/text/lines.ts";
import { estimateMessage, estimateTokens } from "../../turn/tokens.ts";
import type { ChatRequest, Subject } from "../../turn/chat-model.ts";
import type { EndReason, ModelEvent } from "../../turn/turn-event.ts";
import { formatUnifiedDiff } from "../../edit/unified-diff.ts";
import { applyDiff, parseDiff } from "../../edit/read/parse-diff.ts";
import { printUnits } from "../../edit/read/print-units.ts";
import {
  type OfflineTexts,
  type Scene,
  code,
  explainCode,
  list,
  offlineTexts,
  paragraphs,
  placeOfSubject,
  symbolOf,
} from "./explain.ts";
import { proposeCases, testPathFor, writeTestSkeleton } from "./tests.ts";
import { type LineRange, encloses } from "../../edit/edit-unit.ts";
import type { Locale } from "../../base/errors/locale.ts";

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
  const isTalk = command === "talk" || command === "chat";
  const nothingThere = command === "talk" ? texts.nothingQuoted : texts.nothingOpen;
  const noCode = file + path === "" ? nothingThere : texts.noCode(name);
  const nothing = paragraphs(texts.notice, noCode);
  const remark = command === "chat" ? writePassages(subject, texts) : "";
  if (file.trim() === "") return remark === "" ? nothing : paragraphs(texts.notice, remark);
  const query = command === "fix" ? queryOf(codeLanguageOf(language, path)) : undefined;
  const options = { signal, ...(query === undefined ? {} : { query }) };
  const analysis = await parser.analyze(file, language, path, options);
  const scene = { subject, analysis, place: placeOfSubject(subject), texts };
  if (command.startsWith("unittest") && bareCode(analysis).text.trim() === "") return nothing;
  const write = writers.get(command);
  if (write !== undefined) return write(scene);
  const question = isTalk ? texts.freeQuestion : "";
  return paragraphs(texts.notice, remark, question, explainCode(scene));
}

function writePassages({ passages = [] }: Subject, texts: OfflineTexts): string {
  const quoted = passages.map(
    ({ source, text }) => `${code(source)}\n\n${fence(cutText(text.trim(), maxPassage))}`,
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
  const units = diff.ok ? printUnits(diff.units) : "";
  const result = applyDiff(file, units);
  if (!result.ok || result.text !== after) return "";
  const escaped = path.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<file-edit filePath="${escaped}">\n${units}</file-edit>\n`;
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
  const [first = "", ...rest] = printDoc(style, symbol, known, texts);
  const lines = [first, ...rest.map((line) => (indent + line).trimEnd())].map((line) => line + end);
  return `${text.slice(0, start)}${lines.join("")}${indent}${text.slice(start)}`;
}

/** The lines of a comment, without indentation. */
function printDoc(
  [languages, line = "", tag = "", open, close = ""]: Style,
  symbol: CodeSymbol,
  language: CodeLanguage | undefined,
  { docSummary, docGo }: OfflineTexts,
): string[] {
  const { name } = symbol;
  const names = listParameters(symbol, language);
  const hasResult = givesBack(symbol);
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

/** What is in the place of a type and gives nothing back, or is none. */
const noType =
  /^(?:|void|None|Unit|unit|async|def|fn|fun|func|function|get|set|static|public|private|protected|internal|export|default|abstract|final|inline|virtual|explicit)$/;

/** Whether its head says that it gives something back: `f(): number`, `def f() -> int`, `int f()`. */
function givesBack({ name, kind, signature }: CodeSymbol): boolean {
  const behind = /^\s*(?:->|:)(.+)/.exec(signature.slice(signature.lastIndexOf(")") + 1))?.[1];
  const [before = ""] = signature.split(`${name}(`, 1);
  const type = behind?.trim() ?? before.split(/[*&\s]/).findLast(Boolean) ?? "";
  return kind !== "constructor" && !noType.test(type);
}

// Repairs that a rule can make: the offline model's answer to "fix".

/** A fault that its pattern shows for certain, and what to write instead. */
interface Repair {
  /**
   * One pattern of tree-sitter. What it captures as `whole` is replaced, or else what it captures as `operator`, which
   * tells whether a comparison is negated.
   */
  query: string;
  /** `{name}` is the text of a capture, and `{not}` is `!` or `{is}` is `is not` where the operator is negated. */
  by: string;
  /** What is wrong, as a sentence. */
  says: Readonly<Record<Locale, string>>;
}

/** Faults that one answer repairs. */
const maxRepairs = 20;

/** A new text in place of an old one, as offsets. */
interface Patch extends Pick<Repair, "says"> {
  start: number;
  end: number;
  text: string;
}

const notEqual = `operator: ["==" "===" "!=" "!=="] @operator`;
const nan = `[(identifier) (member_expression)] @nan`;
const isNan: Repair = {
  query: `([(binary_expression left: (_) @value ${notEqual} right: ${nan})
     (binary_expression left: ${nan} ${notEqual} right: (_) @value)] @whole
    (#any-of? @nan "NaN" "Number.NaN") (#not-any-of? @value "NaN" "Number.NaN"))`,
  by: "{not}Number.isNaN({value})",
  says: {
    en: "NaN is not equal to anything, not even to itself.",
    zh: "NaN 与任何值都不相等，包括它自己。",
  },
};

/** Comparing with null loosely also finds undefined, and with a truth value what counts as one: both are meant. */
const looseEqual: Repair = {
  query: String.raw`(binary_expression
    left: (_) @left operator: ["==" "!="] @operator right: (_) @right
    (#not-match? @left "^\\(*(?:null|undefined|true|false|void .*)\\)*$")
    (#not-match? @right "^\\(*(?:null|undefined|true|false|void .*)\\)*$"))`,
  by: "{operator}=",
  says: {
    en: "`==` and `!=` convert their operands; the strict form compares them as they are.",
    zh: "`==` 和 `!=` 会转换操作数，严格形式按原值比较。",
  },
};

/** `x =+ y` as a statement. Assigning a name's own value with a sign converts it, and is meant. */
const swappedSign: Repair = {
  query: `(expression_statement (assignment_expression left: (_) @left
    right: (unary_expression . ["+" "-"] @sign . (_) @value)) @whole
    (#match? @whole "^[^=]* =[+-] ") (#not-eq? @left @value))`,
  by: "{left} {sign}= {value}",
  says: {
    en: "`=+` and `=-` assign a value with a sign; `+=` and `-=` add and subtract.",
    zh: "`=+` 和 `=-` 赋的是带符号的值，`+=` 和 `-=` 才是加减。",
  },
};

const noneTest = `(comparison_operator . (_) . ["==" "!="] @operator . (none) .)`;
const eitherTest = `[${noneTest} (parenthesized_expression ${noneTest})]`;
/** Only where it is a condition: columns of tables overload `==`, and have no truth of their own. */
const none: Repair = {
  query: `[
    (_ condition: [${eitherTest} (boolean_operator right: ${eitherTest})])
    (boolean_operator left: [${eitherTest} (boolean_operator right: ${eitherTest})])
    (assert_statement . ${eitherTest})
    (if_clause ${eitherTest})
    (conditional_expression (_) . ${eitherTest} . (_))
    (not_operator argument: ${eitherTest})
  ]`,
  by: "{is}",
  says: { en: "`None` is compared by identity.", zh: "与 `None` 的比较应使用 `is`。" },
};

/** A handler that raises again, or ends the program, may clean up after an interrupt, too. */
const bareExcept: Repair = {
  query: String.raw`(except_clause . "except" @operator . ":" (block) @body
    (#not-match? @body "\\b(?:raise|exit|_exit|abort|quit)\\b"))`,
  by: "except Exception",
  says: {
    en: "A bare `except` also catches `KeyboardInterrupt` and `SystemExit`.",
    zh: "裸 `except` 还会捕获 `KeyboardInterrupt` 和 `SystemExit`。",
  },
};

const object = "[(identifier) (field_access) (method_invocation) (array_access)] @value";
const literal = "(string_literal) @text";
const javaEqual = `operator: ["==" "!="] @operator`;
const java: Repair = {
  query: `[(binary_expression left: ${object} ${javaEqual} right: ${literal})
      (binary_expression left: ${literal} ${javaEqual} right: ${object})] @whole`,
  by: "{not}{text}.equals({value})",
  says: {
    en: "`==` compares references, not the text of strings.",
    zh: "`==` 比较的是引用，而不是字符串的内容。",
  },
};

const phpNull: Repair = {
  query: `(binary_expression left: (_) operator: ["==" "!="] @operator right: (null))`,
  by: "{operator}=",
  says: {
    en: "`==` and `!=` take 0, an empty text and an empty list for `null`, too.",
    zh: "`==` 和 `!=` 会把 0、空字符串和空数组也当作 `null`。",
  },
};

const script = [isNan, looseEqual, swappedSign];
const repairs: Partial<Record<CodeLanguage, readonly Repair[]>> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: [none, bareExcept],
  java: [java],
  php: [phpNull],
};

/** All patterns of the rules for a language, in their order; undefined where there are none. */
function queryOf(language: CodeLanguage | undefined): string | undefined {
  const rules = language && repairs[language];
  return rules?.map(({ query }) => query).join("\n");
}

/**
 * What the rules find in some lines, and the text with the first of it repaired. Comments stay as they are; of two
 * faults that overlap the one that begins first counts.
 *
 * @param analysis of a text that was searched for the rules of its language
 */
function findFaults(range: LineRange, { matches, language, source }: CodeAnalysis) {
  const rules = (language && repairs[language]) ?? [];
  const patches = matches.flatMap((match) => patchOf(rules[match.pattern], match, source.text));
  const faults: (Pick<Repair, "says"> & { line: number })[] = [];
  const parts: string[] = [];
  let [next, kept] = [0, 0];
  for (const { start, end, text, says } of patches.toSorted((a, b) => a.start - b.start)) {
    const lines = source.rangeOf(start, end);
    if (start < next || !encloses(range, lines)) continue;
    next = end;
    faults.push({ line: lines.startLine, says });
    if (faults.length > maxRepairs) continue;
    parts.push(source.text.slice(kept, start), text);
    kept = end;
  }
  return { faults, repaired: parts.join("") + source.text.slice(kept) };
}

/** What a rule writes where its pattern fits; nothing where a comment would be lost. */
function patchOf(repair: Repair | undefined, { captures }: CodeMatch, text: string): Patch[] {
  if (repair === undefined) return [];
  const { by, says } = repair;
  const at = captures["whole"] === undefined ? "operator" : "whole";
  const [start, end] = captures[at] ?? [0, 0];
  const textOf = (name: string): string => text.slice(...(captures[name] ?? [0, 0]));
  if (end === start || (at === "whole" && /\/[/*]|#/.test(textOf(at)))) return [];
  const isNegated = textOf("operator").startsWith("!");
  const [not, is] = isNegated ? ["!", "is not"] : ["", "is"];
  const words: Record<string, string> = { not, is };
  const written = by.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? textOf(name));
  // A word is kept apart from the words beside it.
  const isJoined = (sign = "", other = ""): boolean => /\w/.test(sign) && /\w/.test(other);
  const before = isJoined(text[start - 1], written[0]) ? " " : "";
  const after = isJoined(written.at(-1), text[end]) ? " " : "";
  return [{ start, end, text: before + written + after, says }];
}
