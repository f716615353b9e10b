import {
  Language,
  type Node,
  Parser,
  Query,
  type QueryCapture,
  type QueryMatch,
  type Tree,
} from "web-tree-sitter";
import type { CodeImport, CodeMatch, CodeProblem } from "../code-analysis.ts";
import type { FoundCode } from "../code-facts.ts";
import { type Stretch, findDirectives } from "../directives.ts";
import { findDocstring, findSymbols } from "./find-symbols.ts";
import type { GrammarSource, TreeLimits } from "./grammar-source.ts";
import {
  codeOf,
  type LanguageRules,
  commentTypes,
  isIdentifier,
  listWords,
  stringTypes,
} from "./language-rules.ts";
import { type SourceText, createSourceText, shorten } from "../source-text.ts";
import { findLineStarts } from "../../base/text/lines.ts";
import { type SyntaxNode, type SyntaxTree, copyTree } from "./syntax-tree.ts";

/**
 * Loads the runtime and each grammar on its first use, once; one that fails stays away.
 *
 * @param memory what the runtime may use, if this is the only one of its thread
 */
export function createGrammarLoader(source: GrammarSource, memory?: WebAssembly.Memory) {
  const loaded = new Map<string, Promise<Grammar | undefined>>();
  const load = async (name: string): Promise<Grammar | undefined> => {
    try {
      running ??= start(source, memory).catch((error: unknown) => {
        // The next one tries again.
        running = undefined;
        throw error;
      });
      await running;
      const file = await source.grammar(name);
      return file && { language: Language.loadSync(await compile(file)) };
    } catch {
      return undefined;
    }
  };
  return (name: string): Promise<Grammar | undefined> => {
    const known = loaded.get(name) ?? load(name);
    loaded.set(name, known);
    return known;
  };
}

/**
 * @param query what is looked for besides
 * @returns nothing without a grammar, and where one takes too long; `isSpent` after a fault in a grammar, a trap of
 *   WebAssembly or a RangeError: the runtime may be in any state
 */
export function readSafely(
  text: string,
  grammar: Grammar | undefined,
  rules: LanguageRules | undefined,
  limits: TreeLimits,
  query?: string,
): { found?: FoundCode | undefined; isSpent: boolean } {
  if (grammar === undefined || rules === undefined) return { isSpent: false };
  try {
    return { found: readTree(text, grammar, rules, limits, query), isSpent: false };
  } catch {
    return { isSpent: true };
  }
}

function readTree(
  text: string,
  grammar: Grammar,
  rules: LanguageRules,
  { maxTime, maxLooks, now }: TreeLimits,
  query?: string,
): FoundCode | undefined {
  const end = now() + maxTime;
  const isLate = (): boolean => now() > end;
  let looks = 0;
  const parser = new Parser();
  let tree: Tree | null = null;
  try {
    parser.setLanguage(grammar.language);
    tree = parser.parse(text, null, { progressCallback: () => ++looks > maxLooks || isLate() });
    const copy = tree && copyTree(tree, text, isLate);
    if (!tree || !copy) return undefined;
    const matches = query === undefined ? [] : findMatches(tree, grammar, query, isLate);
    return { ...analyzeTree(copy, text, rules), matches };
  } finally {
    tree?.delete();
    parser.delete();
  }
}

/** A grammar, and the last query that was compiled for it. */
interface Grammar {
  language: Language;
  search?: { source: string; query: Query };
}

/** Matches of a text that are told. */
const maxMatches = 5_000;

/**
 * Runs a query of tree-sitter. What lies in or around a place that the grammar could not read is left out.
 *
 * @throws what web-tree-sitter throws of a query that does not fit the grammar
 */
function findMatches(
  tree: Tree,
  grammar: Grammar,
  source: string,
  isLate: () => boolean,
): CodeMatch[] {
  const query = queryOf(grammar, source);
  const options = { progressCallback: isLate };
  const found = query.matches(tree.rootNode, options).slice(0, maxMatches);
  const read = tree.rootNode.hasError ? found.filter(isRead) : found;
  return read.map(({ patternIndex, captures }) => ({
    pattern: patternIndex,
    captures: toPlaces(captures),
  }));
}

/** To compile one takes up to 60 ms, as long as to read thousands of lines; whoever searches asks the same again. */
function queryOf(grammar: Grammar, source: string): Query {
  if (grammar.search?.source === source) return grammar.search.query;
  grammar.search?.query.delete();
  delete grammar.search;
  const query = new Query(grammar.language, source);
  grammar.search = { source, query };
  return query;
}

function isRead({ captures }: QueryMatch): boolean {
  return captures.every(({ node }) => !node.hasError && !isInError(node));
}

function isInError(node: Node): boolean {
  for (let around = node.parent; around !== null; around = around.parent)
    if (around.isError) return true;
  return false;
}

/** Of a name that was captured several times, the first node counts. */
function toPlaces(captures: readonly QueryCapture[]): CodeMatch["captures"] {
  const places = captures.map(
    ({ name, node }) => [name, [node.startIndex, node.endIndex] as const] as const,
  );
  return Object.fromEntries(places.toReversed());
}

/**
 * web-tree-sitter keeps one WebAssembly instance for the whole process, and two starts at once
 * would leave it with two halves (`??= await` in its `initializeBinding`); so the start is ours to
 * hold once, too.
 */
let running: Promise<void> | undefined;

/** @param memory what the runtime may use; where absent, up to 2 GB */
async function start(source: GrammarSource, memory?: WebAssembly.Memory): Promise<void> {
  const module = await compile(await source.runtime());
  await Parser.init({
    ...(memory === undefined ? {} : { wasmMemory: memory }),
    // Without it the library looks for the file itself; if this throws, `init` rejects.
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: unknown, from: unknown) => void,
    ) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance, module);
      return instance.exports;
    },
  });
}

/** Memory for a runtime of its own: it starts with what web-tree-sitter asks for, 32 MB. */
export function createRuntimeMemory(maxBytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 512, maximum: Math.ceil(maxBytes / wasmPage) });
}

const wasmPage = 65_536;

/** Workers have modules compiled at the deploy, and refuse to compile bytes. */
async function compile(file: Uint8Array | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (file instanceof WebAssembly.Module) return file;
  // A view of a SharedArrayBuffer is none that we are given; the types cannot tell.
  return WebAssembly.compile(file as Uint8Array<ArrayBuffer>);
}

/** Syntax errors of a text that are told. */
const maxProblems = 20;

/** Reads symbols, imports and problems off a tree. */
function analyzeTree(tree: SyntaxTree, text: string, rules: LanguageRules): FoundCode {
  const lines = findLineStarts(text);
  const source = createSourceText(text, lines);
  const stretchesOf = (is: (node: SyntaxNode) => boolean): Stretch[] =>
    outermost(tree.nodes, is).map((node) => [node.start, node.end]);
  const comments = findComments(tree, rules);
  return {
    language: rules.language,
    areCommentsKnown: true,
    lines,
    docComment: findDocstring(tree.root, rules),
    comments,
    directives: findDirectives(comments, source, rules.directives),
    strings: stretchesOf(({ type }) => stringTypes.has(type)),
    identifiers: stretchesOf(isIdentifier),
    symbols: findSymbols(tree, source, rules),
    imports: findImports(tree, source, rules),
    problems: tree.hasError ? findProblems(tree, source) : [],
  };
}

function outermost(nodes: readonly SyntaxNode[], is: (node: SyntaxNode) => boolean): SyntaxNode[] {
  let end = 0;
  return nodes.filter((node) => {
    if (!node.isNamed || node.start < end || node.start === node.end || !is(node)) return false;
    ({ end } = node);
    return true;
  });
}

function findComments({ nodes }: SyntaxTree, { commentsAtEnd = {} }: LanguageRules): Stretch[] {
  const mayHold = ({ type }: SyntaxNode): boolean =>
    commentTypes.has(type) || Object.hasOwn(commentsAtEnd, type);
  return outermost(nodes, mayHold).flatMap((node): Stretch[] => {
    if (commentTypes.has(node.type)) return [[node.start, node.end]];
    const found = commentsAtEnd[node.type]?.exec(codeOf(node))?.[1];
    return found === undefined ? [] : [[node.end - found.length, node.end]];
  });
}

function findImports(
  { nodes }: SyntaxTree,
  source: SourceText,
  { imports }: LanguageRules,
): CodeImport[] {
  return nodes.flatMap((node) => {
    const [, read = ""] = (node.isNamed && imports.get(node.type)) || [];
    const found = typeof read === "string" ? sourcesOf(node, listWords(read)) : read(node);
    return found.map((written) => ({
      range: source.rangeOf(node.start, node.end),
      source: written.replace(/^["'`<](.*)["'`>]$/s, "$1"),
    }));
  });
}

function sourcesOf({ children }: SyntaxNode, names: readonly string[]): string[] {
  const is = ({ type, field = "" }: SyntaxNode): boolean =>
    [field, type].some((name) => names.includes(name));
  return children.filter(is).map(codeOf);
}

/** What the parser skipped, and what it put in to go on. */
function findProblems({ nodes }: SyntaxTree, source: SourceText): CodeProblem[] {
  const problems: CodeProblem[] = [];
  let end = 0;
  for (const node of nodes) {
    if (problems.length === maxProblems) break;
    const isSkipped = node.type === "ERROR" && node.start >= end;
    if (!isSkipped && !node.isMissing) continue;
    if (isSkipped) ({ end } = node);
    const range = source.rangeOf(node.start, node.end);
    if (node.isMissing) {
      const text = node.isNamed ? node.type.replaceAll("_", " ") : `"${node.type}"`;
      problems.push({ range, kind: "missing", text });
      continue;
    }
    const text = shorten(source.text.slice(node.start, node.end));
    if (text === "") problems.push({ range, kind: "unexpected-end", text });
    else problems.push({ range, kind: "unexpected", text: JSON.stringify(text) });
  }
  return problems;
}
