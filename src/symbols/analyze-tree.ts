import type { CodeAnalysis, CodeImport, CodeProblem, CodeRange } from "./code-analysis.ts";
import { findBranches } from "./branches.ts";
import { createLookups } from "./create-lookups.ts";
import { type Stretch, findDirectives } from "./directives.ts";
import { findDocstring } from "./doc-comments.ts";
import { findSymbols } from "./find-symbols.ts";
import type { LanguageRules, TextOf } from "./language-rules.ts";
import { type SourceText, createSourceText, shorten } from "./source-text.ts";
import type { SyntaxNode, SyntaxTree } from "./syntax-tree.ts";

const mostProblems = 20;

/** Reads symbols, imports, branches and problems off a tree. */
export function analyzeTree(tree: SyntaxTree, text: string, rules: LanguageRules): CodeAnalysis {
  const source = createSourceText(text);
  const textOf: TextOf = (node) => (node === undefined ? "" : text.slice(node.start, node.end));
  const rangesOf = (stretches: readonly Stretch[]): CodeRange[] =>
    stretches.map((at) => source.rangeOf(...at));
  const comments = findComments(tree, rules, textOf);
  const identifiers = outermost(tree.nodes, rules.identifiers);
  const docstring = findDocstring(tree.root, { rules, textOf });
  return {
    language: rules.language,
    symbols: findSymbols(tree, source, rules, textOf),
    ...(docstring === undefined ? {} : { docComment: source.rangeOf(...docstring) }),
    imports: findImports(tree, source, rules, textOf),
    areCommentsKnown: true,
    comments: rangesOf(comments),
    directives: rangesOf(findDirectives(comments, source, rules.directives)),
    strings: rangesOf(outermost(tree.nodes, rules.strings).map(({ start, end }) => [start, end])),
    problems: tree.hasError ? findProblems(tree, source) : [],
    ...createLookups(
      source,
      identifiers.map((node) => ({ start: node.start, name: textOf(node) })),
      findBranches(tree, source, rules, textOf),
    ),
  };
}

function outermost(nodes: readonly SyntaxNode[], types: readonly string[]): SyntaxNode[] {
  const wanted = new Set(types);
  let end = 0;
  return nodes.filter((node) => {
    if (!node.isNamed || !wanted.has(node.type) || node.start < end || node.start === node.end)
      return false;
    ({ end } = node);
    return true;
  });
}

function findComments(
  { nodes }: SyntaxTree,
  { comments, commentsAtEnd = {} }: LanguageRules,
  textOf: TextOf,
): Stretch[] {
  return outermost(nodes, [...comments, ...Object.keys(commentsAtEnd)]).flatMap(
    (node): Stretch[] => {
      if (comments.includes(node.type)) return [[node.start, node.end]];
      const found = commentsAtEnd[node.type]?.exec(textOf(node))?.[1];
      return found === undefined ? [] : [[node.end - found.length, node.end]];
    },
  );
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
    if (problems.length === mostProblems) break;
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
