import type { CodeImport } from "../code-analysis.ts";
import type { Declaration, LanguageRules, TextOf, Visibility } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const python: LanguageRules = {
  language: "python",
  grammar: "python",
  ids: ["python", "py"],
  endings: ["py", "pyi", "pyw"],
  symbols: {
    function_definition: { kind: "function", read: readFunction },
    class_definition: { kind: "class" },
    assignment: { kind: "variable", isLocalIgnored: true, read: readAssignment },
    type_alias_statement: { kind: "type", read: readAlias },
  },
  wrappers: ["decorated_definition", "expression_statement"],
  decorators: ["decorator"],
  modifiers: ["async"],
  parameterList: ["parameters"],
  returnType: ["return_type"],
  body: ["body"],
  parameters: {
    identifier: { name: [] },
    list_splat_pattern: { name: [] },
    dictionary_splat_pattern: { name: [] },
    typed_parameter: {
      name: ["identifier", "list_splat_pattern", "dictionary_splat_pattern"],
      type: "type",
    },
    default_parameter: { name: ["name"], default: "value" },
    typed_default_parameter: { name: ["name"], type: "type", default: "value" },
  },
  receivers: ["self", "cls"],
  comments: ["comment"],
  // PEP 263, and the compiler's settings of Cython.
  directives: [
    { pattern: /coding[:=]\s*[-\w.]+/, lastLine: 2 },
    { pattern: /^#\s*(?:cython|distutils)\s*:/ },
  ],
  strings: ["string"],
  identifiers: ["identifier"],
  docComment: /^#/,
  // Bytes are no text, and a string with values in it runs.
  docstring: /^[ru]?["']/i,
  branches: {
    if_statement: { kind: "if", text: "condition" },
    elif_clause: { kind: "if", text: "condition" },
    case_clause: { kind: "case", text: "head" },
    if_clause: { kind: "guard", text: "rest" },
    for_statement: { kind: "loop", text: "head" },
    while_statement: { kind: "loop", text: "condition" },
    except_clause: { kind: "catch", text: "head" },
    raise_statement: { kind: "throw", text: "rest" },
    return_statement: { kind: "return", text: "rest" },
    conditional_expression: { kind: "ternary", text: "condition" },
    boolean_operator: { kind: "logical", text: "whole" },
    assert_statement: { kind: "guard", text: "rest" },
  },
  exits: ["return_statement", "raise_statement", "break_statement", "continue_statement"],
  imports: {
    import_statement: (node, textOf) =>
      importedNames(node, textOf).map(({ name, alias }) => ({ source: name, names: [alias] })),
    import_from_statement: readFrom,
    future_import_statement: readFrom,
  },
  isExported: ({ name }: Visibility) => !name.startsWith("_") || /^__\w+__$/.test(name),
};

function readFunction(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return (
    nameNode && { kind: textOf(nameNode) === "__init__" ? "constructor" : "function", nameNode }
  );
}

function readAssignment(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "left");
  const value = childOf(node, "right");
  if (nameNode?.type !== "identifier" || node.parent?.type !== "expression_statement")
    return undefined;
  return value?.type === "lambda"
    ? { kind: "function", nameNode, callable: value }
    : { kind: "variable", nameNode };
}

function readAlias(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "left");
  return nameNode && { kind: "type", nameNode };
}

function importedNames(node: SyntaxNode, textOf: TextOf): { name: string; alias: string }[] {
  return node.children
    .filter(({ field }) => field === "name")
    .map((item) => {
      const name = textOf(childOf(item, "name") ?? item);
      const alias = childOf(item, "alias");
      return { name, alias: alias === undefined ? name : textOf(alias) };
    });
}

function readFrom(node: SyntaxNode, textOf: TextOf): Omit<CodeImport, "range">[] {
  const source = childOf(node, "module_name") ?? childOfType(node, "__future__");
  const names = importedNames(node, textOf).map(({ alias }) => alias);
  const all = namedChildren(node).some(({ type }) => type === "wildcard_import") ? ["*"] : [];
  return [{ source: textOf(source), names: [...names, ...all] }];
}
