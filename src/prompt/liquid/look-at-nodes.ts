// One walk through a parsed template, linear in its size: Liquid's own analysis is quadratic.
import {
  type Arguments,
  type Template,
  type Token,
  toValueSync,
  TypeGuards,
  Value,
} from "liquidjs";
import { fuelRange } from "./fuel-range.ts";
import { nodePrice } from "./render-nodes.ts";

/** What an operand, an operator, a filter or a step of a path costs each time its node is rendered. */
const partPrice = 50;

type Argument = Arguments extends Iterable<infer Item> ? Item : never;

export interface NodeFacts {
  /** The top-level names that the nodes read and have not made themselves. */
  variables: Set<string>;
  /** Names are read whose text is found at run time: `{{ [name] }}`. */
  isDynamic: boolean;
  /** What each node costs, besides what its values cost. */
  prices: Map<Template, number>;
}

/** Looks at all nodes, and makes their ranges take fuel. */
export function lookAtNodes(nodes: readonly Template[]): NodeFacts {
  const facts: NodeFacts = { variables: new Set(), isDynamic: false, prices: new Map() };
  const made = new Set<string>();
  const inBlocks = new Map<string, number>();
  const isOwn = (name: string): boolean => made.has(name) || (inBlocks.get(name) ?? 0) > 0;
  const read = (name: string): void => {
    if (!isOwn(name)) facts.variables.add(name);
  };
  const visit = (node: Template): void => {
    const look = new TokenLook(read);
    for (const argument of node.arguments?.() ?? []) look.at(argument);
    facts.isDynamic ||= look.isDynamic;
    facts.prices.set(node, nodePrice + look.parts * partPrice);
    for (const { content } of node.localScope?.() ?? []) made.add(content);
    const block = [...(node.blockScope?.() ?? [])];
    for (const name of block) inBlocks.set(name, (inBlocks.get(name) ?? 0) + 1);
    // Tags that would load other templates are refused; the others know their children.
    const children: Template[] = node.children ? toValueSync(node.children(false, true)) : [];
    for (const child of children) visit(child);
    for (const name of block) inBlocks.set(name, (inBlocks.get(name) ?? 0) - 1);
  };
  for (const node of nodes) visit(node);
  return facts;
}

/** What the expressions of one node hold. */
class TokenLook {
  parts = 0;
  isDynamic = false;
  readonly #read: (name: string) => void;

  constructor(read: (name: string) => void) {
    this.#read = read;
  }

  at(argument: Argument | Token): void {
    if (!(argument instanceof Value)) {
      this.#atToken(argument);
      return;
    }
    for (const token of argument.initial.postfix) this.#atToken(token);
    for (const { args } of argument.filters) {
      this.parts += 1;
      for (const arg of args) {
        const token = Array.isArray(arg) ? arg[1] : arg;
        if (token !== undefined) this.#atToken(token);
      }
    }
  }

  #atToken(token: Token): void {
    this.parts += 1;
    if (TypeGuards.isRangeToken(token)) {
      this.#atToken(token.lhs);
      this.#atToken(token.rhs);
      fuelRange(token);
    } else if (TypeGuards.isPropertyAccessToken(token)) {
      const [root, ...steps] = token.props;
      if (token.variable !== undefined) {
        this.#atToken(token.variable);
        if (root !== undefined) this.#atToken(root);
      } else if (root !== undefined) this.#atRoot(root);
      for (const step of steps) this.#atToken(step);
    }
  }

  #atRoot(root: Token): void {
    if ("content" in root) {
      if (typeof root.content === "string") this.#read(root.content);
    } else {
      this.isDynamic = true;
      this.#atToken(root);
    }
  }
}
