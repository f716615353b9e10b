import type { SymbolKind } from "../code-analysis.ts";
import { codeOf, type Declaration, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, childOfType } from "../tree/syntax-tree.ts";

const kinds: Readonly<Record<string, SymbolKind>> = {
  struct_type: "struct",
  interface_type: "interface",
};

export const go = defineLanguage({
  language: "go",
  ids: ["go", "golang"],
  endings: ["go"],
  symbols: [
    ["function_declaration", "function"],
    ["method_declaration method_elem", "method"],
    ["type_spec", "type", { read: readType }],
    ["type_alias", "type"],
    ["field_declaration", "property"],
    ["const_spec var_spec", "variable"],
    ["short_var_declaration", "function", { name: "left", isFunction: true }],
  ],
  ownerOf,
  directives: [
    { pattern: /^\/[/*](?:go:|line |export |extern |\s*\+build )/ },
    // What is above the import of "C" is compiled as C.
    { pattern: /^/, above: /^[ \t]*(?:import[ \t]*)?(?:\([ \t]*)?"C"[ \t;)]*$/m },
  ],
  docComment: /^\/(?:\/(?!go:)|\*)/,
  imports: [["import_spec", "path"]],
});

function ownerOf(node: SyntaxNode): string | undefined {
  const receiver = childOfType(childOf(node, "receiver"), "parameter_declaration");
  return /[\p{L}\w]+/u.exec(codeOf(childOf(receiver, "type")))?.[0];
}

function readType(node: SyntaxNode): Declaration | undefined {
  const nameNode = childOf(node, "name");
  const type = childOf(node, "type");
  const kind = kinds[type?.type ?? ""] ?? "type";
  if (nameNode === undefined || type === undefined) return undefined;
  return kind === "type" ? { kind, nameNode } : { kind, nameNode, callable: type };
}
