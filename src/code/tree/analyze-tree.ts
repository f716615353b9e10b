import type { CodeImport, CodeProblem } from "../code-analysis.ts";
import type { FoundCode } from "../code-facts.ts";
import { type Stretch, findDirectives } from "../directives.ts";
import { findDocstring, findSymbols } from "./find-symbols.ts";
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
import type { SyntaxNode, SyntaxTree } from "./syntax-tree.ts";

/** Syntax errors of a text that are told. */
const maxProblems = 20;

/** Reads symbols, imports, branches and problems off a tree. */
export function analyzeTree(tree: SyntaxTree, text: string, rules: LanguageRules): FoundCode {
  const lines = findLineStarts(text);
  const source = createSourceText(text, lines);
  const stretchesOf = (is: (node: SyntaxNode) => boolean): Stretch[] =>
    outermost(tree.nodes, is).map(({ start, end }) => [start, end]);
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
