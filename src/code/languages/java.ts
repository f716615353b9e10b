import { codeOf, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOfType } from "../tree/syntax-tree.ts";

export const java = defineLanguage({
  language: "java",
  ids: ["java"],
  endings: ["java"],
  symbols: [
    ["class_declaration record_declaration", "class"],
    ["interface_declaration annotation_type_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["constructor_declaration compact_constructor_declaration", "constructor"],
    ["method_declaration annotation_type_element_declaration", "method"],
    ["variable_declarator", "property", { within: "field_declaration constant_declaration" }],
  ],
  // Escapes are read before comments are: one may end the line, or the comment.
  directives: [{ pattern: /\\u+[\da-f]{4}/i }],
  docComment: /^\/\*\*(?!\/)/,
  imports: [["import_declaration", readImport]],
});

function readImport(node: SyntaxNode): string[] {
  const isAll = childOfType(node, "asterisk") !== undefined;
  const path = codeOf(childOfType(node, "scoped_identifier", "identifier"));
  return [isAll ? `${path}.*` : path];
}
