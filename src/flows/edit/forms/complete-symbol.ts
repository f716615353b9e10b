// What an answer leaves out of a declaration that it writes anew: doc comment, decorators, modifiers.
import type { CodeSymbol } from "../../../code/code-analysis.ts";
import { indentOf } from "../../../base/text/lines.ts";

/** Lines to put before a line of the answer (1-based), and lines that change. */
export interface Completion {
  before: Map<number, string[]>;
  heads: Map<number, string>;
}

export interface SymbolLines {
  symbol: CodeSymbol;
  /** The whole text that the symbol stands in. */
  lines: readonly string[];
}

/**
 * Adds what stays of the file's declaration: its doc comment, decorators and modifiers, each if the answer has none, and
 * so for the members of a class.
 *
 * @returns undefined if that cannot be told
 */
export function completeSymbol(
  answer: SymbolLines,
  file: SymbolLines,
  into: Completion = { before: new Map(), heads: new Map() },
  isMember = false,
): Completion | undefined {
  const [now, was] = [headOf(answer), headOf(file)];
  if (now === undefined || was === undefined) return undefined;
  const above = [
    ...(hasDoc(answer) ? [] : docAbove(file)),
    ...(now.decorators.length === 0 ? was.decorators : []),
  ];
  if (above.length > 0) into.before.set(answer.symbol.range.startLine, above);
  if (!keepInnerDoc(answer, file, into)) return undefined;
  if (!isMember) {
    const head = answer.lines[now.line - 1] ?? "";
    into.heads.set(now.line, withModifiers(head, file.lines[was.line - 1] ?? ""));
  }
  for (const child of answer.symbol.children) {
    const same = file.symbol.children.filter(
      ({ name, kind }) => name === child.name && kind === child.kind,
    );
    const twins = answer.symbol.children.filter(
      ({ name, kind }) => name === child.name && kind === child.kind,
    );
    const [only] = same;
    if (only === undefined || same.length > 1 || twins.length > 1) continue;
    const [inner, outer] = [
      { ...answer, symbol: child },
      { ...file, symbol: only },
    ];
    if (completeSymbol(inner, outer, into, true) === undefined) return undefined;
  }
  return into;
}

/** The decorators on lines of their own, and the line on which the declaration itself begins. */
function headOf({
  symbol,
  lines,
}: SymbolLines): { decorators: string[]; line: number } | undefined {
  const { range, nameRange } = symbol;
  const first = lines[range.startLine - 1] ?? "";
  if (nameRange.startLine === range.startLine || !isDecorator(first)) {
    return { decorators: [], line: range.startLine };
  }
  const decorators = lines.slice(range.startLine - 1, nameRange.startLine - 1);
  const last = decorators.at(-1)?.trim() ?? "";
  const isClosed = isDecorator(last) || /[)\]]$/.test(last);
  return isClosed ? { decorators, line: nameRange.startLine } : undefined;
}

function isDecorator(line: string): boolean {
  return /^\s*(?:@|#\[|\[)/.test(line);
}

const note =
  /^\W*(?:fix(?:e[ds])?|correct(?:ed|ion)?|update[ds]?|change[ds]?|new|improved?|optimi[sz]ed|refactored)\b|^\W*(?:修复|修正|更新|优化|改进|修改)/i;

/** A note of what was changed documents nothing. */
export function hasDoc({ symbol: { docComment: doc }, lines }: SymbolLines): boolean {
  if (doc === undefined) return false;
  return doc.endLine > doc.startLine || !note.test(lines[doc.startLine - 1] ?? "");
}

/** The lines of a doc comment above the declaration. */
function docAbove({ symbol: { docComment, range }, lines }: SymbolLines): string[] {
  if (docComment === undefined || docComment.startLine >= range.startLine) return [];
  return lines.slice(docComment.startLine - 1, range.startLine - 1);
}

/** A doc comment in the body (Python) stays the first statement. */
function keepInnerDoc(answer: SymbolLines, file: SymbolLines, into: Completion): boolean {
  const { docComment: doc, range } = file.symbol;
  if (doc === undefined || doc.startLine < range.startLine) return true;
  if (answer.symbol.docComment !== undefined) return true;
  const { body, nameRange } = answer.symbol;
  if (body === undefined || body.startLine <= nameRange.endLine) return false;
  const known = into.before.get(body.startLine) ?? [];
  into.before.set(body.startLine, [...file.lines.slice(doc.startLine - 1, doc.endLine), ...known]);
  return true;
}

/** These stay in any case: whoever shows a function on its own leaves them out. */
const lasting = /^(?:export|default|declare)$/;
const visibility = /^(?:pub(?:\([\w: ]*\))?|public|private|protected|internal|open)$/;
const modifier =
  /^(?:export|default|declare|public|private|protected|internal|static|final|abstract|override|readonly|async|pub(?:\([\w: ]*\))?|unsafe|extern|virtual|inline|synchronized|open|partial|sealed|native)$/;

/** The head of the answer with the modifiers of the file: all if it has none, else those that nobody takes off. */
function withModifiers(head: string, fileHead: string): string {
  const [now, was] = [modifiersOf(head), modifiersOf(fileHead)];
  const isVisible = now.some((word) => visibility.test(word));
  const stays = (word: string): boolean =>
    now.length === 0 ||
    now.includes(word) ||
    lasting.test(word) ||
    (visibility.test(word) && !isVisible);
  const words = [...now];
  for (const [nth, word] of was.entries()) {
    if (words.includes(word) || !stays(word)) continue;
    words.splice(words.indexOf(was[nth - 1] ?? "") + 1, 0, word);
  }
  const indent = indentOf(head);
  const rest = now.reduce((text, word) => text.slice(word.length).trimStart(), head.trimStart());
  return indent + words.map((word) => `${word} `).join("") + rest;
}

function modifiersOf(head: string): string[] {
  const words = head.trim().split(/[ \t]+/);
  const end = words.findIndex((word) => !modifier.test(word));
  return words.slice(0, end === -1 ? words.length : end);
}
