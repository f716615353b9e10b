import { branchesOfC, exitsOfC } from "./c-family.ts";
import {
  type Declaration,
  type LanguageRules,
  type TextOf,
  type Visibility,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const csharp: LanguageRules = {
  language: "csharp",
  grammar: "c-sharp",
  ids: ["csharp", "c#", "cs"],
  endings: ["cs", "csx"],
  symbols: {
    namespace_declaration: { kind: "module" },
    file_scoped_namespace_declaration: { kind: "module" },
    class_declaration: { kind: "class" },
    record_declaration: { kind: "class", read: readRecord },
    struct_declaration: { kind: "struct" },
    interface_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    delegate_declaration: { kind: "type" },
    constructor_declaration: { kind: "constructor" },
    destructor_declaration: { kind: "method", read: readDestructor },
    method_declaration: { kind: "method" },
    local_function_statement: { kind: "function" },
    operator_declaration: { kind: "method", read: readOperator },
    property_declaration: { kind: "property" },
    indexer_declaration: { kind: "property", read: readOperator },
    variable_declarator: { kind: "property", isLocalIgnored: true, read: readField },
  },
  wrappers: [
    "variable_declaration",
    "field_declaration",
    "event_field_declaration",
    "global_statement",
  ],
  decorators: ["attribute_list"],
  modifiers: ["modifier"],
  parameterList: ["parameters", "parameter_list"],
  returnType: ["returns", "type"],
  body: ["body", "accessors"],
  parameters: {
    parameter: { name: ["name"], type: "type", default: "=" },
  },
  comments: ["comment"],
  strings: [
    "string_literal",
    "verbatim_string_literal",
    "raw_string_literal",
    "interpolated_string_expression",
    "character_literal",
  ],
  identifiers: ["identifier"],
  docComment: /^\/\/\/|^\/\*\*(?!\/)/,
  branches: {
    ...branchesOfC,
    switch_section: { kind: "case", text: "head" },
    switch_expression_arm: { kind: "case", text: "lead" },
    foreach_statement: { kind: "loop", text: "head" },
    catch_clause: { kind: "catch", text: "head" },
    catch_filter_clause: { kind: "guard", text: "rest" },
    when_clause: { kind: "guard", text: "rest" },
    throw_expression: { kind: "throw", text: "rest" },
  },
  exits: [...exitsOfC, "goto_statement", "yield_statement"],
  imports: {
    using_directive: (node, textOf) => {
      const alias = childOf(node, "name");
      const path = namedChildren(node).findLast((child) => child !== alias);
      return [{ source: textOf(path), names: alias === undefined ? [] : [textOf(alias)] }];
    },
  },
  isExported,
};

function readRecord(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const isStruct = childOfType(node, "struct") !== undefined;
  return nameNode && { kind: isStruct ? "struct" : "class", nameNode };
}

function readDestructor(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "name");
  return nameNode && { kind: "method", nameNode, name: `~${textOf(nameNode)}` };
}

/** `operator ==` and `this[...]` are named by the sign. */
function readOperator(node: SyntaxNode, textOf: TextOf): Declaration | undefined {
  const nameNode = childOf(node, "operator") ?? childOfType(node, "this");
  if (nameNode === undefined) return undefined;
  return nameNode.field === "operator"
    ? { kind: "method", nameNode, name: `operator ${textOf(nameNode)}` }
    : { kind: "property", nameNode };
}

function readField(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const isField = node.parent?.parent?.type.endsWith("field_declaration") === true;
  return isField ? nameNode && { kind: "property", nameNode } : undefined;
}

function isExported({ kind, modifiers, holder }: Visibility): boolean {
  if (kind === "module" || modifiers.has("public")) return true;
  return holder === "interface" && !modifiers.has("private");
}
