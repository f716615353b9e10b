import { codeOf, type Declaration, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const php = defineLanguage({
  language: "php",
  ids: ["php"],
  endings: ["php", "phtml", "php5", "phps"],
  symbols: [
    // `namespace A;` speaks of the whole file, and holds nothing.
    ["namespace_definition", "module", { needs: "body" }],
    ["class_declaration", "class"],
    ["interface_declaration", "interface"],
    ["trait_declaration", "trait"],
    ["enum_declaration", "enum"],
    ["function_definition", "function"],
    ["method_declaration", "method", { constructorName: "__construct" }],
    ["const_element", "variable", { nameType: "name" }],
    ["property_element", "property", { read: readProperty }],
    [
      "assignment_expression",
      "function",
      { name: "left", nameType: "variable_name", isFunction: true },
    ],
  ],
  docComment: /^\/\*\*(?!\/)/,
  imports: [
    ["namespace_use_declaration", readUse],
    [
      "require_once_expression require_expression include_once_expression include_expression",
      "string encapsed_string",
    ],
  ],
});

function readProperty(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return nameNode && { kind: "property", nameNode, name: codeOf(nameNode).replace("$", "") };
}

function readUse(node: SyntaxNode): string[] {
  if (childOf(node, "body") !== undefined) return [codeOf(childOfType(node, "namespace_name"))];
  return namedChildren(node)
    .filter(({ type }) => type === "namespace_use_clause")
    .map((clause) => codeOf(namedChildren(clause).find(({ field }) => field !== "alias")));
}
