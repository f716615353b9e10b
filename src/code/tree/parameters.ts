import { foldSpaces } from "../../edit/fold-spaces.ts";
import type { CodeParameter } from "../code-analysis.ts";
import type { LanguageRules, ParameterRule, TextOf } from "./language-rules.ts";
import { type SyntaxNode, childOf, namedChildren } from "./syntax-tree.ts";

/** The parameters of a function, in order, without the object that a method belongs to. */
export function readParameters(
  callable: SyntaxNode,
  isMethod: boolean,
  rules: LanguageRules,
  textOf: TextOf,
): CodeParameter[] {
  const list = findList(callable, rules);
  if (list === undefined) return [];
  // `x => x` has a parameter and no list.
  const nodes = Object.hasOwn(rules.parameters, list.type) ? [list] : namedChildren(list);
  const found = nodes.flatMap((node) => readOne(node, rules, textOf));
  const isReceiver = isMethod && rules.receivers?.includes(found[0]?.name ?? "") === true;
  return isReceiver ? found.slice(1) : found;
}

/** The list is a field of the function, or of the declarator around its name. */
function findList(callable: SyntaxNode, rules: LanguageRules): SyntaxNode | undefined {
  for (
    let node: SyntaxNode | undefined = callable;
    node !== undefined;
    node = childOf(node, "declarator")
  ) {
    const list = node.children.find(
      ({ field, type }) =>
        (field !== undefined && rules.parameterList.includes(field)) ||
        rules.parameterList.includes(type),
    );
    if (list !== undefined) return list;
  }
  return undefined;
}

function readOne(node: SyntaxNode, rules: LanguageRules, textOf: TextOf): CodeParameter[] {
  const rule = Object.hasOwn(rules.parameters, node.type) ? rules.parameters[node.type] : undefined;
  if (rule === undefined) return [];
  const special = rules.readParameter?.(node, textOf);
  if (special !== undefined) return [...special];
  const type = textOf(rule.type === undefined ? undefined : childOf(node, rule.type));
  const names = namesOf(node, rule);
  return (names.length === 0 ? [undefined] : names).map((name) => ({
    name: name === undefined ? "_" : plainName(textOf(name)),
    ...(type === "" ? {} : { type: foldSpaces(type).replace(/^: ?/, "") }),
    hasDefault: hasDefault(node, rule),
  }));
}

function namesOf(node: SyntaxNode, { name }: ParameterRule): SyntaxNode[] {
  if (name.length === 0) return [node];
  return node.children.filter(
    ({ field, type }) => name.includes(field ?? "") || name.includes(type),
  );
}

function hasDefault(node: SyntaxNode, rule: ParameterRule): boolean {
  return (
    rule.default !== undefined &&
    node.children.some(({ field, type }) => field === rule.default || type === rule.default)
  );
}

function plainName(text: string): string {
  return foldSpaces(text).replace(/^(?:\.\.\.|\*\*?|&&?)\s*/, "");
}
