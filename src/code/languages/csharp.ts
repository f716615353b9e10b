import type { SymbolKind } from "../code-analysis.ts";
import { codeOf, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const csharp = defineLanguage({
  language: "csharp",
  grammar: "c-sharp",
  ids: ["csharp", "c#", "cs"],
  endings: ["cs", "csx"],
  symbols: [
    ["namespace_declaration file_scoped_namespace_declaration", "module"],
    ["class_declaration", "class"],
    ["record_declaration", "class", { kindOf: kindOfRecord }],
    ["struct_declaration", "struct"],
    ["interface_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["delegate_declaration", "type"],
    ["constructor_declaration", "constructor"],
    ["destructor_declaration", "method", { prefix: "~" }],
    ["method_declaration", "method"],
    ["local_function_statement", "function"],
    // `operator ==` and `this[...]` are named by the sign.
    ["operator_declaration", "method", { name: "operator", prefix: "operator " }],
    ["indexer_declaration", "property", { nameType: "this" }],
    ["property_declaration", "property"],
    ["variable_declarator", "property", { within: "field_declaration event_field_declaration" }],
  ],
  docComment: /^\/\/\/|^\/\*\*(?!\/)/,
  // An alias comes before it.
  imports: [["using_directive", (node) => [codeOf(namedChildren(node).at(-1))]]],
});

function kindOfRecord(node: SyntaxNode): SymbolKind {
  return childOfType(node, "struct") === undefined ? "class" : "struct";
}
