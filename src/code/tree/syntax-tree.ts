import type { Tree, TreeCursor } from "web-tree-sitter";

/** A node of the syntax tree as plain data. Offsets are 0-based UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string;
  /** False for keywords and punctuation. */
  readonly isNamed: boolean;
  /** Inserted by the parser, of no width. */
  readonly isMissing: boolean;
  /** What the node is to its parent. */
  readonly field: string | undefined;
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
 * @param isLate asked from time to time; after a yes the answer is undefined
 */
export function copyTree(tree: Tree, isLate: () => boolean): SyntaxTree | undefined {
  const cursor = tree.walk();
  try {
    return copyFrom(cursor, tree.rootNode.hasError, isLate);
  } finally {
    cursor.delete();
  }
}

function copyFrom(
  cursor: TreeCursor,
  hasError: boolean,
  isLate: () => boolean,
): SyntaxTree | undefined {
  const root = copyNode(cursor, undefined, hasError);
  const nodes: SyntaxNode[] = [root];
  let node = root;
  for (;;) {
    if (cursor.gotoFirstChild()) {
      node = copyNode(cursor, node, hasError);
    } else {
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent() || node.parent === undefined) return { root, nodes, hasError };
        node = node.parent;
      }
      node = copyNode(cursor, node.parent, hasError);
    }
    nodes.push(node);
    if (nodes.length % nodesBetweenLooks === 0 && isLate()) return undefined;
  }
}

/** While the copy is made. Leaves, the most of all nodes, share one empty list. */
interface GrowingNode extends SyntaxNode {
  children: SyntaxNode[];
}
const none: SyntaxNode[] = [];

function copyNode(
  cursor: TreeCursor,
  parent: SyntaxNode | undefined,
  hasError: boolean,
): SyntaxNode {
  const growing = parent as GrowingNode | undefined;
  if (growing?.children === none) growing.children = [];
  const siblings = growing?.children;
  const node: GrowingNode = {
    type: cursor.nodeType,
    isNamed: cursor.nodeIsNamed,
    isMissing: hasError && cursor.nodeIsMissing,
    field: cursor.currentFieldName ?? undefined,
    start: cursor.startIndex,
    end: cursor.endIndex,
    parent,
    place: siblings?.length ?? 0,
    children: none,
  };
  siblings?.push(node);
  return node;
}

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
