import type { CodeParameter } from "../code-analysis.ts";
import { branchesOfC, exitsOfC } from "./c-family.ts";
import {
  type Declaration,
  type LanguageRules,
  type TextOf,
  type Visibility,
  lastPart,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType } from "../tree/syntax-tree.ts";

export const java: LanguageRules = {
  language: "java",
  grammar: "java",
  ids: ["java"],
  endings: ["java"],
  symbols: {
    class_declaration: { kind: "class" },
    record_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    annotation_type_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    constructor_declaration: { kind: "constructor" },
    compact_constructor_declaration: { kind: "constructor" },
    method_declaration: { kind: "method" },
    annotation_type_element_declaration: { kind: "method" },
    variable_declarator: { kind: "property", isLocalIgnored: true, read: readField },
  },
  wrappers: ["field_declaration", "constant_declaration"],
  transparent: ["enum_body_declarations"],
  decorators: ["annotation", "marker_annotation"],
  modifiers: ["modifiers"],
  parameterList: ["parameters"],
  returnType: ["type"],
  body: ["body"],
  parameters: {
    formal_parameter: { name: ["name"], type: "type" },
    spread_parameter: { name: ["variable_declarator"] },
  },
  readParameter: readSpread,
  comments: ["line_comment", "block_comment"],
  // Escapes are read before comments are: one may end the line, or the comment.
  directives: [{ pattern: /\\u+[\da-f]{4}/i }],
  strings: ["string_literal", "character_literal"],
  identifiers: ["identifier", "type_identifier"],
  docComment: /^\/\*\*(?!\/)/,
  branches: {
    ...branchesOfC,
    switch_label: { kind: "case", text: "rest" },
    enhanced_for_statement: { kind: "loop", text: "head" },
    catch_clause: { kind: "catch", text: "head" },
    assert_statement: { kind: "guard", text: "rest" },
    guard: { kind: "guard", text: "rest" },
  },
  exits: [...exitsOfC, "yield_statement"],
  imports: {
    import_declaration: (node, textOf) => {
      const source = textOf(childOfType(node, "scoped_identifier", "identifier"));
      const isAll = childOfType(node, "asterisk") !== undefined;
      return [
        { source: isAll ? `${source}.*` : source, names: isAll ? ["*"] : [lastPart(source)] },
      ];
    },
  },
  isExported,
};

function readField(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const isField = /^(?:field|constant)_declaration$/.test(node.parent?.type ?? "");
  return isField ? nameNode && { kind: "property", nameNode } : undefined;
}

function readSpread(node: SyntaxNode, textOf: TextOf): readonly CodeParameter[] | undefined {
  if (node.type !== "spread_parameter") return undefined;
  const name = textOf(childOfType(node, "variable_declarator"));
  return [
    {
      name,
      type: textOf(node)
        .replace(/\.\.\.[^.]*$/, "")
        .trim(),
      hasDefault: false,
    },
  ];
}

/** Members of interfaces are public without saying so. */
function isExported({ modifiers, holder }: Visibility): boolean {
  return modifiers.has("public") || (holder === "interface" && !modifiers.has("private"));
}
