import { fence } from "../context/fence.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { ChatMessage } from "../turn/chat-message.ts";
import type { ChatModel, Subject } from "../turn/chat-model.ts";
import type { Usage } from "../turn/turn-event.ts";
import type { CodeParser } from "../symbols/code-analysis.ts";
import { answerCommand } from "./offline-commands.ts";
import { type OfflineTexts, offlineTexts } from "./offline-texts.ts";
import { type OutlineEntry, outlineOf } from "./outline.ts";

/** How many of each kind are listed, and how much of a quote or an item is shown. */
const mostItems = 40;
const longestQuote = 200;
const longestItem = 120;

/**
 * A model that needs neither network nor key: it says what the code that a turn is about consists
 * of, and claims nothing that the text does not show. The same request gets the same answer.
 *
 * @param parser reads the code for fix, unittest, docstring; without it they get the outline, too
 */
export function offlineModel(parser?: CodeParser): ChatModel {
  return {
    name: "offline",
    contextWindow: 128_000,
    answerReserve: 4_096,
    async *stream({ messages, subject, locale = "en" }, { signal }) {
      const texts = offlineTexts(locale);
      let answer = "";
      const about = subject?.();
      const own = about && parser && (await answerCommand(about, parser, texts));
      const parts = own === undefined ? write(texts, messages, about) : own.split(/(?<=\n)/);
      for (const text of parts) {
        if (signal.aborted) throw signal.reason;
        answer += text;
        yield { type: "text-delta", text };
      }
      yield { type: "usage", usage: countUsage(messages, answer) };
      return "stop";
    },
  };
}

/** The answer, a paragraph or a line of a list at a time. */
function* write(
  texts: OfflineTexts,
  messages: readonly ChatMessage[],
  subject?: Subject,
): Generator<string> {
  yield `${texts.notice}\n`;
  if (subject === undefined) yield* describeChat(texts, messages);
  else if (subject.text.trim() === "") yield `\n${texts.emptyCode(pathOf(subject, texts))}\n`;
  else yield* describeCode(texts, subject);
}

function* describeChat(texts: OfflineTexts, messages: readonly ChatMessage[]): Generator<string> {
  const question = messages.findLast((message) => message.role === "user")?.content;
  if (question === undefined) yield `\n${texts.noQuestion}\n`;
  else yield `\n${texts.quote}\n\n${fence(cut(question.trim(), longestQuote), "text")}\n`;
  yield `\n${texts.cannotAnswer(messages.length, countTokens(messages))}\n`;
}

function* describeCode(texts: OfflineTexts, subject: Subject): Generator<string> {
  const { text, language, startLine } = subject;
  const { lines, blank, comments, read, entries, imports, todos } = outlineOf(
    text,
    language,
    startLine,
  );
  const last = startLine + lines - 1;
  yield `\n${texts.place(pathOf(subject, texts), language === "" ? "" : code(language), startLine, last)}\n`;
  if (read < lines) yield `\n${texts.partlyRead(read)}\n`;
  yield `\n${texts.counts(read, blank, comments)}\n`;
  if (entries.length === 0) yield `\n${texts.noOutline}\n`;
  const printEntry = ({ kind, name, line }: OutlineEntry): string =>
    texts.entry(kind, code(name), line);
  yield* list(texts, texts.outline, entries, printEntry, ({ depth }) => depth);
  const longest = findLongest(entries);
  if (longest !== undefined) yield `\n${texts.longest(code(longest.name), longest)}\n`;
  yield* list(texts, texts.imports, imports, code);
  yield* list(texts, texts.todos, todos, (todo) => texts.todo(todo.line, code(todo.text)));
}

/** Items with a depth are indented below the ones around them. */
function* list<Item>(
  texts: OfflineTexts,
  title: string,
  items: readonly Item[],
  print: (item: Item) => string,
  depthOf: (item: Item) => number = () => 0,
): Generator<string> {
  if (items.length === 0) return;
  yield `\n${title}\n\n`;
  for (const item of items.slice(0, mostItems)) {
    yield `${"  ".repeat(depthOf(item))}- ${print(item)}\n`;
  }
  if (items.length > mostItems) yield `- ${texts.more(items.length - mostItems)}\n`;
}

function findLongest(entries: readonly OutlineEntry[]): OutlineEntry | undefined {
  const size = ({ line, endLine }: OutlineEntry): number => endLine - line;
  return entries
    .filter(({ kind }) => kind === "function" || kind === "method")
    .reduce<OutlineEntry | undefined>(
      (most, entry) => (most && size(most) >= size(entry) ? most : entry),
      undefined,
    );
}

function pathOf(subject: Subject, texts: OfflineTexts): string {
  return subject.path === "" ? texts.unnamed : code(subject.path);
}

/** Prints text as inline code, whatever it holds: one line, of bounded length, that cannot break out. */
function code(text: string): string {
  const line = cut(text.replace(/\s+/g, " ").trim(), longestItem);
  const runs = line.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/** Counts characters, so that none is cut in two. */
function cut(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.length <= most && text.length <= 2 * most
    ? text
    : `${characters.slice(0, most).join("")}…`;
}

function countTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

function countUsage(messages: readonly ChatMessage[], answer: string): Usage {
  const prompt = countTokens(messages);
  const completion = estimateTokens(answer);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
