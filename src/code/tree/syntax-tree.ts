import type { Tree } from "web-tree-sitter";

/** A node of the syntax tree as plain data. Offsets are 0-based UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string;
  /** False for keywords and punctuation. */
  readonly isNamed: boolean;
  /** Inserted by the parser, of no width. */
  readonly isMissing: boolean;
  /** What the node is to its parent. */
  readonly field: string | undefined;
  /** The whole text of the tree. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | undefined;
  /** The node's place among its siblings. */
  readonly place: number;
  readonly children: readonly SyntaxNode[];
}

/** A tree with all of its nodes, each before its children. */
export interface SyntaxTree {
  root: SyntaxNode;
  nodes: readonly SyntaxNode[];
  hasError: boolean;
}

const nodesBetweenLooks = 1000;

/**
 * Copies a tree, which may be deleted afterwards. Every look at a node of web-tree-sitter crosses
 * into WebAssembly; copied once, the analysis costs none of that. Without recursion, so that
 * nothing is too deep.
 *
 * @param source the text that the tree was read off
 * @param isLate asked from time to time; after a yes the answer is undefined
 */
export function copyTree(
  tree: Tree,
  source: string,
  isLate: () => boolean,
): SyntaxTree | undefined {
  const { hasError } = tree.rootNode;
  const cursor = tree.walk();
  const copyNode = (parent?: SyntaxNode): SyntaxNode => {
    const growing = parent as GrowingNode | undefined;
    if (growing?.children === none) growing.children = [];
    const siblings = growing?.children;
    const node: GrowingNode = {
      type: cursor.nodeType,
      isNamed: cursor.nodeIsNamed,
      isMissing: hasError && cursor.nodeIsMissing,
      field: cursor.currentFieldName ?? undefined,
      source,
      start: cursor.startIndex,
      end: cursor.endIndex,
      parent,
      place: siblings?.length ?? 0,
      children: none,
    };
    siblings?.push(node);
    return node;
  };
  try {
    const root = copyNode();
    const nodes = [root];
    let node = root;
    for (;;) {
      if (cursor.gotoFirstChild()) node = copyNode(node);
      else {
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent() || node.parent === undefined) return { root, nodes, hasError };
          node = node.parent;
        }
        node = copyNode(node.parent);
      }
      nodes.push(node);
      if (nodes.length % nodesBetweenLooks === 0 && isLate()) return undefined;
    }
  } finally {
    cursor.delete();
  }
}

/** While the copy is made. Leaves, the most of all nodes, share one empty list. */
interface GrowingNode extends SyntaxNode {
  children: SyntaxNode[];
}
const none: SyntaxNode[] = [];

/** The first child that is one of these to the node. */
export function childOf(
  node: SyntaxNode | undefined,
  ...fields: readonly string[]
): SyntaxNode | undefined {
  return node?.children.find(({ field }) => field !== undefined && fields.includes(field));
}

/** The first child of one of the types. */
export function childOfType(
  node: SyntaxNode | undefined,
  ...types: readonly string[]
): SyntaxNode | undefined {
  return node?.children.find((child) => types.includes(child.type));
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.isNamed && !child.type.includes("comment"));
}
