import type { CodeAnalysis, CodeSymbol } from "../../../code/code-analysis.ts";
import { adaptLines } from "./adapt-lines.ts";
import { completeSymbol, type Completion } from "./complete-symbol.ts";
import type { FencedCode } from "./fenced-code.ts";
import { listOwned } from "./namesake.ts";
import { findMissing } from "./symbol-change.ts";

/** Something of the file that a text lacks which should be all of it; undefined if nothing is lost. */
export function findLost(answer: FencedCode, file: FencedCode): string | undefined {
  const { symbols } = file.analysis;
  if (symbols.length === 0) return "declarations";
  return (
    findMissing(namesOf(file.analysis), namesOf(answer.analysis)) ??
    findLostImport(answer, file) ??
    findLostLine(answer, file)
  );
}

/** Names of what shows how the code is used, and is no part of it. */
const demo = /^(?:main|demo|example|usage|test)(?:[_A-Z].*)?$/;

/** Something that was only added to show how the file is used; undefined if nothing was. */
export function findDemo(answer: FencedCode, file: FencedCode): string | undefined {
  const known = new Set(namesOf(file.analysis));
  const name = answer.symbols.find((symbol) => demo.test(symbol.name) && !known.has(symbol.name));
  const [now, was] = [statementsOf(answer), statementsOf(file)];
  const added = now.filter((text) => !was.includes(text));
  return name?.name ?? (now.length > was.length ? added[0] : undefined);
}

function statementsOf({ lines, others }: FencedCode): string[] {
  return others.map((line) => lines[line - 1]?.trim() ?? "");
}

function namesOf({ symbols }: CodeAnalysis): string[] {
  return listOwned(symbols).map(({ symbol, owner }) =>
    [owner, symbol.name].filter(Boolean).join("."),
  );
}

/** An import may go if nothing uses what it binds. */
function findLostImport(answer: FencedCode, file: FencedCode): string | undefined {
  const sources = new Set(answer.analysis.imports.map(({ source }) => source));
  const all = { startLine: 1, startColumn: 1, endLine: answer.lines.length, endColumn: Infinity };
  const used = new Set(answer.analysis.identifiersIn(all));
  const lost = file.analysis.imports.find(
    ({ source, names }) =>
      !sources.has(source) && (names.length === 0 || names.some((name) => used.has(name))),
  );
  return lost?.source;
}

/** Statements at the top level may change, but do not become fewer. */
function findLostLine(answer: FencedCode, file: FencedCode): string | undefined {
  const [now, was] = [statementsOf(answer), statementsOf(file)];
  const lost = was.filter((text) => !now.includes(text));
  const isFewer = now.filter((text) => !was.includes(text)).length < lost.length;
  return isFewer ? lost[0] : undefined;
}

/**
 * The lines of the file as the answer has them. Comments above the first line of code stay, and doc comments and
 * decorators of what the answer declares without any.
 */
export function changeFile(answer: FencedCode, file: FencedCode): string[] | undefined {
  const fixed = new Set<number>();
  for (const { startLine, endLine } of answer.analysis.strings) {
    for (let line = startLine; line < endLine; line += 1) fixed.add(line);
  }
  const adapted = adaptLines(answer.lines, file.lines, file.lines, fixed);
  if (adapted === undefined) return undefined;
  const completion: Completion = { before: new Map(), heads: new Map() };
  const twins = Map.groupBy(file.symbols, keyOf);
  for (const symbol of answer.symbols) {
    const [only, ...more] = twins.get(keyOf(symbol)) ?? [];
    if (only === undefined || more.length > 0) continue;
    const [now, was] = [
      { symbol, lines: adapted },
      { symbol: only, lines: file.lines },
    ];
    if (completeSymbol(now, was, completion, true) === undefined) return undefined;
  }
  const lines = adapted.flatMap((line, nth) => [...(completion.before.get(nth + 1) ?? []), line]);
  return [...keptHead(answer, file), ...lines];
}

function keyOf({ name, kind, container }: CodeSymbol): string {
  return [kind, container, name].join(" ");
}

function keptHead(answer: FencedCode, file: FencedCode): string[] {
  const first = file.analysis.comments[0];
  const own = answer.analysis.comments[0];
  const isCode = (line: string): boolean => line.trim() !== "";
  if (first === undefined || first.startLine !== file.lines.findIndex(isCode) + 1) return [];
  if (own?.startLine === answer.lines.findIndex(isCode) + 1) return [];
  // A doc comment belongs to what follows it, and is looked after there.
  const next = file.lines.findIndex((line, nth) => nth >= first.endLine && line.trim() === "");
  return next === first.endLine ? file.lines.slice(0, next + 1) : [];
}
