import type { CodeImport } from "../code-analysis.ts";
import { branchesOfC, exitsOfC } from "./c-family.ts";
import {
  type Declaration,
  type LanguageRules,
  type TextOf,
  type Visibility,
  lastPart,
  unquote,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const php: LanguageRules = {
  language: "php",
  grammar: "php",
  ids: ["php"],
  endings: ["php", "phtml", "php5", "phps"],
  symbols: {
    namespace_definition: { kind: "module", read: readNamespace },
    class_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    trait_declaration: { kind: "trait" },
    enum_declaration: { kind: "enum" },
    function_definition: { kind: "function" },
    method_declaration: { kind: "method", read: readMethod },
    const_element: { kind: "variable", isLocalIgnored: true, read: readConstant },
    property_element: { kind: "property", isLocalIgnored: true, read: readProperty },
    assignment_expression: { kind: "function", read: readClosure },
  },
  wrappers: ["const_declaration", "property_declaration", "expression_statement"],
  decorators: ["attribute_list"],
  modifiers: [
    "visibility_modifier",
    "static_modifier",
    "abstract_modifier",
    "final_modifier",
    "readonly_modifier",
  ],
  parameterList: ["parameters"],
  returnType: ["return_type"],
  body: ["body"],
  parameters: {
    simple_parameter: { name: ["name"], type: "type", default: "default_value" },
    variadic_parameter: { name: ["name"], type: "type" },
    property_promotion_parameter: { name: ["name"], type: "type", default: "default_value" },
  },
  comments: ["comment"],
  strings: [
    "string",
    "encapsed_string",
    "heredoc",
    "nowdoc",
    "shell_command_expression",
    "text",
    "text_interpolation",
  ],
  identifiers: ["name", "variable_name"],
  docComment: /^\/\*\*(?!\/)/,
  branches: {
    ...branchesOfC,
    else_if_clause: { kind: "if", text: "condition" },
    case_statement: { kind: "case", text: "value" },
    default_statement: { kind: "case", text: "head" },
    match_conditional_expression: { kind: "case", text: "conditional_expressions" },
    match_default_expression: { kind: "case", text: "nothing" },
    foreach_statement: { kind: "loop", text: "head" },
    catch_clause: { kind: "catch", text: "head" },
    throw_expression: { kind: "throw", text: "rest" },
  },
  exits: [...exitsOfC, "throw_expression", "exit_statement"],
  imports: {
    namespace_use_declaration: readUse,
    require_once_expression: readRequire,
    require_expression: readRequire,
    include_once_expression: readRequire,
    include_expression: readRequire,
  },
  isExported: ({ modifiers }: Visibility) =>
    !modifiers.has("private") && !modifiers.has("protected"),
};

/** `namespace A;` speaks of the whole file, and holds nothing. */
function readNamespace(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return childOf(node, "body") === undefined ? undefined : nameNode && { kind: "module", nameNode };
}

function readMethod(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const isConstructor = textOf(nameNode) === "__construct";
  return nameNode && { kind: isConstructor ? "constructor" : "method", nameNode };
}

function readConstant(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOfType(node, "name");
  return nameNode && { kind: "variable", nameNode };
}

function readProperty(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return nameNode && { kind: "property", nameNode, name: textOf(nameNode).replace("$", "") };
}

/** `$name = fn () => ...` */
function readClosure(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "left");
  const callable = childOf(node, "right");
  const isFunction = callable?.type === "arrow_function" || callable?.type === "anonymous_function";
  if (!isFunction || nameNode?.type !== "variable_name") return undefined;
  return { kind: "function", nameNode, callable };
}

type Import = Omit<CodeImport, "range">;

function readUse(node: SyntaxNode, textOf: TextOf): Import[] {
  const group = childOf(node, "body");
  const clauses = namedChildren(group ?? node).filter(
    ({ type }) => type === "namespace_use_clause",
  );
  const items = clauses.map((clause) => {
    const alias = childOf(clause, "alias");
    const path = textOf(namedChildren(clause).find((child) => child !== alias));
    return { path, name: alias === undefined ? lastPart(path) : textOf(alias) };
  });
  if (group === undefined) return items.map(({ path, name }) => ({ source: path, names: [name] }));
  const source = textOf(childOfType(node, "namespace_name"));
  return [{ source, names: items.map(({ name }) => name) }];
}

function readRequire(node: SyntaxNode, textOf: TextOf): Import[] {
  const source = childOfType(node, "string", "encapsed_string");
  return source === undefined ? [] : [{ source: unquote(textOf(source)), names: [] }];
}
