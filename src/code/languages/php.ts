import {
  codeOf,
  type BareImport,
  type Declaration,
  defineLanguage,
  lastPart,
  unquote,
} from "../tree/language-rules.ts";
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
  imports: {
    namespace_use_declaration: readUse,
    require_once_expression: readRequire,
    require_expression: readRequire,
    include_once_expression: readRequire,
    include_expression: readRequire,
  },
});

function readProperty(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return nameNode && { kind: "property", nameNode, name: codeOf(nameNode).replace("$", "") };
}

function readUse(node: SyntaxNode): BareImport[] {
  const group = childOf(node, "body");
  const clauses = namedChildren(group ?? node).filter(
    ({ type }) => type === "namespace_use_clause",
  );
  const items = clauses.map((clause) => {
    const alias = childOf(clause, "alias");
    const path = codeOf(namedChildren(clause).find((child) => child !== alias));
    return { path, name: alias === undefined ? lastPart(path) : codeOf(alias) };
  });
  if (group === undefined) return items.map(({ path, name }) => ({ source: path, names: [name] }));
  const source = codeOf(childOfType(node, "namespace_name"));
  return [{ source, names: items.map(({ name }) => name) }];
}

function readRequire(node: SyntaxNode): BareImport[] {
  const source = childOfType(node, "string", "encapsed_string");
  return source === undefined ? [] : [{ source: unquote(codeOf(source)), names: [] }];
}
