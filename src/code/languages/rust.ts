import { codeOf, defineLanguage } from "../tree/language-rules.ts";
import { type SyntaxNode, childOf, namedChildren } from "../tree/syntax-tree.ts";

export const rust = defineLanguage({
  language: "rust",
  ids: ["rust", "rs"],
  endings: ["rs"],
  symbols: [
    ["function_item function_signature_item", "function"],
    ["struct_item union_item", "struct"],
    ["enum_item", "enum"],
    ["trait_item", "trait"],
    ["type_item associated_type", "type"],
    ["mod_item", "module"],
    ["const_item static_item", "variable"],
    ["field_declaration", "property"],
    ["macro_definition", "function"],
    ["let_declaration", "function", { name: "pattern", nameType: "identifier", isFunction: true }],
  ],
  ownerOf,
  docComment: /^\/\/\/(?!\/)|^\/\*\*(?![*/])/,
  imports: [
    ["use_declaration", (node) => readUse(childOf(node, "argument"))],
    ["extern_crate_declaration", "name"],
  ],
});

/** The `impl` block that a node is a member of. */
function implOf(node: SyntaxNode): SyntaxNode | undefined {
  const block = node.parent?.parent;
  return block?.type === "impl_item" ? block : undefined;
}

function ownerOf(node: SyntaxNode): string | undefined {
  const type = codeOf(childOf(implOf(node), "type"));
  return /(?<![\p{L}\w])[\p{L}\w]+(?=[<\s]|$)/u.exec(type)?.[0];
}

function readUse(node: SyntaxNode | undefined): string[] {
  if (node?.type === "use_list") return namedChildren(node).flatMap((item) => readUse(item));
  return [codeOf(childOf(node, "list", "alias") === undefined ? node : childOf(node, "path"))];
}
