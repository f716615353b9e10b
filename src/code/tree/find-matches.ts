import {
  type Language,
  type Node,
  Query,
  type QueryCapture,
  type QueryMatch,
  type Tree,
} from "web-tree-sitter";
import type { CodeMatch } from "../code-analysis.ts";

/** A grammar, and the last query that was compiled for it. */
export interface Grammar {
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
export function findMatches(
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
