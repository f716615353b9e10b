// One walk through a parsed template, linear in its size: Liquid's own analysis is quadratic. It also prepares the
// nodes for rendering.
import {
  type Arguments,
  Output,
  type Template,
  type Token,
  toValueSync,
  TypeGuards,
  Value,
} from "liquidjs";
import { boundRange, payFor } from "./render-budget.ts";

type Argument = Arguments extends Iterable<infer Item> ? Item : never;

export interface TemplateVariables {
  /** The top-level names that the template reads and has not made itself: `a` for `{{ a.b }}`. */
  variables: Set<string>;
  /** It reads further names, which it finds while it renders: `{{ [name] }}`. */
  isDynamic: boolean;
  /** Filters, operators and further values in its tags: what is computed each time. */
  operations: number;
}

/** @param isOwn rendering them costs nothing */
export function listVariables(nodes: readonly Template[], isOwn = false): TemplateVariables {
  const found: TemplateVariables = { variables: new Set(), isDynamic: false, operations: 0 };
  const made = new Set<string>();
  const inBlocks = new Map<string, number>();
  const addToken = (token: Token): void => {
    if (TypeGuards.isRangeToken(token)) {
      addToken(token.lhs);
      addToken(token.rhs);
      boundRange(token);
    } else if (TypeGuards.isPropertyAccessToken(token)) {
      const [root, ...steps] = token.props;
      if (token.variable !== undefined) addToken(token.variable);
      if (root !== undefined && (token.variable !== undefined || !("content" in root))) {
        found.isDynamic ||= token.variable === undefined;
        addToken(root);
      } else if (root !== undefined && "content" in root && typeof root.content === "string") {
        const name = root.content;
        if (!made.has(name) && (inBlocks.get(name) ?? 0) === 0) found.variables.add(name);
      }
      for (const step of steps) addToken(step);
    }
  };
  /** @returns how many values it computes */
  const addArgument = (argument: Argument | Token): number => {
    if (!(argument instanceof Value)) {
      addToken(argument);
      return 1;
    }
    const { initial, filters } = argument;
    for (const token of initial.postfix) addToken(token);
    for (const { args } of filters) {
      for (const arg of args) {
        const token = Array.isArray(arg) ? arg[1] : arg;
        if (token !== undefined) addToken(token);
      }
    }
    return filters.reduce((sum, { args }) => sum + 1 + args.length, initial.postfix.length);
  };
  const visit = (node: Template): void => {
    let values = 0;
    for (const argument of node.arguments?.() ?? []) values += addArgument(argument);
    // The last filter of an output is what prints it.
    found.operations += Math.max(values - (node instanceof Output ? 2 : 1), 0);
    if (!isOwn) payFor(node, values);
    for (const { content } of node.localScope?.() ?? []) made.add(content);
    const block = [...(node.blockScope?.() ?? [])];
    for (const name of block) inBlocks.set(name, (inBlocks.get(name) ?? 0) + 1);
    // Tags that would load other templates are refused; the others know their children.
    const children: Template[] = node.children ? toValueSync(node.children(false, true)) : [];
    for (const child of children) visit(child);
    for (const name of block) inBlocks.set(name, (inBlocks.get(name) ?? 0) - 1);
  };
  for (const node of nodes) visit(node);
  return found;
}
