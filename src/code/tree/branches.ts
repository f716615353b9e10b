import { trimEndSigns } from "../../base/text/lines.ts";
import type { CodeBranch } from "../code-analysis.ts";
import type { PlacedBranch } from "../code-facts.ts";
import type { BranchRule, LanguageRules, TextOf } from "./language-rules.ts";
import { type SourceText, shorten } from "../source-text.ts";
import { type SyntaxNode, type SyntaxTree, childOf, namedChildren } from "./syntax-tree.ts";

/** All branches of a tree, in the order of the text. */
export function findBranches(
  tree: SyntaxTree,
  source: SourceText,
  rules: LanguageRules,
  textOf: TextOf,
): PlacedBranch[] {
  const place = (node: SyntaxNode, kind: CodeBranch["kind"], text: string): PlacedBranch => ({
    start: node.start,
    branch: { range: source.rangeOf(node.start, node.end), kind, text: shorten(text) },
  });
  const found = tree.nodes.flatMap((node) => {
    const rule = ruleOf(node, rules, textOf);
    if (rule === undefined || isInChain(node, rule)) return [];
    const text = describe(node, rule, source);
    const kind = rule.kind === "if" && isGuard(node, rules, textOf) ? "guard" : rule.kind;
    const elses = rule.kind === "if" ? elsesOf(node, rules, textOf) : [];
    return [place(node, kind, text), ...elses.map((other) => place(other, "else", text))];
  });
  return found.toSorted((a, b) => a.start - b.start);
}

function ruleOf(
  node: SyntaxNode,
  { branches }: LanguageRules,
  textOf: TextOf,
): BranchRule | undefined {
  if (!node.isNamed || !Object.hasOwn(branches, node.type)) return undefined;
  const rule = branches[node.type];
  return rule?.when?.(node, textOf) === false ? undefined : rule;
}

/** `a && b && c` is one branch, although it is two operators. */
function isInChain({ parent, type }: SyntaxNode, rule: BranchRule): boolean {
  return rule.kind === "logical" && parent?.type === type && isLogical(parent);
}

/** In characters, far more than is shown; what is nested a thousandfold would be read a thousand times. */
const maxText = 4_000;

/** What the field says, or the words between the first token and the body. */
function describe(node: SyntaxNode, rule: BranchRule, { text }: SourceText): string {
  const [start, end] = placeOf(node, rule.text);
  const written = text.slice(start, Math.min(end, start + maxText)).trim();
  const words = withoutParentheses(trimEndSigns(written, ";:{").trim());
  return rule.kind === "case" && /^(?:_|default|)$/.test(words) ? "default" : words;
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

const statements = /_statement$|^(?:block|statement_list|then|do)$/;

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
function elsesOf(node: SyntaxNode, rules: LanguageRules, textOf: TextOf): SyntaxNode[] {
  const isCondition = (inner: SyntaxNode): boolean => ruleOf(inner, rules, textOf)?.kind === "if";
  return node.children.filter((child) => {
    const [only, ...others] = namedChildren(child);
    const isElseIf = only !== undefined && others.length === 0 && isCondition(only);
    return child.field === "alternative" && !isCondition(child) && !isElseIf;
  });
}

/** An `if` without `else` whose last statement leaves. */
function isGuard(node: SyntaxNode, rules: LanguageRules, textOf: TextOf): boolean {
  if (node.children.some(({ field }) => field === "alternative")) return false;
  let last = childOf(node, "consequence") ?? childOf(node, "body");
  while (last !== undefined) {
    if (rules.exits.includes(last.type)) return true;
    const kind = ruleOf(last, rules, textOf)?.kind;
    if (kind !== undefined) return kind === "throw";
    last = blocks.test(last.type) ? namedChildren(last).at(-1) : undefined;
  }
  return false;
}

/** What holds statements, in all grammars. */
const blocks = /block|statement|then|body/;

const logicalOperators: ReadonlySet<string> = new Set(["&&", "||", "??", "and", "or"]);

/** For the `when` of rules: whether an operator chooses which side counts. */
export function isLogical(node: SyntaxNode): boolean {
  return node.children.some(({ isNamed, type }) => !isNamed && logicalOperators.has(type));
}
