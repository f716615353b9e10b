import type { CodeBranch, CodeImport, CodeProblem } from "../code-analysis.ts";
import type { FoundCode, PlacedBranch } from "../code-facts.ts";
import { type Stretch, findDirectives } from "../directives.ts";
import { findDocstring } from "./doc-comments.ts";
import { findSymbols } from "./find-symbols.ts";
import {
  type LanguageRules,
  type TextOf,
  commentTypes,
  isIdentifier,
  stringTypes,
  listWords,
} from "./language-rules.ts";
import { type SourceText, createSourceText, findLineStarts, shorten } from "../source-text.ts";
import { type SyntaxNode, type SyntaxTree, childOf, namedChildren } from "./syntax-tree.ts";
import { trimEndSigns } from "../../base/text/lines.ts";

/** Syntax errors of a text that are told. */
const maxProblems = 20;

/** Reads symbols, imports, branches and problems off a tree. */
export function analyzeTree(tree: SyntaxTree, text: string, rules: LanguageRules): FoundCode {
  const lines = findLineStarts(text);
  const source = createSourceText(text, lines);
  const textOf: TextOf = (node) => (node === undefined ? "" : text.slice(node.start, node.end));
  const stretchesOf = (is: (node: SyntaxNode) => boolean): Stretch[] =>
    outermost(tree.nodes, is).map(({ start, end }) => [start, end]);
  const comments = findComments(tree, rules, textOf);
  return {
    language: rules.language,
    areCommentsKnown: true,
    lines,
    text,
    docComment: findDocstring(tree.root, { rules, textOf }),
    comments,
    directives: findDirectives(comments, source, rules.directives),
    strings: stretchesOf(({ type }) => stringTypes.has(type)),
    identifiers: stretchesOf(isIdentifier),
    branches: findBranches(tree, source, textOf),
    symbols: findSymbols(tree, source, rules, textOf),
    imports: findImports(tree, source, rules, textOf),
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

function findComments(
  { nodes }: SyntaxTree,
  { commentsAtEnd = {} }: LanguageRules,
  textOf: TextOf,
): Stretch[] {
  const mayHold = ({ type }: SyntaxNode): boolean =>
    commentTypes.has(type) || Object.hasOwn(commentsAtEnd, type);
  return outermost(nodes, mayHold).flatMap((node): Stretch[] => {
    if (commentTypes.has(node.type)) return [[node.start, node.end]];
    const found = commentsAtEnd[node.type]?.exec(textOf(node))?.[1];
    return found === undefined ? [] : [[node.end - found.length, node.end]];
  });
}

function findImports(
  { nodes }: SyntaxTree,
  source: SourceText,
  { imports }: LanguageRules,
  textOf: TextOf,
): CodeImport[] {
  return nodes.flatMap((node) => {
    const read = node.isNamed && Object.hasOwn(imports, node.type) ? imports[node.type] : undefined;
    const found = read?.(node, textOf) ?? [];
    return found.map((item) => ({ range: source.rangeOf(node.start, node.end), ...item }));
  });
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

/**
 * Where the text is: a field; or `head` (from the first token to the body), `lead` (the same with the first
 * token), `rest` (all but the first token), `whole` or `nothing`. A node without the field has its head read.
 * `when` says that a node of these types is no branch after all.
 */
type BranchRow = readonly [
  types: string,
  kind: CodeBranch["kind"],
  text: string,
  when?: (node: SyntaxNode, textOf: TextOf) => boolean,
];

/** Of all languages: where two grammars have the same name for a node, they mean the same. */
const rows: readonly BranchRow[] = [
  ["if_statement if_expression elif_clause else_if_clause", "if", "condition"],
  ["if elsif unless if_modifier unless_modifier", "if", "condition"],
  ["case_statement expression_case switch_case", "case", "value"],
  ["match_arm in_clause", "case", "pattern"],
  ["switch_section case_clause type_case when", "case", "head"],
  ["default_case default_statement switch_default", "case", "head"],
  ["switch_label", "case", "rest"],
  ["switch_expression_arm", "case", "lead"],
  ["communication_case", "case", "communication"],
  ["match_conditional_expression", "case", "conditional_expressions"],
  ["match_default_expression", "case", "nothing"],
  ["else", "case", "nothing", (node) => node.parent?.type === "case"],
  ["for_statement for_expression for_in_statement for_range_loop for", "loop", "head"],
  ["enhanced_for_statement foreach_statement loop_expression", "loop", "head"],
  ["while_statement do_statement while_expression", "loop", "condition"],
  ["while until while_modifier until_modifier", "loop", "condition"],
  ["catch_clause except_clause rescue", "catch", "parameter"],
  ["throw_statement throw_expression raise_statement", "throw", "rest"],
  ["call", "throw", "arguments", isRaise],
  ["call_expression", "throw", "arguments", (node, textOf) => nameOf(node, textOf) === "panic"],
  ["macro_invocation", "throw", "whole", (node, textOf) => panics.has(nameOf(node, textOf))],
  ["return_statement return_expression return", "return", "rest"],
  ["conditional_expression ternary_expression conditional", "ternary", "condition"],
  ["binary_expression binary boolean_operator", "logical", "whole", isLogical],
  ["if_clause assert_statement guard catch_filter_clause when_clause", "guard", "rest"],
  ["match_pattern", "guard", "condition", (node) => childOf(node, "condition") !== undefined],
  ["let_declaration", "guard", "value", (node) => childOf(node, "alternative") !== undefined],
];
const rowsByType: ReadonlyMap<string, BranchRow> = new Map(
  rows.flatMap((row) => listWords(row[0]).map((type) => [type, row])),
);
/** Statements that leave a block. */
const exits =
  /^(?:return|break|next|redo|retry|yield_statement|(?:return|break|continue|goto|throw|raise|exit)_(?:statement|expression))$/;
const panics: ReadonlySet<string> = new Set(["panic", "unreachable", "todo", "unimplemented"]);
const logicalOperators: ReadonlySet<string> = new Set(["&&", "||", "??", "and", "or"]);

/** Whether an operator chooses which side counts. */
function isLogical(node: SyntaxNode): boolean {
  return node.children.some(({ isNamed, type }) => !isNamed && logicalOperators.has(type));
}

function isRaise(node: SyntaxNode, textOf: TextOf): boolean {
  return textOf(childOf(node, "method")) === "raise" && childOf(node, "receiver") === undefined;
}

/** What is called. */
function nameOf(node: SyntaxNode, textOf: TextOf): string {
  return textOf(childOf(node, "function") ?? childOf(node, "macro"));
}

/** All branches of a tree, in the order of the text. */
function findBranches(tree: SyntaxTree, source: SourceText, textOf: TextOf): PlacedBranch[] {
  const place = (node: SyntaxNode, kind: CodeBranch["kind"], text: string): PlacedBranch => ({
    start: node.start,
    branch: { range: source.rangeOf(node.start, node.end), kind, text: shorten(text) },
  });
  const found = tree.nodes.flatMap((node) => {
    const [, kind, where] = rowOf(node, textOf) ?? [];
    if (kind === undefined || where === undefined || isInChain(node, kind)) return [];
    const text = describe(node, kind, where, source);
    const elses = kind === "if" ? elsesOf(node, textOf) : [];
    const isLeft = kind === "if" && isGuard(node, textOf);
    return [
      place(node, isLeft ? "guard" : kind, text),
      ...elses.map((other) => place(other, "else", text)),
    ];
  });
  return found.toSorted((a, b) => a.start - b.start);
}

function rowOf(node: SyntaxNode, textOf: TextOf): BranchRow | undefined {
  const row = node.isNamed ? rowsByType.get(node.type) : undefined;
  return row?.[3]?.(node, textOf) === false ? undefined : row;
}

/** `a && b && c` is one branch, although it is two operators. */
function isInChain({ parent, type }: SyntaxNode, kind: CodeBranch["kind"]): boolean {
  return kind === "logical" && parent?.type === type && isLogical(parent);
}

/** In characters, far more than is shown; what is nested a thousandfold would be read a thousand times. */
const maxText = 4_000;

/** What the field says, or the words between the first token and the body. */
function describe(
  node: SyntaxNode,
  kind: CodeBranch["kind"],
  where: string,
  { text }: SourceText,
): string {
  const [start, end] = placeOf(node, where);
  const written = text.slice(start, Math.min(end, start + maxText)).trim();
  const words = withoutParentheses(trimEndSigns(written, ";:{").trim());
  return kind === "case" && /^(?:_|default|)$/.test(words) ? "default" : words;
}

function placeOf(node: SyntaxNode, place: string): readonly [start: number, end: number] {
  const afterFirst = node.children[0]?.end ?? node.start;
  if (place === "nothing") return [node.end, node.end];
  if (place === "whole") return [node.start, node.end];
  if (place === "rest") return [afterFirst, node.end];
  if (place === "lead") return [node.start, headEnd(node)];
  const field = childOf(node, place);
  return field === undefined ? [afterFirst, headEnd(node)] : [field.start, field.end];
}

const bodies: ReadonlySet<string> = new Set(["body", "consequence", "return_expression"]);
const heads: ReadonlySet<string> = new Set([":", "=>", "->", "then", "do", "{"]);

function headEnd(node: SyntaxNode): number {
  let depth = 0;
  for (const { field, type, isNamed, start } of node.children.slice(1)) {
    if (type === "(") depth++;
    else if (type === ")") depth--;
    else if (depth > 0) continue;
    else if (bodies.has(field ?? "") || (!isNamed && heads.has(type)) || statements.test(type))
      return start;
  }
  return node.end;
}

const statements = /_statement$|^(?:block|statement_list|then|do|comment)$/;

function withoutParentheses(words: string): string {
  if (!words.startsWith("(")) return words;
  let depth = 0;
  for (let index = 0; index < words.length; index++) {
    if (words[index] === "(") depth++;
    else if (words[index] === ")") depth--;
    if (depth === 0) return index === words.length - 1 ? words.slice(1, -1).trim() : words;
  }
  return words;
}

/** The `else` parts that are not an `else if`. */
function elsesOf(node: SyntaxNode, textOf: TextOf): SyntaxNode[] {
  const isCondition = (inner: SyntaxNode): boolean => rowOf(inner, textOf)?.[1] === "if";
  return node.children.filter((child) => {
    const [only, ...others] = namedChildren(child);
    const isElseIf = only !== undefined && others.length === 0 && isCondition(only);
    return child.field === "alternative" && !isCondition(child) && !isElseIf;
  });
}

/** An `if` without `else` whose last statement leaves. */
function isGuard(node: SyntaxNode, textOf: TextOf): boolean {
  if (node.children.some(({ field }) => field === "alternative")) return false;
  let last = childOf(node, "consequence") ?? childOf(node, "body");
  while (last !== undefined) {
    if (exits.test(last.type)) return true;
    const kind = rowOf(last, textOf)?.[1];
    if (kind !== undefined) return kind === "throw";
    last = blocks.test(last.type) ? namedChildren(last).at(-1) : undefined;
  }
  return false;
}

/** What holds statements, in all grammars. */
const blocks = /block|statement|then|body/;
