import {
  type Declaration,
  defineLanguage,
  type TextOf,
  type Visibility,
} from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType, namedChildren } from "../tree/syntax-tree.ts";

export const csharp = defineLanguage({
  language: "csharp",
  grammar: "c-sharp",
  ids: ["csharp", "c#", "cs"],
  endings: ["cs", "csx"],
  symbols: [
    ["namespace_declaration file_scoped_namespace_declaration", "module"],
    ["class_declaration", "class"],
    ["record_declaration", "class", { read: readRecord }],
    ["struct_declaration", "struct"],
    ["interface_declaration", "interface"],
    ["enum_declaration", "enum"],
    ["delegate_declaration", "type"],
    ["constructor_declaration", "constructor"],
    ["destructor_declaration", "method", { read: readDestructor }],
    ["method_declaration", "method"],
    ["local_function_statement", "function"],
    ["operator_declaration indexer_declaration", "method", { read: readOperator }],
    ["property_declaration", "property"],
    ["variable_declarator", "property", { within: "field_declaration event_field_declaration" }],
  ],
  docComment: /^\/\/\/|^\/\*\*(?!\/)/,
  imports: {
    using_directive: (node, textOf) => {
      const alias = childOf(node, "name");
      const path = namedChildren(node).findLast((child) => child !== alias);
      return [{ source: textOf(path), names: alias === undefined ? [] : [textOf(alias)] }];
    },
  },
  isExported,
});

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

function isExported({ kind, modifiers, holder }: Visibility): boolean {
  if (kind === "module" || modifiers.has("public")) return true;
  return holder === "interface" && !modifiers.has("private");
}
