// One walk through a parsed template, linear in its size: Liquid's own analysis is quadratic.
import {
  type Arguments,
  type Template,
  type Token,
  toValueSync,
  TypeGuards,
  Value,
} from "liquidjs";

type Argument = Arguments extends Iterable<infer Item> ? Item : never;

export interface TemplateVariables {
  /** The top-level names that the template reads and has not made itself: `a` for `{{ a.b }}`. */
  variables: Set<string>;
  /** It reads further names, which it finds while it renders: `{{ [name] }}`. */
  isDynamic: boolean;
}

export function listVariables(nodes: readonly Template[]): TemplateVariables {
  const found: TemplateVariables = { variables: new Set(), isDynamic: false };
  const made = new Set<string>();
  const inBlocks = new Map<string, number>();
  const addToken = (token: Token): void => {
    if (TypeGuards.isRangeToken(token)) {
      addToken(token.lhs);
      addToken(token.rhs);
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
  const addArgument = (argument: Argument | Token): void => {
    if (!(argument instanceof Value)) {
      addToken(argument);
      return;
    }
    for (const token of argument.initial.postfix) addToken(token);
    for (const { args } of argument.filters) {
      for (const arg of args) {
        const token = Array.isArray(arg) ? arg[1] : arg;
        if (token !== undefined) addToken(token);
      }
    }
  };
  const visit = (node: Template): void => {
    for (const argument of node.arguments?.() ?? []) addArgument(argument);
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
